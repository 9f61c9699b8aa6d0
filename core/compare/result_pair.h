#pragma once
// Two results of the same case side by side: how far they agree, where they differ, and which differences rounding
// explains.

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
  std::optional<std::size_t> first, second;  // indices of contenders; empty: the reference
  std::size_t output = 0;
};

// By how much two correct results may differ: the sum of the accepted errors of an element
// (core/measure/accepted_error.h) of each contender; the reference has none.
struct AcceptedRange {
  double lowest = 0, highest = 0;   // over the sampled elements that can be judged; both 0: they must be equal
  std::optional<double> atWorst{};  // for Agreement::worst; empty: there is none, or it cannot be judged
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
// one core for all outputs. Throws what engines throw, Error(Usage) for twice the same contender and for an output that
// does not exist, Error(Memory), Canceled.
[[nodiscard]] ResultPair resultPair(const RaceTrack& track, const RaceWish& race, const PairWish& wish,
                                    const Control& control);

}  // namespace sscope::compare
