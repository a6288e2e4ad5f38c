//! Files of shapes: how many workers and lanes `accrue run --tune` has found best for the regions of a
//! program.

use crate::driver::Failure;
use accrue_ptx_emit::{Found, Shapes};
use serde::{Deserialize, Serialize};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// What was measured, as JSON.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
pub struct Measured {
    /// The device, by its name.
    pub device: String,
    /// The regions that were launched often enough.
    pub regions: Vec<Region>,
}

/// A region.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
pub struct Region {
    /// Its name in the IR.
    pub region: String,
    /// What its code was, in hexadecimal ([`Found::fingerprint`]).
    pub code: String,
    /// How often it was launched.
    pub launches: u64,
    /// Microseconds of a launch in the mean with the shape that the compiler chooses.
    pub usual_us: f64,
    /// The same with the best shape.
    pub best_us: f64,
    /// Workers and lanes of the best shape; none if that is the one that the compiler chooses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shape: Option<[u32; 2]>,
}

impl Measured {
    /// What the emitter needs of it.
    pub fn shapes(&self, file: &Path) -> Result<Shapes, Failure> {
        let wrong = |region: &Region, what: &str| {
            Failure::Other(format!("{}: region `{}`: {what}", file.display(), region.region))
        };
        let mut found = Vec::new();
        for region in &self.regions {
            let code = u64::from_str_radix(&region.code, 16);
            let fingerprint = code.map_err(|_| wrong(region, "`code` is no hexadecimal number"))?;
            let Some(shape) = region.shape else { continue };
            if !shape.iter().all(|size| (1..=MOST).contains(size)) {
                return Err(wrong(region, &format!("`shape` is not two numbers from 1 to {MOST}")));
            }
            found.push(Found { region: region.region.clone(), fingerprint, shape });
        }
        Ok(Shapes::Found(found))
    }
}

/// Most workers, and most lanes.
const MOST: u32 = 1024;

/// The file beside a source in which shapes are unless the command line says otherwise.
pub fn beside(source: &Path) -> PathBuf {
    source.with_extension("tune.json")
}

/// Reads a file; none if there is none.
pub fn read(file: &Path) -> Result<Option<Measured>, Failure> {
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Failure::Other(format!("cannot read {}: {error}", file.display()))),
    };
    let measured = serde_json::from_str(&text);
    measured.map(Some).map_err(|error| Failure::Other(format!("{}: {error}", file.display())))
}

/// Reads a file that the command line names.
pub fn read_named(file: &Path) -> Result<Measured, Failure> {
    let missing = || Failure::Other(format!("cannot read {}: there is no such file", file.display()));
    read(file)?.ok_or_else(missing)
}

/// Writes a file.
pub fn write(file: &Path, measured: &Measured) -> Result<(), Failure> {
    let failed =
        |error: &dyn std::fmt::Display| Failure::Other(format!("cannot write {}: {error}", file.display()));
    let text = serde_json::to_string_pretty(measured).map_err(|error| failed(&error))?;
    std::fs::write(file, text + "\n").map_err(|error| failed(&error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn region(code: &str, shape: Option<[u32; 2]>) -> Measured {
        let (usual_us, best_us) = (2.0, 1.5);
        let region =
            Region { region: "r".to_owned(), code: code.to_owned(), launches: 9, usual_us, best_us, shape };
        Measured { device: "a device".to_owned(), regions: vec![region] }
    }

    #[test]
    fn what_is_written_is_read() {
        let file = std::env::temp_dir().join(format!("accrue-shapes-{}.json", std::process::id()));
        for measured in [region("ff", Some([4, 32])), region("1", None)] {
            write(&file, &measured).expect("a file");
            assert_eq!(read(&file).expect("it can be read"), Some(measured));
        }
        std::fs::remove_file(&file).expect("the file");
        assert!(read(&file).expect("none").is_none());
    }

    #[test]
    fn the_best_shape_counts_unless_it_is_the_usual_one() {
        let file = Path::new("a.tune.json");
        let shapes = |code: &str, shape| region(code, shape).shapes(file).map_err(|error| error.to_string());
        let found = Found { region: "r".to_owned(), fingerprint: 255, shape: [4, 32] };
        assert_eq!(shapes("ff", Some([4, 32])), Ok(Shapes::Found(vec![found])));
        assert_eq!(shapes("ff", None), Ok(Shapes::Found(Vec::new())));
        assert_eq!(
            shapes("xyz", None),
            Err("a.tune.json: region `r`: `code` is no hexadecimal number".to_owned())
        );
        for wrong in [[0, 32], [1, 1025]] {
            assert!(shapes("1", Some(wrong)).is_err_and(|error| error.contains("from 1 to 1024")));
        }
    }
}
