#pragma once
// The agreement of the contenders' whole results with those of one of them, or with the reference.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/control.h"
#include "core/compare/agreement.h"
#include "core/compare/race.h"

namespace sscope::compare {

struct LaneAgreement {
  std::string lane;                // its name
  std::vector<Agreement> outputs;  // first: the lane's, second: the base's; empty where it could not run
  std::string reason;              // why it could not run, as half a sentence
};

struct AgreementTable {
  std::string base;                  // the name of a lane, or kReferenceName
  std::vector<LaneAgreement> lanes;  // of all other contenders, in order
};
inline constexpr const char* kReferenceName = "the reference";

// `base`: the contender's index in the wish; empty: the reference, which takes Workload::referenceSeconds() of one
// core. At most two results are in memory at a time. Throws the error of a base that cannot run, Error(Memory),
// Canceled.
[[nodiscard]] AgreementTable agreementsWith(const RaceTrack& track, const RaceWish& wish,
                                            std::optional<std::size_t> base, const Control& control);

// Norms and the worst element of every lane and output, then the number of elements by distance in units.
[[nodiscard]] std::string toText(const AgreementTable& table);
[[nodiscard]] std::string toHtml(const AgreementTable& table);  // the same as tables of a page
[[nodiscard]] nlohmann::json toJson(const AgreementTable& table);

}  // namespace sscope::compare
