#include "gpu/device/device.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace sscope {

namespace {

// Commands of one queue: the last ends last.
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

}  // namespace sscope
