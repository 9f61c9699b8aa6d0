#pragma once
// One CUDA device in use: its primary context, a stream for each queue, and events. Everything that lives on the device
// shares it.

#include <array>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "gpu/cuda/driver.h"
#include "gpu/cuda/nvrtc_compiler.h"
#include "gpu/device/device.h"

namespace sscope::cuda {

class Session {
 public:
  // Takes ownership of the context. `architecture` is what `compiler` compiles for, `clockKhz` the device's clock.
  Session(std::shared_ptr<const Driver> driver, const NvrtcCompiler& compiler, Ordinal ordinal, std::string name,
          const std::string& architecture, int clockKhz);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  [[nodiscard]] const DriverApi& api() const { return driver_->api(); }
  [[nodiscard]] Stream stream(Queue queue = Queue::Kernels) const { return streams_[static_cast<std::size_t>(queue)]; }
  [[nodiscard]] Context context() const { return context_; }
  [[nodiscard]] const std::string& name() const { return name_; }

  // Makes the context current on the calling thread; must be called before other driver calls.
  void use() const;
  // Lets this device write directly to the memory of another one where the machine allows it; otherwise the driver
  // copies through the host. Makes the context current.
  void openWayTo(const Session& other);
  void check(const char* what, Result result) const { driver_->check(name_, what, result); }
  // Borrow and return an event with or without timing, which earlier commands left or which is new; it may still be
  // pending. The context must be current.
  [[nodiscard]] Event takeEvent(bool timed);
  void giveBack(Event event, bool timed) noexcept;
  // Held while a group of commands is queued.
  [[nodiscard]] std::unique_lock<std::mutex> queueLock() { return std::unique_lock(mutex_); }
  // Keeps an idle device busy for a few microseconds, so that a start event, kernels and an end event queued meanwhile
  // run back to back. Otherwise the launch latency would count as part of a short kernel.
  void pauseIfIdle(std::size_t launches = 1) const;

 private:
  void release();

  std::shared_ptr<const Driver> driver_;
  Ordinal ordinal_;
  Context context_ = nullptr;
  std::string name_;
  std::array<Stream, kQueues> streams_{};  // by Queue
  Module pauseModule_ = nullptr;
  Function pause_ = nullptr;
  long long pauseCycles_ = 0;
  std::mutex mutex_, eventsMutex_;
  std::array<std::vector<Event>, 2> events_;  // that are free: without timing, with timing
  std::vector<Ordinal> opened_;               // devices that openWayTo() has seen; with the mutex of the events
};

}  // namespace sscope::cuda
