#pragma once
// Two results of the same job side by side: how far they agree, where they differ, and what rounding explains of it.

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "core/base/control.h"
#include "core/compare/agreement.h"
#include "core/compare/race.h"
#include "core/volume/volume.h"

namespace sscope::compare {

struct PairWish {
  std::optional<std::size_t> first, second;  // places among the contenders; empty: the reference
  std::size_t output = 0;
};

// By how much two right results may differ, as results are judged (core/measure/accepted_error.h): of each contender
// the accepted error of an element, and none of the reference.
struct AcceptedRange {
  double lowest = 0, highest = 0;   // of the sampled elements that can be judged; both 0: they must be equal
  std::optional<double> atWorst{};  // of Agreement::worst; empty: there is none, or it cannot be judged
};

struct ResultPair {
  std::array<std::string, 2> names;
  std::array<std::shared_ptr<const Volume>, 2> results;  // with the geometry of the input
  Agreement agreement;                                   // the difference is first - second
  DifferenceHistogram histogram;
  std::optional<AcceptedRange> accepted;
  std::string whyNoRange;  // why there is no accepted range, as half a sentence
};

// Runs the two one after the other and keeps one output of each. The reference takes Workload::referenceSeconds() of
// one core for all outputs together. Throws what engines throw, Error(Usage) for the same one twice and for an output
// that there is not, Error(Memory), Canceled.
[[nodiscard]] ResultPair resultPair(const RaceTrack& track, const RaceWish& race, const PairWish& wish,
                                    const Control& control);

}  // namespace sscope::compare
