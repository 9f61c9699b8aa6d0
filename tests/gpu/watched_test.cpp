// What the other tests rely on: memory that nobody wrote does not go unnoticed (tests/support/watched_device.h).

#include "tests/support/watched_device.h"

#include <algorithm>

#include "gpu/device/device.h"
#include "gpu/run/device_engine.h"
#include "tests/gpu/device_test_kernels.h"
#include "tests/gpu/gpu_support.h"
#include "tests/support/catch.h"
#include "tests/support/oclgrind_device.h"

namespace sscope::test {

namespace {

constexpr std::int64_t kWords = 100;
using Words = std::vector<std::int32_t>;

Device& deviceOf(Engine& engine) { return dynamic_cast<DeviceEngine&>(engine).device(); }

Words read(Device& device, const DeviceBuffer& buffer) {
  Words words(kWords);
  waitFor(*device.read(buffer, 0, std::as_writable_bytes(std::span(words))), {});
  return words;
}

// What a kernel makes of a buffer in which only the words from `begin` to `end` were written, with their numbers.
Words copied(Device& device, std::int32_t begin, std::int32_t end) {
  const auto in = device.allocate(kWords * 4), out = device.allocate(kWords * 4);
  Words words;
  for (std::int32_t i = begin; i < end; ++i) words.push_back(i);
  waitFor(*device.write(*in, begin * 4, std::as_bytes(std::span(words))), {});
  const KernelSource source = copyKernel();
  const auto kernel = device.compile(source.entry, kernelText(source, device.properties()))->kernel(source.entry);
  const KernelArgument arguments[] = {in.get(), out.get()};
  waitFor(*device.launch(*kernel, {{kWords}, {1}}, arguments), {});
  return read(device, *out);
}

}  // namespace

TEST_CASE("what nobody wrote is poison", "[watched]") {
  SSCOPE_EACH_DEVICE(engine);
  Device& device = deviceOf(*engine);
  if (isOclgrind(device)) SSCOPE_SKIP("Oclgrind reports it instead");
  CHECK(read(device, *device.allocate(kWords * 4)) == Words(kWords, -1));
  const Words words = copied(device, 30, 70);
  for (std::int32_t i = 0; i < kWords; ++i) CHECK(words[static_cast<std::size_t>(i)] == (i >= 30 && i < 70 ? i : -1));
}

TEST_CASE("a run that wants new buffers gets poisoned ones", "[watched]") {
  SSCOPE_EACH_DEVICE(engine);
  auto& device = dynamic_cast<DeviceEngine&>(*engine);
  if (isOclgrind(device.device())) SSCOPE_SKIP("Oclgrind reports it instead");
  const auto lock = device.lock({});
  const auto fresh = [&] {
    device.workspace().require({0, kWords * 4}, 1 << 20);
    return read(device.device(), device.workspace().at(Slot{1}));
  };
  device.workspace().require({}, 0);
  CHECK(fresh() == Words(kWords, -1));
  const Words fives(kWords, 5);
  waitFor(*device.device().write(device.workspace().at(Slot{1}), 0, std::as_bytes(std::span(fives))), {});
  CHECK(fresh() == Words(kWords, 5));
}

// Run by oclgrind: of these two it reports the first, and nothing in the second. See CMakeLists.txt.
TEST_CASE("a kernel reads what nobody wrote", "[.unwritten]") {
  SSCOPE_EACH_DEVICE(engine);
  CHECK(copied(deviceOf(*engine), 30, 70)[50] == 50);
}

TEST_CASE("a kernel reads what the host wrote in parts", "[tiny]") {
  SSCOPE_EACH_DEVICE(engine);
  const Words words = copied(deviceOf(*engine), 0, kWords);
  for (std::int32_t i = 0; i < kWords; ++i) CHECK(words[static_cast<std::size_t>(i)] == i);
}

}  // namespace sscope::test
