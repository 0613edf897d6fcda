//! The inputs of the held-out applications. GPGPU-Sim read them from files that were made with Python's `random` from
//! the seed 7; they are made again here instead of being committed, and one digest holds them to those files.

use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// The Mersenne Twister (MT19937), with the conversions of Python's `random`.
struct Twister {
    state: [u32; 624],
    next: usize,
}

impl Twister {
    /// Seeded with an array of one number.
    fn new(seed: u32) -> Twister {
        let mut state = [19_650_218u32; 624];
        let mixed = |before: u32| before ^ (before >> 30);
        for n in 1..624 {
            state[n] = mixed(state[n - 1]).wrapping_mul(1_812_433_253).wrapping_add(n as u32);
        }
        let mut n = 1;
        let mut step = |round: fn(u32, u32, u32, usize) -> u32| {
            state[n] = round(state[n], mixed(state[n - 1]), seed, n);
            n += 1;
            if n == 624 {
                state[0] = state[623];
                n = 1;
            }
        };
        (0..624).for_each(|_| {
            step(|own, before, seed, _| (own ^ before.wrapping_mul(1_664_525)).wrapping_add(seed))
        });
        (0..623).for_each(|_| {
            step(|own, before, _, n| (own ^ before.wrapping_mul(1_566_083_941)).wrapping_sub(n as u32))
        });
        state[0] = 1 << 31;
        Twister { state, next: 624 }
    }

    fn word(&mut self) -> u32 {
        if self.next == 624 {
            for n in 0..624 {
                let joined = (self.state[n] & (1 << 31)) | (self.state[(n + 1) % 624] & (u32::MAX >> 1));
                let twist = if joined & 1 == 1 { 0x9908_b0df } else { 0 };
                self.state[n] = self.state[(n + 397) % 624] ^ (joined >> 1) ^ twist;
            }
            self.next = 0;
        }
        let mut word = self.state[self.next];
        self.next += 1;
        word ^= word >> 11;
        word ^= (word << 7) & 0x9d2c_5680;
        word ^= (word << 15) & 0xefc6_0000;
        word ^ (word >> 18)
    }

    /// From 0 to below 1.
    fn unit(&mut self) -> f64 {
        let (high, low) = (self.word() >> 5, self.word() >> 6);
        (f64::from(high) * 67_108_864.0 + f64::from(low)) / 9_007_199_254_740_992.0
    }

    /// From 0 to below `bound`.
    fn below(&mut self, bound: u32) -> u32 {
        loop {
            let number = self.word() >> bound.leading_zeros();
            if number < bound {
                return number;
            }
        }
    }

    /// A circle through all numbers below `length`: to each the next.
    fn circle(&mut self, length: u32) -> Vec<u32> {
        let mut order: Vec<u32> = (0..length).collect();
        for last in (1..length).rev() {
            order.swap(last as usize, self.below(last + 1) as usize);
        }
        let mut next = vec![0; length as usize];
        for (place, &number) in order.iter().enumerate() {
            next[number as usize] = order[(place + 1) % order.len()];
        }
        next
    }

    /// Rows, targets and weights of a graph: degrees of a Pareto distribution with a hub at vertex 0, half of the targets
    /// near the low numbers.
    fn graph(&mut self, vertices: u32, hub: u32) -> [Vec<u32>; 3] {
        let degree = |unit: f64| ((libm::pow(1.0 - unit, -1.0 / 1.3) * 6.0 / 4.0) as u32).clamp(1, 200);
        let mut degrees: Vec<u32> = (0..vertices).map(|_| degree(self.unit())).collect();
        degrees[0] = hub;
        let (mut rows, mut targets) = (vec![0], Vec::new());
        for degree in degrees {
            for _ in 0..degree {
                targets.push(match self.unit() < 0.5 {
                    true => (f64::from(vertices) * libm::pow(self.unit(), 3.0)) as u32,
                    false => self.below(vertices),
                });
            }
            rows.push(targets.len() as u32);
        }
        let weights = targets.iter().map(|_| 1 + self.below(100)).collect();
        [rows, targets, weights]
    }
}

/// All files, in the order in which their numbers are drawn.
fn files() -> Vec<(&'static str, Vec<u32>)> {
    const FAR: u32 = 0x3fff_ffff;
    let mut twister = Twister::new(7);
    let mut files = Vec::new();
    let graphs =
        [(4096, 600, ["g12_row", "g12_col", "g12_w"]), (16384, 2500, ["g14_row", "g14_col", "g14_w"])];
    for (vertices, hub, names) in graphs {
        files.extend(names.into_iter().zip(twister.graph(vertices, hub)));
    }
    let mut start = vec![FAR; 4096];
    start[0] = 0;
    files.extend([("dist0", start), ("distinf", vec![FAR; 4096])]);
    // Drawn for an input that no application of these reads.
    for _ in 0..4096 {
        twister.below(1001);
    }
    let floats = |twister: &mut Twister, length: u32| -> Vec<u32> {
        (0..length).map(|_| (twister.unit() as f32).to_bits()).collect()
    };
    files.push(("x14", floats(&mut twister, 16384)));
    files.push(("key16", (0..65536).map(|_| twister.below(1 << 20)).collect()));
    files.push(("keyz", (0..65536).map(|_| (256.0 * libm::pow(twister.unit(), 4.0)) as u32).collect()));
    for (name, length) in [("a128", 128 * 128), ("b128", 128 * 128), ("a256", 256 * 256)] {
        files.push((name, floats(&mut twister, length)));
    }
    files.push(("next16", twister.circle(1 << 16)));
    files.push(("next19", twister.circle(1 << 19)));
    files.push(("s18", floats(&mut twister, 1 << 18)));
    files
}

/// Writes all files to a folder.
pub(super) fn write(folder: &Path) {
    let mut digest = Sha256::new();
    for (name, words) in files() {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        digest.update(&bytes);
        fs::write(folder.join(format!("{name}.bin")), bytes).unwrap();
    }
    let mut found = String::new();
    digest.finalize().iter().for_each(|byte| write!(found, "{byte:02x}").unwrap());
    assert_eq!(found, DIGEST, "these are not the inputs that GPGPU-Sim had");
}

/// SHA-256 of all files behind each other.
const DIGEST: &str = "dcf277391a859615ed2ee819453f1b3cce32d0d6c53ee527ba1b8901b76a2e37";
