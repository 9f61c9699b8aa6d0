#pragma once
// Which engine wins where: a map over the size of the data and one parameter, such as a filter's sigma. A model fills
// it at once; measured cells replace the model, each by a race of its own that verifies every output.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/control.h"
#include "core/compare/case.h"
#include "core/compare/race.h"
#include "core/volume/geometry.h"

namespace sscope::compare {

struct BreakEvenAxes {
  std::vector<std::int64_t> edges;  // voxels along each edge of the data: volumes, or images where the case has one
  std::string parameter;            // of the filters or of the workload; empty: none varies
  std::vector<double> values;       // of it; empty without a parameter
};

// One contender in one cell.
struct CellTime {
  double predicted = 0;  // seconds without transfers; 0: no prediction
  double kernel = 0;     // measured median without transfers; 0: not measured
  double total = 0;      // with transfers
  std::string reason{};  // why it could not run here; empty: it ran
};

struct BreakEvenCell {
  std::int64_t edge = 0;
  double value = 0;             // of the parameter
  std::vector<CellTime> times;  // of the contenders
  std::string reason{};         // why the cell is impossible, such as a filter larger than the data
  bool measured = false;
};

struct CellWinner {
  std::size_t contender = 0;
  double factor = 1;      // by how much it is faster than the next one; 1 where it is the only one
  bool measured = false;  // false: predicted by the model
};
enum class CellTimes : std::uint8_t { Predicted, Kernel, Total };
// Empty: no lane has a time.
[[nodiscard]] std::optional<CellWinner> winnerOf(const BreakEvenCell& cell, CellTimes which);

struct BreakEvenMap {
  BreakEvenAxes axes;
  std::vector<std::string> lanes;    // names of the contenders
  std::vector<BreakEvenCell> cells;  // edges of the first value first, then those of the next one
  std::size_t done = 0;              // cells that were measured or cannot be measured
};

// The error of the model: measured over predicted seconds, of all cells and contenders that have both.
struct ModelError {
  std::size_t count = 0;
  double typical = 1;          // the median factor between the two, 1 or more
  double largest = 1;          // the largest one
  std::size_t winners = 0;     // cells in which both have a winner
  std::size_t sameWinner = 0;  // in which it is the same one
};
[[nodiscard]] ModelError modelError(const BreakEvenMap& map);

struct BreakEvenWish {
  CaseRecipe recipe;  // its data give element type, components, and whether it is an image
  Geometry geometry;
  std::vector<BenchRow> contenders;
  BreakEvenAxes axes;
  RaceOptions how;
  bool measure = true;  // false: the model alone
};
// The recipe with another value of the parameter, in every filter that has it, or with another number of filters
// (kFilterCount). Throws Error(Usage) if none has it.
[[nodiscard]] CaseRecipe withParameter(CaseRecipe recipe, const std::string& parameter, double value);

// `filled` is called with the map so far, after the model and after every measured cell; `emit` is called with the
// events of every cell's race; both may be empty. Throws Error(Usage) for impossible axes, and Canceled. An error of
// one cell is its reason.
[[nodiscard]] BreakEvenMap breakEven(const RaceTrack& track, const BreakEvenWish& wish,
                                     const std::function<void(const BreakEvenMap&)>& filled, const EmitRace& emit,
                                     const Control& control);

// The error of the model, as half a sentence.
[[nodiscard]] std::string errorText(const BreakEvenMap& map);
// "sigma=2", or "all" where nothing varies.
[[nodiscard]] std::string rowName(const BreakEvenMap& map, const BreakEvenCell& cell);

[[nodiscard]] std::string toText(const BreakEvenMap& map);
// One line per cell and contender, in seconds; missing values are empty.
[[nodiscard]] std::string toCsv(const BreakEvenMap& map);
[[nodiscard]] std::string toHtml(
    const BreakEvenMap& map);  // tables of a page; cells that were not measured are hatched
[[nodiscard]] nlohmann::json toJson(const BreakEvenMap& map);

inline constexpr std::int64_t kLongestEdge = 1 << 14;
inline constexpr std::size_t kMostOnAxis = 32;

// "1, 2.5,4": finite numbers, at least one and at most kMostOnAxis, separated by commas. Throws Error(Usage)
// that names the part that is no such number.
[[nodiscard]] std::vector<double> numbersFrom(std::string_view text);
// The same for whole numbers from 1 to kLongestEdge.
[[nodiscard]] std::vector<std::int64_t> edgesFrom(std::string_view text);
// Throws Error(Usage) where an edge or a value occurs twice.
void requireDistinct(const BreakEvenAxes& axes);
// "1, 2.5, 4".
[[nodiscard]] std::string axisText(const std::vector<double>& values);

// A parameter of banks: how many filters run, from the first one; after the last one they start again at the first.
inline constexpr const char* kFilterCount = "filters";

// Names of numeric parameters that can vary: those of the bank's enabled filters and kFilterCount, or the workload's
// options except its seed.
[[nodiscard]] std::vector<std::string> variedParameters(const CaseRecipe& recipe);
// Values around the parameter's own; empty for an unknown parameter.
[[nodiscard]] std::vector<double> proposedValues(const CaseRecipe& recipe, const std::string& parameter);
// Sizes of images or volumes whose races take seconds.
[[nodiscard]] std::vector<std::int64_t> proposedEdges(const CaseRecipe& recipe);

}  // namespace sscope::compare
