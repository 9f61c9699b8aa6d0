#pragma once
// Workload "formula": an expression over one or several arrays, any element types, any boundary.

#include <array>
#include <vector>

#include "core/boundary/boundary.h"
#include "core/filter/formula/formula.h"
#include "core/filter/formula/formula_value.h"
#include "core/filter/formula/interval.h"
#include "core/volume/array_view.h"
#include "core/workload/workload.h"

namespace sscope {

// An array and the part of the volume that it covers, in voxels of the whole volume.
struct FormulaInput {
  ArraySpec spec;
  Box box;
  bool operator==(const FormulaInput&) const = default;
};

// Everything but the formula.
struct FormulaSetting {
  std::vector<FormulaInput> inputs;             // one for each of Formula::inputs()
  std::array<std::int64_t, 3> volume{1, 1, 1};  // extents of the whole
  Boundary boundary = Boundary::nearest;        // for neighbors outside the volume
  double constant = 0;                          // for Boundary::constant
  Box region;                                   // of the volume, to be computed
  std::array<double, 3> spacing{1, 1, 1};       // millimeters
  ElementType output = ElementType::f32;
  std::int64_t components = 1;                   // of the output's voxels, if no input has more
  bool operator==(const FormulaSetting&) const;  // NaN equals NaN
};

// One output of the region's extents, with as many components as the inputs have, or FormulaSetting::components; inputs
// of one component serve all of the output's. Values are computed component by component.
class FormulaWorkload : public Workload {
 public:
  // Throws Error(Usage) if arrays and boxes do not match, if a neighbor is outside the box of its input, or if numbers
  // of components differ.
  FormulaWorkload(Formula formula, FormulaSetting setting);

  [[nodiscard]] std::string_view name() const override { return "formula"; }
  [[nodiscard]] nlohmann::json parameters() const override;
  [[nodiscard]] std::vector<ArraySpec> inputs() const override;
  [[nodiscard]] std::vector<ArraySpec> outputs() const override;
  // Formula::operations() for each value.
  [[nodiscard]] Work work() const override;
  // f64 if an input is u32, i32 or f64, if the output is an integer type or f64, or if single precision does not hold a
  // number of the formula, the constant outside, or the positions: their range, and of whole numbers every digit.
  [[nodiscard]] Precision precision() const override { return precision_; }
  [[nodiscard]] std::int64_t termsPerOutput() const override { return 1; }
  void reference(std::span<const ConstArrayView> inputs, std::size_t output, const Box& box, std::span<double> values,
                 const Control& control) const override;
  // The largest distance from the reference that roundings may cause (formula_interval.h), divided by the tolerance;
  // NaN if they decide about NaN, Inf or a jump.
  void referenceMagnitude(std::span<const ConstArrayView> inputs, std::size_t output, const Box& box,
                          std::span<double> values, const Control& control) const override;
  void referenceBoth(std::span<const ConstArrayView> inputs, std::size_t output, const Box& box,
                     std::span<double> values, std::span<double> magnitudes, const Control& control) const override;
  [[nodiscard]] Judgment judgment(std::size_t) const override { return Judgment::Enclosed; }
  // For the first input, in voxels of its array; empty if it reads nothing.
  [[nodiscard]] Box reach(const Box& box) const override;
  [[nodiscard]] std::unique_ptr<Workload> restrictedTo(const Box& region) const override;
  [[nodiscard]] double referenceSeconds() const override;

  [[nodiscard]] const Formula& formula() const { return formula_; }
  [[nodiscard]] const FormulaSetting& setting() const { return setting_; }
  [[nodiscard]] std::int64_t components() const { return components_; }
  // Whether a plan for one can adopt the other (Plan::adopt): they differ only in the values of constants.
  [[nodiscard]] bool sameShape(const FormulaWorkload& other) const;

 private:
  Formula formula_;
  FormulaSetting setting_;
  std::int64_t components_ = 1;
  Precision precision_ = Precision::f32;
};

// The expected time of one core to evaluate a value and its interval.
[[nodiscard]] double formulaReferenceSeconds(const Formula& formula);

// The magnitude for verify(), which multiplies it by `tolerance`, of an element with the reference `value` and this
// interval: see referenceMagnitude.
[[nodiscard]] double enclosedMagnitude(const Interval& interval, double value, ElementType output, double tolerance);
// The same with the tolerance of this workload's outputs.
[[nodiscard]] double enclosedMagnitude(const Interval& interval, double value, ElementType output);

}  // namespace sscope
