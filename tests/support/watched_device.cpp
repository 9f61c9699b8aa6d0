#include "tests/support/watched_device.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/volume/element_type.h"
#include "gpu/device/device.h"
#include "gpu/run/device_engine.h"
#include "tests/support/forwarding_device.h"
#include "tests/support/oclgrind_device.h"

namespace sscope::test {

namespace {

// A program that does not give its binary away.
class UnstoredProgram : public DeviceProgram {
 public:
  explicit UnstoredProgram(std::unique_ptr<DeviceProgram> program) : program_(std::move(program)) {}
  std::unique_ptr<DeviceKernel> kernel(const std::string& entry) override { return program_->kernel(entry); }
  std::vector<std::byte> binary() override { return {}; }

 private:
  std::unique_ptr<DeviceProgram> program_;
};

class PoisonedDevice : public ForwardingDevice {
 public:
  using ForwardingDevice::ForwardingDevice;

  // PoCL takes as long to give a binary as it took to compile, and has a cache of its own.
  std::unique_ptr<DeviceProgram> compile(const std::string& name, const std::string& source) override {
    auto program = device().compile(name, source);
    if (device().properties().driver.find("Portable Computing Language") == std::string::npos) return program;
    return std::make_unique<UnstoredProgram>(std::move(program));
  }
  std::unique_ptr<DeviceBuffer> allocate(std::int64_t bytes) override {
    auto buffer = device().allocate(bytes);
    const std::vector<std::byte> poison = poisonOf(std::min(bytes, kPiece));
    for (std::int64_t at = 0; at < bytes; at += kPiece)
      waitFor(
          *device().write(*buffer, at, std::span(poison).first(static_cast<std::size_t>(std::min(bytes - at, kPiece)))),
          {});
    return buffer;
  }
  std::unique_ptr<DeviceImage> allocateImage(ElementType type, std::int64_t width, std::int64_t height) override {
    auto image = device().allocateImage(type, width, height);
    const std::vector<std::byte> poison = poisonOf(width * height * static_cast<std::int64_t>(bytesOf(type)));
    waitFor(*device().write(*image, poison), {});
    return image;
  }
  std::unique_ptr<PinnedMemory> allocatePinned(std::int64_t bytes) override {
    auto memory = device().allocatePinned(bytes);
    if (memory) std::ranges::fill(memory->bytes(), kPoison);
    return memory;
  }

 private:
  static constexpr std::int64_t kPiece = 16 << 20;
  static std::vector<std::byte> poisonOf(std::int64_t bytes) {
    return std::vector<std::byte>(static_cast<std::size_t>(bytes), kPoison);
  }
};

}  // namespace

std::unique_ptr<Device> watched(std::unique_ptr<Device> device) {
  if (isOclgrind(*device)) return followedByOclgrind(std::move(device));
  return std::make_unique<PoisonedDevice>(std::move(device));
}

void forgetBuffers(Engine& engine) {
  auto* device = dynamic_cast<DeviceEngine*>(&engine);
  if (device == nullptr) return;
  const auto lock = device->lock({});
  device->workspace().require({}, 0);
  device->results()->shrink(0, {});
}

}  // namespace sscope::test
