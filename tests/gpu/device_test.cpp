// What the device interface promises, on every device of this machine.

#include <cstring>
#include <numeric>

#include "gpu/device/device.h"
#include "gpu/run/device_engine.h"
#include "tests/gpu/device_test_kernels.h"
#include "tests/gpu/gpu_support.h"
#include "tests/support/catch.h"

namespace sscope::test {

namespace {

std::unique_ptr<DeviceKernel> compiled(Device& device, const KernelSource& source) {
  return device.compile(source.entry, kernelText(source, device.properties()))->kernel(source.entry);
}

template <class T>
std::unique_ptr<DeviceBuffer> bufferOf(Device& device, const std::vector<T>& values) {
  auto buffer = device.allocate(static_cast<std::int64_t>(values.size() * sizeof(T)));
  waitFor(*device.write(*buffer, 0, std::as_bytes(std::span(values))), {});
  return buffer;
}

template <class T>
std::vector<T> contentOf(Device& device, const DeviceBuffer& buffer) {
  std::vector<T> values(static_cast<std::size_t>(buffer.bytes()) / sizeof(T));
  waitFor(*device.read(buffer, 0, std::as_writable_bytes(std::span(values))), {});
  return values;
}

void run(Device& device, DeviceKernel& kernel, const LaunchShape& shape, std::vector<KernelArgument> arguments) {
  const auto event = device.launch(kernel, shape, arguments);
  waitFor(*event, {});
  CHECK(event->seconds() >= 0);
}

// What reads of `image` beyond its edge give: the nearest element.
template <class T>
T clamped(const std::vector<T>& image, int nx, int ny, int x, int y) {
  return image[static_cast<std::size_t>(std::clamp(x, 0, nx - 1) + nx * std::clamp(y, 0, ny - 1))];
}

template <class T>
void requireImageRead(Device& device, ElementType type) {
  constexpr int kNx = 37, kNy = 11, kBorder = 2;
  std::vector<T> picture(kNx * kNy);
  for (std::size_t i = 0; i < picture.size(); ++i) picture[i] = static_cast<T>((i * 37 + 11) % 251);
  const auto image = device.allocateImage(type, kNx, kNy);
  CHECK(image->type() == type);
  CHECK(image->width() == kNx);
  CHECK(image->height() == kNy);
  waitFor(*device.write(*image, std::as_bytes(std::span(picture))), {});
  const auto kernel = compiled(device, imageKernel(type == ElementType::u8));
  constexpr int kOutX = kNx + 2 * kBorder, kOutY = kNy + 2 * kBorder;
  const auto out = bufferOf(device, std::vector<T>(kOutX * kOutY));
  run(device, *kernel, {{(kOutX + 7) / 8, (kOutY + 7) / 8}, {8, 8}},
      {image.get(), out.get(), std::int32_t{kOutX}, std::int32_t{kOutY}});
  const auto values = contentOf<T>(device, *out);
  for (int y = 0; y < kOutY; ++y)
    for (int x = 0; x < kOutX; ++x)
      REQUIRE(values[static_cast<std::size_t>(x + kOutX * y)] == clamped(picture, kNx, kNy, x - kBorder, y - kBorder));
  CHECK_THROWS_AS(device.write(*image, std::as_bytes(std::span(picture)).first(5)), Error);
}

}  // namespace

TEST_CASE("a launch has three dimensions", "[device]") {
  SSCOPE_EACH_DEVICE(engine);
  Device* device = &dynamic_cast<DeviceEngine&>(*engine).device();
  const auto kernel = compiled(*device, placesKernel());
  const auto out = bufferOf(*device, std::vector<std::int32_t>(8 * 6 * 4, -1));
  run(*device, *kernel, {{2, 3, 2}, {4, 2, 2}}, {out.get(), std::int32_t{8}, std::int32_t{6}});
  const auto values = contentOf<std::int32_t>(*device, *out);
  for (int z = 0; z < 4; ++z)
    for (int y = 0; y < 6; ++y)
      for (int x = 0; x < 8; ++x)
        REQUIRE(values[static_cast<std::size_t>(x + 8 * (y + 6 * z))] ==
                x + 100 * y + 10000 * z + 1000000 * (z / 2) + 100000000 * (z % 2));
}

TEST_CASE("local memory can be asked for at launch, up to the device's limit", "[device]") {
  SSCOPE_EACH_DEVICE(engine);
  Device* device = &dynamic_cast<DeviceEngine&>(*engine).device();
  const std::int64_t limit = device->properties().largestDynamicLocal;
  REQUIRE(limit >= 16384);
  // Elements are as far apart as the memory allows, so that all of it is used.
  for (const std::int64_t bytes : {std::int64_t{256}, std::int64_t{4096}, std::min<std::int64_t>(limit, 256 << 10)}) {
    const auto kernel = compiled(*device, reverseKernel(bytes));
    std::vector<std::int32_t> values(192);
    std::iota(values.begin(), values.end(), 5);
    const auto out = bufferOf(*device, values);
    run(*device, *kernel, {{3}, {64}, bytes}, {out.get(), static_cast<std::int32_t>(bytes / 4 / 64)});
    for (auto part = values.begin(); part != values.end(); part += 64) std::reverse(part, part + 64);
    CHECK(contentOf<std::int32_t>(*device, *out) == values);
  }
}

TEST_CASE("counters do not end at 32 bits", "[device]") {
  SSCOPE_EACH_DEVICE(engine);
  Device* device = &dynamic_cast<DeviceEngine&>(*engine).device();
  const auto kernel = compiled(*device, countKernel());
  const auto counter = bufferOf(*device, std::vector<std::uint64_t>{0});
  std::uint64_t wanted = 0;
  for (const std::int32_t lost : {0, 1, 0x7FFFFFFF, 3, 0x7FFFFFFF}) {
    run(*device, *kernel, {{2}, {64}}, {counter.get(), lost});
    wanted += 128 * static_cast<std::uint64_t>(lost);
    CHECK(contentOf<std::uint64_t>(*device, *counter) == std::vector{wanted});
  }
}

TEST_CASE("launches in a row run in order, and events tell how far apart they start", "[device]") {
  SSCOPE_EACH_DEVICE(engine);
  Device* device = &dynamic_cast<DeviceEngine&>(*engine).device();
  const auto kernel = compiled(*device, reverseKernel(256));
  std::unique_ptr<DeviceEvent> before;
  for (const std::size_t count : {std::size_t{1}, std::size_t{3}}) {
    std::vector<std::int32_t> values(192);
    std::iota(values.begin(), values.end(), 5);
    const auto out = bufferOf(*device, values);
    const KernelLaunch one{kernel.get(), {{3}, {64}, 256}, {out.get(), std::int32_t{1}}};
    const std::vector<KernelLaunch> launches(count, one);
    auto event = device->launchInRow(launches, Queue::Kernels);
    waitFor(*event, {});
    // Turned around an odd number of times.
    for (auto part = values.begin(); part != values.end(); part += 64) std::reverse(part, part + 64);
    CHECK(contentOf<std::int32_t>(*device, *out) == values);
    CHECK(event->done());
    CHECK(event->seconds() >= 0);
    if (before) CHECK(event->startsAfter(*before) >= before->seconds() * 0.99);
    before = std::move(event);
  }
}

TEST_CASE("a kernel with local memory of its launch goes through the cache", "[device]") {
  SSCOPE_EACH_DEVICE(engine);
  auto& device = dynamic_cast<DeviceEngine&>(*engine);
  const KernelSource source = reverseKernel(2048);
  const auto kernel = ProgramCache::wait(
      device.programs().start(source, {static_cast<const DeviceBuffer*>(nullptr), std::int32_t{0}}), {});
  CHECK(kernel->kernel->attributes().largestGroup >= 64);
}

TEST_CASE("images are read with the nearest element beyond the edge", "[device]") {
  SSCOPE_EACH_DEVICE(engine);
  Device* device = &dynamic_cast<DeviceEngine&>(*engine).device();
  INFO(device->properties().name);
  const std::int64_t largest = device->properties().largestImage;
  if (largest == 0) SSCOPE_SKIP("this device has no images");
  requireImageRead<std::uint8_t>(*device, ElementType::u8);
  requireImageRead<float>(*device, ElementType::f32);
  CHECK_THROWS_WITH(device->allocateImage(ElementType::i16, 8, 8), Catch::Matchers::ContainsSubstring("i16"));
  CHECK_THROWS_WITH(device->allocateImage(ElementType::u8, largest + 1, 8),
                    Catch::Matchers::ContainsSubstring("limit"));
  CHECK_THROWS_AS(device->allocateImage(ElementType::u8, 0, 8), Error);
}

TEST_CASE("a kernel tells what it takes", "[device]") {
  SSCOPE_EACH_DEVICE(engine);
  Device* device = &dynamic_cast<DeviceEngine&>(*engine).device();
  const auto kernel = compiled(*device, tableKernel());
  const KernelAttributes a = kernel->attributes();
  if (a.localBytes == 0) noteSkip("this driver does not tell what local memory a kernel takes");
  CHECK((a.localBytes == 0 || a.localBytes >= 32 * 4));
  CHECK(a.localBytes < 4096);
  CHECK(a.largestGroup >= 32);
  if (device->properties().language == KernelLanguage::CudaCpp) {
    CHECK(a.registers > 4);
    CHECK(a.registers < 64);
    CHECK(a.constantBytes >= 32);
  }
  const auto out = bufferOf(*device, std::vector<std::int32_t>(64, -1));
  run(*device, *kernel, {{2}, {32}}, {out.get(), std::int32_t{3}});
  const auto values = contentOf<std::int32_t>(*device, *out);
  for (int i = 0; i < 64; ++i) {
    const int place = (i % 32 + 1) % 32 + 3;
    REQUIRE(values[static_cast<std::size_t>(i)] == (place % 8) * (place % 8));
  }
}

TEST_CASE("a device describes itself", "[device]") {
  SSCOPE_EACH_DEVICE(engine);
  Device* device = &dynamic_cast<DeviceEngine&>(*engine).device();
  const DeviceProperties& p = device->properties();
  INFO(p.name << ", " << p.driver);
  CHECK(p.computeUnits > 0);
  CHECK(p.largestDynamicLocal >= p.localBytes / 2);  // NVIDIA's OpenCL keeps some of it
  if (p.language == KernelLanguage::CudaCpp) {
    CHECK(p.lockstep == 32);
    CHECK(p.capabilityMajor >= 5);
    CHECK(p.unitRegisters >= 32768);
    CHECK(p.groupRegisters >= 32768);
    CHECK(p.unitLocalBytes >= p.largestDynamicLocal);
    CHECK(p.unitItems >= 1024);
    CHECK(p.unitItems % p.lockstep == 0);
    CHECK(p.unitGroups >= 8);
    CHECK(p.lastCacheBytes > 0);
    CHECK(p.clockKhz > 100000);
    CHECK(p.driver.find("NVRTC") != std::string::npos);
  }
}

TEST_CASE("memory beyond the device is refused in words", "[device]") {
  SSCOPE_EACH_DEVICE(engine);
  Device* device = &dynamic_cast<DeviceEngine&>(*engine).device();
  if (device->properties().cpu) SSCOPE_SKIP("a processor's memory is the machine's");
  try {
    (void)device->allocate(4 * device->properties().memoryBytes);
    FAIL("it was given");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::Memory);
    CHECK(std::string(error.what()).find(device->properties().name) != std::string::npos);
  }
  (void)contentOf<float>(*device, *bufferOf(*device, std::vector<float>(16, 1.0f)));  // and works on
}

TEST_CASE("large arrays come back as they went, whole and from the middle", "[transfer]") {
  SSCOPE_EACH_DEVICE(engine);
  auto& device = dynamic_cast<DeviceEngine&>(*engine);
  std::vector<std::uint32_t> values((23 << 20) / 4 + 77);  // some pieces and a part of one
  std::uint32_t state = 1;
  for (std::uint32_t& v : values) v = state = state * 1664525u + 1013904223u;
  const auto all = std::as_bytes(std::span(values));
  const auto buffer = device.device().allocate(static_cast<std::int64_t>(all.size()));
  device.transfer().write(*buffer, 0, all, {});
  for (const std::size_t offset : {std::size_t{0}, std::size_t{4 << 20}, std::size_t{1234568}}) {
    std::vector<std::byte> back(all.size() - offset);
    device.transfer().read(*buffer, static_cast<std::int64_t>(offset), back, {});
    CHECK(std::memcmp(back.data(), all.data() + offset, back.size()) == 0);
  }
  // A part is overwritten, its neighbors are not.
  const std::vector<std::byte> zeros(9 << 20);
  device.transfer().write(*buffer, 4096, zeros, {});
  std::vector<std::byte> back(all.size()), expected(all.begin(), all.end());
  std::memcpy(expected.data() + 4096, zeros.data(), zeros.size());
  device.transfer().read(*buffer, 0, back, {});
  CHECK(back == expected);
}

TEST_CASE("a transfer can be stopped, and the next one works", "[transfer]") {
  SSCOPE_EACH_DEVICE(engine);
  auto& device = dynamic_cast<DeviceEngine&>(*engine);
  std::vector<std::byte> values(40 << 20, std::byte{7});
  const auto buffer = device.device().allocate(static_cast<std::int64_t>(values.size()));
  std::stop_source source;
  source.request_stop();
  Control stopped;
  stopped.stop = source.get_token();
  CHECK_THROWS_AS(device.transfer().write(*buffer, 0, values, stopped), Canceled);
  CHECK_THROWS_AS(device.transfer().read(*buffer, 0, values, stopped), Canceled);
  device.transfer().write(*buffer, 0, values, {});
  std::vector<std::byte> back(values.size());
  device.transfer().read(*buffer, 0, back, {});
  CHECK(back == values);
}

}  // namespace sscope::test
