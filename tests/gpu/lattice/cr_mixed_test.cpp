// True residuals in between, which few iterations do not come to: small enough for a simulator.

#include "core/lattice/heat_bath.h"
#include "core/lattice/workload/cr_workload.h"
#include "gpu/run/device_engine.h"
#include "tests/gpu/gpu_support.h"
#include "tests/support/catch.h"
#include "tests/support/oclgrind_device.h"
#include "tests/support/watched_device.h"

namespace sscope::test {

// Also run by oclgrind, see CMakeLists.txt.
TEST_CASE("the conjugate residual in mixed precision begins anew from true residuals on a tiny lattice", "[tiny]") {
  SSCOPE_EACH_DEVICE(engine);
  const lattice::Lattice lattice({2, 2, 2, 2});
  const CrWorkload workload(std::make_shared<lattice::GaugeField>(lattice::hotStart(lattice, 7)),
                            {{0.05, -1, false}, 60, 0.4});
  const Variant& row = GpuBench::instance().variants().at("cr", engine->info().kind, "tuned-mixed");
  if (const std::string reason = row.unsupported(engine->info(), workload); !reason.empty()) SSCOPE_SKIP(reason);
  const auto plan = row.prepare(*engine, workload, {}, {});
  forgetBuffers(*engine);
  const lattice::SpinorField source = lattice::hashSource(lattice, 3);
  lattice::SpinorField x(source.size());
  const ConstArrayView from = denseView(workload.inputs()[0], reinterpret_cast<const std::byte*>(source.data()));
  const ArrayView to = denseView(workload.outputs()[0], reinterpret_cast<std::byte*>(x.data()));
  CrRequest request;
  request.iterations = 60;
  // The first true residual is due as soon as the recursion meets the tolerance. A simulator sees one; below 1e-2 there
  // are several.
  request.tolerance = isOclgrind(dynamic_cast<DeviceEngine&>(*engine).device()) ? 0.3 : 1e-5;
  const CrOutcome outcome = dynamic_cast<CrPlan&>(*plan).solve({{&from, 1}, 0}, {&to, 1}, request, {});
  INFO(engine->info().id << ", " << outcome.iterations << " iterations");
  CHECK(outcome.end == CrEnd::Converged);  // which a true residual alone can be
  CHECK(crResidual(workload.field(), workload.cr().wilson, workload.cr().twist, source, x, {}) <
        1.01 * request.tolerance);
}

}  // namespace sscope::test
