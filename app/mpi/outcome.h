#pragma once
// How a job on ranks has failed, known to all threads of a rank: by its own error, or by what another one told.

#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "core/base/control.h"
#include "core/base/error.h"

namespace sscope::mpi {

struct Failure {
  int rank = 0;       // that failed
  bool lost = false;  // it no longer answers, and others say so
  ErrorKind kind = ErrorKind::Io;
  std::string sentence;
};

class Outcome {
 public:
  // The first failure is kept, and told to the listener, on this thread.
  void fail(Failure failure);
  void listen(std::function<void(const Failure&)> listener);
  [[nodiscard]] std::optional<Failure> failure() const;
  // For waits. Throws Canceled after a failure elsewhere, Error(Io) when a rank is lost, and what the control throws.
  void check(const Control& control) const;

 private:
  std::atomic<bool> failed_{false};
  mutable std::mutex mutex_;
  std::optional<Failure> failure_;
  std::function<void(const Failure&)> listener_;
};

}  // namespace sscope::mpi
