// Launches under Oclgrind that are not repeated (tests/gpu/remembered_device.h). tests/gpu/oclgrind_record.sh runs this
// under Oclgrind, with a fault and without, and knows what must be looked at.

#include <cstdlib>
#include <string>

#include "gpu/device/device.h"
#include "gpu/run/device_engine.h"
#include "tests/gpu/gpu_support.h"
#include "tests/support/catch.h"

namespace sscope::test {

namespace {

// Two kernels: the second gets what the first wrote, and a fault.
constexpr const char* kFirst = "kernel void first(global int* to) { to[get_global_id(0)] = get_global_id(0); }";

std::string faultyKernel(const std::string& fault) {
  const char* text = fault == "race"        ? "to[0] = i;"
                     : fault == "outside"   ? "to[i + 4096] = 0;"
                     : fault == "unwritten" ? "to[8] = to[9];"
                                            : "";
  return std::string(
             "kernel void second(global const int* from, global int* to) {\n"
             "  const int i = get_global_id(0);\n"
             "  to[i] = 3 * from[i];\n") +
         text + "\n}\n";
}

}  // namespace

TEST_CASE("a kernel has a fault that the environment plants", "[.planted]") {
  SSCOPE_EACH_DEVICE(engine);
  Device& device = dynamic_cast<DeviceEngine&>(*engine).device();
  const char* planted = std::getenv("SSCOPE_PLANTED");
  const std::string fault = planted == nullptr ? "none" : planted;
  constexpr std::int64_t kItems = 8, kBytes = 64;
  const auto from = device.allocate(kBytes), to = device.allocate(kBytes);
  const auto run = [&](const std::string& name, const std::string& text, std::int64_t items,
                       const std::vector<KernelArgument>& arguments) {
    const auto kernel = device.compile(name, text)->kernel(name);
    waitFor(*device.launch(*kernel, {{items / 4}, {4}}, arguments), {});
  };
  run("first", kFirst, kItems, {from.get()});
  run("second", faultyKernel(fault), fault == "size" ? 4 : kItems, {from.get(), to.get()});
  std::vector<std::int32_t> words(4);
  waitFor(*device.read(*to, 0, std::as_writable_bytes(std::span(words))), {});
  CHECK(words[3] == 9);
}

}  // namespace sscope::test
