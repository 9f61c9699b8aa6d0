// Solving while somebody watches: what is told, that engines agree, that it stops, and what is said where it fails.

#include <chrono>
#include <cmath>
#include <condition_variable>
#include <map>
#include <mutex>
#include <vector>

#include "core/base/error.h"
#include "core/cpu/run/cpu_engine.h"
#include "core/lattice/correlator.h"
#include "core/lattice/heat_bath.h"
#include "core/lattice/job/solve_runner.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;
using namespace sscope::lattice;

namespace {

// Collects what a runner tells.
struct Watched {
  EngineSet engines;
  VariantTable variants;
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<SolveNews> updates;
  std::unique_ptr<SolveRunner> runner;

  Watched() {
    addCpuEngines(engines);
    addCpuVariants(variants);
    runner = std::make_unique<SolveRunner>(engines, variants, [this](SolveNews update) {
      const std::lock_guard lock(mutex);
      updates.push_back(std::move(update));
      changed.notify_all();
    });
  }
  static bool ends(const SolveNews& news) {
    return news.as<IdleNews>() || news.as<FailedNews>() || news.as<CanceledNews>();
  }
  bool waitFor(const std::function<bool(const SolveNews&)>& wanted) {
    std::unique_lock lock(mutex);
    return changed.wait_for(lock, std::chrono::minutes(2),
                            [&] { return std::any_of(updates.begin(), updates.end(), wanted); });
  }
  // The runs, in order, once all are done.
  std::vector<SolveRun> solve(const SolveJob& job, const std::vector<SolvePlace>& places) {
    const std::uint64_t number = runner->submit(job, places);
    REQUIRE(waitFor([&](const SolveNews& u) { return u.request == number && ends(u); }));
    const std::lock_guard lock(mutex);
    CHECK(updates.back().as<IdleNews>());
    std::vector<SolveRun> runs;
    for (const SolveNews& update : updates)
      if (const auto* done = update.as<SolveDone>(); done != nullptr && !done->untraced) {
        CHECK(done->place == runs.size());
        runs.push_back(*done->run);
      }
    return runs;
  }
};

SolveJob jobOn(GaugeField field) {
  SolveJob job;
  job.field = std::make_shared<const GaugeField>(std::move(field));
  return job;
}

GaugeField smooth(const Lattice& lattice) {
  GaugeField field(lattice);
  for (std::uint64_t sweep = 0; sweep < 3; ++sweep) heatBathSweep(field, 6, 1, sweep, {});
  return field;
}

const std::vector<SolvePlace> kTwo{{"cpu:scalar", ""}, {"cpu:avx2", ""}};

}  // namespace

TEST_CASE("every engine solves, tells each residual, and agrees with the first") {
  for (const bool hot : {false, true}) {
    INFO(hot);
    Watched watched;
    SolveJob job = jobOn(hot ? hotStart(Lattice({4, 4, 4, 4}), 3) : smooth(Lattice({4, 4, 4, 4})));
    job.wilson.kappa = hot ? 0.1 : 0.12;
    job.source.point = false;
    job.source.seed = 5;
    const std::vector<SolveRun> runs = watched.solve(job, kTwo);
    REQUIRE(runs.size() == 2);
    for (std::size_t place = 0; place < 2; ++place) {
      const SolveRun& run = runs[place];
      CHECK(run.engine == kTwo[place].engine);
      CHECK_FALSE(run.variant.empty());
      CHECK(run.failure.empty());
      CHECK(run.converged);
      CHECK(run.check.verified);
      CHECK(run.trueResidual < 2e-10);
      CHECK(run.trueResidual > 0);
      CHECK(run.solveSeconds > 0);
      CHECK(run.correlator.empty());
      REQUIRE(run.points.size() == static_cast<std::size_t>(run.iterations) + 1);
      CHECK(run.points.front().residual == 1);
      CHECK(run.points.back().residual <= 1e-10);
      // What was told while it ran is what it has in the end.
      std::vector<SolvePoint> told;
      for (const SolveNews& update : watched.updates)
        if (const auto* news = update.as<SolvePoints>(); news != nullptr && news->place == place)
          told.insert(told.end(), news->points.begin(), news->points.end());
      REQUIRE(told.size() == run.points.size());
      for (std::size_t k = 0; k < told.size(); ++k) {
        CHECK(told[k].iteration == static_cast<int>(k));
        CHECK(told[k].residual == run.points[k].residual);
      }
      REQUIRE(run.densities);
      double source = 0, residual = 0;
      for (const double value : run.densities->source) source += value;
      for (const double value : run.densities->residual) residual += value;
      CHECK(std::sqrt(residual / source) == Approx(run.trueResidual).epsilon(1e-6));
    }
    CHECK(std::isnan(runs[0].difference));
    CHECK(runs[1].difference < 1e-8);
  }
}

TEST_CASE("the spans of a solve follow each other and fill its time") {
  Watched watched;
  SolveJob job = jobOn(smooth(Lattice({4, 4, 4, 8})));
  job.solver.solver = Solver::Gcr;
  for (const bool preconditioned : {false, true}) {
    job.solver.preconditioner = preconditioned ? Preconditioner::EvenOdd : Preconditioner::None;
    watched.updates.clear();
    const std::vector<SolveRun> runs = watched.solve(job, {{"cpu:avx2", ""}});
    REQUIRE(runs.size() == 1);
    CHECK(runs[0].preconditioner == job.solver.preconditioner);
    const std::vector<KernelSpan>& spans = runs[0].trace.spans;
    REQUIRE_FALSE(spans.empty());
    double last = 0, sum = 0;
    std::map<std::string, int> counts;
    for (const KernelSpan& span : spans) {
      CHECK(span.start >= last);
      CHECK(span.end >= span.start);
      last = span.end;
      sum += span.end - span.start;
      ++counts[span.kernel];
    }
    CHECK_FALSE(runs[0].resident);
    // One in each iteration, one for the true residual; hops before and after the iterations, too.
    const int iterations = runs[0].iterations;
    CHECK(counts["operator"] == (preconditioned ? 1 : iterations + 1));
    CHECK(counts["hops to even sites"] == (preconditioned ? iterations + 1 : 0));
    CHECK(counts["hops to odd sites"] == (preconditioned ? iterations + 1 : 0));
    CHECK(spans.front().iteration == 1);
    CHECK(spans.back().iteration == runs[0].iterations + 1);
    CHECK(sum == Approx(runs[0].solveSeconds).epsilon(0.05).margin(1e-3));
  }
}

TEST_CASE("what cannot be preconditioned is solved without, and says so") {
  Watched watched;
  SolveJob job = jobOn(smooth(Lattice({3, 4, 4, 4})));
  job.solver.preconditioner = Preconditioner::EvenOdd;
  const std::vector<SolveRun> odd = watched.solve(job, {kTwo[0]});
  REQUIRE(odd.size() == 1);
  CHECK(odd[0].converged);
  CHECK(odd[0].preconditioner == Preconditioner::None);
  CHECK(odd[0].preconditionerNote.find("3x4x4x4") != std::string::npos);
  watched.updates.clear();
  job.solver.solver = Solver::Cr;
  const std::vector<SolveRun> refused = watched.solve(job, {kTwo[0]});
  REQUIRE(refused.size() == 1);
  CHECK_FALSE(refused[0].converged);
  CHECK(refused[0].failure.find("even-odd") != std::string::npos);
}

TEST_CASE("a solver that stays on its engine is traced in a second, short run") {
  Watched watched;
  SolveJob job = jobOn(smooth(Lattice({4, 4, 4, 8})));
  job.solver.solver = Solver::Cr;
  const std::vector<SolveRun> runs = watched.solve(job, kTwo);
  REQUIRE(runs.size() == 2);
  CHECK(runs[1].difference < 1e-8);
  for (const SolveRun& run : runs) {
    CHECK(run.converged);
    CHECK(run.resident);
    CHECK(run.trueResidual < 2e-10);
    CHECK(run.points.size() == static_cast<std::size_t>(run.iterations) + 1);
    CHECK_FALSE(run.traceNote.empty());
    REQUIRE_FALSE(run.trace.spans.empty());
    CHECK(kernelShares(run.trace).size() > 1);
    for (const KernelSpan& span : run.trace.spans) CHECK(span.iteration <= 32);
  }
}

TEST_CASE("what was solved stays when the run that times its kernels is canceled") {
  Watched watched;
  SolveJob job = jobOn(smooth(Lattice({4, 4, 4, 8})));
  job.solver.solver = Solver::Cr;
  std::vector<SolveNews> updates;
  std::mutex mutex;
  std::condition_variable changed;
  std::unique_ptr<SolveRunner> runner;
  runner = std::make_unique<SolveRunner>(watched.engines, watched.variants, [&](SolveNews update) {
    if (const auto* done = update.as<SolveDone>(); done != nullptr && done->untraced) runner->cancel();
    const std::lock_guard lock(mutex);
    updates.push_back(std::move(update));
    changed.notify_all();
  });
  runner->submit(job, kTwo);
  std::unique_lock lock(mutex);
  REQUIRE(changed.wait_for(lock, std::chrono::minutes(2),
                           [&] { return !updates.empty() && Watched::ends(updates.back()); }));
  CHECK(updates.back().as<CanceledNews>());
  int told = 0;
  for (const SolveNews& update : updates) {
    const auto* done = update.as<SolveDone>();
    if (done == nullptr) continue;
    CHECK(done->untraced);
    ++told;
    CHECK(done->run->converged);
    CHECK(done->run->resident);
    CHECK(done->run->densities);
    CHECK(done->run->trace.spans.empty());
    CHECK(done->run->traceNote.find("did not end") != std::string::npos);
  }
  CHECK(told == 1);
}

TEST_CASE("a propagator on unit links gives the free correlator, wherever its source stands") {
  Watched watched;
  SolveJob job = jobOn(GaugeField(Lattice({4, 4, 4, 6})));
  job.wilson.kappa = 0.11;
  job.propagator = true;
  job.source.site = {1, 3, 2, 4};
  job.solver.tolerance = 1e-12;
  const std::vector<SolveRun> runs = watched.solve(job, kTwo);
  REQUIRE(runs.size() == 2);
  const std::vector<double> expected = freePionCorrelator(job.field->lattice(), job.wilson, {});
  for (const SolveRun& run : runs) {
    CHECK(run.systems == 12);
    CHECK(run.points.back().system == 11);
    REQUIRE(run.correlator.size() == 6);
    for (std::size_t t = 0; t < 6; ++t) CHECK(run.correlator[t] == Approx(expected[t]).epsilon(1e-9));
    double source = 0;
    for (const double value : run.densities->source) source += value;
    CHECK(source == 12);
  }
}

TEST_CASE("what does not converge says so and keeps its best") {
  Watched watched;
  SolveJob job = jobOn(smooth(Lattice({4, 4, 4, 4})));
  job.solver.maxIterations = 5;
  const std::vector<SolveRun> runs = watched.solve(job, kTwo);
  REQUIRE(runs.size() == 2);
  for (const SolveRun& run : runs) {
    CHECK_FALSE(run.converged);
    CHECK(run.failure.find("5 iterations") != std::string::npos);
    CHECK(run.trueResidual < 1);
    CHECK(run.trueResidual > 1e-10);
    CHECK(run.densities);
    CHECK(std::isnan(run.difference));  // nothing converged to compare with
  }
}

TEST_CASE("a singular system is told as a breakdown") {
  Watched watched;
  SolveJob job = jobOn(GaugeField(Lattice({2, 2, 2, 2})));
  job.wilson = {0.125, 1, false};  // constant spinors are mapped to zero
  job.solver.solver = Solver::Cr;
  job.solver.maxIterations = 200;
  const std::vector<SolveRun> runs = watched.solve(job, {kTwo[0]});
  REQUIRE(runs.size() == 1);
  CHECK_FALSE(runs[0].converged);
  CHECK_FALSE(runs[0].failure.empty());
}

TEST_CASE("an engine that cannot does not keep the others from solving") {
  Watched watched;
  const SolveJob job = jobOn(smooth(Lattice({4, 4, 4, 4})));
  const std::vector<SolveRun> runs =
      watched.solve(job, {{"cpu:none", ""}, {"cpu:avx2", "no such variant"}, {"cpu:scalar", ""}});
  REQUIRE(runs.size() == 3);
  CHECK(runs[0].failure.find("cpu:none") != std::string::npos);
  CHECK(runs[1].failure.find("no such variant") != std::string::npos);
  CHECK(runs[2].converged);
  CHECK(std::isnan(runs[2].difference));
}

TEST_CASE("a source outside the lattice is refused") {
  Watched watched;
  SolveJob job = jobOn(GaugeField(Lattice({4, 4, 4, 4})));
  job.source.site = {0, 0, 4, 0};
  const std::uint64_t number = watched.runner->submit(job, kTwo);
  REQUIRE(watched.waitFor([&](const SolveNews& u) { return u.request == number && Watched::ends(u); }));
  REQUIRE(watched.updates.back().as<FailedNews>());
  CHECK(watched.updates.back().as<FailedNews>()->message.find("4x4x4x4") != std::string::npos);
}

TEST_CASE("a canceled solve stops, and the next one runs") {
  Watched watched;
  SolveJob job = jobOn(smooth(Lattice({8, 8, 8, 16})));
  job.solver.solver = Solver::Cr;
  job.solver.tolerance = 1e-15;
  job.solver.maxIterations = 100'000'000;
  job.propagator = true;
  const std::uint64_t first = watched.runner->submit(job, kTwo);
  REQUIRE(watched.waitFor([](const SolveNews& u) { return u.as<SolvePoints>() != nullptr; }));
  watched.runner->cancel();
  REQUIRE(watched.waitFor([&](const SolveNews& u) { return u.request == first && u.as<CanceledNews>() != nullptr; }));
  job = jobOn(smooth(Lattice({4, 4, 4, 4})));
  {
    const std::lock_guard lock(watched.mutex);
    watched.updates.clear();
  }
  CHECK(watched.solve(job, {kTwo[0]}).size() == 1);
  // A newer job takes the place of one that runs.
  job.propagator = true;
  job.solver.tolerance = 1e-15;
  job.solver.maxIterations = 1'000'000;
  const std::uint64_t second = watched.runner->submit(job, kTwo);
  const std::uint64_t third = watched.runner->submit(job, {});
  CHECK(watched.waitFor([&](const SolveNews& u) { return u.request == third && u.as<IdleNews>() != nullptr; }));
  CHECK(second < third);
}
