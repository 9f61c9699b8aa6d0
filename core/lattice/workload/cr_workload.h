#pragma once
// Workload "cr": a fixed number of iterations of the conjugate residual on gamma_5 D + i twist (A. Cassagne et al.,
// "Portage d'un code de lattice QCD sur GPU", 2013, algorithm 1 and the benchmark of section V.2), complex float64.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/ability.h"
#include "core/engine/plan.h"
#include "core/lattice/fields.h"
#include "core/lattice/wilson.h"
#include "core/lattice/workload/cr_reference.h"
#include "core/lattice/workload/spinor_input.h"
#include "core/measure/kernel_trace.h"
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
  // For a given gauge field. Throws Error(Usage) for parameters out of range.
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

// The ability of plans of the workload cr to solve to a tolerance, with progress and kernel traces. Fields stay on the
// engine; only scalars are transferred between iterations.
struct CrRequest {
  int iterations = 1;    // at most
  double tolerance = 0;  // of |r| / |b| from the recursion; 0: run all iterations
  // Called on the calling thread for every iteration in order, several at a time; may be empty.
  std::function<void(int iteration, double residual)> onIteration;
  // If not null, every kernel is recorded in it and the run is slower.
  KernelTrace* trace = nullptr;
};

enum class CrEnd : std::uint8_t {
  Iterations,   // all iterations were run
  Converged,    //
  ZeroImage,    // broke down: (Ap|Ap) is zero
  ZeroProduct,  // broke down: (r|Ar) is zero
  NotFinite,    // the residual is no longer finite
};

struct CrOutcome {
  CrEnd end = CrEnd::Iterations;
  int iterations = 0;             // finished ones
  std::vector<double> residuals;  // |r| / |b| before the first iteration and after each
  RunReport report;
};

class CrPlan : public Plan {
 public:
  // The arrays are those of run(). Throws as run().
  virtual CrOutcome solve(const Inputs& inputs, std::span<const ArrayView> outputs, const CrRequest& request,
                          const Control& control) = 0;

  [[nodiscard]] void* findAbility(const std::type_info& ability) override {
    return abilityAmong<CrPlan>(ability, this);
  }
};

// Why there is no solution to the tolerance that was asked for, as half a sentence; empty if there is.
[[nodiscard]] std::string failureOf(const CrOutcome& outcome);

}  // namespace sscope
