#pragma once
// Lanes as figures, for the page and the window: data, the measurements behind their whiskers, and looks. Lay them out
// with report::layOut.

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/compare/comparison.h"
#include "core/report/figure.h"
#include "core/report/figure_layout.h"

namespace sscope::compare {

// Colors of engines, in the order of first use. The window has colors of its own.
class LaneColors {
 public:
  [[nodiscard]] std::uint32_t of(const std::string& engine);  // 0xRRGGBB

 private:
  std::map<std::string, std::size_t> known_;
};
inline constexpr std::uint32_t kForeignLane = 0x98a0aa;  // of a capsule of another machine

// Parts of a run, in the order in which they are stacked; the last one is the rest of the wall time.
inline constexpr std::array<const char*, 5> kRunParts{"compile", "upload", "kernel", "download", "rest"};
using RunParts = std::array<double, kRunParts.size()>;
// Seconds of each part; they add up to `total`. Phases that overlap get their share of the time that they take
// together. `compiles`: the run includes compiling.
[[nodiscard]] RunParts partsOfRun(const Phases& phases, bool compiles, double total);

struct LaneFigure {
  Figure figure;
  std::vector<Measurement> measurements;  // FigurePoint::measurement points here: its samples are the figure's times
  std::vector<report::SeriesLook> looks;  // one per series; paints of kind Own are those of engines and may be replaced
  [[nodiscard]] report::FigureInk ink(const report::FontMeasure& font) const {
    return {figure, measurements, looks, font};
  }
};

// Bars of the medians with quartiles, fastest first within a machine; lanes of `others` follow in gray. Without bars if
// no lane has figures.
[[nodiscard]] LaneFigure timesFigure(const Comparison& comparison, std::span<const Comparison> others, Times which,
                                     LaneColors& colors);
// Bars of one quoted run: upload, kernel, download and the rest of the wall time, as partsOfRun() gives them.
[[nodiscard]] LaneFigure phasesFigure(const Comparison& comparison);
// The same for the first results, with the time of preparing and compiling.
[[nodiscard]] LaneFigure firstFigure(const Comparison& comparison);

}  // namespace sscope::compare
