//! `omp_get_device_num()` inside of `target`: code of a device is the same for all of them, so that the host,
//! which knows the number, sends it along.

use super::super::target_region::Numbers;
use super::code::Routine;
use crate::ctype::{IntKind, QualType};
use crate::sema::Sema;
use crate::source::Span;
use crate::typed::*;

impl Sema<'_> {
    /// The number of the device that executes the region. What it takes is known without the header's
    /// declarations, of which a program may get only those that it names.
    pub(super) fn number_in_region(&mut self, span: Span) -> Option<ExprKind> {
        let numbers = self.numbers_of_region(span)?;
        let is_initial = self.call_routine(Routine::IS_INITIAL_DEVICE, Vec::new(), span);
        let of_initial = self.value_of(numbers.of_initial, span);
        let of_construct = self.value_of(numbers.of_construct, span);
        Some(ExprKind::Conditional(Box::new(is_initial), Box::new(of_initial), Box::new(of_construct)))
    }

    /// The variables with the numbers that the host sends along. That of the initial device is also how many
    /// others there are.
    pub(super) fn numbers_of_region(&mut self, span: Span) -> Option<Numbers> {
        let known = self.acc.target_region.as_ref()?.numbers;
        let numbers = known.unwrap_or_else(|| {
            let int = QualType::plain(IntKind::Int.type_id());
            Numbers { of_construct: self.hidden_var(int, span), of_initial: self.hidden_var(int, span) }
        });
        self.acc.target_region.as_mut()?.numbers = Some(numbers);
        Some(numbers)
    }

    /// Declares the variables in front of the construct, which means the device by its number from then on.
    pub(super) fn declare_numbers(&mut self, compute: &mut Compute, numbers: Numbers) -> Vec<Stmt> {
        let span = compute.span;
        let of_construct = match std::mem::take(&mut compute.scheduling.device) {
            Device::Number(number) => number,
            Device::Current | Device::Default => self.call_routine(Routine::DEFAULT_DEVICE, Vec::new(), span),
        };
        let of_initial = self.call_routine(Routine::INITIAL_DEVICE, Vec::new(), span);
        compute.scheduling.device = Device::Number(self.value_of(numbers.of_construct, span));
        vec![
            self.initialised(numbers.of_construct, of_construct),
            self.initialised(numbers.of_initial, of_initial),
        ]
    }
}
