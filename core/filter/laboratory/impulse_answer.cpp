#include "core/filter/laboratory/impulse_answer.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/base/error.h"
#include "core/filter/program/program_workload.h"
#include "core/volume/volume.h"

namespace sscope {

namespace {

constexpr double kMostSeconds = 60, kMostBytes = 1 << 30;

ImpulsePlane planeAcross(std::size_t hidden) {
  ImpulsePlane plane;
  plane.hidden = hidden;
  plane.across = hidden == 0 ? 1 : 0;
  plane.down = hidden == 2 ? 1 : 2;
  return plane;
}

void settle(ImpulsePlane& plane, std::int64_t offset) {
  plane.offset = std::clamp(offset, plane.lowest[plane.hidden], plane.highest[plane.hidden]);
}

void findLargest(ImpulsePlane& plane) {
  for (const double value : plane.values)
    if (std::isfinite(value)) plane.largest = std::max(plane.largest, std::abs(value));
}

// The mirrored tap of an axis at an offset.
double mirrored(const AxisTaps& taps, std::int64_t offset) {
  const std::int64_t at = taps.anchor - offset;
  return at >= 0 && at < taps.size() ? taps.weights[static_cast<std::size_t>(at)] : 0;
}

// The reach of the program below and above a position.
std::array<std::array<std::int64_t, 3>, 2> readsOf(const FilterProgram& program) {
  constexpr std::int64_t kFar = 1 << 24;
  const Box one{{kFar, kFar, kFar}, {kFar + 1, kFar + 1, kFar + 1}};
  const Box source = neededBoxes(program, one, {2 * kFar, 2 * kFar, 2 * kFar}, Boundary::constant).source;
  std::array<std::array<std::int64_t, 3>, 2> reads{};
  if (isEmpty(source)) return reads;
  for (std::size_t a = 0; a < 3; ++a) {
    reads[0][a] = std::max<std::int64_t>(0, kFar - source.begin[a]);
    reads[1][a] = std::max<std::int64_t>(0, source.end[a] - 1 - kFar);
  }
  return reads;
}

// The reference of a node on zeros with a single 1, large enough that the boundary rule has no effect.
class ImpulseMeasurement {
 public:
  ImpulseMeasurement(const FilterProgram& program, std::size_t node, const FilterGrid& grid)
      : program_{program.nodes, {{node, "answer"}}}, spacing_(grid.spacing) {
    const auto [below, above] = readsOf(program_);
    double bytes = sizeof(double);
    for (std::size_t a = 0; a < 3; ++a) {
      const bool flat = a == 2 && grid.dimensions == 2;
      // The response at p reads from p - below to p + above.
      lowest_[a] = flat ? 0 : -above[a];
      highest_[a] = flat ? 0 : below[a];
      middle_[a] = flat ? 0 : below[a] + above[a];
      const std::int64_t extent = 2 * middle_[a] + 1;
      (a == 0 ? shape_.nx : a == 1 ? shape_.ny : shape_.nz) = extent;
      bytes *= static_cast<double>(extent);
    }
    if (bytes > kMostBytes)
      throw Error(ErrorKind::Usage, "the impulse response reaches too far to be computed here",
                  "choose smaller windows");
  }

  // Offsets at which the response can differ from the rest.
  [[nodiscard]] const std::array<std::int64_t, 3>& lowest() const { return lowest_; }
  [[nodiscard]] const std::array<std::int64_t, 3>& highest() const { return highest_; }

  // The response to `height` at these offsets, both ends included.
  [[nodiscard]] std::vector<double> answer(double height, const std::array<std::int64_t, 3>& first,
                                           const std::array<std::int64_t, 3>& last, const Control& control) const {
    const ArraySpec spec{ElementType::f64, {shape_.nx, shape_.ny, shape_.nz, 1}};
    const ProgramWorkload workload(program_, Boundary::constant, 0, spec, spacing_, ElementType::f64);
    Box box;
    for (std::size_t a = 0; a < 3; ++a) {
      box.begin[a] = middle_[a] + first[a];
      box.end[a] = middle_[a] + last[a] + 1;
    }
    if (const double seconds = workload.restrictedTo(box)->referenceSeconds(); seconds > kMostSeconds)
      throw Error(
          ErrorKind::Usage,
          "the reference would need for the impulse response about " + std::to_string(std::llround(seconds)) + " s",
          "choose a smaller window or fewer steps");
    Volume impulse(shape_, ElementType::f64);
    std::ranges::fill(impulse.elements<double>(), 0.0);
    impulse
        .elements<double>()[static_cast<std::size_t>((middle_[2] * shape_.ny + middle_[1]) * shape_.nx + middle_[0])] =
        height;
    std::vector<double> values(static_cast<std::size_t>(box.voxels()));
    const ConstArrayView in = std::as_const(impulse).view();
    workload.reference({&in, 1}, 0, box, values, control);
    return values;
  }

 private:
  FilterProgram program_;
  std::array<double, 3> spacing_;
  VolumeShape shape_{1, 1, 1, 1};
  std::array<std::int64_t, 3> lowest_{}, highest_{}, middle_{};
};

}  // namespace

ImpulsePlane impulsePlane(const Stencil& filter, std::size_t hidden, std::int64_t offset) {
  ImpulsePlane plane = planeAcross(hidden);
  const auto size = filter.size(), anchor = filter.anchor();
  for (std::size_t a = 0; a < 3; ++a) {
    plane.lowest[a] = anchor[a] - size[a] + 1;
    plane.highest[a] = anchor[a];
  }
  settle(plane, offset);
  std::array<std::int64_t, 3> at{};
  at[hidden] = plane.offset;
  for (at[plane.down] = plane.lowest[plane.down]; at[plane.down] <= plane.highest[plane.down]; ++at[plane.down])
    for (at[plane.across] = plane.lowest[plane.across]; at[plane.across] <= plane.highest[plane.across];
         ++at[plane.across]) {
      double value = 0;
      if (filter.separable()) {
        for (const auto& [axis] : filter.terms)
          value += mirrored(axis[0], at[0]) * mirrored(axis[1], at[1]) * mirrored(axis[2], at[2]);
      } else {
        value = filter.dense.at(anchor[0] - at[0], anchor[1] - at[1], anchor[2] - at[2]);
      }
      plane.values.push_back(value);
    }
  findLargest(plane);
  return plane;
}

ImpulsePlane impulsePlane(const FilterProgram& program, std::size_t node, const FilterGrid& grid, std::size_t hidden,
                          std::int64_t offset, const Control& control) {
  const ImpulseMeasurement measurement(program, node, grid);
  ImpulsePlane plane = planeAcross(hidden);
  plane.lowest = measurement.lowest();
  plane.highest = measurement.highest();
  settle(plane, offset);
  auto first = plane.lowest, last = plane.highest;
  first[hidden] = last[hidden] = plane.offset;
  plane.values = measurement.answer(1, first, last, control);
  findLargest(plane);
  return plane;
}

DenseTaps measuredTaps(const FilterProgram& program, std::size_t node, const FilterGrid& grid, const Control& control) {
  const ImpulseMeasurement measurement(program, node, grid);
  const auto &first = measurement.lowest(), &last = measurement.highest();
  const double elsewhere = measurement.answer(0, {0, 0, 0}, {0, 0, 0}, control).front();
  DenseTaps taps;
  for (std::size_t a = 0; a < 3; ++a) {
    taps.size[a] = last[a] - first[a] + 1;
    taps.anchor[a] = last[a];
  }
  // h(n) = w(anchor - n): from the last offset to the first.
  taps.weights = measurement.answer(1, first, last, control);
  std::ranges::reverse(taps.weights);
  for (double& weight : taps.weights) weight -= elsewhere;
  return taps;
}

}  // namespace sscope
