#pragma once
// The engine of tests/support/posing_engine.h with the devices of these tests.

#include "tests/gpu/gpu_support.h"
#include "tests/gpu/remembered_device.h"
#include "tests/support/posing_engine.h"

// In a test: an engine of this name, whose device passes for a graphics processor; ends the test where there is none.
#define SSCOPE_POSING_ENGINE(posing)   \
  ::sscope::test::PosingEngine posing; \
  if (!(posing).engine) SSCOPE_SKIP("there is no device")

namespace sscope::test {

struct PosingEngine {
  Counted counted;
  std::unique_ptr<DeviceEngine> engine;

  PosingEngine() {
    (void)GpuBench::instance();
    engine = posingEngine(counted, observed);
  }
};

}  // namespace sscope::test
