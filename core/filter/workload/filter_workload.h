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

// No engine runs filters with more taps than this densely: they would take hours.
inline constexpr std::int64_t kMostDenseTaps = 65 * 65 * 65;

// One input of shape (x, y, z, components); one output per filter, of the region's extents and the input's
// components. Multi-component inputs are filtered component by component.
class FilterWorkload : public Workload {
 public:
  // Computes every voxel of `input`.
  FilterWorkload(std::vector<Operator> operators, Boundary boundary, double constant, ArraySpec input,
                 ElementType output);
  // The enabled filters of `bank`, made for `volume`'s grid. Throws Error(Usage) as makeOperators does.
  static FilterWorkload of(const FilterBank& bank, const Volume& volume);
  static FilterWorkload of(const FilterBank& bank, const ArraySpec& input, const Geometry& geometry);

  [[nodiscard]] std::string_view name() const override { return "filter"; }
  [[nodiscard]] nlohmann::json parameters() const override;
  [[nodiscard]] std::vector<ArraySpec> inputs() const override { return {input_}; }
  [[nodiscard]] std::vector<ArraySpec> outputs() const override;
  // Counted with the cheaper of dense and separable per filter, which is what "auto" runs.
  [[nodiscard]] Work work() const override;
  // Work when every stencil runs densely (dense = true) or separably where it can. A window's values count as one
  // operation each, however often a method looks at them.
  [[nodiscard]] Work workAs(bool dense) const;
  // f64 when the input is u32, i32 or f64, when the output is an integer type or f64, and when the constant outside is
  // a number beyond float32; else f32.
  [[nodiscard]] Precision precision() const override;
  [[nodiscard]] std::int64_t termsPerOutput() const override;
  void reference(std::span<const ConstArrayView> inputs, std::size_t output, const Box& box, std::span<double> values,
                 const Control& control) const override;
  void referenceMagnitude(std::span<const ConstArrayView> inputs, std::size_t output, const Box& box,
                          std::span<double> values, const Control& control) const override;
  [[nodiscard]] double referenceSeconds() const override;
  // The same filters as dense taps. Null when all data are finite or no filter has several terms.
  [[nodiscard]] std::unique_ptr<Workload> writtenOut() const override;
  // Whether one sum over the box of all taps may give other NaN and Inf than the sum term by term, which is the
  // reference: NaN and Inf meet the zeros of that box, and terms of opposite signs no longer meet each other.
  [[nodiscard]] bool denseMayDiffer(const Stencil& stencil) const;
  // What the widest of the operators reads, the boundary rule applied.
  [[nodiscard]] Box reach(const Box& box) const override;
  // Every part of a volume; regions of a part count from its first voxel, as its outputs do.
  [[nodiscard]] std::unique_ptr<Workload> restrictedTo(const Box& region) const override;
  // Order statistics are values of the input, and nothing else is right.
  [[nodiscard]] Judgment judgment(std::size_t output) const override;

  [[nodiscard]] const std::vector<Operator>& operators() const { return operators_; }
  // The operator's taps. Throws std::bad_variant_access for one that has none: rows that need taps refuse it first.
  [[nodiscard]] const Stencil& stencil(std::size_t index) const { return std::get<Stencil>(operators_.at(index).kind); }
  [[nodiscard]] Boundary boundary() const { return boundary_; }
  [[nodiscard]] double constant() const { return constant_; }
  [[nodiscard]] const ArraySpec& input() const { return input_; }
  [[nodiscard]] ElementType outputType() const { return output_; }
  [[nodiscard]] const Box& region() const { return region_; }

 private:
  // A box of the outputs in voxels of the input.
  [[nodiscard]] Box inInput(const Box& box) const;

  std::vector<Operator> operators_;
  Boundary boundary_;
  double constant_;
  ArraySpec input_;
  ElementType output_;
  Box region_;
};

// Why no engine can run the stencils densely, all of them or those that are not separable: too many taps. Else empty.
[[nodiscard]] std::string denseRestriction(const FilterWorkload& workload, bool all);
// Why rows that are for linear filters alone cannot run it; else empty.
[[nodiscard]] std::string linearRestriction(const FilterWorkload& workload);

}  // namespace sscope
