//! The program: everything is in the library, see `afterstate::cli`.

use std::process::ExitCode;

fn main() -> ExitCode {
    afterstate::cli::main()
}
