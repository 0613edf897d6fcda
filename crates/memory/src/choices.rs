//! Keys of files that take one of a few words.

/// Declares an enum whose variants have names in files:
/// `choices! { /// Which. Kind { /// This. This = "this", } }`.
macro_rules! choices {
    ($(#[$meta:meta])* $name:ident { $($(#[$variant_meta:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        pub enum $name {
            $($(#[$variant_meta])* #[serde(rename = $text)] $variant,)*
        }

        impl $name {
            /// The names that files use.
            pub const NAMES: &'static [&'static str] = &[$($text),*];
        }
    };
}

pub(crate) use choices;
