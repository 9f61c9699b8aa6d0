#pragma once
// An error on its way to other ranks: all of them throw the same one, each an object of its own.

#include <exception>
#include <optional>
#include <string>

#include "core/base/error.h"

namespace sscope::reach {

struct RankError {
  ErrorKind kind = ErrorKind::Io;
  std::string sentence;
};

// Empty for null. Exceptions that are no Error become one: of kind Memory where memory was missing, else Device.
[[nodiscard]] std::optional<RankError> errorOf(const std::exception_ptr& thrown);
// Throws Canceled for that kind, else Error.
[[noreturn]] void raise(const RankError& error);

}  // namespace sscope::reach
