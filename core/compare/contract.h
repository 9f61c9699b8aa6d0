#pragma once
// Probes of every contender, on demand: each computes small inputs that are easy to judge by eye (an impulse, a
// constant, a ramp, boundaries, extremes, NaN), and every element is compared with the reference.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/control.h"
#include "core/compare/agreement.h"
#include "core/compare/case.h"
#include "core/compare/race.h"
#include "core/volume/array_view.h"
#include "core/volume/volume.h"
#include "core/workload/workload.h"

namespace sscope::compare {

struct Probe {
  std::string name;   // "impulse"
  std::string shows;  // its purpose, as half a sentence
  // The element at a position x, y, z, component.
  std::function<double(const ArraySpec&, const std::array<std::int64_t, 4>&)> value;
};
// The probes for a type: NaN and numbers near the ends of the range only for floats.
[[nodiscard]] std::vector<Probe> probesFor(ElementType type);
[[nodiscard]] Volume probeVolume(const Probe& probe, const ArraySpec& spec);

struct ProbeOutcome {
  std::string probe;
  std::string failure;             // how the result differs from the reference; empty: it does not
  std::size_t output = 0;          // of `worst`
  std::optional<ElementAt> worst;  // where it failed; first: the contender's value, second: the reference's
  std::string reason;              // why the contender could not run it; empty: it ran
  std::string without;             // why the probe does not apply here; empty: it applies
};

struct LaneContract {
  std::string lane;
  // One per probe, then "adjoint": <A x, y> = <x, A^T y> for noise x and y, within rounding, and last "repeat":
  // the same bits in two runs. Fewer where the contender cannot run the case.
  std::vector<ProbeOutcome> outcomes;
  [[nodiscard]] bool kept() const;  // all of them ran and none failed
};

struct Contract {
  ArraySpec spec;  // of the probes
  std::vector<Probe> probes;
  std::vector<LaneContract> lanes;  // of all contenders, in order
};
inline constexpr const char *kAdjointProbe = "adjoint", *kRepeatProbe = "repeat";
// The probes of LaneContract::outcomes.
struct ProbeTitle {
  std::string name, shows;
};
[[nodiscard]] std::vector<ProbeTitle> probeTitles(const Contract& contract);

// The computation for an input of these extents. Throws Error(Usage) where it does not fit.
using MakeWorkload = std::function<std::unique_ptr<Workload>(const ArraySpec&)>;

// The adjoint of an output of such a computation (CaseKind::adjoint).
using MakeAdjoint = std::function<Adjoint(const Workload& workload, std::size_t output)>;

// Small extents that the computation accepts, at most those of `whole`; odd ones if it accepts them.
[[nodiscard]] ArraySpec probeSpec(const MakeWorkload& make, const ArraySpec& whole);

// `adjoint` may be empty. Throws Canceled.
[[nodiscard]] Contract probed(const RaceTrack& track, const MakeWorkload& make, const MakeAdjoint& adjoint,
                              const ArraySpec& whole, const std::vector<BenchRow>& contenders, int threads,
                              const Control& control);

[[nodiscard]] std::string toText(const Contract& contract);
[[nodiscard]] std::string toHtml(const Contract& contract);
// One line per contender and probe.
[[nodiscard]] std::string toCsv(const Contract& contract);
// How and where the probe failed; empty: it did not.
[[nodiscard]] std::string failureText(const ProbeOutcome& outcome);
[[nodiscard]] nlohmann::json toJson(const Contract& contract);

}  // namespace sscope::compare
