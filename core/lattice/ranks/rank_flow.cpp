#include "core/lattice/ranks/rank_flow.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"

namespace sscope::lattice {

namespace {

// A step has three stages, whose force reads one slice further on either side. Clovers read one.
constexpr int kHalo = 3;
constexpr int kTime = 3;

const LatticePart& checked(const LatticePart& part, int ranks) {
  if (part.cut[2])
    throw Error(
        ErrorKind::Usage,
        "a lattice of " + part.whole.text() + " has too few time slices to flow on " + std::to_string(ranks) + " ranks",
        "take " + std::to_string(part.whole.extent(kTime)) + " at most");
  return part;
}

// Slices around each rank's own, which wrap around the whole as often as needed.
reach::PlaneExchange exchangeOf(const reach::Communicator& communicator, const Lattice& whole) {
  const std::int64_t slices = whole.extent(kTime);
  std::vector<Range> owned;
  std::vector<std::vector<reach::WantedPlanes>> wanted;
  for (const LatticePart& part : latticeParts(whole, communicator.size())) {
    owned.push_back({part.begin[kTime], part.end(kTime)});
    wanted.emplace_back();
    const std::int64_t own = part.own.extent(kTime);
    for (std::int64_t k = 0; k < kHalo; ++k) {
      const std::int64_t behind = part.begin[kTime] - kHalo + k, ahead = part.end(kTime) + k;
      wanted.back().push_back({(behind % slices + slices) % slices, 1, k});
      wanted.back().push_back({ahead % slices, 1, kHalo + own + k});
    }
  }
  return {communicator.rank(), owned, wanted};
}

Lattice around(const LatticePart& part) {
  std::array<int, kDirections> extents = part.own.extents();
  extents[kTime] += 2 * kHalo;
  return Lattice(extents);
}

}  // namespace

RankFlow::RankFlow(reach::Communicator& communicator, const LatticePart& part, const GaugeField& links,
                   const Control& control)
    : part_(checked(part, communicator.size())),
      halo_(exchangeOf(communicator, part.whole)),
      links_(std::make_shared<GaugeField>(around(part), control)),
      order_(part, communicator, control) {
  const std::int64_t first = kHalo * part_.own.spatialVolume();
  for (std::int64_t site = 0; site < part_.own.volume(); ++site)
    for (int mu = 0; mu < kDirections; ++mu) links_->link(first + site, mu) = links.link(site, mu);
  exchange(communicator, control);
  flow_.emplace(*links_, control);
}

void RankFlow::exchange(reach::Communicator& communicator, const Control& control) {
  auto* slices = reinterpret_cast<std::byte*>(&links_->link(0, 0));
  const std::int64_t bytes = part_.own.spatialVolume() * kDirections * static_cast<std::int64_t>(sizeof(Matrix3));
  halo_.begin(communicator, slices + kHalo * bytes, slices, bytes, links_)->end(control);
}

void RankFlow::step(double epsilon, reach::Communicator& communicator, const Control& control) {
  flow_->step(epsilon, control);
  *links_ = flow_->field(control);
  exchange(communicator, control);
  flow_->restart(*links_, control);
}

CloverSums RankFlow::sums(reach::Communicator& communicator, const Control& control) const {
  const CloverPlaneSums all = flow_->planeSums(control);
  const auto slice = static_cast<std::size_t>(part_.own.extent(2));
  const std::size_t first = kHalo * slice, count = slice * static_cast<std::size_t>(part_.own.extent(kTime));
  const auto sum = [&](const std::vector<Complex>& planes) {
    return order_.ofPlanes(std::span(planes).subspan(first, count), communicator, control);
  };
  const Complex energyAndCharge = sum(all.energyAndCharge);
  return sumsOf(energyAndCharge, sum(all.plaquette), part_.whole);
}

std::vector<double> RankFlow::densities(Observable observable, const Control& control) const {
  const std::vector<double> all = lattice::densities(*links_, observable, control);
  const auto own = std::span(all).subspan(static_cast<std::size_t>(kHalo * part_.own.spatialVolume()),
                                          static_cast<std::size_t>(part_.own.volume()));
  return {own.begin(), own.end()};
}

GaugeField RankFlow::field(const Control& control) const {
  GaugeField own(part_.own, control);
  const std::int64_t first = kHalo * part_.own.spatialVolume();
  for (std::int64_t site = 0; site < part_.own.volume(); ++site)
    for (int mu = 0; mu < kDirections; ++mu) own.link(site, mu) = links_->link(first + site, mu);
  return own;
}

}  // namespace sscope::lattice
