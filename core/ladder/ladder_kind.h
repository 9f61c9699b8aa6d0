#pragma once
// What a subject brings to its workloads' ladders: where the papers' figures were taken, and how they are drawn.

#include <array>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/engine/engine.h"
#include "core/ladder/figure.h"
#include "core/measure/measurement.h"
#include "core/measure/published.h"
#include "core/options/option.h"

namespace sscope {

// One figure's points. Rows of a turn run against each other; each turn is a point of its own.
struct SweepPart {
  std::vector<OptionValues> values;                    // of the workload
  std::vector<std::string> variants{};                 // empty: all
  std::vector<std::vector<OptionValues>> turns{{{}}};  // of the variants' own options
  bool choices = false;                                // and every block shape and pitch that a variant offers
  std::array<std::int64_t, 3> shape{};                 // its own, where the request names none; zeros: the sweep's
  // Which rows belong here besides those that `variants` names; empty: all.
  std::function<bool(EngineKind, std::string_view variant)> takes{};
};

struct LadderKind {
  std::string workload;  // a name in the catalog
  // The points of the papers' figures; `everyPoint`: all of them, else a selection.
  std::function<std::vector<SweepPart>(bool everyPoint)> parts;
  // The figures of its measurements, those without a measured point too; empty: timeFigures.
  std::function<std::vector<Figure>(std::string_view workload, std::span<const Measurement>,
                                    std::span<const PublishedValue>)>
      figures{};
  int threads = 0;  // that its points are timed with; 0 for all
  // An option that a sweep can go over instead of the figures' points, and the points of that.
  std::string option{};
  std::function<std::vector<SweepPart>()> overOption{};
  std::function<std::string(std::span<const Measurement>)> overTable{};  // what they come to, as text
};

// Of all subjects (core/subjects.cpp).
[[nodiscard]] const std::vector<LadderKind>& ladderKinds();
// Null for a workload without a ladder.
[[nodiscard]] const LadderKind* findLadderKind(std::string_view workload);

// Bars of the rungs' times, and what of them goes into moving data.
[[nodiscard]] std::vector<Figure> timeFigures(std::string_view workload, std::span<const Measurement> measurements,
                                              std::span<const PublishedValue> published);

}  // namespace sscope
