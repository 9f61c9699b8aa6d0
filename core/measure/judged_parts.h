#pragma once
// The judgment of a result that is compared in parts: slabs, slices, components, transforms there and back, ranks.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "core/measure/verify.h"

namespace sscope {

enum class Verdict : std::uint8_t {
  NotCompared,  // Verification{}
  Undecided,    // nothing is wrong, but an output cannot be judged
  Verified,
  Wrong
};
[[nodiscard]] Verdict verdictOf(const Verification& found);

// What was found of two parts, as if they had been compared at once, in whatever order and however grouped: wrong if
// one is; else undecided where no part could judge an element of an output; else verified. Errors are the largest,
// elements are counted together. Verification{} changes nothing.
[[nodiscard]] Verification joined(const Verification& a, const Verification& b);

// What was compared, of a part that is called `part`, if it has a name: that, which samples of it unless all, and how
// many elements were not finite, lie on ties, or were not judged.
[[nodiscard]] std::string coverageOf(const std::string& part, const Verification& found);

// What was found of some of the parts of a result.
class JudgedParts {
 public:
  void add(const Verification& part);
  // Empty: no part was compared. `parts`: how many there are of them, "slabs" or what they are called; the coverage says
  // how many of these were compared.
  [[nodiscard]] std::optional<Verification> of(std::size_t parts, const std::string& called) const;

 private:
  std::optional<Verification> sum_;
  std::size_t compared_ = 0;
};

// "of blur, WORDS", where the output has a name.
[[nodiscard]] std::string saidOf(const Verification::Output& output, const std::string& words);
// Of the first output that cannot be judged, though nothing is wrong: why. Empty: all can.
[[nodiscard]] std::string whyUndecided(const Verification& found);

// "X is wrong: FAILURE", or "X cannot be compared: FAILURE".
[[nodiscard]] std::string judgmentText(const std::string& what, const Verification& found);

// Before a result of `engine` is written. Throws Error(Usage) where it is undecided, Error(BadData) where the data are
// why, Error(Device) where it is wrong.
void requireVerified(const Verification& found, const std::string& engine);

}  // namespace sscope
