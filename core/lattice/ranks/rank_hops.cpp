#include "core/lattice/ranks/rank_hops.h"

#include <algorithm>
#include <utility>

#include "core/base/stopwatch.h"
#include "core/lattice/parallel.h"

namespace sscope::lattice {

namespace {

WilsonParameters adjointOf(WilsonParameters parameters) {
  parameters.adjoint = !parameters.adjoint;
  return parameters;
}

// Elements of a half field before this site, the first one of a row.
std::int64_t halfElements(std::int64_t site) { return site / 2 * kSpinorElements; }

}  // namespace

RankHops::RankHops(const LatticePart& part, const WilsonParameters& parameters, RowPlan& rows, const Control& control)
    : part_(part),
      rows_(rows),
      sorted_(sortedRows(part)),
      halo_(part, parameters, HaloForm::Half, HaloSites::OneParity),
      adjointHalo_(part, adjointOf(parameters), HaloForm::Half, HaloSites::OneParity) {
  in_ = zeroSpinor(part.extended, control);
  in_.resize(in_.size() / 2);
}

RunReport RankHops::hop(reach::Communicator& communicator, const Hops& hops, const SpinorField& in, SpinorField& out,
                        const Control& control) {
  const Stopwatch watch;
  SpinorHalo& halo = hops.adjoint ? adjointHalo_ : halo_;
  std::unique_ptr<reach::Exchange> exchange =
      halo.begin(communicator, in.data(), halfElements(part_.own.spatialVolume()), control);
  fill(in, control);
  // Parity as the extended lattice counts it.
  Hops here = hops;
  here.parity ^= (part_.parityOfFirst() + part_.halo(2) + part_.halo(3)) % 2;
  const auto* numbers = reinterpret_cast<const double*>(in_.data());
  const Stopwatch kernel;
  rows_.hopRows(here, numbers, ranges(sorted_.inner, hops, out), control);
  halo.end(std::move(exchange), in_.data(), control);
  rows_.hopRows(here, numbers, ranges(sorted_.outer, hops, out), control);
  RunReport report = rows_.rowReport();
  const double sites = static_cast<double>(part_.own.volume()) / 2;
  report.operations = kDiracOperations * sites;
  report.bytes = kDiracBytes * sites;
  report.launch["halo bytes"] = static_cast<double>(halo.bytes());
  report.launch["waited for halo, s"] = halo.waited();
  report.phases.kernel = kernel.seconds();
  report.phases.total = watch.seconds();
  return report;
}

void RankHops::fill(const SpinorField& in, const Control& control) {
  for (const SiteRun& run : part_.slices()) {
    const Complex* from = in.data() + halfElements(run.own);
    Complex* to = in_.data() + halfElements(run.extended);
    forPieces(run.count / 2, control, [&](std::int64_t begin, std::int64_t end) {
      std::copy(from + begin * kSpinorElements, from + end * kSpinorElements, to + begin * kSpinorElements);
    });
  }
}

std::vector<RowRange> RankHops::ranges(const std::vector<PartRows>& rows, const Hops& hops, SpinorField& out) const {
  std::vector<RowRange> result;
  for (const PartRows& one : rows) {
    const std::int64_t first = halfElements(one.slice * part_.own.spatialVolume() + one.site);
    result.push_back({one.begin, one.end, reinterpret_cast<double*>(out.data() + first),
                      hops.center == nullptr ? nullptr : reinterpret_cast<const double*>(hops.center->data() + first)});
  }
  return result;
}

}  // namespace sscope::lattice
