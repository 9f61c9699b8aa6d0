#pragma once
// The verdict on a result that is compared in parts: slabs, slices, components, transforms there and back, ranks.

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

// The verification of two parts as if they had been compared at once; order and grouping do not matter. It is wrong if
// one is; else undecided if no part could judge an element of an output; else verified. Errors are the larger ones,
// counts are added. Verification{} is neutral.
[[nodiscard]] Verification joined(const Verification& a, const Verification& b);

// Describes what was compared: the name of the part, if any, the samples unless all elements were compared, and how
// many elements were not finite, were ties, or were not judged.
[[nodiscard]] std::string coverageOf(const std::string& part, const Verification& found);

// The verification of the compared parts of a result.
class JudgedParts {
 public:
  void add(const Verification& part);
  // Empty: no part was compared. `parts`: the number of all parts, `called` "slabs" or the like; the coverage reports
  // how many of them were compared.
  [[nodiscard]] std::optional<Verification> of(std::size_t parts, const std::string& called) const;

 private:
  std::optional<Verification> sum_;
  std::size_t compared_ = 0;
};

// "of blur, WORDS" if the output has a name.
[[nodiscard]] std::string withOutputName(const Verification::Output& output, const std::string& words);
// Why the first undecided output cannot be judged, if nothing is wrong. Empty: all outputs can be judged.
[[nodiscard]] std::string whyUndecided(const Verification& found);

// "X is wrong: FAILURE", or "X cannot be compared: FAILURE".
[[nodiscard]] std::string judgmentText(const std::string& what, const Verification& found);

// Called before a result of `engine` is written. Throws Error(Usage) if it is undecided, Error(BadData) if the data are
// the reason, Error(Device) if it is wrong.
void requireVerified(const Verification& found, const std::string& engine);

}  // namespace sscope
