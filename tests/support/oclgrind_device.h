#pragma once
// What Oclgrind 21's --uninitialized needs to follow our buffers. It keeps, beside each buffer, which bytes were
// written, but
//   - makes that record when a kernel first gets the buffer or the host first writes it, not with the buffer, and keeps
//     it when the buffer is gone: the next one in the same place inherits it, with its size;
//   - throws it away at every write of the host, for one as large as what was written.
// Whatever kernels write beyond such a record is lost, and reading it is reported. So each new buffer is written whole,
// which makes the record, and then declared unwritten by a kernel that copies an object without a value into it; and
// the host's writes of parts go through a buffer of their own and a kernel.

#include <memory>

#include "gpu/device/device.h"

namespace sscope::test {

[[nodiscard]] bool isOclgrind(const Device& device);
[[nodiscard]] std::unique_ptr<Device> followedByOclgrind(std::unique_ptr<Device> device);

}  // namespace sscope::test
