#pragma once
// A computation with a name, parameters, counted work and a reference implementation.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/control.h"
#include "core/volume/array_view.h"

namespace sscope {

enum class Precision : std::uint8_t { f32, f64 };
[[nodiscard]] std::string_view toString(Precision precision);

// Algorithmic work, never what a variant happens to execute (docs/measurement.md).
struct Work {
  double operations = 0;  // multiplications and additions
  double bytes = 0;       // compulsory: every input and output element once, and the taps
};

// What an element's rounding error grows with (docs/decisions/003-error-bound.md).
enum class ErrorScale : std::uint8_t {
  Element,  // the magnitude of the sum that makes the element
  Voxel,    // the magnitudes of the voxel's components together, which the arithmetic mixes
  Whole,    // those of all elements together: every element depends on every other
};

// When an element is right.
enum class Judgment : std::uint8_t {
  Bound,  // as near to the reference as rounding lets it be
  Equal,  // the reference itself, converted to the output's type
};

class Workload {
 public:
  virtual ~Workload() = default;

  [[nodiscard]] virtual std::string_view name() const = 0;
  // What distinguishes this instance, for reports and for keys of tuned launches.
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
  // The same sums over |w| |in|: the scale on which rounding errors of `output` are judged where terms cancel.
  virtual void referenceMagnitude(std::span<const ConstArrayView> inputs, std::size_t output, const Box& box,
                                  std::span<double> values, const Control& control) const = 0;
  [[nodiscard]] virtual ErrorScale errorScale() const { return ErrorScale::Element; }
  [[nodiscard]] virtual Judgment judgment(std::size_t /*output*/) const { return Judgment::Bound; }
  // The smallest box of the first input that holds all of it from which the elements of `box`, of any output, are
  // computed; all of the input where every element depends on every other.
  [[nodiscard]] virtual Box reach(const Box& box) const;
  // The same work on a part of every output: these have the extents of `region` then, their elements equal those of the
  // whole up to rounding, and inputs stay what they are. Null where parts are not computed by themselves. Throws
  // Error(Usage) for a region that is empty or leaves the outputs.
  [[nodiscard]] virtual std::unique_ptr<Workload> restrictedTo(const Box& /*region*/) const { return nullptr; }
  // Expected time of one core to evaluate both everywhere.
  [[nodiscard]] virtual double referenceSeconds() const { return 2 * work().operations / 0.5e9; }

  // The truth for runs that write every sum of products out as one sum (RunReport::writtenOut), where such a run may
  // give other NaN and Inf than the reference; null where it cannot.
  [[nodiscard]] virtual std::unique_ptr<Workload> writtenOut() const { return nullptr; }
};

}  // namespace sscope
