// The flow with vectors over sites against its formula, at every level of this machine.

#include <tbb/global_control.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <numbers>
#include <stop_token>
#include <thread>
#include <vector>

#include "core/base/error.h"
#include "core/lattice/heat_bath.h"
#include "core/lattice/observables.h"
#include "core/lattice/vector_flow.h"
#include "tests/lattice/flow_reference.h"
#include "tests/support/catch.h"
#include "tests/support/largest.h"
#include "tests/support/support.h"

namespace sscope::cpu {

using namespace lattice;

namespace {

// Extents below, at and above the lanes of every level, and odd ones: rows end in the middle of vectors, neighbors on
// both sides are the same site, or the site itself.
const std::array<std::array<int, 4>, 9> kExtents{{{4, 4, 4, 4},
                                                  {2, 2, 2, 2},
                                                  {6, 4, 2, 8},
                                                  {3, 5, 2, 7},
                                                  {1, 3, 2, 1},
                                                  {8, 2, 3, 2},
                                                  {9, 1, 2, 3},
                                                  {16, 3, 2, 2},
                                                  {17, 2, 1, 5}}};

double flowDistance(const GaugeField& a, const GaugeField& b) {
  double worst = 0;
  for (std::size_t k = 0; k < a.links().size(); ++k)
    for (std::size_t i = 0; i < 9; ++i) {
      const double error = std::abs(a.links()[k].element[i] - b.links()[k].element[i]);
      if (!(error <= worst)) worst = error;
    }
  return worst;
}

GaugeField linksOf(const VectorFlow& flow, const Lattice& lattice) {
  GaugeField field(lattice);
  flow.links().copyTo(field, {});
  return field;
}

// Kernels that ask for a stop at a call, and count the calls.
std::stop_source* stopping = nullptr;
std::atomic<int> calls{0};
int stopAt = 0;

void count() {
  const int call = ++calls;
  if (call == stopAt) stopping->request_stop();
  // Of the threads that were at work already none gets further before the stop is there.
  if (stopAt > 0 && call > stopAt)
    while (!stopping->stop_requested()) std::this_thread::yield();
}
LinkKernels countingKernels() {
  return {4, [](const PlaquetteRow&) { count(); }, nullptr, [](const FlowRow&) { count(); }, nullptr};
}

}  // namespace

TEST_CASE("blocks of links are the links") {
  for (const auto& extents : kExtents)
    for (const int lanes : {1, 2, 4, 8}) {
      const Lattice lattice(extents);
      const GaugeField field = hotStart(lattice, 1);
      LinkBlocks blocks(BlockShape(lattice, lanes));
      blocks.copyFrom(field, {});
      GaugeField back(lattice);
      blocks.copyTo(back, {});
      CHECK(back == field);
    }
}

TEST_CASE("a step of the flow is its formula's at every level") {
  for (const SimdLevel level : kSimdLevels) {
    if (!absentReason(level).empty()) continue;
    for (const auto& extents : kExtents)
      // The exponential of the longest is of matrices that were halved; the flow runs back as well.
      for (const double epsilon : {0.01, 0.1, 0.7, -0.05}) {
        const Lattice lattice(extents);
        INFO(toString(level) << ", " << lattice.text() << ", " << epsilon);
        const GaugeField field = hotStart(lattice, 5);
        VectorFlow flow(lattice, linkKernels(level));
        flow.setLinks(field, {});
        flow.step(epsilon, {});
        const GaugeField once = linksOf(flow, lattice), known = flowStepReference(field, epsilon);
        CHECK(flowDistance(once, known) < 1e-13);
        CHECK(flowDistance(once, field) > 1e-3);
        flow.step(epsilon, {});
        CHECK(flowDistance(linksOf(flow, lattice), flowStepReference(known, epsilon)) < 1e-12);
      }
  }
}

TEST_CASE("energy, charge and plaquettes of all sites are those of the formula at every level") {
  for (const SimdLevel level : kSimdLevels) {
    if (!absentReason(level).empty()) continue;
    for (const auto& extents : kExtents) {
      const Lattice lattice(extents);
      INFO(toString(level) << ", " << lattice.text());
      const GaugeField field = hotStart(lattice, 6);
      const LinkKernels kernels = linkKernels(level);
      LinkBlocks links(BlockShape(lattice, kernels.lanes));
      links.copyFrom(field, {});
      const CloverDensities found = cloverDensities(links, kernels, {});
      REQUIRE(found.energy.size() == static_cast<std::size_t>(lattice.volume()));
      double worst = 0, largest = 0;
      for (std::int64_t x = 0; x < lattice.volume(); ++x) {
        const auto f = [&](int mu, int nu) { return fieldStrength(field, x, mu, nu); };
        double energy = 0;
        for (int mu = 0; mu < 4; ++mu)
          for (int nu = mu + 1; nu < 4; ++nu) energy += realTraceOfProduct(f(mu, nu), f(mu, nu));
        const double charge = (realTraceOfProduct(f(0, 1), f(2, 3)) - realTraceOfProduct(f(0, 2), f(1, 3)) +
                               realTraceOfProduct(f(0, 3), f(1, 2))) /
                              (4 * std::numbers::pi * std::numbers::pi);
        const auto k = static_cast<std::size_t>(x);
        worst = std::max({worst, std::abs(found.energy[k] - energy), std::abs(found.charge[k] - charge)});
        largest = test::larger(largest, std::abs(charge));
      }
      CHECK(worst < 1e-13);
      CHECK(largest > 1e-3);
      const CloverSums sums = sumsOf(found, field.lattice());
      CHECK(sums.plaquette == Approx(meanPlaquette(field)).margin(1e-14));
    }
  }
}

TEST_CASE("the flow does not depend on the number of threads") {
  // Larger than a tile: plaquettes are computed twice at the seams; and so large that links are written past the
  // caches.
  const Lattice lattice({16, 16, 12, 12});
  const GaugeField field = hotStart(lattice, 2);
  std::vector<GaugeField> results;
  for (const std::size_t threads : {1U, 2U, 7U}) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    VectorFlow flow(lattice, linkKernels(widestLevel()));
    flow.setLinks(field, {});
    flow.step(0.01, {});
    results.push_back(linksOf(flow, lattice));
  }
  CHECK(results[0] == results[1]);
  CHECK(results[0] == results[2]);
  CHECK(flowDistance(results[0], flowStepReference(field, 0.01)) < 1e-13);
}

TEST_CASE("a stop is heard at the next row of sites") {
  constexpr std::size_t kThreads = 3;
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, kThreads);
  const Lattice lattice({4, 12, 12, 8});
  VectorFlow flow(lattice, countingKernels());
  flow.setLinks(GaugeField(lattice), {});
  // Each row's plaquettes at least once, and its links, in three stages.
  calls = stopAt = 0;
  flow.step(0.01, {});
  const int whole = calls;
  CHECK(whole >= 3 * 2 * 12 * 12 * 8);
  for (const int at : {1, 100, whole / 3 + 7, whole / 2, whole - 1}) {
    std::stop_source stop;
    stopping = &stop;
    stopAt = at;
    calls = 0;
    Control control;
    control.stop = stop.get_token();
    CHECK_THROWS_AS(flow.step(0.01, control), Canceled);
    CHECK(calls < at + static_cast<int>(kThreads));
  }
}

TEST_CASE("a step that is stopped leaves the links of the last one") {
  const Lattice lattice({4, 4, 4, 4});
  const GaugeField field = hotStart(lattice, 3);
  VectorFlow flow(lattice, linkKernels(widestLevel()));
  flow.setLinks(field, {});
  flow.step(0.01, {});
  const GaugeField before = linksOf(flow, lattice);
  for (const double when : {0.3, 0.6}) {
    std::stop_source stop;
    Control control;
    control.stop = stop.get_token();
    control.progress = [&](double fraction, std::string_view) {
      if (fraction > when) stop.request_stop();
    };
    CHECK_THROWS_AS(flow.step(0.01, control), Canceled);
    CHECK(linksOf(flow, lattice) == before);
    CHECK_THROWS_AS(flow.setLinks(field, control), Canceled);
    CHECK(linksOf(flow, lattice) == before);
  }
  flow.step(0.01, {});
  CHECK(flowDistance(linksOf(flow, lattice), flowStepReference(before, 0.01)) < 1e-13);
}

}  // namespace sscope::cpu
