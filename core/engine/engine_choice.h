#pragma once
// Where to compute, as people choose it.

#include <string>

namespace sscope {

struct EngineChoice {
  std::string engine;   // empty: the preferred one
  std::string variant;  // empty: the default
  int threads = 0;      // CPU engines: 0 for all
  bool verify = false;  // compare every output with the reference
  bool operator==(const EngineChoice&) const = default;
};

}  // namespace sscope
