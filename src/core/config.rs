//! The knobs: environment variables that change behaviour, one line each, printed by `mpi_info`.
//!
//! Names carry the prefix `MPI_ANYMPI_`, which the cleaners of launchers and containers remove together with
//! everything else of MPI.

/// One knob: a number in the environment, with its default and what it does.
pub struct Knob {
    /// Name of the environment variable.
    pub name: &'static str,
    pub default: u64,
    pub help: &'static str,
}

/// What a knob is set to, and by whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    Default,
    Environment,
}

macro_rules! knobs {
    ($($name:ident = $variable:literal, $default:expr, $help:literal;)*) => {
        $(pub const $name: Knob = Knob { name: $variable, default: $default, help: $help };)*
        /// Every knob there is.
        pub const ALL: &[&Knob] = &[$(&$name),*];
    };
}

knobs! {
    SPIN = "MPI_ANYMPI_SPIN", 2000,
        "polls of a waiting process before it yields its core, when every process has a core of its own";
    CROWDED_SPIN = "MPI_ANYMPI_CROWDED_SPIN", 20,
        "the same when there are more processes than cores";
    YIELDS = "MPI_ANYMPI_YIELDS", 500,
        "times a waiting process yields its core before it sleeps";
    CROWDED_YIELDS = "MPI_ANYMPI_CROWDED_YIELDS", 50,
        "the same when there are more processes than cores";
}

impl Knob {
    /// The value in force and where it comes from.
    ///
    /// # Errors
    /// A value that is no number; the text names variable and value.
    pub fn read(&self) -> Result<(u64, Origin), String> {
        match std::env::var(self.name) {
            Err(_) => Ok((self.default, Origin::Default)),
            Ok(text) => match text.trim().parse() {
                Ok(value) => Ok((value, Origin::Environment)),
                Err(_) => Err(format!("{}='{text}' is not a number", self.name)),
            },
        }
    }
}
