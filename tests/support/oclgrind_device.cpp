#include "tests/support/oclgrind_device.h"

#include <mutex>
#include <vector>

#include "gpu/device/device.h"
#include "tests/support/forwarding_device.h"

namespace sscope::test {

namespace {

constexpr std::int64_t kBlock = 256;  // bytes

// Copying a whole object is not reported when nothing was ever written to it, if it is no variable of a structure's
// type.
constexpr const char* kKernels = R"(
typedef struct { uchar bytes[256]; } Block;
typedef struct { uchar bytes[1]; } Byte;

kernel void forget_blocks(global uchar* to) {
  uchar nothing[256];
  ((global Block*)to)[get_global_id(0)] = *(Block*)nothing;
}
kernel void forget_bytes(global uchar* to, int begin) {
  uchar nothing[1];
  ((global Byte*)to)[begin + get_global_id(0)] = *(Byte*)nothing;
}
kernel void copy_blocks(global const uchar* from, global uchar* to, long at) {
  const int i = get_global_id(0);
  ((global Block*)(to + at))[i] = ((global const Block*)from)[i];
}
kernel void copy_bytes(global const uchar* from, global uchar* to, long at, int begin) {
  const int i = begin + get_global_id(0);
  to[at + i] = from[i];
}
)";

class FollowedDevice : public ForwardingDevice {
 public:
  using ForwardingDevice::ForwardingDevice;
  using ForwardingDevice::write;

  std::unique_ptr<DeviceBuffer> allocate(std::int64_t bytes) override {
    auto buffer = recorded(bytes);
    const DeviceBuffer* to = buffer.get();
    const std::scoped_lock lock(mutex_);
    const std::int64_t whole = bytes / kBlock;
    waitFor(*run("forget_blocks", whole, {to}), {});
    waitFor(*run("forget_bytes", bytes - whole * kBlock, {to, static_cast<std::int32_t>(whole * kBlock)}), {});
    return buffer;
  }

  std::unique_ptr<DeviceEvent> write(const DeviceBuffer& buffer, std::int64_t offset, std::span<const std::byte> data,
                                     Queue queue) override {
    const auto bytes = static_cast<std::int64_t>(data.size());
    if (bytes == buffer.bytes()) return device().write(buffer, offset, data, queue);
    const auto staging = recorded(bytes);
    waitFor(*device().write(*staging, 0, data), {});
    const DeviceBuffer *from = staging.get(), *to = &buffer;
    const std::scoped_lock lock(mutex_);
    const std::int64_t whole = bytes / kBlock;
    waitFor(*run("copy_blocks", whole, {from, to, offset}), {});
    auto event =
        run("copy_bytes", bytes - whole * kBlock, {from, to, offset, static_cast<std::int32_t>(whole * kBlock)});
    waitFor(*event, {});
    return event;
  }

 private:
  // A buffer whose record covers it.
  std::unique_ptr<DeviceBuffer> recorded(std::int64_t bytes) {
    auto buffer = device().allocate(bytes);
    waitFor(*device().write(*buffer, 0, std::vector<std::byte>(static_cast<std::size_t>(bytes))), {});
    return buffer;
  }

  // So many items, or none: an event that is done either way.
  std::unique_ptr<DeviceEvent> run(const char* entry, std::int64_t items,
                                   const std::vector<KernelArgument>& arguments) {
    if (items == 0) return std::make_unique<DoneEvent>();
    if (!program_) program_ = device().compile("oclgrind_device", kKernels);
    return device().launch(*program_->kernel(entry), {{items}, {1}}, arguments);
  }

  struct DoneEvent : DeviceEvent {
    bool done() override { return true; }
    double seconds() override { return 0; }
    double startsAfter(DeviceEvent&) override { return 0; }
  };

  std::mutex mutex_;
  std::unique_ptr<DeviceProgram> program_;
};

}  // namespace

bool isOclgrind(const Device& device) { return device.properties().driver.starts_with("Oclgrind"); }

std::unique_ptr<Device> followedByOclgrind(std::unique_ptr<Device> device) {
  return std::make_unique<FollowedDevice>(std::move(device));
}

}  // namespace sscope::test
