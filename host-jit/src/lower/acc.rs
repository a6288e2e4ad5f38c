//! Launches and data directives: descriptors of what is constant, arrays of values for what is not, in the
//! order that `accrue_runtime::abi` fixes. And what a region asks about its own position.

use super::{Lower, Val, own_memory};
use crate::data_object::DataObject;
use crate::descriptors;
use crate::helpers::Helper;
use crate::names::Name;
use accrue_ir::{
    Async, Body, ConstructKind, DataKind, DataMap, DataOp, Device, Function, Launch, LaunchArg, Level, Local,
    Op, Operand, PassHow, Pos, RegionData, Scheduling, Stride, TaskClauses, Type,
};
use accrue_runtime::abi::{ABSENT, ASYNC_NOVAL, ASYNC_OF_DATA, ASYNC_SYNC, DEVICE_DEFAULT};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{AbiParam, Block, InstBuilder, Signature, Value, types};
use cranelift_codegen::isa::CallConv;

/// Whether a launch may be no more than a call of its region: it is a compute construct of the device that
/// the thread uses, does not say when, and its maps are single runs of bytes. Functions that a region calls
/// may ask for the gang that the runtime has noted, and find none unless that has launched the region.
fn may_be_direct(launch: &Launch, region: &Function, data: &RegionData) -> bool {
    let Scheduling { device, if_: _, self_: _, async_, wait, task } = &launch.scheduling;
    let is_plain = *device == Device::Current
        && *async_ == Async::Sync
        && wait.queues.is_empty()
        && wait.devnum.is_none()
        && task.is_none();
    let is_compute = match data.construct {
        ConstructKind::Parallel | ConstructKind::Serial | ConstructKind::Kernels => true,
        ConstructKind::Team | ConstructKind::Task => false,
    };
    let is_run = |map: &DataMap| {
        let is_negative = matches!(map.bytes, Operand::Int(_, bytes) if bytes < 0);
        map.strides.is_empty() && map.rows.is_none() && !is_negative
    };
    let calls = |body: &Body| {
        body.blocks.values().any(|block| block.insts.iter().any(|inst| matches!(inst.op, Op::Call { .. })))
    };
    is_plain && is_compute && launch.maps.iter().all(is_run) && !region.body.as_deref().is_none_or(calls)
}

impl Lower<'_, '_> {
    pub(super) fn launch(&mut self, launch: &Launch) {
        let module = self.module;
        let region = &module.functions[launch.region];
        let Some(data) = region.kind.launched() else {
            unreachable!("{}: launches {}, which is no region", self.function.name, region.name);
        };
        let pos = self.current_position();
        let mut values = self.scheduling(&launch.scheduling);
        for dim in launch.dims.gangs.iter().chain([&launch.dims.workers, &launch.dims.vector]) {
            let value = self.number_or(*dim, 0);
            values.push(value);
        }
        self.maps(&launch.maps, &mut values);
        let mut arguments = Vec::with_capacity(launch.args.len());
        for (index, arg) in launch.args.iter().enumerate() {
            let map = match *arg {
                LaunchArg::Value(operand) => {
                    let value = self.argument_word(operand);
                    values.push(value);
                    arguments.push(value);
                    continue;
                }
                LaunchArg::Map(map) => &launch.maps[map as usize],
            };
            let start = self.one(map.start);
            arguments.push(match (data.params.get(index).map(|param| param.how), map.pointer_bias) {
                (Some(PassHow::Pointer), Some(bias)) => {
                    let bias = self.number(bias);
                    self.b.ins().isub(start, bias)
                }
                _ => start,
            });
        }
        let done = may_be_direct(launch, region, data).then(|| self.call_directly(launch, &arguments));
        let descriptor = descriptors::launch(module, &self.function.name, launch, data, pos);
        let descriptor = self.descriptor(descriptor);
        let values = self.array(&values);
        self.call_runtime(Name::Launch, &[descriptor, values]);
        if let Some(done) = done {
            self.b.ins().jump(done, &[]);
            self.b.seal_block(done);
            self.b.switch_to_block(done);
        }
    }

    /// Calls the region of a launch where that is all there is to it; gives the block behind the launch. What
    /// comes next is executed where there is more to it.
    fn call_directly(&mut self, launch: &Launch, arguments: &[Value]) -> Block {
        let [direct, described, done] = [(); 3].map(|()| self.b.create_block());
        self.b.set_cold_block(described);
        let word = self.symbol(Name::Direct);
        let word = self.b.ins().load(types::I32, own_memory(), word, 0);
        let mut is_direct = self.b.ins().icmp_imm_u(IntCC::NotEqual, word, 0);
        for map in launch.maps.iter().filter(|map| !matches!(map.bytes, Operand::Int(..))) {
            // The way through the descriptor ends the program where a length is negative.
            let bytes = self.number(map.bytes);
            let is_length = self.b.ins().icmp_imm_s(IntCC::SignedGreaterThanOrEqual, bytes, 0);
            is_direct = self.b.ins().band(is_direct, is_length);
        }
        self.b.ins().brif(is_direct, direct, &[], described, &[]);
        self.b.seal_block(direct);
        self.b.seal_block(described);
        self.b.switch_to_block(direct);
        let arguments = self.array(arguments);
        let [gang, gangs] = [0, 1].map(|number| self.word(number));
        self.call_runtime(Name::Call(launch.region), &[arguments, gang, gangs]);
        self.b.ins().jump(done, &[]);
        self.b.switch_to_block(described);
        done
    }

    pub(super) fn data(&mut self, op: &DataOp) {
        let pos = self.current_position();
        let mut values = self.scheduling(&op.scheduling);
        if matches!(op.kind, DataKind::Init | DataKind::Shutdown | DataKind::Set) {
            for operand in [op.device_type, op.device_num, op.default_async] {
                let value = self.number_or(operand, ABSENT);
                values.push(value);
            }
        }
        self.maps(&op.maps, &mut values);
        let descriptor = descriptors::data(self.module, &self.function.name, op, pos);
        let descriptor = self.descriptor(descriptor);
        let values = self.array(&values);
        let addresses = if op.device_addresses.is_empty() {
            self.word(0)
        } else {
            // The runtime writes one address per map.
            let count = op.maps.len().max(op.device_addresses.len());
            let slot = self.temp_slot(count as u32 * 8);
            self.b.ins().stack_addr(types::I64, slot, 0)
        };
        self.call_runtime(Name::Data, &[descriptor, values, addresses]);
        for (index, &local) in op.device_addresses.iter().enumerate() {
            let value = self.b.ins().load(types::I64, own_memory(), addresses, index as i32 * 8);
            self.write(local, Val::One(value));
        }
    }

    fn current_position(&self) -> Pos {
        self.out.positions.last().copied().unwrap_or(self.function.pos)
    }

    fn descriptor(&mut self, descriptor: DataObject) -> Value {
        let index = self.out.descriptors.len() as u32;
        self.out.descriptors.push(descriptor);
        self.symbol(Name::Descriptor(index))
    }

    fn call_runtime(&mut self, name: Name, args: &[Value]) {
        let mut sig = Signature::new(CallConv::SystemV);
        sig.params.extend(args.iter().map(|_| AbiParam::new(types::I64)));
        let signature = self.b.import_signature(sig);
        let function = self.function_ref(name, signature);
        self.b.ins().call(function, args);
    }

    /// The values in an array of this call.
    fn array(&mut self, values: &[Value]) -> Value {
        let slot = self.temp_slot(values.len() as u32 * 8);
        for (index, &value) in values.iter().enumerate() {
            self.b.ins().stack_store(types::I64, value, slot, index as i32 * 8);
        }
        self.b.ins().stack_addr(types::I64, slot, 0)
    }

    /// A signed number as 64 bits.
    fn number(&mut self, operand: Operand) -> Value {
        let value = self.one(operand);
        match self.type_of(operand) {
            Type::I1 => self.b.ins().uextend(types::I64, value),
            Type::I8 | Type::I16 | Type::I32 => self.b.ins().sextend(types::I64, value),
            _ => value,
        }
    }

    fn number_or(&mut self, operand: Option<Operand>, absent: i64) -> Value {
        match operand {
            Some(operand) => self.number(operand),
            None => self.word(absent),
        }
    }

    fn scheduling(&mut self, scheduling: &Scheduling) -> Vec<Value> {
        let device = match scheduling.device {
            Device::Current => self.word(ABSENT),
            Device::Default => self.word(DEVICE_DEFAULT),
            Device::Number(number) => self.number(number),
        };
        let if_ = self.number_or(scheduling.if_, 1);
        let self_ = self.number_or(scheduling.self_, 0);
        let queue = match scheduling.async_ {
            Async::Sync => self.word(ASYNC_SYNC),
            Async::Default => self.word(ASYNC_NOVAL),
            Async::OfData => self.word(ASYNC_OF_DATA),
            Async::Queue(queue) => self.number(queue),
        };
        let devnum = self.number_or(scheduling.wait.devnum, -1);
        let count = self.word(scheduling.wait.queues.len() as i64);
        let mut values = vec![device, if_, self_, queue, devnum, count];
        for &queue in &scheduling.wait.queues {
            let queue = self.number(queue);
            values.push(queue);
        }
        if let Some(clauses) = &scheduling.task {
            let TaskClauses { depends, count, flags, priority, event } = **clauses;
            values.extend([depends, count, flags, priority, event].map(|operand| self.number(operand)));
        }
        values
    }

    fn maps(&mut self, maps: &[DataMap], values: &mut Vec<Value>) {
        for map in maps {
            let start = self.one(map.start);
            let bytes = self.number(map.bytes);
            let bias = self.number_or(map.pointer_bias, 0);
            let at = match map.pointer_at {
                Some(address) => self.address_of(address),
                None => self.word(0),
            };
            values.extend([start, bytes, bias, at]);
            self.strides(&map.strides, values);
            let mut rows = map.rows.as_ref();
            while let Some(section) = rows {
                let lower = self.number(section.lower);
                let bytes = self.number(section.bytes);
                values.extend([lower, bytes]);
                self.strides(&section.strides, values);
                rows = section.rows.as_deref();
            }
        }
    }

    fn strides(&mut self, strides: &[Stride], values: &mut Vec<Value>) {
        for stride in strides {
            let (count, distance) = (self.number(stride.count), self.number(stride.distance));
            values.extend([count, distance]);
        }
    }

    /// A value of a region's parameter as one word: narrow values zero-extended, those wider than a word by
    /// the address of a copy.
    fn argument_word(&mut self, operand: Operand) -> Value {
        let ty = self.type_of(operand);
        let value = self.value(operand);
        if ty.bytes() > 8 {
            return self.spill_value(ty, value);
        }
        match (ty, value) {
            (Type::C32, value) => {
                let slot = self.temp_slot(8);
                let address = self.b.ins().stack_addr(types::I64, slot, 0);
                self.store_at(ty, value, address, 0, own_memory());
                self.b.ins().stack_load(types::I64, types::I64, slot, 0)
            }
            (Type::F32, value) => {
                let bits = self.reinterpret(value.first(), types::F32, types::I32);
                self.b.ins().uextend(types::I64, bits)
            }
            (Type::F64, value) => self.reinterpret(value.first(), types::F64, types::I64),
            (Type::I1 | Type::I8 | Type::I16 | Type::I32, value) => {
                self.b.ins().uextend(types::I64, value.first())
            }
            (_, value) => value.first(),
        }
    }

    /// Number of gangs, workers, lanes: the host has one worker of one lane.
    pub(super) fn dim_size(&mut self, dst: Local, level: Level) {
        let value = if level == Level::Gang { self.gang_word(1) } else { self.word(1) };
        self.write_number(dst, value);
    }

    /// Position among them.
    pub(super) fn dim_pos(&mut self, dst: Local, level: Level) {
        let value = if level == Level::Gang { self.gang_word(0) } else { self.word(0) };
        self.write_number(dst, value);
    }

    /// The gang (0) or the number of gangs (1) of the running region.
    fn gang_word(&mut self, which: i32) -> Value {
        match self.entry.gang {
            Some(slot) => self.b.ins().stack_load(types::I64, types::I64, slot, which * 8),
            None => {
                let helper = if which == 0 { Helper::CurrentGang } else { Helper::CurrentGangs };
                self.helper_one(helper, &[])
            }
        }
    }

    fn write_number(&mut self, dst: Local, value: Value) {
        let to = crate::abi::scalar_type(self.local_type(dst));
        let value = self.reinterpret(value, types::I64, to);
        self.write(dst, Val::One(value));
    }
}
