//! The macro behind the registry of policies.

/// Makes, of a line per policy, everything that names all policies:
///
/// - the policy's module, a file in its family's folder, beside what the family's own module has;
/// - the public enum of a family's names (`BypassKind`), as machine files have them;
/// - the enum over its policies (`Bypass`) with what all policies do, dispatched by `match`, and a macro
///   (`each_bypass!`) with which a family's file does the same for its own decisions;
/// - [`PolicySpec`]: the parameters of all policies that have some, each in a table with the policy's name, with
///   their checks and the rows of their tables.
///
/// The first token is a dollar sign, which macros that make macros need.
macro_rules! policies {
    (
        $d:tt
        $(
            $(#[$family_meta:meta])*
            mod $folder:ident { $($item:item)* } $family:ident, $kind:ident, $each:ident {
                $($(#[$meta:meta])* $variant:ident = $name:literal => $file:ident::$policy:ident $(, $spec:ident)?;)*
            }
        )*
    ) => {
        /// The parameters of every policy that has some.
        #[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        #[serde(deny_unknown_fields, default)]
        pub struct PolicySpec {
            $($($(
                #[doc = concat!("Of `", $name, "`.")]
                #[serde(rename = $name)]
                pub $file: $spec,
            )?)*)*
        }

        impl PolicySpec {
            /// Refuses what cannot be built or makes no sense; `prefix` is the name of the table that the keys are in.
            pub fn check(&self, prefix: &str) -> Result<(), $crate::SpecError> {
                $($($(parameters::check::<$spec>(&self.$file, prefix, $name)?;)?)*)*
                Ok(())
            }

            /// How many rows each table of a policy has in every cache that uses it, by its key.
            pub fn rows(&self) -> Vec<(String, u64)> {
                let mut rows = Vec::new();
                $($($(rows.extend(parameters::rows::<$spec>(&self.$file, $name));)?)*)*
                rows
            }
        }

        $(
            $crate::choices::choices! {
                $(#[$family_meta])*
                $kind { $($(#[$meta])* $variant = $name,)* }
            }

            impl $kind {
                /// Whether a cache can have this policy: the key that is wrong otherwise, and why.
                pub(super) fn check(
                    self,
                    cache: &$crate::cache::CacheSpec,
                ) -> Result<(), (&'static str, String)> {
                    match self { $($kind::$variant => <$folder::$file::$policy as Policy>::check_cache(cache),)* }
                }

                /// Whether a cache with this policy can be where it is.
                pub(super) fn check_place(
                    self,
                    policies: &PolicySpec,
                    place: &Surroundings<'_>,
                ) -> Result<(), $crate::SpecError> {
                    match self {
                        $($kind::$variant => <$folder::$file::$policy as Policy>::check_place(
                            policies!(@spec policies $file $($spec)?), place
                        ),)*
                    }
                }

                /// The policy bits that it uses.
                pub fn bits_used(self) -> u16 {
                    match self { $($kind::$variant => <$folder::$file::$policy as Policy>::BITS,)* }
                }

                /// What caches with this policy share with others, in words.
                pub fn shares(self) -> Option<&'static str> {
                    match self { $($kind::$variant => <$folder::$file::$policy as Policy>::SHARES,)* }
                }

                /// Adds what they share, for so many cores.
                pub fn share(self, policies: &PolicySpec, cores: u32, tables: &mut CoreTables) {
                    match self {
                        $($kind::$variant => <$folder::$file::$policy as Policy>::share(
                            policies!(@spec policies $file $($spec)?), cores, tables
                        ),)*
                    }
                }
            }

            $($(
                pub use $folder::$file::$spec;
            )?)*

            $(#[$family_meta])*
            #[derive(Clone, Debug)]
            pub(crate) enum $family { $($variant($folder::$file::$policy),)* }

            macro_rules! $each {
                ($d among:expr, $d policy:ident => $d decision:expr) => {
                    match $d among { $($family::$variant($d policy) => $d decision,)* }
                };
            }

            impl $family {
                /// The policy with this name; `seed` is for those that choose at random.
                pub(crate) fn new(kind: $kind, policies: &PolicySpec, seed: u32) -> $family {
                    match kind {
                        $($kind::$variant => $family::$variant(
                            <$folder::$file::$policy as Policy>::new(policies!(@spec policies $file $($spec)?), seed)
                        ),)*
                    }
                }

                /// What it wants to be shown.
                pub(crate) fn wants(&self) -> Wants {
                    match self { $($family::$variant(_) => <$folder::$file::$policy as Policy>::WANTS,)* }
                }

                /// Which sets the cache has.
                pub(crate) fn numbered(&mut self, sets: SetNumbers) {
                    $each!(self, policy => policy.numbered(sets))
                }

                #[inline(always)]
                pub(crate) fn visited(&mut self, visit: &Visit, tables: &mut CoreTables) {
                    $each!(self, policy => policy.visited(visit, tables))
                }

                #[inline(always)]
                pub(crate) fn departed(&mut self, departure: &Departure, tables: &mut CoreTables) {
                    $each!(self, policy => policy.departed(departure, tables))
                }

                #[inline(always)]
                pub(crate) fn asked(&mut self, visit: &Visit, tables: &mut CoreTables) -> u16 {
                    $each!(self, policy => {
                        let bits = policy.asked(visit, tables);
                        context::declared(policy, bits)
                    })
                }

                #[inline(always)]
                pub(crate) fn answered(&mut self, visit: &Visit, tables: &mut CoreTables) -> u16 {
                    $each!(self, policy => {
                        let bits = policy.answered(visit, tables);
                        context::declared(policy, bits)
                    })
                }

                #[inline(always)]
                pub(crate) fn filled(&mut self, fill: &Fill, tables: &mut CoreTables) -> u16 {
                    $each!(self, policy => {
                        let bits = policy.filled(fill, tables);
                        context::declared(policy, bits)
                    })
                }

                /// What the cache will be asked from now on.
                pub(crate) fn foresee(
                    &mut self,
                    future: &std::sync::Arc<$crate::cache::foresight::Future>,
                ) {
                    $each!(self, policy => policy.foresee(future))
                }

                /// Its cost in bits.
                pub(crate) fn bits(&self, storage: &Storage) -> u64 {
                    $each!(self, policy => policy.bits(storage))
                }

                /// Its cost in bits in each core.
                pub(crate) fn bits_of_core(&self) -> u64 {
                    $each!(self, policy => policy.bits_of_core())
                }
            }

            // Behind the macro that its file of decisions uses.
            $(#[$family_meta])*
            pub mod $folder {
                $($item)*
                $(pub(super) mod $file;)*
            }
        )*
    };
    (@spec $policies:ident $file:ident) => {{
        let PolicySpec { .. } = $policies;
        &()
    }};
    (@spec $policies:ident $file:ident $spec:ident) => { &$policies.$file };
}
