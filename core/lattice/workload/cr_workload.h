#pragma once
// Workload "cr": a fixed number of iterations of the conjugate residual on gamma_5 D + i twist (A. Cassagne et al.,
// "Portage d'un code de lattice QCD sur GPU", 2013, algorithm 1 and the benchmark of section V.2), complex float64.

#include <memory>

#include "core/lattice/fields.h"
#include "core/lattice/wilson.h"
#include "core/lattice/workload/cr_reference.h"
#include "core/lattice/workload/spinor_input.h"
#include "core/workload/workload.h"

namespace sscope {

// Below this share of (r|r) the product (r|Ar) is rounding, and the method has broken down.
inline constexpr double kCrBreakdown = 1e-28;
// A rounding error in a product (r|Ar) that cancels changes the coefficients of an iteration, and with them all later
// iterates, until the method has converged: with K the largest |r| |Ar| / |(r|Ar)| (some hundreds to thousands for a
// random source, as gamma_5 D has eigenvalues of both signs) two correct implementations differ by about
// eps (K + K^2 |r| / |b|), r the last residual. They are accepted up to ten times that, and 1e-13 at least
// (docs/lattice.md).
inline constexpr double kCrSafety = 10;

struct CrParameters {
  lattice::WilsonParameters wilson;  // of D; not the adjoint
  int iterations = 143;              // the paper's
  double twist = 0;
};

// The source b in, the solution x of D x = b (more exactly: of (gamma_5 D + i twist) x = gamma_5 b) after the
// iterations out, from x = 0. The links belong to the operator.
class CrWorkload final : public Workload {
 public:
  // links, kappa, time, time_boundary, seed, iterations, twist.
  [[nodiscard]] static const std::vector<Option>& options();
  // Of links made for the purpose, as DiracWorkload. Throws Error(Usage).
  CrWorkload(const ArraySpec& input, const OptionValues& values);
  // Of a gauge field. Throws Error(Usage) for parameters out of range.
  CrWorkload(std::shared_ptr<const lattice::GaugeField> field, const CrParameters& parameters);

  [[nodiscard]] std::string_view name() const override { return "cr"; }
  [[nodiscard]] nlohmann::json parameters() const override;
  [[nodiscard]] std::vector<ArraySpec> inputs() const override { return {spec_}; }
  [[nodiscard]] std::vector<ArraySpec> outputs() const override { return {spec_}; }
  // Operations are those of the operator, 1368 a site and application, as the paper counts them. Bytes are those of an
  // iteration that finds nothing in a cache: 960 a site of the operator, and eleven fields that the updates read or
  // write when each pass between two sums is one sweep.
  [[nodiscard]] Work work() const override;
  // What the updates and sums add to the operations of the operator, a site and iteration.
  static constexpr double kVectorOperations = 12 * 48;
  [[nodiscard]] Precision precision() const override { return Precision::f64; }
  [[nodiscard]] std::int64_t termsPerOutput() const override { return 8 * 3 * 2 * 2 + 1; }
  // The whole solution is found at the first call and kept for later ones with the same input.
  void reference(std::span<const ConstArrayView> inputs, std::size_t output, const Box& box, std::span<double> values,
                 const Control& control) const override;
  // The reference times so much that 1e-13 of it is the accepted difference.
  void referenceMagnitude(std::span<const ConstArrayView> inputs, std::size_t output, const Box& box,
                          std::span<double> values, const Control& control) const override;

  // Every element depends on every other: reach() is all of the source.
  [[nodiscard]] ErrorScale errorScale() const override { return ErrorScale::Whole; }
  // One element costs the whole solution, all others nothing.
  [[nodiscard]] double referenceSeconds() const override { return 0; }

  // The reference's solution and residuals for this input, kept as above.
  [[nodiscard]] std::shared_ptr<const CrReference> truth(const ConstArrayView& input, const Control& control) const;

  [[nodiscard]] const lattice::GaugeField& field() const { return *field_; }
  [[nodiscard]] const std::shared_ptr<const lattice::GaugeField>& sharedField() const { return field_; }
  [[nodiscard]] const CrParameters& cr() const { return parameters_; }

 private:
  struct Known;
  struct Store;
  [[nodiscard]] std::shared_ptr<Known> known(const ConstArrayView& input, const Control& control) const;

  std::shared_ptr<const lattice::GaugeField> field_;
  CrParameters parameters_;
  ArraySpec spec_;
  std::shared_ptr<Store> store_;
};

}  // namespace sscope
