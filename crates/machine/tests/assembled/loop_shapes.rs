//! Loops of all shapes that mechanisms which prefetch may meet: counts of none, one and two, tests, updates, exits from the
//! middle, calls, loops inside, stores.

/// How a loop decides whether it goes on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Test {
    Less,
    NotEqual,
    Swapped,
    /// At its top.
    First,
}

/// What is known of its iterations before it is entered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Before {
    Comparison,
    /// A comparison with what the index is copied from.
    Copied,
    Nothing,
}

/// Where the index is updated: behind the load, before it, or between its address and it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Update {
    Behind,
    Ahead,
    Between,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Tail {
    Nothing,
    Plain,
    Conditional,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Inside {
    Nothing,
    Call,
    Loop,
    SecondUpdate,
    /// A store to what the tail reads.
    Store,
}

/// One loop of all these.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) test: Test,
    pub(super) before: Before,
    pub(super) update: Update,
    pub(super) tail: Tail,
    pub(super) inside: Inside,
    /// Whether the address of the head is a pointer that is updated.
    pub(super) pointer: bool,
    /// Whether lanes leave the loop from its middle.
    pub(super) breaks: bool,
    /// How often the loop is entered.
    pub(super) rounds: u32,
}

/// A function that loops may call.
pub(super) const TWIST: &str = r#"
.func (.reg .b32 result) twist(.reg .b32 value)
{
    .reg .b32 %t<2>;
    shl.b32 %t1, value, 1;
    xor.b32 result, %t1, 21;
    ret;
}
"#;

impl Shape {
    /// All of them.
    pub(super) fn all() -> Vec<Shape> {
        let mut all = Vec::new();
        for test in [Test::Less, Test::NotEqual, Test::Swapped, Test::First] {
            for before in [Before::Comparison, Before::Copied, Before::Nothing] {
                for update in [Update::Behind, Update::Ahead, Update::Between] {
                    for tail in [Tail::Nothing, Tail::Plain, Tail::Conditional] {
                        let insides = [
                            Inside::Nothing,
                            Inside::Call,
                            Inside::Loop,
                            Inside::SecondUpdate,
                            Inside::Store,
                        ];
                        for inside in insides {
                            for bits in 0..8 {
                                let (pointer, breaks) = (bits & 1 == 1, bits & 2 == 2);
                                let rounds = if bits & 4 == 4 { 3 } else { 1 };
                                all.push(Shape {
                                    test,
                                    before,
                                    update,
                                    tail,
                                    inside,
                                    pointer,
                                    breaks,
                                    rounds,
                                });
                            }
                        }
                    }
                }
            }
        }
        all
    }

    fn updates(&self, at: Update) -> &'static str {
        if self.update == at { "add.u32 %r6, %r6, 1;\n add.u64 %rd4, %rd4, 4;\n" } else { "" }
    }

    fn enter(&self) -> &'static str {
        match self.before {
            Before::Comparison => "mov.u32 %r6, %r4;\n setp.ge.u32 %p1, %r6, %r5;\n @%p1 bra DONE;\n",
            Before::Copied => "setp.ge.u32 %p1, %r4, %r5;\n @%p1 bra DONE;\n mov.u32 %r6, %r4;\n",
            Before::Nothing => "setp.eq.u32 %p1, %r3, 0;\n mov.u32 %r6, %r4;\n @%p1 bra DONE;\n",
        }
    }

    fn load(&self) -> String {
        let mut text = String::new();
        text += self.updates(Update::Ahead);
        if !self.pointer {
            text += "mul.wide.u32 %rd5, %r6, 4;\n add.u64 %rd8, %rd1, %rd5;\n";
        }
        text += self.updates(Update::Between);
        text += match (self.pointer, self.update) {
            (true, Update::Behind) => "ld.global.nc.u32 %r7, [%rd4];\n",
            (true, _) => "ld.global.nc.u32 %r7, [%rd4+-4];\n",
            (false, Update::Ahead) => "ld.global.nc.u32 %r7, [%rd8+-4];\n",
            (false, _) => "ld.global.nc.u32 %r7, [%rd8];\n",
        };
        text + "mad.lo.u32 %r20, %r20, 5, %r7;\n"
    }

    fn tail(&self) -> &'static str {
        match self.tail {
            Tail::Nothing => "",
            Tail::Plain => {
                "mul.wide.u32 %rd6, %r7, 4;\n add.u64 %rd9, %rd2, %rd6;\n ld.global.nc.u32 %r9, [%rd9];\n
                 mad.lo.u32 %r20, %r20, 3, %r9;\n"
            }
            Tail::Conditional => {
                "and.b32 %r8, %r7, 1;\n setp.eq.u32 %p3, %r8, 0;\n @%p3 bra SKIP;\n
                 mul.wide.u32 %rd6, %r7, 4;\n add.u64 %rd9, %rd2, %rd6;\n ld.global.nc.u32 %r9, [%rd9];\n
                 mad.lo.u32 %r20, %r20, 3, %r9;\nSKIP:\n"
            }
        }
    }

    fn inside(&self) -> &'static str {
        match self.inside {
            Inside::Nothing => "",
            Inside::Call => "call (%r20), twist, (%r20);\n",
            Inside::Loop => {
                "mov.u32 %r11, 0;\nINNER:\n xor.b32 %r20, %r20, %r11;\n add.u32 %r11, %r11, 1;\n
                 setp.lt.u32 %p5, %r11, 3;\n @%p5 bra INNER;\n"
            }
            Inside::SecondUpdate => "add.u32 %r6, %r6, 1;\n add.u64 %rd4, %rd4, 4;\n",
            // Behind everything that is read.
            Inside::Store => {
                "mul.wide.u32 %rd7, %r1, 4;\n add.u64 %rd7, %rd2, %rd7;\n st.global.u32 [%rd7+4096], %r20;\n"
            }
        }
    }

    pub(super) fn ptx(&self, name: &str) -> String {
        let (top, bottom) = match self.test {
            Test::Less => ("", "setp.lt.u32 %p2, %r6, %r5;\n @%p2 bra LOOP;\n"),
            Test::NotEqual => ("", "setp.ne.u32 %p2, %r6, %r5;\n @%p2 bra LOOP;\n"),
            Test::Swapped => ("", "setp.le.u32 %p2, %r5, %r6;\n @!%p2 bra LOOP;\n"),
            Test::First => ("setp.ge.u32 %p2, %r6, %r5;\n @%p2 bra DONE;\n", "bra LOOP;\n"),
        };
        let leave = if self.breaks {
            "and.b32 %r12, %r7, 7;\n setp.eq.u32 %p4, %r12, 3;\n @%p4 bra DONE;\n"
        } else {
            ""
        };
        let (enter, load, tail, inside) = (self.enter(), self.load(), self.tail(), self.inside());
        let (behind, rounds) = (self.updates(Update::Behind), self.rounds);
        let twice = if self.inside == Inside::SecondUpdate { "shl.b32 %r3, %r3, 1;\n" } else { "" };
        format!(
            "
.visible .entry {name}(.param .u64 edges, .param .u64 values, .param .u64 starts, .param .u64 counts, .param .u64 out)
{{
    .reg .pred %p<8>;
    .reg .b32 %r<24>;
    .reg .b64 %rd<16>;
    ld.param.u64 %rd1, [edges];
    ld.param.u64 %rd2, [values];
    ld.param.u64 %rd11, [starts];
    ld.param.u64 %rd12, [counts];
    ld.param.u64 %rd13, [out];
    mov.u32 %r13, %ctaid.x;
    mov.u32 %r14, %ntid.x;
    mov.u32 %r15, %tid.x;
    mad.lo.u32 %r1, %r13, %r14, %r15;
    mul.wide.u32 %rd10, %r1, 4;
    add.u64 %rd11, %rd11, %rd10;
    add.u64 %rd12, %rd12, %rd10;
    add.u64 %rd13, %rd13, %rd10;
    ld.global.u32 %r2, [%rd11];
    ld.global.u32 %r3, [%rd12];
    {twice}
    mov.u32 %r20, 0;
    mov.u32 %r21, 0;
OUTER:
    mad.lo.u32 %r4, %r21, 7, %r2;
    add.u32 %r5, %r4, %r3;
    {enter}
    mul.wide.u32 %rd4, %r6, 4;
    add.u64 %rd4, %rd1, %rd4;
LOOP:
    {top}
    {load}
    {tail}
    {leave}
    {inside}
    {behind}
    {bottom}
DONE:
    add.u32 %r21, %r21, 1;
    setp.lt.u32 %p6, %r21, {rounds};
    @%p6 bra OUTER;
    st.global.u32 [%rd13], %r20;
    ret;
}}
"
        )
    }
}
