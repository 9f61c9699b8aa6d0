#pragma once
// The user's choice of where and how to compute.

#include <string>

namespace sscope {

struct EngineChoice {
  std::string engine;     // id; empty: EngineSet::preferred()
  std::string variant;    // name; empty: the engine's default
  int threads = 0;        // CPU engines: 0 for all cores
  bool verify = false;    // compare every output with the reference
  int verifyThreads = 0;  // for the comparison; 0: all cores
  bool operator==(const EngineChoice&) const = default;
};

}  // namespace sscope
