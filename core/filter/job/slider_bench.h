#pragma once
// What one step of a slider costs from end to end, without a window: the runner of the Filter room is given one setting
// after the other, as a hand would, and the clock runs until its pictures' data are there.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/control.h"
#include "core/engine/engine.h"
#include "core/engine/run_report.h"
#include "core/engine/variant.h"
#include "core/filter/recipe.h"
#include "core/measure/verify.h"
#include "core/volume/volume.h"

namespace sscope {

struct SliderCase {
  std::shared_ptr<const Volume> input;
  FilterBank bank;  // of each filter the first parameter that is a real number moves back and forth by 1 %
  int threads = 0;  // CPU engines: 0 for all
  int steps = 7;    // of each kind but the first
  bool slicesOnly = false;  // as while a slider is held on slow data: rows are of First and Slices
};

// How a step finds the engine.
enum class SliderState : std::uint8_t {
  First,     // nothing computed yet: kernels are compiled or read from the cache, memory is new
  NewData,   // other data than in the step before, same setting
  SameData,  // the setting has moved on
  Resident,  // so it has, and the result stays where it is computed: only the slices come to the host
  Slices     // so it has, and nothing but the slices is computed
};
// "first", "new data", "same data", "resident", "slices"
[[nodiscard]] std::string toString(SliderState state);

struct SliderContender {
  std::string engine, variant;  // no variant: the engine's default
};

// Seconds, one sample a step.
struct SliderRow {
  std::string engine, variant;
  SliderState state = SliderState::First;
  std::string ran;             // what computed the whole: "separable"
  std::string previewed;       // the engine that computed the slices
  std::vector<double> slices;  // from the step to the last of three visible slices of the shown filter
  std::vector<double> whole;   // from the step to the last voxel of the last filter, where it lives; Resident: empty
  std::vector<double> brick;   // of that, made small for the 3D view; begins after `whole`. Resident: empty
  std::vector<Phases> phases;  // of the whole
  // Of a step's time, what is neither a phase nor slices that were computed apart from the whole.
  std::vector<double> rest;
  std::int64_t deviceBytes = 0;  // Resident: of the device's memory that the results take
  Verification verification;     // of the worst of the row's first and last step
  std::string failed;            // not empty: there are no figures, and why
};

// SliderRow::rest of a step that took `all`, `apart` of it for slices by themselves; phases that overlap count once.
[[nodiscard]] inline double restOfStep(double all, double apart, const Phases& phases) {
  return all - apart - phases.compile - phases.together();
}

// Engines take turns, step by step. Rows by engine, then by state. Throws Canceled; an engine's failure is its rows'.
[[nodiscard]] std::vector<SliderRow> runSliderBench(const EngineSet& engines, const VariantTable& variants,
                                                    const SliderCase& what, std::span<const SliderContender> contenders,
                                                    const Control& control);

// Medians and quartiles in milliseconds, for people.
[[nodiscard]] std::string toTable(std::span<const SliderRow> rows);
[[nodiscard]] nlohmann::json toJson(const SliderRow& row);

}  // namespace sscope
