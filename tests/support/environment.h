#pragma once
// The environment for the length of a test: cases share a process, and what one sets is not for those after it.

#include <cstdlib>
#include <optional>
#include <string>

#include "tests/support/support.h"

namespace sscope::test {

// A variable; without a value it is not set. At the end it is again what it was.
class Variable {
 public:
  Variable(const char* name, const std::optional<std::string>& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    set(value);
  }
  ~Variable() { set(before_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  void set(const std::optional<std::string>& value) const {
    if (value) {
      ::setenv(name_, value->c_str(), 1);
    } else {
      ::unsetenv(name_);
    }
  }
  const char* name_;
  std::optional<std::string> before_;
};

// An empty folder in the place of the user's caches.
class PrivateCache {
 public:
  PrivateCache() : variable_("XDG_CACHE_HOME", folder_.path().string()) {}
  [[nodiscard]] const std::filesystem::path& path() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
  Variable variable_;
};

}  // namespace sscope::test
