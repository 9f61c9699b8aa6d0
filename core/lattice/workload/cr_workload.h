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

// If (r|Ar) is smaller than this share of (r|r), it is rounding error and the method has broken down.
inline constexpr double kCrBreakdown = 1e-28;
// A rounding error in a product (r|Ar) that cancels changes the coefficients of an iteration, and with them all later
// iterates, until the method has converged: with K the largest |r| |Ar| / |(r|Ar)| (some hundreds to thousands for a
// random source, as gamma_5 D has eigenvalues of both signs) two correct implementations differ by about eps (K + K^2
// |r| / |b|), with r the last residual. Ten times that, and at least 1e-13, is accepted (docs/manual/lattice.md).
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
  // With generated links, as DiracWorkload. Throws Error(Usage).
  CrWorkload(const ArraySpec& input, const OptionValues& values);
  // Of a gauge field. Throws Error(Usage) for parameters out of range.
  CrWorkload(std::shared_ptr<const lattice::GaugeField> field, const CrParameters& parameters);

  [[nodiscard]] std::string_view name() const override { return "cr"; }
  [[nodiscard]] nlohmann::json parameters() const override;
  [[nodiscard]] std::vector<ArraySpec> inputs() const override { return {spec_}; }
  [[nodiscard]] std::vector<ArraySpec> outputs() const override { return {spec_}; }
  // Operations are the operator's, 1368 per site and application, as in the paper. Bytes assume no cache hits between
  // passes: 960 per site for the operator, plus the eleven fields that the updates read or write when all updates
  // between two sums are one pass.
  [[nodiscard]] Work work() const override;
  [[nodiscard]] static Work workOf(std::int64_t sites, int iterations);
  // Operations of the updates and sums per site and iteration, in addition to the operator's.
  static constexpr double kVectorOperations = 12 * 48;
  [[nodiscard]] Precision precision() const override { return Precision::f64; }
  [[nodiscard]] std::int64_t termsPerOutput() const override { return 8 * 3 * 2 * 2 + 1; }
  // The first call computes the whole solution, which is cached for later calls with the same input.
  void reference(std::span<const ConstArrayView> inputs, std::size_t output, const Box& box, std::span<double> values,
                 const Control& control) const override;
  // The reference, scaled so that 1e-13 of it is the accepted difference.
  void referenceMagnitude(std::span<const ConstArrayView> inputs, std::size_t output, const Box& box,
                          std::span<double> values, const Control& control) const override;

  // Every element depends on every other: reach() is all of the source.
  [[nodiscard]] ErrorScale errorScale() const override { return ErrorScale::Whole; }
  // 0, because the first element costs the whole solution and all others nothing.
  [[nodiscard]] double referenceSeconds() const override { return 0; }

  // The reference's solution and residuals for this input, cached as above.
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
