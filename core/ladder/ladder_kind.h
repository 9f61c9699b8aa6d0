#pragma once
// What a subject defines for a workload's ladder: the points of the papers' figures, and how the figures are drawn.

#include <array>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/engine/engine.h"
#include "core/measure/measurement.h"
#include "core/measure/published.h"
#include "core/options/option.h"
#include "core/report/figure.h"

namespace sscope {

// One figure's points. Each turn is a separate point, whose rows are timed against each other.
struct SweepPart {
  std::vector<OptionValues> values;                    // of the workload
  std::vector<std::string> variants{};                 // empty: all
  std::vector<std::vector<OptionValues>> turns{{{}}};  // of the variants' own options
  bool choices = false;                                // also every block shape and pitch that a variant offers
  std::array<std::int64_t, 3> shape{};                 // unless the request names one; zeros: the sweep's
  // Which rows to run, in addition to the names in `variants`; empty: all.
  std::function<bool(EngineKind, std::string_view variant)> takes{};
};

struct LadderKind {
  std::string workload;  // a name in the catalog
  // The points of the papers' figures; `everyPoint`: all of them, else a selection.
  std::function<std::vector<SweepPart>(bool everyPoint)> parts;
  // Makes the figures, including those without a measured point; empty: timeFigures.
  std::function<std::vector<Figure>(std::string_view workload, std::span<const Measurement>,
                                    std::span<const PublishedValue>)>
      figures{};
  int threads = 0;  // for timing its points; 0: all
  // An option that can be swept instead of the figures' points, and the points of that sweep.
  std::string option{};
  std::function<std::vector<SweepPart>()> overOption{};
  std::function<std::string(std::span<const Measurement>)> overTable{};  // the results of that sweep as text
};

// The ladders of all subjects (core/subjects.cpp).
[[nodiscard]] const std::vector<LadderKind>& ladderKinds();
// Null for a workload without a ladder.
[[nodiscard]] const LadderKind* findLadderKind(std::string_view workload);

// Words of a paper's own figure of times.
struct TimeFigureWords {
  bool twins = false;            // it shows memory and compute, even before a twin was measured
  std::string source{}, note{};  // the short name of the paper, and a text after the note
};
// Bars of the rungs' times, and the share of each that is data movement.
[[nodiscard]] std::vector<Figure> timeFigures(std::string_view workload, std::span<const Measurement> measurements,
                                              std::span<const PublishedValue> published,
                                              const TimeFigureWords& words = {});

}  // namespace sscope
