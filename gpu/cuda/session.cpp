#include "gpu/cuda/session.h"

#include <algorithm>
#include <new>
#include <utility>

namespace sscope::cuda {

namespace {

constexpr double kPauseSeconds = 8e-6;  // two events and a launch are queued in less
constexpr const char* kPauseSource = R"(
extern "C" __global__ void pause(long long cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
}
)";

}  // namespace

Session::Session(std::shared_ptr<const Driver> driver, const NvrtcCompiler& compiler, Ordinal ordinal, std::string name,
                 const std::string& architecture, int clockKhz)
    : driver_(std::move(driver)), ordinal_(ordinal), name_(std::move(name)) {
  check("give a context", api().retainContext(&context_, ordinal_));
  try {
    use();
    for (std::size_t i = 0; i < kQueues; ++i) {
      // Smaller is more urgent: kernels that run beside the others get the remaining resources.
      const int priority = i == static_cast<std::size_t>(Queue::Beside) ? 0 : -1;
      check("make a stream", api().createStream(&streams_[i], kStreamNonBlocking, priority));
    }
    const auto image = compiler.compile("pause", kPauseSource, architecture);
    check("load a kernel", api().loadModule(&pauseModule_, image.data()));
    check("find a kernel", api().moduleFunction(&pause_, pauseModule_, "pause"));
    pauseCycles_ = static_cast<long long>(kPauseSeconds * 1e3 * clockKhz);
  } catch (...) {
    release();
    throw;
  }
}

Session::~Session() { release(); }

// Failures here mean that the device is lost, and its memory with it.
void Session::release() {
  api().useContext(context_);
  for (Stream stream : streams_) {
    if (stream == nullptr) continue;
    api().synchronizeStream(stream);
    api().destroyStream(stream);
  }
  for (const std::vector<Event>& events : events_)
    for (Event event : events) api().destroyEvent(event);
  if (pauseModule_ != nullptr) api().unloadModule(pauseModule_);
  api().releaseContext(ordinal_);
}

void Session::use() const { check("use its context", api().useContext(context_)); }

void Session::openWayTo(const Session& other) {
  use();
  if (other.ordinal_ == ordinal_) return;
  const std::scoped_lock lock(eventsMutex_);
  if (std::find(opened_.begin(), opened_.end(), other.ordinal_) != opened_.end()) return;
  int possible = 0;
  check("list the devices that it reaches", api().canAccessPeer(&possible, ordinal_, other.ordinal_));
  if (possible != 0)
    if (const Result result = api().enablePeerAccess(other.context_, 0); result != kPeerAccessAlreadyEnabled)
      check("reach another device", result);
  opened_.push_back(other.ordinal_);
}

Event Session::takeEvent(bool timed) {
  {
    const std::scoped_lock lock(eventsMutex_);
    std::vector<Event>& unused = events_[timed ? 1 : 0];
    if (!unused.empty()) {
      Event event = unused.back();
      unused.pop_back();
      return event;
    }
  }
  Event event = nullptr;
  check("make an event", api().createEvent(&event, timed ? kEventDefault : kEventUntimed));
  return event;
}

void Session::giveBack(Event event, bool timed) noexcept {
  try {
    const std::scoped_lock lock(eventsMutex_);
    events_[timed ? 1 : 0].push_back(event);
  } catch (const std::bad_alloc&) {
    api().useContext(context_);
    api().destroyEvent(event);
  }
}

void Session::pauseIfIdle(std::size_t launches) const {
  if (api().queryStream(stream()) != kSuccess) return;
  long long cycles = pauseCycles_ * static_cast<long long>(launches + 1) / 2;
  void* parameters[] = {&cycles};
  check("run a kernel", api().launch(pause_, 1, 1, 1, 1, 1, 1, 0, stream(), parameters, nullptr));
}

}  // namespace sscope::cuda
