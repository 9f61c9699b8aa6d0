#include "core/measure/verify.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <mutex>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "core/base/arithmetic.h"
#include "core/engine/variant.h"
#include "core/measure/accepted_error.h"
#include "core/measure/compared_output.h"
#include "core/measure/judged_parts.h"
#include "core/volume/element_type.h"
#include "core/workload/workload.h"

namespace sscope {

namespace {

struct Sums {
  ScaledNorm difference, reference, scale;
  double largestDifference = 0, largestReference = 0;
  double share = 0;  // the largest, of the accepted error of an element
  std::int64_t compared = 0, wrong = 0, nonFinite = 0, off = 0;
  std::int64_t ties = 0;         // integers on the other side of a tie than the reference's, which is accepted
  std::int64_t meaningless = 0;  // NaN or Inf, as expected: they do not show how exact the engine is
  std::int64_t unjudged = 0;     // elements that rounding decides; they are not among those compared
  std::int64_t overflown = 0;    // NaN or Inf where sums of such numbers leave the range of the type

  void add(const Sums& other) {
    difference.add(other.difference);
    reference.add(other.reference);
    scale.add(other.scale);
    largestDifference = std::max(largestDifference, other.largestDifference);
    largestReference = std::max(largestReference, other.largestReference);
    share = std::max(share, other.share);
    compared += other.compared;
    wrong += other.wrong;
    nonFinite += other.nonFinite;
    off += other.off;
    meaningless += other.meaningless;
    ties += other.ties;
    unjudged += other.unjudged;
    overflown += other.overflown;
  }
};

template <class T>
T poisonOf(std::uint8_t pattern) {
  T value{};
  std::memset(&value, pattern, sizeof value);
  if constexpr (std::is_same_v<T, float>) return std::bit_cast<T>(std::bit_cast<std::uint32_t>(value) | 0x7FC00000U);
  if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<T>(std::bit_cast<std::uint64_t>(value) | 0x7FF8000000000000U);
  return value;
}

// The NaN of an unwritten element. (Integers have no such number: poison with two patterns.)
template <class T>
bool unwritten(T value) {
  for (const std::uint8_t pattern : {kPoison, kOtherPoison}) {
    const T poisoned = poisonOf<T>(pattern);
    if (std::memcmp(&value, &poisoned, sizeof value) == 0) return true;
  }
  return false;
}

// The expected value of an element, the magnitude of its sum, and the scale of its error.
struct Expected {
  double reference = 0, magnitude = 0, scale = 0;
};

// 0 for 0 and NaN for NaN are right, whatever roundings could have given.
template <class T>
bool sameWithoutRounding(T got, double reference) {
  const auto value = static_cast<double>(got);
  return std::isnan(reference) ? std::isnan(value) && !unwritten(got) : reference == 0 && value == 0;
}

template <class T>
void compareElement(T got, const Expected& expected, const Tolerance& tolerance, Sums& sums) {
  double reference = expected.reference;
  if (tolerance.enclosed && std::isnan(expected.magnitude) && !sameWithoutRounding(got, reference)) {
    ++(unwritten(got) ? sums.nonFinite : sums.unjudged);
    return;
  }
  ++sums.compared;
  bool saturated = false;
  const auto wanted = static_cast<double>(roundSaturate<T>(reference, saturated));
  const auto value = static_cast<double>(got);
  if (tolerance.exact && std::isfinite(wanted) && value != wanted) ++sums.off;
  if constexpr (std::is_integral_v<T>) {
    if (value != wanted) ++sums.wrong;
    reference = wanted;
  } else if (!std::isfinite(reference) || !std::isfinite(value)) {
    const bool same = std::isnan(reference) ? std::isnan(value) && !unwritten(got) : wanted == value;
    const bool overflown = std::isfinite(reference) && !unwritten(got) &&
                           !(std::max(expected.magnitude, std::abs(reference)) < tolerance.overflow);
    ++(same ? sums.meaningless : overflown ? sums.overflown : sums.nonFinite);
    return;
  }
  const double difference = value - reference;
  if (std::isnan(expected.magnitude) && tolerance.enclosed) return;  // the element cannot be judged
  sums.difference.add(difference);
  sums.reference.add(reference);
  sums.scale.add(tolerance.scaleOf(expected.magnitude, reference));
  sums.largestDifference = std::max(sums.largestDifference, std::abs(difference));
  sums.largestReference = std::max(sums.largestReference, std::abs(reference));
  if (std::is_integral_v<T> || tolerance.exact || tolerance.scale == ErrorScale::Whole) return;
  const double share = std::abs(difference) / (tolerance.element * tolerance.scaleOf(expected.scale, reference));
  sums.share = std::max(sums.share, share);
  if (!(share <= 1)) ++sums.off;
}

// Whether an integer is one that a sum in double precision may round to, taken in any order: the reference's own may
// have been rounded to the other side of a tie (docs/dev/decisions/002-integer-rounding.md).
template <class T>
bool mayRoundTo(T got, double reference, double magnitude, std::int64_t terms) {
  const double error = acceptedTieError(terms) * magnitude;
  bool saturated = false;
  return std::isfinite(error) && got >= roundSaturate<T>(reference - error, saturated) &&
         got <= roundSaturate<T>(reference + error, saturated);
}

// The comparison of one output, and how many more integers may be examined for ties.
struct Comparison {
  const Workload& workload;
  std::span<const ConstArrayView> inputs;
  std::size_t index;
  const Tolerance& tolerance;
  std::atomic<std::int64_t>& ties;
};

// Judges an integer that differs from the rounded reference.
enum class Doubt : std::uint8_t { None, Tie, Open };

// The magnitudes of integers' sums are needed only for integers that differ; each costs a sum.
template <class T>
Doubt doubtOf(const Comparison& comparison, T got, double reference, const std::array<std::int64_t, 4>& at,
              std::size_t components, const Control& control) {
  if constexpr (!std::is_integral_v<T>) {
    return Doubt::None;
  } else {
    bool saturated = false;
    const bool enclosed = comparison.tolerance.enclosed;
    if ((!std::isfinite(reference) && !enclosed) || got == roundSaturate<T>(reference, saturated) ||
        comparison.ties-- <= 0)
      return Doubt::None;
    const Box voxel{{at[0], at[1], at[2]}, {at[0] + 1, at[1] + 1, at[2] + 1}};
    std::vector<double> magnitudes(components);
    comparison.workload.referenceMagnitude(comparison.inputs, comparison.index, voxel, magnitudes, control);
    const double magnitude = magnitudes[static_cast<std::size_t>(at[3])];
    if (enclosed && std::isnan(magnitude)) return Doubt::Open;
    const bool tie = mayRoundTo(got, reference, magnitude, comparison.workload.termsPerOutput());
    return tie ? Doubt::Tie : Doubt::None;
  }
}

// `output`: the part of the output in the box.
Sums compareBox(const Comparison& comparison, const Box& box, const ConstArrayView& output, const Control& control) {
  const auto& [workload, inputs, index, tolerance, ties] = comparison;
  const std::int64_t components = output.extent[3];
  std::vector<double> reference(static_cast<std::size_t>(box.voxels() * components));
  std::vector<double> magnitude(reference.size());
  if (isInteger(output.type)) {
    workload.reference(inputs, index, box, reference, control);
  } else {
    workload.referenceBoth(inputs, index, box, reference, magnitude, control);
  }
  std::vector<double> joint;
  if (tolerance.scale == ErrorScale::Voxel) joint = joinedComponents(magnitude, static_cast<std::size_t>(components));
  const std::vector<double>& scale = joint.empty() ? magnitude : joint;
  Sums sums;
  dispatch(output.type, [&](auto tag) {
    const auto* data = output.as<decltype(tag)>();
    std::size_t i = 0;
    for (std::int64_t z = box.begin[2]; z < box.end[2]; ++z)
      for (std::int64_t y = box.begin[1]; y < box.end[1]; ++y)
        for (std::int64_t x = box.begin[0]; x < box.end[0]; ++x)
          for (std::int64_t c = 0; c < components; ++c, ++i) {
            const auto got = data[output.offset(x - box.begin[0], y - box.begin[1], z - box.begin[2], c)];
            const Doubt doubt =
                doubtOf(comparison, got, reference[i], {x, y, z, c}, static_cast<std::size_t>(components), control);
            if (doubt == Doubt::Tie) {
              reference[i] = static_cast<double>(got);
              ++sums.ties;
            }
            if (doubt == Doubt::Open) magnitude[i] = std::numeric_limits<double>::quiet_NaN();
            compareElement(got, {reference[i], magnitude[i], scale[i]}, tolerance, sums);
          }
  });
  return sums;
}

// How many outliers can be compared in some tenths of a second: each needs about ten nanoseconds per term, or the time
// to compute it alone.
std::int64_t mostStandingOut(const Workload& workload, const BoxCost& cost, const std::array<std::int64_t, 4>& extent,
                             std::size_t outputs) {
  constexpr double kSeconds = 0.2, kTerm = 10e-9;
  Box middle;
  for (std::size_t a = 0; a < 3; ++a) {
    middle.begin[a] = extent[a] / 2;
    middle.end[a] = middle.begin[a] + 1;
  }
  const double each = std::max(cost(middle), kTerm * static_cast<double>(workload.termsPerOutput()));
  return static_cast<std::int64_t>(std::clamp(kSeconds / (each * static_cast<double>(outputs)), 64.0, 4096.0));
}

// The lowest cost of a voxel, in a large box.
double voxelCost(const std::vector<Box>& pieces, const BoxCost& cost) {
  double least = std::numeric_limits<double>::infinity();
  for (const Box& piece : pieces) least = std::min(least, cost(piece) / static_cast<double>(piece.voxels()));
  return least;
}

double secondsOf(const std::vector<Box>& boxes, const BoxCost& cost) {
  double seconds = 0;
  for (const Box& box : boxes) seconds += cost(box);
  return seconds;
}

std::string shortNumber(double value) { return fmt::format("{:.3g}", value); }

// Empty if all judged elements are right.
std::string whatIsWrong(const Sums& sums, ElementType type, const Tolerance& tolerance) {
  const std::string count = " of " + std::to_string(sums.compared) + " elements ";
  if (sums.nonFinite > 0)
    return std::to_string(sums.nonFinite) +
           " elements are NaN or Inf where they should not be, or not where they should";
  if (sums.compared == 0) return sums.unjudged > 0 ? "" : "nothing was compared";
  if (tolerance.exact && sums.off > 0) return std::to_string(sums.off) + count + "differ from a result that is exact";
  if (isInteger(type)) return sums.wrong > 0 ? std::to_string(sums.wrong) + count + "differ" : "";
  if (const double error = sums.difference.over(sums.scale); !(error <= tolerance.relative))
    return "the relative error " + shortNumber(error) + " exceeds " + shortNumber(tolerance.relative);
  if (sums.off > 0)
    return std::to_string(sums.off) + count + "differ by more than rounding can explain, up to " +
           shortNumber(sums.share) + " times as much";
  return {};
}

double ulps(const Sums& sums, double epsilon, double smallest) {
  if (!(sums.largestReference > 0)) return 0;
  return sums.largestDifference / std::max(std::exp2(std::floor(std::log2(sums.largestReference))) * epsilon, smallest);
}

Verification verifyOutputs(const Workload& workload, std::span<const ConstArrayView> inputs,
                           std::span<const ComparedOutput> outputs, const VerifyOptions& options,
                           const Control& control) {
  if (options.writtenOut)
    if (const auto dense = workload.writtenOut()) return verifyOutputs(*dense, inputs, outputs, options, control);
  Verification result;
  const double expected = workload.referenceSeconds() / tbb::this_task_arena::max_concurrency();
  result.full = expected < options.fullBudgetSeconds;
  std::int64_t standing = 64;
  for (std::size_t index = 0; index < outputs.size(); ++index)
    standing = mostStandingOut(workload, workload.referenceCost(index), outputs[index].extent(), outputs.size());
  std::atomic<std::int64_t> ties = standing;
  Sums total;
  bool sampled = false;
  for (std::size_t index = 0; index < outputs.size(); ++index) {
    const ComparedOutput& output = outputs[index];
    const Tolerance tolerance = toleranceOf(workload, index, output.type(), options);
    std::vector<Box> boxes = wholeVolume(output.extent(), workload.referencePiece());
    if (!result.full) {
      const BoxCost cost = workload.referenceCost(index);
      std::vector<Box> samples = sampledBoxes(output.extent(), options.seed + index);
      const std::vector<Box> more = output.standingOut(standing, control);
      samples.insert(samples.end(), more.begin(), more.end());
      samples = joinedBoxes(std::move(samples), cost, voxelCost(boxes, cost));
      if (secondsOf(samples, cost) < secondsOf(boxes, cost)) {
        boxes = std::move(samples);
        sampled = true;
        result.stoodOut += std::ssize(more);
      }
    }
    Sums sums;
    std::mutex mutex;
    output.forEach(
        boxes,
        [&](std::size_t b, const ConstArrayView& part) {
          const Sums one = compareBox({workload, inputs, index, tolerance, ties}, boxes[b], part, control);
          const std::lock_guard lock(mutex);
          sums.add(one);
        },
        control);
    result.outputs.push_back({sums.compared, sums.unjudged, sums.overflown,
                              index < options.names.size() ? options.names[index] : std::string()});
    if (const std::string wrong = whatIsWrong(sums, output.type(), tolerance); result.failure.empty() && !wrong.empty())
      result.failure = withOutputName(result.outputs.back(), wrong);
    total.add(sums);
  }
  result.full = !sampled;
  result.compared = total.compared;
  result.unjudged = total.unjudged;
  result.wrong = total.wrong;
  result.nonFinite = total.nonFinite;
  result.off = total.off;
  result.ties = total.ties;
  result.meaningless = total.meaningless;
  result.largestShare = total.share;
  result.relativeL2 = total.difference.over(total.reference);
  const bool wide = !outputs.empty() && outputs[0].type() == ElementType::f64 && options.bound == 0;
  result.maximumUlp =
      wide ? ulps(total, std::numeric_limits<double>::epsilon(), std::numeric_limits<double>::denorm_min())
           : ulps(total, static_cast<double>(std::numeric_limits<float>::epsilon()),
                  static_cast<double>(std::numeric_limits<float>::denorm_min()));
  // A wrong output is more informative than one that cannot be judged.
  if (result.failure.empty()) {
    result.failure = whyUndecided(result);
    result.undecided = !result.failure.empty();
  }
  if (total.compared == 0 && result.failure.empty()) result.failure = "nothing was compared";
  result.coverage = coverageOf({}, result);
  result.verified = result.failure.empty();
  return result;
}

}  // namespace

Verification verify(const Workload& workload, std::span<const ConstArrayView> inputs,
                    std::span<const ConstArrayView> outputs, const VerifyOptions& options, const Control& control) {
  std::vector<ComparedOutput> compared;
  for (const ConstArrayView& output : outputs) compared.emplace_back(output);
  if (options.threads <= 0) return verifyOutputs(workload, inputs, compared, options, control);
  tbb::task_arena arena(options.threads);
  return arena.execute([&] { return verifyOutputs(workload, inputs, compared, options, control); });
}

Verification verify(const Workload& workload, std::span<const ConstArrayView> inputs,
                    std::span<const std::shared_ptr<ResidentArray>> outputs, const VerifyOptions& options,
                    const Control& control) {
  std::vector<ComparedOutput> compared;
  for (const auto& output : outputs) compared.emplace_back(*output, control);
  return verifyOutputs(workload, inputs, compared, options, control);
}

std::int64_t verifyBytes(const Workload& workload) {
  std::int64_t most = 0;
  for (const ArraySpec& output : workload.outputs()) {
    Box piece;
    for (std::size_t a = 0; a < 3; ++a) {
      piece.begin[a] = std::max<std::int64_t>(0, output.extent[a] - workload.referencePiece()) / 2;
      piece.end[a] = std::min(output.extent[a], piece.begin[a] + workload.referencePiece());
    }
    // The reference, the magnitudes and their common scale, and temporary copies.
    const std::int64_t numbers = 3 * piece.voxels() + 2 * workload.reach(piece).voxels();
    most = std::max(most, numbers * output.extent[3] * static_cast<std::int64_t>(sizeof(double)));
  }
  return most;
}

Verification verifyCopy(const ConstArrayView& input, const ConstArrayView& output, const Control& control) {
  Verification result;
  result.full = true;
  result.coverage = "full copy of the input";
  if (input.type != output.type || input.extent != output.extent) {
    result.failure = "a copy must have the type and the extents of its input";
    return result;
  }
  dispatch(output.type, [&](auto tag) {
    const auto* from = input.as<decltype(tag)>();
    const auto* to = output.as<decltype(tag)>();
    for (std::int64_t z = 0; z < output.extent[2]; ++z)
      for (std::int64_t y = 0; y < output.extent[1]; ++y) {
        control.check();
        for (std::int64_t x = 0; x < output.extent[0]; ++x)
          for (std::int64_t c = 0; c < output.extent[3]; ++c)
            if (from[input.offset(x, y, z, c)] != to[output.offset(x, y, z, c)]) ++result.wrong;
      }
  });
  result.compared = output.elements();
  if (result.wrong > 0)
    result.failure = std::to_string(result.wrong) + " of " + std::to_string(result.compared) + " elements differ";
  result.verified = result.failure.empty();
  return result;
}

void poison(const ArrayView& view, std::uint8_t pattern) {
  dispatch(view.type, [&](auto tag) {
    using T = decltype(tag);
    const T value = poisonOf<T>(pattern);
    auto* data = view.as<T>();
    tbb::parallel_for(std::int64_t{0}, view.extent[2] * view.extent[1], [&](std::int64_t row) {
      const std::int64_t y = row % view.extent[1], z = row / view.extent[1];
      for (std::int64_t x = 0; x < view.extent[0]; ++x)
        for (std::int64_t c = 0; c < view.extent[3]; ++c) data[view.offset(x, y, z, c)] = value;
    });
  });
}

Verification verify(const Variant& row, const Workload& workload, std::span<const ConstArrayView> inputs,
                    std::span<const ConstArrayView> outputs, const VerifyOptions& options, const Control& control) {
  return row.lower ? row.lower->judge(workload, inputs, outputs, options, control)
                   : verify(workload, inputs, outputs, options, control);
}

}  // namespace sscope
