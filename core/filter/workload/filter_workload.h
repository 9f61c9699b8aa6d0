#pragma once
// Workload "filter": a bank of filters on an image or volume, any element types, any boundary.

#include <vector>

#include "core/boundary/boundary.h"
#include "core/filter/operator.h"
#include "core/filter/recipe.h"
#include "core/volume/array_view.h"
#include "core/volume/volume.h"
#include "core/workload/workload.h"

namespace sscope {

// Engines do not run filters with more taps densely, since that would take hours.
inline constexpr std::int64_t kMostDenseTaps = 65 * 65 * 65;

// One input of shape (x, y, z, components); one output per filter, of the region's extents and the input's
// components. Multi-component inputs are filtered component by component.
class FilterWorkload : public Workload {
 public:
  // Computes every voxel of `input`.
  FilterWorkload(std::vector<Operator> operators, Boundary boundary, double constant, ArraySpec input,
                 ElementType output);
  // The enabled filters of `bank`, made for `volume`'s grid and extents. Throws Error(Usage) as makeOperators does.
  static FilterWorkload of(const FilterBank& bank, const Volume& volume);
  static FilterWorkload of(const FilterBank& bank, const ArraySpec& input, const Geometry& geometry);

  [[nodiscard]] std::string_view name() const override { return "filter"; }
  [[nodiscard]] nlohmann::json parameters() const override;
  [[nodiscard]] std::vector<ArraySpec> inputs() const override { return {input_}; }
  [[nodiscard]] std::vector<ArraySpec> outputs() const override;
  // Counted per filter as the cheaper of dense and separable.
  [[nodiscard]] Work work() const override;
  // Work when every stencil runs densely (dense = true) or separably where it can. Each value of a window counts as one
  // operation, however often a method reads it, and each that is weighted as operationsPerWeight().
  [[nodiscard]] Work workAs(bool dense) const;
  // f64 if the input is u32, i32 or f64, if the output is an integer type or f64, or if the boundary constant exceeds
  // float32; else f32.
  [[nodiscard]] Precision precision() const override;
  // The element type in which the values of order statistics are compared: the input's, or where the boundary's
  // constant is none of its integers f32 or f64, whichever holds both.
  [[nodiscard]] ElementType orderedAs() const;
  [[nodiscard]] std::int64_t termsPerOutput() const override;
  void reference(std::span<const ConstArrayView> inputs, std::size_t output, const Box& box, std::span<double> values,
                 const Control& control) const override;
  void referenceMagnitude(std::span<const ConstArrayView> inputs, std::size_t output, const Box& box,
                          std::span<double> values, const Control& control) const override;
  [[nodiscard]] double referenceSeconds() const override;
  // The same filters as dense taps. Null if all data are known to be finite or no filter has several terms.
  [[nodiscard]] std::unique_ptr<Workload> writtenOut() const override;
  // Whether a sum over the dense box of taps may give other NaN and Inf than the term-by-term sum of the reference: NaN
  // and Inf are multiplied by the zeros of that box, and terms of opposite signs are no longer added to each other.
  [[nodiscard]] bool denseMayDiffer(const Stencil& stencil) const;
  // The box read by the largest operator, with the boundary rule applied.
  [[nodiscard]] Box reach(const Box& box) const override;
  // Any part of the volume; regions of a part are relative to its first voxel, like its outputs.
  [[nodiscard]] std::unique_ptr<Workload> restrictedTo(const Box& region) const override;
  [[nodiscard]] std::unique_ptr<Workload> cutTo(const Box& region) const override;
  // The same two by value, as a FilterWorkload whatever class of it this is.
  [[nodiscard]] FilterWorkload restricted(const Box& region) const;
  [[nodiscard]] FilterWorkload cut(const Box& region) const;
  [[nodiscard]] std::vector<Range> reachAlong(std::size_t axis, const Box& box) const override;
  // Equal for order statistics, which are values of the input.
  [[nodiscard]] Judgment judgment(std::size_t output) const override;

  [[nodiscard]] const std::vector<Operator>& operators() const { return operators_; }
  // The operator's taps. Throws std::bad_variant_access if it has none; rows that need taps must refuse it first.
  [[nodiscard]] const Stencil& stencil(std::size_t index) const { return std::get<Stencil>(operators_.at(index).kind); }
  [[nodiscard]] Boundary boundary() const { return boundary_; }
  [[nodiscard]] double constant() const { return constant_; }
  [[nodiscard]] const ArraySpec& input() const { return input_; }
  [[nodiscard]] ElementType outputType() const { return output_; }
  [[nodiscard]] const Box& region() const { return region_; }
  // Engines choose how to compute as for outputs of these extents: the region's, or those of the whole that it was cut
  // from.
  [[nodiscard]] const std::array<std::int64_t, 3>& planned() const { return planned_; }
  // The same, computed as a part of outputs of such extents would be.
  [[nodiscard]] FilterWorkload plannedAs(const std::array<std::int64_t, 3>& extent) const;

 private:
  // A box of the outputs in the input's voxel coordinates.
  [[nodiscard]] Box inInput(const Box& box) const;
  void requireInside(const Box& region) const;

  std::vector<Operator> operators_;
  Boundary boundary_;
  double constant_;
  ArraySpec input_;
  ElementType output_;
  Box region_;
  std::array<std::int64_t, 3> planned_;
};

// Why no engine can run the stencils densely (`all`, or only those that are not separable): too many taps. Else empty.
[[nodiscard]] std::string denseRestriction(const FilterWorkload& workload, bool all);
// Why rows for linear filters only cannot run it; else empty.
[[nodiscard]] std::string linearRestriction(const FilterWorkload& workload);

}  // namespace sscope
