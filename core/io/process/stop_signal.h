#pragma once
// A stop request as a file descriptor, so that poll() returns as soon as it is made.

#include <poll.h>
#include <sys/eventfd.h>

#include <array>
#include <cstdint>
#include <stop_token>

#include "core/base/control.h"
#include "core/io/base/descriptor.h"

namespace sscope::io {

class StopSignal {
 public:
  explicit StopSignal(const Control& control)
      : event_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)), callback_(control.stop, Ring{event_.get()}) {}
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  // Returns when `descriptor` (negative: none) is readable, a stop is requested or the time is up; the caller checks
  // which.
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
  Descriptor event_;  // invalid: a stop is noticed only after the timeout
  std::stop_callback<Ring> callback_;
};

}  // namespace sscope::io
