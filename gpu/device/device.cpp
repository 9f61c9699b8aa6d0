#include "gpu/device/device.h"

#include <algorithm>
#include <chrono>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <utility>

#include "core/base/error.h"
#include "core/base/stopwatch.h"

namespace sscope {

namespace {

// The event of several commands of one queue, which end in order.
class EventOfAll : public DeviceEvent {
 public:
  explicit EventOfAll(std::vector<std::unique_ptr<DeviceEvent>> events) : events_(std::move(events)) {}
  bool done() override {
    return std::all_of(events_.begin(), events_.end(), [](const auto& event) { return event->done(); });
  }
  double seconds() override {
    double sum = 0;
    for (const auto& event : events_) sum += event->seconds();
    return sum;
  }
  double startsAfter(DeviceEvent& earlier) override { return events_.front()->startsAfter(earlier); }

 private:
  std::vector<std::unique_ptr<DeviceEvent>> events_;
};

}  // namespace

std::unique_ptr<DeviceEvent> Device::launchInRow(std::span<const KernelLaunch> launches, Queue /*queue*/) {
  std::vector<std::unique_ptr<DeviceEvent>> events;
  for (const KernelLaunch& one : launches) events.push_back(launch(*one.kernel, one.shape, one.arguments));
  return std::make_unique<EventOfAll>(std::move(events));
}

std::unique_ptr<DeviceEvent> Device::copyTo(const Device& /*other*/, const DeviceBuffer& /*from*/,
                                            std::int64_t /*offset*/, const DeviceBuffer& /*to*/, std::int64_t /*place*/,
                                            std::int64_t /*bytes*/, Queue /*queue*/) {
  throw std::logic_error("a copy to a device that this one does not reach");
}

void Device::waitIn(Queue /*queue*/, DeviceEvent& /*event*/) {
  throw std::logic_error("a wait for a device that this one does not reach");
}

void checkImage(const DeviceProperties& device, ElementType type, std::int64_t width, std::int64_t height) {
  if (device.largestImage == 0)
    throw Error(ErrorKind::Unsupported, device.name + " has no images", "choose another variant");
  if (type != ElementType::u8 && type != ElementType::f32)
    throw Error(ErrorKind::Unsupported, "images of " + std::string(toString(type)) + " are not supported",
                "choose u8 or f32");
  if (std::min(width, height) < 1 || std::max(width, height) > device.largestImage)
    throw Error(ErrorKind::Unsupported,
                device.name + " has no images of " + std::to_string(width) + " x " + std::to_string(height) +
                    "; its limit is " + std::to_string(device.largestImage) + " either way",
                "choose another variant");
}

void checkImageBytes(const DeviceImage& image, std::size_t bytes) {
  const auto expected =
      static_cast<std::size_t>(image.width()) * static_cast<std::size_t>(image.height()) * bytesOf(image.type());
  if (bytes != expected)
    throw Error(ErrorKind::Usage,
                "an image of " + std::to_string(expected) + " bytes was given " + std::to_string(bytes) + " bytes");
}

std::string firstLines(const std::string& text, int count) {
  std::istringstream in(text);
  std::string line, result;
  while (count > 0 && std::getline(in, line)) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    result += (result.empty() ? "" : " | ") + line;
    --count;
  }
  return result.empty() ? "the log is empty" : result;
}

void pauseWaiting(double waited, bool onProcessor) {
  // A sleep takes some 50 us longer than requested. A thread that waits for another device has a core of its own, so it
  // spins until 50 us are a small part of its wait. A thread that waits for this processor would slow it down by
  // spinning, so it sleeps much sooner.
  const double spin = onProcessor ? 30e-6 : 2e-3;
  if (waited < spin) {
    std::this_thread::yield();
  } else {
    std::this_thread::sleep_for(std::chrono::microseconds(20));
  }
}

void waitFor(DeviceEvent& event, const Control& control) {
  const Stopwatch waited;
  while (!event.done()) pauseWaiting(waited.seconds(), event.onProcessor());
  control.check();
}

}  // namespace sscope
