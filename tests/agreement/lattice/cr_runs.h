#pragma once
// The conjugate residual on an engine, for tests.

#include <cmath>
#include <limits>
#include <memory>

#include "core/engine/variant.h"
#include "core/lattice/workload/cr_workload.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"
#include "tests/support/watched_device.h"

namespace sscope::test {

inline std::unique_ptr<CrPlan> prepared(Engine& engine, const Variant& row, const CrWorkload& workload) {
  PrepareOptions options;
  options.values = completeOptions(row.options, {});
  auto plan = row.prepare(engine, workload, options, {});
  forgetBuffers(engine);
  REQUIRE(dynamic_cast<CrPlan*>(plan.get()) != nullptr);
  return std::unique_ptr<CrPlan>(dynamic_cast<CrPlan*>(plan.release()));
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
