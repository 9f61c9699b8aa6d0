#pragma once
// Workload "program": a bank whose rows read each other's results.

#include <memory>
#include <vector>

#include "core/filter/families/program.h"
#include "core/filter/workload/filter_workload.h"
#include "core/workload/workload.h"

namespace sscope {

// One input of shape (x, y, z, components); one output per result row, of the region's extents and the input's
// components. What a row leaves for others is neither rounded to the output's type nor clamped to its range: it is of
// valueType(). The boundary rule is that of every row, on its own input.
class ProgramWorkload : public Workload {
 public:
  // Computes every voxel of `input`, with rows folded into it. Throws Error(Usage) for data without voxels.
  ProgramWorkload(FilterProgram program, Boundary boundary, double constant, ArraySpec input,
                  std::array<double, 3> spacing, ElementType output);

  [[nodiscard]] std::string_view name() const override { return "program"; }
  [[nodiscard]] nlohmann::json parameters() const override;
  [[nodiscard]] std::vector<ArraySpec> inputs() const override { return {input_}; }
  [[nodiscard]] std::vector<ArraySpec> outputs() const override;
  // Each node once for the outputs that it has to have for these, as FilterWorkload counts; bytes of the data and the
  // results alone.
  [[nodiscard]] Work work() const override;
  // As FilterWorkload's.
  [[nodiscard]] Precision precision() const override;
  [[nodiscard]] std::int64_t termsPerOutput() const override;
  void reference(std::span<const ConstArrayView> inputs, std::size_t output, const Box& box, std::span<double> values,
                 const Control& control) const override;
  // The accepted error of an element divided by the tolerance of its type (core/measure/verify.h): what the roundings
  // of all rows before, carried through the later ones, and its own can make.
  void referenceMagnitude(std::span<const ConstArrayView> inputs, std::size_t output, const Box& box,
                          std::span<double> values, const Control& control) const override;
  void referenceBoth(std::span<const ConstArrayView> inputs, std::size_t output, const Box& box,
                     std::span<double> values, std::span<double> magnitudes, const Control& control) const override;
  [[nodiscard]] double referenceSeconds() const override;
  [[nodiscard]] BoxCost referenceCost(std::size_t output) const override;
  // Several times what is computed around a box of many steps.
  [[nodiscard]] std::int64_t referencePiece() const override;
  [[nodiscard]] std::unique_ptr<Workload> writtenOut() const override;
  [[nodiscard]] Box reach(const Box& box) const override;
  [[nodiscard]] std::unique_ptr<Workload> restrictedTo(const Box& region) const override;
  // The same by value, as a ProgramWorkload whatever class of it this is.
  [[nodiscard]] ProgramWorkload restricted(const Box& region) const;
  [[nodiscard]] std::unique_ptr<Workload> cutTo(const Box& region) const override;
  // With wrap, a part at an end reads everything along the axis.
  [[nodiscard]] std::vector<Range> reachAlong(std::size_t axis, const Box& box) const override;
  // Equal for order statistics of order statistics of the data; Enclosed where a formula is on the way.
  [[nodiscard]] Judgment judgment(std::size_t output) const override;

  [[nodiscard]] const FilterProgram& program() const { return program_; }
  // What engines compute of it (fused_formulas.h), with the same nodes at the same places.
  [[nodiscard]] const FilterProgram& computed() const { return computed_; }
  [[nodiscard]] Boundary boundary() const { return boundary_; }
  [[nodiscard]] double constant() const { return constant_; }
  [[nodiscard]] const ArraySpec& input() const { return input_; }
  [[nodiscard]] const std::array<double, 3>& spacing() const { return spacing_; }
  [[nodiscard]] ElementType outputType() const { return output_; }
  [[nodiscard]] const Box& region() const { return region_; }
  // The outputs for which engines choose how to compute: the region, or the whole that it was cut from.
  [[nodiscard]] const Box& planned() const { return planned_; }
  [[nodiscard]] std::array<std::int64_t, 3> extent() const {
    return {input_.extent[0], input_.extent[1], input_.extent[2]};
  }
  // Of what a node leaves for others: its input's for order statistics, unless the constant outside is no number of
  // that type; else that of the arithmetic.
  [[nodiscard]] ElementType valueType(std::size_t node) const;
  // By which magnitudes are multiplied when an element is judged (core/workload/tolerance.h).
  [[nodiscard]] double tolerance() const;
  // Boxes for the region, or for a part of the outputs (relative to it).
  [[nodiscard]] ProgramBoxes boxes() const { return neededBoxes(program_, region_, extent(), boundary_); }
  // Nodes by themselves: filters of one input `input`, of which `region` is computed.
  [[nodiscard]] FilterWorkload filtersOf(std::span<const std::size_t> nodes, const ArraySpec& input, const Box& region,
                                         ElementType output) const;

 private:
  [[nodiscard]] Box inInput(const Box& box) const;
  void requireInside(const Box& region) const;

  FilterProgram program_, computed_;
  Boundary boundary_;
  double constant_;
  ArraySpec input_;
  std::array<double, 3> spacing_;
  ElementType output_;
  Box region_, planned_;
};

// The enabled rows of a bank on data: a FilterWorkload where no row reads another, else a ProgramWorkload. Throws
// Error(Usage) as makeProgram does.
[[nodiscard]] std::unique_ptr<Workload> bankWorkload(const FilterBank& bank, const ArraySpec& input,
                                                     const Geometry& geometry, bool intermediates);

}  // namespace sscope
