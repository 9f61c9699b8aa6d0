#pragma once
// A device that does what another one does; what differs is overridden.

#include <memory>
#include <string>
#include <utility>

#include "gpu/device/device.h"

namespace sscope::test {

class ForwardingDevice : public Device {
 public:
  explicit ForwardingDevice(std::unique_ptr<Device> device) : device_(std::move(device)) {}

  [[nodiscard]] const DeviceProperties& properties() const override { return device_->properties(); }
  std::unique_ptr<DeviceBuffer> allocate(std::int64_t bytes) override { return device_->allocate(bytes); }
  std::unique_ptr<DeviceImage> allocateImage(ElementType type, std::int64_t width, std::int64_t height) override {
    return device_->allocateImage(type, width, height);
  }
  std::unique_ptr<PinnedMemory> allocatePinned(std::int64_t bytes) override { return device_->allocatePinned(bytes); }
  std::unique_ptr<DeviceProgram> compile(const std::string& name, const std::string& source) override {
    return device_->compile(name, source);
  }
  std::unique_ptr<DeviceProgram> load(std::span<const std::byte> binary) override { return device_->load(binary); }
  std::unique_ptr<DeviceEvent> write(const DeviceBuffer& buffer, std::int64_t offset, std::span<const std::byte> data,
                                     Queue queue) override {
    return device_->write(buffer, offset, data, queue);
  }
  std::unique_ptr<DeviceEvent> read(const DeviceBuffer& buffer, std::int64_t offset, std::span<std::byte> data,
                                    Queue queue) override {
    return device_->read(buffer, offset, data, queue);
  }
  std::unique_ptr<DeviceEvent> write(const DeviceImage& image, std::span<const std::byte> data) override {
    return device_->write(image, data);
  }
  std::unique_ptr<DeviceEvent> launch(DeviceKernel& kernel, const LaunchShape& shape,
                                      std::span<const KernelArgument> arguments) override {
    return device_->launch(kernel, shape, arguments);
  }
  std::unique_ptr<DeviceEvent> launchInRow(std::span<const KernelLaunch> launches, Queue queue) override {
    return device_->launchInRow(launches, queue);
  }
  [[nodiscard]] bool reaches(const Device& other) const override { return device_->reaches(behind(other)); }
  std::unique_ptr<DeviceEvent> copyTo(const Device& other, const DeviceBuffer& from, std::int64_t offset,
                                      const DeviceBuffer& to, std::int64_t place, std::int64_t bytes,
                                      Queue queue) override {
    return device_->copyTo(behind(other), from, offset, to, place, bytes, queue);
  }
  void waitIn(Queue queue, DeviceEvent& event) override { device_->waitIn(queue, event); }

 protected:
  [[nodiscard]] Device& device() { return *device_; }

 private:
  // The device that another one of these stands for.
  static const Device& behind(const Device& other) {
    const auto* forwarding = dynamic_cast<const ForwardingDevice*>(&other);
    return forwarding == nullptr ? other : behind(*forwarding->device_);
  }

  std::unique_ptr<Device> device_;
};

}  // namespace sscope::test
