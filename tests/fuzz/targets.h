#pragma once
// The parsers of untrusted bytes, each as a function of those bytes: for tests/sanitized, which damages valid ones, and
// for the fuzzer (./test --fuzz), which is guided by coverage.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace sscope::test {

struct Target {
  std::string name;
  // What is wrong with the outcome: empty for a consistent result and for an error in one sentence.
  std::string (*wrong)(const std::string& bytes);
  // Valid inputs.
  std::vector<std::string> (*seeds)();
  // Of real files that are such inputs; none where empty.
  std::vector<std::string> extensions;
};

// Those that this build has the libraries for.
[[nodiscard]] const std::vector<Target>& targets();

// Asked for more in one piece, operator new throws std::bad_alloc (bounded_memory.cpp), and there is no room for more
// voxels: the reader program's memory is limited as well.
inline constexpr std::size_t kMostBytes = std::size_t{64} << 20;

// The result of `read`, or what its exception means: nothing for errors of one sentence and a lack of memory.
[[nodiscard]] std::string outcomeOf(const std::function<std::string()>& read);

// Puts `bytes` into a file of this name in a folder of this process; 4096 bytes of voxels lie beside it as "input.raw"
// and "input.img". The path.
[[nodiscard]] std::string putFile(const std::string& name, const std::string& bytes);

// One for each kind of input.
[[nodiscard]] std::vector<Target> volumeTargets();
[[nodiscard]] std::vector<Target> linkTargets();
[[nodiscard]] std::vector<Target> textTargets();

}  // namespace sscope::test
