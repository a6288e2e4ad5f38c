//! `accrue sim`: a kernel of a PTX file in the simulator.

use crate::args::{Check, Divergence, Races, SimArgs};
use crate::start::Status;
use accrue::driver::{Failure, report};
use accrue_ptx_sim::{Checks, Config, Device, KernelInfo, LaunchArgs, Module, Stats};
use std::fmt::Write;

/// Most elements of an array on the command line.
const MOST_ELEMENTS: u64 = 1 << 32;

/// A type of values on the command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Unsigned,
    Signed,
    Float,
}

/// A type by its name in PTX: `u32`, `f64`, ...
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Type {
    kind: Kind,
    bytes: usize,
}

impl Type {
    fn by_name(name: &str) -> Option<Type> {
        let (kind, bits) = name.split_at_checked(1)?;
        let bytes = match bits {
            "8" => 1,
            "16" => 2,
            "32" => 4,
            "64" => 8,
            _ => return None,
        };
        let kind = match kind {
            "u" | "b" => Kind::Unsigned,
            "s" => Kind::Signed,
            "f" if bytes >= 4 => Kind::Float,
            _ => return None,
        };
        Some(Type { kind, bytes })
    }

    /// The bytes of a value.
    fn bytes_of(self, text: &str) -> Option<Vec<u8>> {
        if self.kind == Kind::Float {
            let value: f64 = text.parse().ok()?;
            return Some(match self.bytes {
                4 => (value as f32).to_le_bytes().to_vec(),
                _ => value.to_le_bytes().to_vec(),
            });
        }
        let value: i128 = match text.strip_prefix("0x") {
            Some(digits) => i128::from_str_radix(digits, 16).ok()?,
            None => text.parse().ok()?,
        };
        let bits = 8 * self.bytes as u32;
        let range = -(1i128 << (bits - 1))..1i128 << bits;
        range.contains(&value).then(|| value.to_le_bytes()[..self.bytes].to_vec())
    }

    /// A value as text.
    fn text(self, bytes: &[u8]) -> String {
        let mut wide = [0; 8];
        wide[..bytes.len()].copy_from_slice(bytes);
        let value = u64::from_le_bytes(wide);
        let shift = 64 - 8 * self.bytes as u32;
        match (self.kind, self.bytes) {
            (Kind::Float, 4) => f32::from_bits(value as u32).to_string(),
            (Kind::Float, _) => f64::from_bits(value).to_string(),
            (Kind::Signed, _) => (((value << shift) as i64) >> shift).to_string(),
            (Kind::Unsigned, _) => value.to_string(),
        }
    }
}

/// An array on the device.
struct Array {
    address: u64,
    ty: Type,
    count: u64,
}

/// A parameter: its bytes, and the array it points to.
struct Param {
    bytes: Vec<u8>,
    array: Option<Array>,
}

/// Runs the command.
pub fn run(args: &SimArgs) -> Result<Status, Failure> {
    let text = std::fs::read_to_string(&args.file)
        .map_err(|error| Failure::Other(format!("cannot read {}: {error}", args.file.display())))?;
    let left_out = |check| args.unchecked.contains(&check);
    let checks = Checks {
        races: !left_out(Check::Races),
        quiet_races: args.races == Races::Strict,
        structured: args.divergence == Divergence::Structured,
        uninitialised: !left_out(Check::Uninitialised),
        warp_locks: !left_out(Check::WarpLocks),
    };
    let config = Config { threads: args.threads, instruction_limit: args.limit, checks, ..Config::default() };
    let device = Device::new(config);
    let module = match device.load(&text) {
        Ok(module) => module,
        Err(error) => {
            for problem in &error.problems {
                report(&format!("{}:{problem}\n", args.file.display()));
            }
            return Err(Failure::Program);
        }
    };
    let kernel = choose(&module, args)?;
    let mut params = Vec::new();
    for (number, text) in args.params.iter().enumerate() {
        params.push(param(&device, number, text)?);
    }
    let block = lay_out(&kernel, &params)?;
    let launch = LaunchArgs {
        grid: args.grid,
        block: args.block.or(kernel.required_threads).unwrap_or([32, 1, 1]),
        dynamic_shared: args.shared,
        params: &block,
        seed: args.seed,
        ..LaunchArgs::default()
    };
    let result = match args.schedules {
        None => device.launch(&module, &kernel.name, &launch).map_err(|found| (args.seed, found)),
        Some(count) => {
            let first = args.seed.unwrap_or(0);
            let seeds = first..first.saturating_add(count);
            device
                .try_schedules(&module, &kernel.name, &launch, seeds, &[])
                .map(|schedules| {
                    if let Some(difference) = schedules.difference {
                        report(&format!("accrue: schedules do not agree: {difference}\n"));
                    }
                    schedules.last
                })
                .map_err(|(seed, found)| (Some(seed), found))
        }
    };
    match result {
        Ok(stats) => {
            for number in &args.print {
                print_array(&device, &params, *number)?;
            }
            report(&summary(&stats));
            Ok(Status::SUCCESS)
        }
        Err((seed, found)) => {
            let replay =
                seed.map(|seed| format!("  --seed {seed} replays this schedule\n")).unwrap_or_default();
            report(&format!("accrue: {found}\n{replay}"));
            Ok(Status::FAILURE)
        }
    }
}

fn summary(stats: &Stats) -> String {
    let seconds = stats.time.as_secs_f64().max(1e-9);
    format!(
        "accrue: {} CTAs, {} instructions of threads, {:.3} s, {:.0} million a second\n",
        stats.ctas,
        stats.instructions,
        seconds,
        stats.instructions as f64 / seconds / 1e6
    )
}

fn choose(module: &Module, args: &SimArgs) -> Result<KernelInfo, Failure> {
    let mut kernels: Vec<KernelInfo> = module.kernels().collect();
    let names = kernels.iter().map(|kernel| kernel.name.clone()).collect::<Vec<_>>().join(", ");
    match &args.kernel {
        Some(name) => module
            .kernel(name)
            .ok_or_else(|| Failure::Usage(format!("there is no kernel `{name}`; there are: {names}"))),
        None if kernels.len() == 1 => Ok(kernels.remove(0)),
        None if kernels.is_empty() => Err(Failure::Usage("the file has no kernel".to_owned())),
        None => Err(Failure::Usage(format!("--kernel chooses one of: {names}"))),
    }
}

/// `TYPE:VALUE` or `buf:COUNT:TYPE[=VALUE|=iota]`
fn param(device: &Device, number: usize, text: &str) -> Result<Param, Failure> {
    let wrong = || {
        Failure::Usage(format!(
            "--arg {text}: TYPE:VALUE or buf:COUNT:TYPE[=VALUE|=iota] is expected, with types such as u32 and f64"
        ))
    };
    let (head, rest) = text.split_once(':').ok_or_else(wrong)?;
    if head != "buf" {
        let ty = Type::by_name(head).ok_or_else(wrong)?;
        return Ok(Param { bytes: ty.bytes_of(rest).ok_or_else(wrong)?, array: None });
    }
    let (count, rest) = rest.split_once(':').ok_or_else(wrong)?;
    let (name, value) = rest.split_once('=').map_or((rest, None), |(name, value)| (name, Some(value)));
    let ty = Type::by_name(name).ok_or_else(wrong)?;
    let count: u64 = count.parse().ok().filter(|count| *count <= MOST_ELEMENTS).ok_or_else(wrong)?;
    let memory = |error: accrue_ptx_sim::MemoryError| Failure::Other(error.to_string());
    let address = device.alloc(count * ty.bytes as u64, &format!("argument {number}")).map_err(memory)?;
    if let Some(value) = value {
        let mut data = Vec::new();
        for index in 0..count {
            let element = if value == "iota" { ty.bytes_of(&index.to_string()) } else { ty.bytes_of(value) };
            data.extend(element.ok_or_else(wrong)?);
        }
        device.copy_in(address, &data).map_err(memory)?;
    }
    Ok(Param { bytes: address.to_le_bytes().to_vec(), array: Some(Array { address, ty, count }) })
}

/// The block of parameters.
fn lay_out(kernel: &KernelInfo, params: &[Param]) -> Result<Vec<u8>, Failure> {
    if kernel.params.len() != params.len() {
        let wanted: Vec<String> =
            kernel.params.iter().map(|(name, _, bytes)| format!("{name} ({bytes} bytes)")).collect();
        let is_computed = |(name, ..): &(String, u32, u32)| name == accrue_ptx_emit::text::KNOWN;
        let advice = match kernel.params.last().is_some_and(is_computed) {
            true => {
                "; the last one is what accrue's own launches compute, and `accrue ptx -fno-launch-numbers` has none"
            }
            false => "",
        };
        return Err(Failure::Usage(format!(
            "`{}` takes {} parameters, {} are given; it takes: {}{advice}",
            kernel.name,
            kernel.params.len(),
            params.len(),
            wanted.join(", ")
        )));
    }
    let mut block = vec![0; kernel.param_bytes as usize];
    for ((name, offset, bytes), param) in kernel.params.iter().zip(params) {
        if param.bytes.len() != *bytes as usize {
            let given = param.bytes.len();
            return Err(Failure::Usage(format!(
                "the parameter `{name}` has {bytes} bytes, {given} are given"
            )));
        }
        if let Some(place) = block.get_mut(*offset as usize..(*offset + *bytes) as usize) {
            place.copy_from_slice(&param.bytes);
        }
    }
    Ok(block)
}

fn print_array(device: &Device, params: &[Param], number: usize) -> Result<(), Failure> {
    let Some(array) = params.get(number).and_then(|param| param.array.as_ref()) else {
        return Err(Failure::Usage(format!("--print {number}: this parameter is no array")));
    };
    let mut data = vec![0; array.count as usize * array.ty.bytes];
    device
        .check_output(array.address, data.len() as u64)
        .map_err(|found| Failure::Other(found.to_string()))?;
    let undefined =
        device.copy_out(array.address, &mut data).map_err(|error| Failure::Other(error.to_string()))?;
    let mut text = String::new();
    for (index, element) in data.chunks(array.ty.bytes).enumerate() {
        if index > 0 {
            text.push(if index % 16 == 0 { '\n' } else { ' ' });
        }
        let _ = write!(text, "{}", array.ty.text(element));
    }
    text.push('\n');
    super::print(&text)?;
    if let Some(offset) = undefined {
        report(&format!("accrue: byte {offset} of argument {number} was never written\n"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_become_bytes_and_text() {
        let bytes = |name: &str, text: &str| Type::by_name(name).and_then(|ty| ty.bytes_of(text));
        assert_eq!(bytes("u32", "5"), Some(vec![5, 0, 0, 0]));
        assert_eq!(bytes("s16", "-1"), Some(vec![0xff, 0xff]));
        assert_eq!(bytes("u8", "256"), None);
        assert_eq!(bytes("f32", "1.5"), Some(1.5f32.to_le_bytes().to_vec()));
        assert_eq!(bytes("f16", "1"), None);
        let signed = Type { kind: Kind::Signed, bytes: 2 };
        assert_eq!(signed.text(&[0xff, 0xff]), "-1");
    }
}
