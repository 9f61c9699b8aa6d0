#pragma once
// A stop request as a descriptor: what waits for others in poll() then hears it at once, not at its next look.

#include <poll.h>
#include <sys/eventfd.h>

#include <array>
#include <cstdint>
#include <stop_token>

#include "core/base/control.h"
#include "core/io/process/descriptor.h"

namespace sscope::io {

class StopSignal {
 public:
  explicit StopSignal(const Control& control)
      : event_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)), callback_(control.stop, Ring{event_.get()}) {}
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  // Until `descriptor` (negative: none) can be read, a stop is requested or the time is over; for the caller to find
  // out which.
  void wait(int descriptor, int milliseconds) const {
    std::array<pollfd, 2> waiting{pollfd{descriptor, POLLIN, 0}, pollfd{event_.get(), POLLIN, 0}};
    static_cast<void>(::poll(waiting.data(), waiting.size(), milliseconds));
  }

 private:
  struct Ring {
    int event;
    void operator()() const noexcept {
      const std::uint64_t one = 1;
      static_cast<void>(!::write(event, &one, sizeof one));
    }
  };
  Descriptor event_;  // without one, a stop is heard at the next look
  std::stop_callback<Ring> callback_;
};

}  // namespace sscope::io
