#pragma once
// Wilson's operator and the conjugate residual on engines, alone and together, for tests.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "core/engine/variant.h"
#include "core/lattice/heat_bath.h"
#include "core/lattice/workload/cr_workload.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"
#include "tests/support/watched_device.h"

namespace sscope::test {

inline std::unique_ptr<CrPlan> asCrPlan(std::unique_ptr<Plan> plan) {
  REQUIRE(dynamic_cast<CrPlan*>(plan.get()) != nullptr);
  return std::unique_ptr<CrPlan>(dynamic_cast<CrPlan*>(plan.release()));
}

inline std::unique_ptr<CrPlan> prepared(Engine& engine, const Variant& row, const CrWorkload& workload) {
  PrepareOptions options;
  options.values = completeOptions(row.options, {});
  auto plan = row.prepare(engine, workload, options, {});
  forgetBuffers(engine);
  return asCrPlan(std::move(plan));
}

inline ConstArrayView viewOf(const lattice::Lattice& on, const lattice::SpinorField& psi) {
  return denseView(spinorSpec(on), reinterpret_cast<const std::byte*>(psi.data()));
}
inline ArrayView viewOf(const lattice::Lattice& on, lattice::SpinorField& psi) {
  return denseView(spinorSpec(on), reinterpret_cast<std::byte*>(psi.data()));
}

inline CrOutcome solved(CrPlan& plan, const lattice::Lattice& on, const lattice::SpinorField& source,
                        lattice::SpinorField& solution, const CrRequest& request) {
  solution.assign(source.size(), lattice::Complex(std::numeric_limits<double>::quiet_NaN()));
  const ConstArrayView from = viewOf(on, source);
  const ArrayView to = viewOf(on, solution);
  return plan.solve({{&from, 1}, 0}, {&to, 1}, request, {});
}

// `report`: filled in where there is one.
inline lattice::SpinorField applied(Plan& plan, const lattice::Lattice& on, const lattice::SpinorField& in,
                                    RunReport* report = nullptr) {
  lattice::SpinorField out(in.size(), lattice::Complex(std::numeric_limits<double>::quiet_NaN()));
  const ConstArrayView from = viewOf(on, in);
  const ArrayView to = viewOf(on, out);
  RunReport own = plan.run({{&from, 1}, 0}, {&to, 1}, {});
  if (report != nullptr) *report = std::move(own);
  return out;
}

inline bool sameBits(const lattice::SpinorField& a, const lattice::SpinorField& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(lattice::Complex)) == 0;
}

// Of two ways to iterate that have to be the same to the bit; empty: none.
inline std::string differenceOf(const CrOutcome& a, const CrOutcome& b) {
  if (a.end != b.end || a.iterations != b.iterations || a.residuals.size() != b.residuals.size())
    return "another end, after " + std::to_string(a.iterations) + " and " + std::to_string(b.iterations);
  for (std::size_t k = 0; k < a.residuals.size(); ++k)
    if (std::memcmp(&a.residuals[k], &b.residuals[k], sizeof(double)) != 0)
      return "another residual after " + std::to_string(k) + " iterations";
  return {};
}

// Solves with one plan to the same bits as with the other, to a tolerance, too, which mixed precision reaches by true
// residuals.
inline void requireSame(CrPlan& plan, CrPlan& alone, const lattice::Lattice& on, const lattice::SpinorField& source,
                        int iterations, bool alsoExecuted = false) {
  for (const double tolerance : {0.0, 1e-9}) {
    int told = 0;
    const CrRequest request{tolerance > 0 ? 300 : iterations, tolerance,
                            [&](int iteration, double) { CHECK(iteration == ++told); }, nullptr};
    lattice::SpinorField expected, solution;
    const CrOutcome single = solved(alone, on, source, expected, request);
    told = 0;
    const CrOutcome outcome = solved(plan, on, source, solution, request);
    CHECK(told == outcome.iterations);
    CHECK(differenceOf(outcome, single) == "");
    CHECK(sameBits(solution, expected));
    CHECK(outcome.report.operations == single.report.operations);
    if (alsoExecuted) CHECK(outcome.report.executedOperations == single.report.executedOperations);
  }
}

// A system that is singular: kappa = 1/8 on unit links with periodic time maps constant spinors to zero. And the same
// of other links, for which devices compile no other kernels.
inline CrWorkload singularOn(const lattice::Lattice& on) {
  return {std::make_shared<lattice::GaugeField>(on), {{0.125, 1, false}, 50, 0}};
}
inline CrWorkload likeSingularOn(const lattice::Lattice& on, int iterations) {
  return {std::make_shared<lattice::GaugeField>(hotStart(on, 7)), {{0.125, 1, false}, iterations, 0}};
}

// Ends where it breaks down, with finite numbers.
inline void requireBreakdown(CrPlan& singular, const lattice::Lattice& on) {
  lattice::SpinorField solution;
  const lattice::SpinorField constant(static_cast<std::size_t>(on.volume() * lattice::kSpinorElements),
                                      lattice::Complex(1));
  const CrOutcome broken = solved(singular, on, constant, solution, {50, 1e-10, {}, nullptr});
  CHECK((broken.end == CrEnd::ZeroImage || broken.end == CrEnd::ZeroProduct));
  for (const lattice::Complex& value : solution) REQUIRE(std::isfinite(std::abs(value)));
}

// The solution of nothing is zero.
inline void requireZero(CrPlan& plan, const lattice::Lattice& on) {
  lattice::SpinorField solution;
  const lattice::SpinorField zero(static_cast<std::size_t>(on.volume() * lattice::kSpinorElements));
  CHECK(solved(plan, on, zero, solution, {5, 1e-10, {}, nullptr}).residuals.back() == 0);
  CHECK(solution == zero);
}

// A trace of so many iterations; of one engine in order.
inline CrOutcome requireTrace(CrPlan& plan, const lattice::Lattice& on, const lattice::SpinorField& source,
                              lattice::SpinorField& solution, int iterations, bool inOrder = false) {
  KernelTrace trace;
  const CrOutcome watched = solved(plan, on, source, solution, {iterations, 0, {}, &trace});
  CHECK(watched.iterations == iterations);
  REQUIRE(trace.spans.size() > 3 * static_cast<std::size_t>(iterations));
  CHECK(trace.spans.back().iteration == iterations);
  for (const KernelSpan& span : trace.spans) CHECK(span.end >= span.start);
  if (inOrder) {
    CHECK(trace.spans.front().start == Approx(0).margin(1e-3));
    CHECK(std::ranges::is_sorted(trace.spans, {}, &KernelSpan::start));
    CHECK(std::ranges::none_of(trace.spans, [](const KernelSpan& span) { return span.kernel.empty(); }));
  }
  return watched;
}

// A stop in the third iteration of many.
inline void requireCanceled(CrPlan& plan, const lattice::Lattice& on, const lattice::SpinorField& source) {
  std::stop_source stop;
  lattice::SpinorField solution(source.size());
  const ConstArrayView from = viewOf(on, source);
  const ArrayView to = viewOf(on, solution);
  const CrRequest request{100000, 0,
                          [&](int iteration, double) {
                            if (iteration == 3) stop.request_stop();
                          },
                          nullptr};
  CHECK_THROWS_AS(plan.solve({{&from, 1}, 0}, {&to, 1}, request, {stop.get_token(), {}}), Canceled);
}

// |a - b| / |b|.
inline double distance(const lattice::SpinorField& a, const lattice::SpinorField& b) {
  double difference = 0, norm = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    difference += std::norm(a[k] - b[k]);
    norm += std::norm(b[k]);
  }
  return std::sqrt(difference / norm);
}

}  // namespace sscope::test
