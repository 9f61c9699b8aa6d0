#pragma once
// A device under Oclgrind that runs only what Oclgrind has not seen yet. The simulation of a launch takes seconds, and
// the same kernel text, launch, arguments and memory can only give the same complaints, or none, again.
//
// Every launch has a key: a hash of the text of its kernel, its size, its arguments and of all that happened before to
// the buffers that it gets. SSCOPE_OCLGRIND_RECORD names a file of the keys that passed, and of what was read after
// them. A launch whose key is known is put off; what is read after it comes from the file. A launch whose key is not
// known runs, and before it whatever was put off and concerns its buffers. So tests need not know of any of this, their
// expectations are compared in every run, and a change of one kernel runs this kernel and what depends on it.
//
// The keys of a run are written to the file with ".new" added; tests/gpu/under_oclgrind keeps them if Oclgrind had no
// complaint. SSCOPE_OCLGRIND_SALT is part of each key: Oclgrind's version and options.

#include <memory>

#include "gpu/device/device.h"

namespace sscope::test {

// The device itself where there is no record.
[[nodiscard]] std::unique_ptr<Device> remembered(std::unique_ptr<Device> device);

// What the tests put between an engine and its device: watched() of tests/support/watched_device.h, remembered under
// Oclgrind.
[[nodiscard]] std::unique_ptr<Device> observed(std::unique_ptr<Device> device);

}  // namespace sscope::test
