//! Where in a text the verifier's errors are.

use super::print::Decl;
use crate::module::Module;
use crate::verify::VerifyError;

/// The line, from 1, of the text of a module that an error is about: that of the instruction, or else of its
/// block, of its function; none for what belongs to no function.
pub fn line_of(text: &str, module: &Module, error: &VerifyError) -> Option<usize> {
    let name = error.function.as_deref()?;
    let (func, _) = module.functions.iter().find(|(_, function)| *function.name == *name)?;
    let head = format!("function {} ", Decl(func, Some(name)));
    let lines = || text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    let (start, _) = lines().find(|(_, line)| line.starts_with(&head))?;
    let inside = || lines().skip(start).take_while(|(_, line)| !line.starts_with("function "));
    let Some(block) = error.block.map(|block| block.to_string()) else { return Some(start) };
    let is_head = |line: &str| line.ends_with(':') && line.split([' ', ':']).next() == Some(block.as_str());
    let Some((first, _)) = inside().find(|(_, line)| is_head(line)) else { return Some(start) };
    let at = error.at.as_deref().unwrap_or_default();
    // A place may follow the instruction.
    let is_it =
        |line: &str| line.strip_prefix(at).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
    let of_block =
        || inside().skip_while(|(line, _)| *line <= first).take_while(|(_, line)| !line.ends_with(':'));
    Some(of_block().find(|(_, line)| is_it(line)).map_or(first, |(line, _)| line))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::parse;
    use crate::verify::verify;

    #[test]
    fn errors_have_the_line_of_their_instruction() {
        let text = "signature sig0 () -> i32\n\nfunction fn0.f sig0 external {\n  locals v0: i32\nbb0:\n  v0 = add 1i32, 2i32\n\
                    \x20 return v0\n}\n\nfunction fn1.main sig0 external {\n  locals v0: i64\n  locals v1: i32\nbb0:\n\
                    \x20 v1 = add 1i32, 2i32\n  jump bb1\nbb1:\n  v0 = add 1i32, 2i32\n  return v1\n}\n";
        let module = parse(text).unwrap_or_else(|error| panic!("{error}"));
        let errors = verify(&module, "reading").expect_err("a sum has the type of its operands").errors;
        assert_eq!(line_of(text, &module, &errors[0]), Some(17), "{:?}", errors[0]);
        let of = |block, at: Option<&str>| {
            let error = VerifyError { block, at: at.map(str::to_owned), ..errors[0].clone() };
            line_of(text, &module, &error)
        };
        assert_eq!([of(errors[0].block, None), of(None, None)], [Some(16), Some(10)]);
    }
}
