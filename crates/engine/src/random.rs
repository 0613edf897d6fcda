//! Pseudo-random decisions of hardware, the same on every host.

/// A linear-feedback shift register, as such hardware has one: 32 bits, taps 32, 22, 2, 1 (a maximal length
/// sequence).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Random {
    state: u32,
}

impl Random {
    /// From a seed; 0 stands for another constant, as the register would stay there.
    pub fn new(seed: u32) -> Random {
        Random { state: if seed == 0 { 0xACE1_5EED } else { seed } }
    }

    /// The next bit.
    #[inline(always)]
    fn bit(&mut self) -> u32 {
        let s = self.state;
        let bit = (s ^ (s >> 10) ^ (s >> 30) ^ (s >> 31)) & 1;
        self.state = (s >> 1) | (bit << 31);
        bit
    }

    /// True once in `2^log2` times on average.
    #[inline(always)]
    pub fn one_in_power_of_two(&mut self, log2: u32) -> bool {
        (0..log2).fold(0, |any, _| any | self.bit()) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn one_in_eight_is_about_one_in_eight() {
        let mut random = Random::new(1);
        let hits = (0..80_000).filter(|_| random.one_in_power_of_two(3)).count();
        assert!((9_500..10_500).contains(&hits), "{hits}");
    }
}
