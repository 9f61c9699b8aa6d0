#pragma once
// A computation with a name, parameters, counted work and a reference implementation.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <typeinfo>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/control.h"
#include "core/boundary/boundary.h"
#include "core/volume/array_view.h"

namespace sscope {

enum class Precision : std::uint8_t { f32, f64 };
[[nodiscard]] std::string_view toString(Precision precision);

// Algorithmic work, never what a variant happens to execute (docs/manual/measurement.md).
struct Work {
  double operations = 0;  // multiplications and additions
  double bytes = 0;       // compulsory: every input and output element once, and the taps
};

// The scale of an element's rounding error (docs/dev/decisions/003-error-bound.md).
enum class ErrorScale : std::uint8_t {
  Element,  // the magnitude of the sum that makes the element
  Voxel,    // the magnitudes of the voxel's components together, which the arithmetic mixes
  Whole,    // the magnitudes of all elements together, because every element depends on every other
};

// When an element counts as correct.
enum class Judgment : std::uint8_t {
  Bound,     // within the rounding error of the reference
  Equal,     // the reference itself, converted to the output's type
  Enclosed,  // as Bound, on a scale that encloses all that roundings can do; NaN for what rounding decides, such as the
             // side of a jump: that cannot be judged
};

// Seconds for a box.
using BoxCost = std::function<double(const Box&)>;

class Workload {
 public:
  virtual ~Workload() = default;

  [[nodiscard]] virtual std::string_view name() const = 0;
  // The parameters of this instance, for reports and as keys of tuned launches.
  [[nodiscard]] virtual nlohmann::json parameters() const = 0;
  [[nodiscard]] virtual std::vector<ArraySpec> inputs() const = 0;
  [[nodiscard]] virtual std::vector<ArraySpec> outputs() const = 0;
  [[nodiscard]] virtual Work work() const = 0;
  // The precision in which the arithmetic must be done.
  [[nodiscard]] virtual Precision precision() const = 0;
  // Taps per output: the length of the sums, from which the accepted rounding error follows.
  [[nodiscard]] virtual std::int64_t termsPerOutput() const = 0;

  // The slow, readable, double-precision truth, straight from the formula, before rounding to the output
  // type: fills `values` with box.voxels() * components elements, components innermost, x fastest.
  virtual void reference(std::span<const ConstArrayView> inputs, std::size_t output, const Box& box,
                         std::span<double> values, const Control& control) const = 0;
  // The same sums over |w| |in|: the scale for rounding errors of `output` when terms cancel. What else rounds
  // differently gives the farthest it may lie from the reference, divided by the tolerance (core/workload/tolerance.h).
  virtual void referenceMagnitude(std::span<const ConstArrayView> inputs, std::size_t output, const Box& box,
                                  std::span<double> values, const Control& control) const = 0;
  // Both at once, where they have much in common.
  virtual void referenceBoth(std::span<const ConstArrayView> inputs, std::size_t output, const Box& box,
                             std::span<double> values, std::span<double> magnitudes, const Control& control) const {
    reference(inputs, output, box, values, control);
    referenceMagnitude(inputs, output, box, magnitudes, control);
  }
  [[nodiscard]] virtual ErrorScale errorScale() const { return ErrorScale::Element; }
  [[nodiscard]] virtual Judgment judgment(std::size_t /*output*/) const { return Judgment::Bound; }
  // The smallest box of the first input that the elements in `box` of the outputs depend on; the whole input if every
  // element depends on every other.
  [[nodiscard]] virtual Box reach(const Box& box) const;
  // The same computation for a part of every output: outputs have the extents of `region` and equal that part of the
  // whole up to rounding; inputs are unchanged. Null if not supported. Throws Error(Usage) for a region that is empty
  // or exceeds the outputs.
  [[nodiscard]] virtual std::unique_ptr<Workload> restrictedTo(const Box& /*region*/) const { return nullptr; }
  // The same, but whatever engines choose, they choose as for the whole, so that the part has its bits (where
  // Plan::grain allows). Parts of parts are parts of the whole. Engines read no more of the inputs than reachAlong()
  // names along the slowest axis.
  [[nodiscard]] virtual std::unique_ptr<Workload> cutTo(const Box& region) const { return restrictedTo(region); }
  // The positions along an axis of the first input that the elements in `box` of the outputs depend on: ranges in
  // ascending order that do not touch. With wrap, those at both ends; reach() has what lies between them, too.
  [[nodiscard]] virtual std::vector<Range> reachAlong(std::size_t axis, const Box& box) const;
  // Expected time in seconds of one core to evaluate both for all elements, in boxes of an edge of referencePiece().
  [[nodiscard]] virtual double referenceSeconds() const { return 2 * work().operations / 0.5e9; }
  // The same for boxes of one output, with what has to be computed around them. Does not outlive the workload.
  [[nodiscard]] virtual BoxCost referenceCost(std::size_t output) const;
  // The edge of boxes that are small enough to be computed side by side, and large enough that what is computed around
  // them is not much more.
  [[nodiscard]] virtual std::int64_t referencePiece() const { return 32; }

  // The reference for runs that compute a sum of products as one written-out sum (RunReport::writtenOut), if these may
  // give other NaN and Inf; else null.
  [[nodiscard]] virtual std::unique_ptr<Workload> writtenOut() const { return nullptr; }

  // What else the workload has, for abilityOf() (core/base/ability.h): the interface of this type; null if it has none.
  [[nodiscard]] virtual const void* findAbility(const std::type_info& /*ability*/) const { return nullptr; }
};

// A workload as the type that a row of the table of variants computes; null if it is another one.
template <class W>
[[nodiscard]] const W* workloadIf(const Workload& workload) {
  return dynamic_cast<const W*>(&workload);
}

// The refusal of a workload of another type than a row computes.
[[noreturn]] void throwOtherWorkload(const Workload& workload);

// The same where it has to be of this type. Throws Error(Unsupported).
template <class W>
[[nodiscard]] const W& workloadAs(const Workload& workload) {
  const W* own = workloadIf<W>(workload);
  if (own == nullptr) throwOtherWorkload(workload);
  return *own;
}

}  // namespace sscope
