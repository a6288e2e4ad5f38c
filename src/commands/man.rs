//! `accrue man`: manual pages, made of the same texts as `--help`.

use crate::args::{Cli, ManArgs};
use crate::start::Status;
use accrue::driver::Failure;
use clap::CommandFactory;
use clap_mangen::Man;

/// Runs the command.
pub fn run(args: &ManArgs) -> Result<Status, Failure> {
    let Some(folder) = &args.folder else {
        let mut page = Vec::new();
        Man::new(Cli::command())
            .render(&mut page)
            .map_err(|error| Failure::Other(format!("cannot make the manual page: {error}")))?;
        super::print(&String::from_utf8_lossy(&page))?;
        return Ok(Status::SUCCESS);
    };
    std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(Cli::command(), folder)).map_err(
        |error| Failure::Other(format!("cannot write manual pages to {}: {error}", folder.display())),
    )?;
    Ok(Status::SUCCESS)
}
