//! `omp_get_device_num()` inside of `target`: code of a device is the same for all of them, so that the host,
//! which knows the number, sends it along.

use super::super::target_region::Numbers;
use crate::ctype::{IntKind, QualType};
use crate::sema::{Entity, Sema};
use crate::source::Span;
use crate::typed::*;

impl Sema<'_> {
    /// The number of the device that executes the region, if the program has declared what it takes.
    pub(super) fn number_in_region(&mut self, span: Span) -> Option<ExprKind> {
        let is_initial = self.call_of("omp_is_initial_device", span)?;
        self.call_of("omp_get_default_device", span)?;
        self.call_of("omp_get_initial_device", span)?;
        let known = self.acc.target_region.as_ref()?.numbers;
        let numbers = known.unwrap_or_else(|| {
            let int = QualType::plain(IntKind::Int.type_id());
            Numbers { of_construct: self.hidden_var(int, span), of_initial: self.hidden_var(int, span) }
        });
        self.acc.target_region.as_mut()?.numbers = Some(numbers);
        let of_initial = self.value_of(numbers.of_initial, span);
        let of_construct = self.value_of(numbers.of_construct, span);
        Some(ExprKind::Conditional(Box::new(is_initial), Box::new(of_initial), Box::new(of_construct)))
    }

    /// Declares the variables in front of the construct, which means the device by its number from then on.
    pub(super) fn declare_numbers(&mut self, compute: &mut Compute, numbers: Numbers) -> Vec<Stmt> {
        let span = compute.span;
        let of_construct = match std::mem::take(&mut compute.scheduling.device) {
            Device::Number(number) => Some(number),
            Device::Current | Device::Default => self.call_of("omp_get_default_device", span),
        };
        let of_initial = self.call_of("omp_get_initial_device", span);
        let (Some(of_construct), Some(of_initial)) = (of_construct, of_initial) else { return Vec::new() };
        compute.scheduling.device = Device::Number(self.value_of(numbers.of_construct, span));
        vec![
            self.initialised(numbers.of_construct, of_construct),
            self.initialised(numbers.of_initial, of_initial),
        ]
    }

    /// A call of a function of `omp.h` without parameters, if it has been declared.
    fn call_of(&mut self, name: &str, span: Span) -> Option<Expr> {
        let symbol = self.session.interner.intern(name);
        let Some(Entity::Func(function)) = self.lookup(symbol) else { return None };
        let designator = self.function_designator(function, span);
        let callee = self.to_rvalue(designator);
        let ty = QualType::plain(IntKind::Int.type_id());
        Some(Expr { kind: ExprKind::Call { callee: Box::new(callee), args: Vec::new() }, ty, span })
    }
}
