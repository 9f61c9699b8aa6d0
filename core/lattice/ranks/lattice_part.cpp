#include "core/lattice/ranks/lattice_part.h"

#include <algorithm>
#include <string>

#include "core/base/error.h"
#include "core/lattice/parallel.h"
#include "core/parts/partition.h"

namespace sscope::lattice {

namespace {


constexpr int kZ = 2, kT = 3;

LatticePart partOf(const Lattice& whole, const Range& z, const Range& t) {
  LatticePart part;
  part.whole = whole;
  part.begin = {0, 0, static_cast<int>(z.begin), static_cast<int>(t.begin)};
  part.cut = {false, false, z.size() < whole.extent(kZ), t.size() < whole.extent(kT)};
  const auto nz = static_cast<int>(z.size()), nt = static_cast<int>(t.size());
  part.own = Lattice({whole.extent(0), whole.extent(1), nz, nt});
  part.extended = Lattice({whole.extent(0), whole.extent(1), nz + 2 * part.halo(kZ), nt + 2 * part.halo(kT)});
  return part;
}

// The parts of a grid, `z` along z, which counts first, and `t` along t.
std::vector<LatticePart> gridOf(const Lattice& whole, std::span<const Range> z, std::span<const Range> t) {
  const auto nz = static_cast<int>(z.size()), nt = static_cast<int>(t.size());
  std::vector<LatticePart> parts;
  for (int j = 0; j < nt; ++j)
    for (int i = 0; i < nz; ++i) {
      LatticePart part = partOf(whole, z[static_cast<std::size_t>(i)], t[static_cast<std::size_t>(j)]);
      part.rankBehind[kZ] = (i + nz - 1) % nz + nz * j;
      part.rankAhead[kZ] = (i + 1) % nz + nz * j;
      part.rankBehind[kT] = i + nz * ((j + nt - 1) % nt);
      part.rankAhead[kT] = i + nz * ((j + 1) % nt);
      parts.push_back(part);
    }
  return parts;
}

// How many parts along t: as many as can be; 0 where it cannot be done.
int partsOfTime(const Lattice& whole, int ranks) {
  for (int t = std::min(ranks, whole.extent(kT)); t >= 1; --t)
    if (ranks % t == 0 && ranks / t <= whole.extent(kZ)) return t;
  return 0;
}

[[noreturn]] void refuse(const Lattice& whole, int ranks, int most) {
  throw Error(ErrorKind::Usage,
              "a lattice of " + whole.text() + " has too few planes along z and t for " + std::to_string(ranks) +
                  (ranks == 1 ? " rank" : " ranks"),
              "take " + std::to_string(most));
}

}  // namespace

std::int64_t LatticePart::firstInSlice() const { return std::int64_t{whole.extent(0)} * whole.extent(1) * begin[kZ]; }

std::vector<SiteRun> LatticePart::slices() const {
  std::vector<SiteRun> runs;
  const std::int64_t plane = std::int64_t{own.extent(0)} * own.extent(1);
  for (int t = 0; t < own.extent(kT); ++t)
    runs.push_back(
        {t * own.spatialVolume(), (t + halo(kT)) * extended.spatialVolume() + halo(kZ) * plane, own.spatialVolume()});
  return runs;
}

std::vector<SiteRun> LatticePart::face(int mu, bool ahead) const {
  const std::vector<SiteRun> all = slices();
  if (mu == kT) return {ahead ? all.back() : all.front()};
  std::vector<SiteRun> runs;
  const std::int64_t plane = std::int64_t{own.extent(0)} * own.extent(1);
  const std::int64_t first = ahead ? plane * (own.extent(kZ) - 1) : 0;
  for (const SiteRun& slice : all) runs.push_back({slice.own + first, slice.extended + first, plane});
  return runs;
}

std::vector<SiteRun> LatticePart::haloOf(int mu, bool ahead) const {
  std::vector<SiteRun> runs = face(mu, ahead);
  const std::int64_t plane = std::int64_t{own.extent(0)} * own.extent(1);
  const std::int64_t step = mu == kT ? extended.spatialVolume() : plane;
  for (SiteRun& run : runs) run.extended += ahead ? step : -step;
  return runs;
}

std::vector<LatticePart> latticeParts(const Lattice& whole, int ranks) {
  const int t = partsOfTime(whole, ranks);
  if (t == 0) {
    int fewer = ranks - 1;
    while (partsOfTime(whole, fewer) == 0) --fewer;
    refuse(whole, ranks, fewer);
  }
  return gridOf(whole, reach::evenly(whole.extent(kZ), ranks / t), reach::evenly(whole.extent(kT), t));
}

std::vector<LatticePart> latticeParts(const Lattice& whole, std::span<const double> weights) {
  const auto parts = static_cast<int>(weights.size());
  if (parts > whole.extent(kT)) refuse(whole, parts, whole.extent(kT));
  const std::vector<Range> z{{0, whole.extent(kZ)}};
  return gridOf(whole, z, reach::weighted(whole.extent(kT), weights));
}

GaugeField linksOf(const GaugeField& whole, const LatticePart& part, const Control& control) {
  GaugeField links(part.own, control);
  std::int64_t t = part.begin[kT];
  for (const SiteRun& run : part.slices()) {
    control.check();
    const std::int64_t from = t++ * part.whole.spatialVolume() + part.firstInSlice();
    for (std::int64_t k = 0; k < run.count; ++k)
      for (int mu = 0; mu < kDirections; ++mu) links.link(run.own + k, mu) = whole.link(from + k, mu);
  }
  return links;
}

GaugeField linksAround(const GaugeField& whole, const LatticePart& part, const Control& control) {
  GaugeField links(part.extended, control);
  const std::int64_t plane = std::int64_t{whole.lattice().extent(0)} * whole.lattice().extent(1);
  const int nz = part.extended.extent(kZ);
  // Plane by plane: along x and y the part is as long as the whole.
  const auto inWhole = [&](int mu, std::int64_t at) {
    const int extent = part.whole.extent(mu);
    return (static_cast<int>(at) - part.halo(mu) + part.begin[static_cast<std::size_t>(mu)] + extent) % extent;
  };
  forPieces(part.extended.volume() / plane, control, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t k = begin; k < end; ++k) {
      const std::int64_t from = part.whole.site({0, 0, inWhole(kZ, k % nz), inWhole(kT, k / nz)});
      for (std::int64_t i = 0; i < plane; ++i)
        for (int mu = 0; mu < kDirections; ++mu) links.link(k * plane + i, mu) = whole.link(from + i, mu);
    }
  });
  return links;
}

namespace {

// copy(first element of the whole, of the part, how many) for each time slice.
template <class Copy>
void forSlices(const LatticePart& part, Copy&& copy) {
  std::int64_t t = part.begin[kT];
  for (const SiteRun& run : part.slices())
    copy((t++ * part.whole.spatialVolume() + part.firstInSlice()) * kSpinorElements, run.own * kSpinorElements,
         run.count * kSpinorElements);
}

}  // namespace

SpinorField takePart(std::span<const Complex> whole, const LatticePart& part) {
  SpinorField own(static_cast<std::size_t>(part.own.volume() * kSpinorElements));
  forSlices(part, [&](std::int64_t from, std::int64_t to, std::int64_t count) {
    std::copy_n(whole.begin() + from, count, own.begin() + to);
  });
  return own;
}

void putPart(std::span<const Complex> own, const LatticePart& part, std::span<Complex> whole) {
  forSlices(part, [&](std::int64_t to, std::int64_t from, std::int64_t count) {
    std::copy_n(own.begin() + from, count, whole.begin() + to);
  });
}

}  // namespace sscope::lattice
