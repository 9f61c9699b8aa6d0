#pragma once
// Typed errors. Every error reads as one sentence: what failed, then what to do about it.

#include <stdexcept>
#include <string>

namespace sscope {

enum class ErrorKind {
  Usage,        // the caller asked for something that does not exist or is out of range
  NotFound,     // a file, folder, engine or name is missing
  BadData,      // a file or JSON document is damaged or inconsistent
  Empty,        // a valid container without data
  Unsupported,  // valid, but this build or engine cannot do it
  Memory,       // more memory is needed than is available
  Device,       // a compute device or its compiler failed
  Io,           // reading or writing failed (permissions, full disk)
  Canceled,     // the user asked to stop
};

class Error : public std::runtime_error {
 public:
  // `what` names the thing that failed ("cannot read brain.nii: the file ends after 348 bytes");
  // `remedy` says what to do ("copy the file again"); it may be empty.
  Error(ErrorKind kind, const std::string& what, const std::string& remedy = {})
      : std::runtime_error(remedy.empty() ? what : what + "; " + remedy), kind_(kind) {}

  [[nodiscard]] ErrorKind kind() const noexcept { return kind_; }

 private:
  ErrorKind kind_;
};

// Thrown by Control::check() when the user canceled. No partial result or file is left behind.
class Canceled : public Error {
 public:
  Canceled() : Error(ErrorKind::Canceled, "canceled") {}
};

}  // namespace sscope
