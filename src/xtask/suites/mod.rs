//! `suites`: real programs, unmodified, on anympi or on a peer.
use anyhow::Result;
#[derive(clap::Args)]
pub struct Args {}
pub fn main(_args: &Args) -> Result<()> {
    Ok(())
}
