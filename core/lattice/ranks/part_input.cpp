#include "core/lattice/ranks/part_input.h"

#include "core/lattice/heat_bath.h"
#include "core/lattice/random.h"
#include "core/lattice/workload/spinor_input.h"
#include "core/workload/noise.h"

namespace sscope::lattice {

namespace {

std::int64_t siteOf(const LatticePart& part, const Lattice& on, bool extended, std::int64_t site) {
  std::array<int, kDirections> at{};
  for (int mu = 0; mu < kDirections; ++mu) {
    const int extent = part.whole.extent(mu), halo = extended ? part.halo(mu) : 0;
    at[static_cast<std::size_t>(mu)] =
        (on.coordinate(site, mu) - halo + part.begin[static_cast<std::size_t>(mu)] + extent) % extent;
  }
  return part.whole.site(at);
}

// Plane by plane: along x and y the part is as long as the whole.
template <class SiteOf>
SpinorField noiseOn(const Lattice& lattice, std::uint64_t seed, const Control& control, SiteOf&& siteInWhole) {
  SpinorField field = zeroSpinor(lattice, control);
  const std::int64_t plane = std::int64_t{lattice.extent(0)} * lattice.extent(1);
  std::vector<NoiseRun> runs;
  for (std::int64_t site = 0; site < lattice.volume(); site += plane)
    runs.push_back({siteInWhole(site) * kSpinorComponents, plane * kSpinorComponents,
                    reinterpret_cast<std::byte*>(field.data() + site * kSpinorElements)});
  fillNoise(std::move(runs), ElementType::f64, seed, control);
  return field;
}

}  // namespace

std::int64_t siteOfOwn(const LatticePart& part, std::int64_t site) { return siteOf(part, part.own, false, site); }
std::int64_t siteOfExtended(const LatticePart& part, std::int64_t site) {
  return siteOf(part, part.extended, true, site);
}

LatticePart generatedPart(const reach::Communicator& communicator, const ArraySpec& input, const OptionValues& values) {
  return latticeParts(latticeOf(input, integerOf(values, "time")),
                      communicator.size())[static_cast<std::size_t>(communicator.rank())];
}

GaugeField generatedLinks(const LatticePart& part, const OptionValues& values, const Control& control) {
  if (textOf(values, "links") == "unit") return GaugeField(part.own, control);
  return hotStart(
      part.own, static_cast<std::uint64_t>(integerOf(values, "seed")),
      [&](std::int64_t site) { return siteOfOwn(part, site); }, control);
}

SpinorField noiseOfOwn(const LatticePart& part, std::uint64_t seed, const Control& control) {
  return noiseOn(part.own, seed, control, [&](std::int64_t site) { return siteOfOwn(part, site); });
}

SpinorField noiseOfExtended(const LatticePart& part, std::uint64_t seed, const Control& control) {
  return noiseOn(part.extended, seed, control, [&](std::int64_t site) { return siteOfExtended(part, site); });
}

SpinorField hashOfPart(const LatticePart& part, std::uint64_t seed, bool extended) {
  const Lattice& on = extended ? part.extended : part.own;
  SpinorField field(static_cast<std::size_t>(on.volume() * kSpinorElements));
  for (std::int64_t site = 0; site < on.volume(); ++site) {
    const auto from = static_cast<std::uint64_t>(siteOf(part, on, extended, site) * kSpinorElements);
    for (std::uint64_t k = 0; k < kSpinorElements; ++k)
      field[static_cast<std::size_t>(site * kSpinorElements) + k] = hashAt(from + k, seed);
  }
  return field;
}

std::vector<std::int64_t> ownPlanes(const LatticePart& part) {
  std::vector<std::int64_t> planes;
  const std::int64_t plane = std::int64_t{part.own.extent(0)} * part.own.extent(1);
  for (const SiteRun& run : part.slices())
    for (std::int64_t z = 0; z < part.own.extent(2); ++z) planes.push_back(run.extended / plane + z);
  return planes;
}

}  // namespace sscope::lattice
