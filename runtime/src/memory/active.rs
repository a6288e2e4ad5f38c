//! Devices that become active and inactive: what is present from the start, and that nothing is left at the
//! end.

use super::state::Memory;
use super::table::{Block, Found, Owner, Range};
use super::work::Work;
use crate::abi::{ASYNC_SYNC, DEVICES_OBJECT, Object, Str};
use crate::omp::devices::omp_get_num_devices;
use crate::site::Site;

impl Memory {
    /// The device becomes active: objects that the program declares for it are present from now on.
    pub(crate) fn begin(&'static self) {
        let work = Work::begin(self, ASYNC_SYNC, Site::routine("device"));
        for object in self.declared.iter().filter(|object| !object.is_link() && object.bytes > 0) {
            let device = match self.object(object) {
                Some(device) => device,
                None => {
                    let device = work.allocate(object.bytes, &object.name);
                    self.set_object(object, device);
                    work.upload(device, Range { start: object.address, bytes: object.bytes }, &object.name);
                    device
                }
            };
            let range = Range { start: object.address, bytes: object.bytes };
            let mut table = self.table();
            if table.find(range) == Found::Nowhere {
                table.insert(Block::new(range, device, Owner::Code, object.name.text()));
            }
        }
        self.tell_number(&work);
        work.end();
    }

    /// Lets code that asks know which device executes it.
    fn tell_number(&self, work: &Work<'_>) {
        let numbers = [self.id.number, omp_get_num_devices()];
        let (address, bytes) = (numbers.as_ptr().expose_provenance() as u64, size_of_val(&numbers) as u64);
        let object = Object { name: Str::new(DEVICES_OBJECT), address, bytes, flags: 0 };
        if let Some(device) = self.device.object(&object) {
            work.upload(device, Range { start: address, bytes }, DEVICES_OBJECT);
        }
    }

    /// The device is shut down: all work is finished, and nothing is present any more.
    pub(crate) fn end(&'static self) {
        let work = Work::begin(self, ASYNC_SYNC, Site::routine("acc_shutdown"));
        work.wait_for_queues(self, self.known_queues());
        for device in self.table().take_all() {
            work.free(device, "");
        }
        work.end();
        for queue in std::mem::take(&mut *self.queues()).into_all() {
            self.device.release_queue(queue);
        }
    }
}
