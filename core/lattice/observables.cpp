#include "core/lattice/observables.h"

#include <algorithm>
#include <numeric>

#include "core/base/error.h"
#include "core/lattice/parallel.h"
#include "core/lattice/vector_flow.h"

namespace sscope::lattice {

namespace {

// U_mu(x) U_nu(x + mu) U_mu(x + nu)^dagger U_nu(x)^dagger.
Matrix3 plaquetteAt(const GaugeField& field, std::int64_t x, int mu, int nu) {
  const Lattice& lattice = field.lattice();
  return field.link(x, mu) * field.link(lattice.forward(x, mu), nu) *
         adjoint(field.link(x, nu) * field.link(lattice.forward(x, nu), mu));
}

// Over the planes of the first directions.
template <int kDirectionsOfPlanes>
double planesOf(const GaugeField& field, std::int64_t x) {
  const Lattice& lattice = field.lattice();
  double sum = 0;
  for (int mu = 0; mu < kDirectionsOfPlanes; ++mu)
    for (int nu = mu + 1; nu < kDirectionsOfPlanes; ++nu)
      sum += realTraceOfProduct(field.link(x, mu) * field.link(lattice.forward(x, mu), nu),
                                adjoint(field.link(x, nu) * field.link(lattice.forward(x, nu), mu)));
  return sum / kColors;
}

constexpr auto planesAt = planesOf<kDirections>;

double linkTraceAt(const GaugeField& field, std::int64_t x) {
  double sum = 0;
  for (int mu = 0; mu < kDirections; ++mu) sum += trace(field.link(x, mu)).real();
  return sum / (kColors * kDirections);
}

// What one site and its next ones give.
double valueAt(const GaugeField& field, std::int64_t x, Observable observable) {
  switch (observable) {
    case Observable::Plaquette: return 6 - planesAt(field, x);
    case Observable::LinkTrace: return linkTraceAt(field, x);
    case Observable::Energy:
    case Observable::Charge:
    case Observable::Polyakov: break;
  }
  throw Error(ErrorKind::Usage, "the Polyakov loop has no value at a site", "request its values over space");
}

double mean(const GaugeField& field, const Control& control, double (*at)(const GaugeField&, std::int64_t)) {
  const std::int64_t volume = field.lattice().volume();
  const double sum = sumPieces(volume, control, [&](std::int64_t begin, std::int64_t end) {
    double part = 0;
    for (std::int64_t x = begin; x < end; ++x) part += at(field, x);
    return part;
  });
  return sum / static_cast<double>(volume);
}

cpu::CloverDensities cloverOf(const GaugeField& field, const Control& control) {
  const cpu::LinkKernels kernels = cpu::linkKernels(cpu::widestLevel());
  cpu::LinkBlocks links(cpu::BlockShape(field.lattice(), kernels.lanes));
  links.copyFrom(field, control);
  return cpu::cloverDensities(links, kernels, control);
}

// The unit is one lattice spacing, of unknown length.
Volume volumeOfSpace(const Lattice& lattice, int components) {
  Geometry geometry;
  geometry.unit.clear();
  return {{lattice.extent(0), lattice.extent(1), lattice.extent(2), components}, ElementType::f64, geometry};
}

}  // namespace

const std::vector<ObservableInfo>& observables() {
  static const std::vector<ObservableInfo> all{
      {Observable::Plaquette, "plaquette", "Plaquette action density",
       "The sum over the six planes of 1 - Re tr P / 3, P being the product of the four links around a plaquette."},
      {Observable::Energy, "energy", "Clover energy density",
       "tr F F summed over the six planes, with the field strength F from the four plaquettes around a site."},
      {Observable::Charge, "charge", "Topological charge density",
       "tr(Fxy Fzt - Fxz Fyt + Fxt Fyz) / (4 pi^2), whose sum over a smooth field is near an integer."},
      {Observable::Polyakov, "polyakov", "Polyakov loop",
       "A third of the trace of the product of all links along time: one complex number for each point of space."},
      {Observable::LinkTrace, "link-trace", "Link trace",
       "Re tr U / 3, the mean of the four links of a site; it depends on the gauge."}};
  return all;
}

Observable observableNamed(std::string_view name) {
  std::string known;
  for (const ObservableInfo& one : observables()) {
    if (one.name == name) return one.observable;
    known += (known.empty() ? "" : ", ") + one.name;
  }
  throw Error(ErrorKind::Usage, "there is no observable " + std::string(name), "use one of " + known);
}

double meanPlaquette(const GaugeField& field, const Control& control) { return mean(field, control, planesAt) / 6; }
double meanSpatialPlaquette(const GaugeField& field, const Control& control) {
  return mean(field, control, planesOf<kDirections - 1>) / 3;
}
double meanLinkTrace(const GaugeField& field, const Control& control) { return mean(field, control, linkTraceAt); }

CloverPlaneSums planeSumsOf(const cpu::CloverDensities& densities, const Lattice& lattice) {
  const auto plane = static_cast<std::size_t>(std::int64_t{lattice.extent(0)} * lattice.extent(1));
  const auto sum = [&](const std::vector<double>& values, std::size_t first) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
    return std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(plane), 0.0);
  };
  CloverPlaneSums sums;
  for (std::size_t first = 0; first < densities.energy.size(); first += plane) {
    sums.energyAndCharge.emplace_back(sum(densities.energy, first), sum(densities.charge, first));
    sums.plaquette.emplace_back(sum(densities.plaquette, first), 0.0);
  }
  return sums;
}

CloverSums sumsOf(Complex energyAndCharge, Complex plaquette, const Lattice& lattice) {
  const auto sites = static_cast<double>(lattice.volume());
  return {energyAndCharge.real() / sites, energyAndCharge.imag(), plaquette.real() / (6 * kColors * sites)};
}

CloverSums sumsOf(const cpu::CloverDensities& densities, const Lattice& lattice) {
  const CloverPlaneSums planes = planeSumsOf(densities, lattice);
  const int perSlice = lattice.extent(2);
  return sumsOf(sumInOrder(planes.energyAndCharge, perSlice), sumInOrder(planes.plaquette, perSlice), lattice);
}

CloverSums cloverSums(const GaugeField& field, const Control& control) {
  return sumsOf(cloverOf(field, control), field.lattice());
}

Matrix3 fieldStrength(const GaugeField& field, std::int64_t x, int mu, int nu) {
  const Lattice& lattice = field.lattice();
  const auto link = [&](std::int64_t site, int direction) -> const Matrix3& { return field.link(site, direction); };
  const std::int64_t left = lattice.backward(x, mu), down = lattice.backward(x, nu);
  const std::int64_t leftUp = lattice.forward(left, nu), leftDown = lattice.backward(left, nu);
  const std::int64_t rightDown = lattice.forward(down, mu);
  Matrix3 q = plaquetteAt(field, x, mu, nu);
  q += link(x, nu) * adjoint(link(leftUp, mu)) * adjoint(link(left, nu)) * link(left, mu);
  q += adjoint(link(leftDown, nu) * link(left, mu)) * link(leftDown, mu) * link(down, nu);
  q += adjoint(link(down, nu)) * link(down, mu) * link(rightDown, nu) * adjoint(link(x, mu));
  return Complex(0, -0.25) * antihermitianTraceless(q);
}

std::vector<double> densities(const GaugeField& field, Observable observable, const Control& control) {
  if (observable == Observable::Energy) return cloverOf(field, control).energy;
  if (observable == Observable::Charge) return cloverOf(field, control).charge;
  std::vector<double> values(static_cast<std::size_t>(field.lattice().volume()));
  if (observable == Observable::Polyakov) static_cast<void>(valueAt(field, 0, observable));
  forPieces(field.lattice().volume(), control, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t x = begin; x < end; ++x) values[static_cast<std::size_t>(x)] = valueAt(field, x, observable);
  });
  return values;
}

std::vector<Complex> polyakovLoops(const GaugeField& field, const Control& control) {
  const Lattice& lattice = field.lattice();
  const std::int64_t space = lattice.spatialVolume();
  std::vector<Complex> loops(static_cast<std::size_t>(space));
  forPieces(space, control, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t x = begin; x < end; ++x) {
      Matrix3 product = identity3();
      for (int t = 0; t < lattice.extent(3); ++t) product = product * field.link(x + t * space, 3);
      loops[static_cast<std::size_t>(x)] = trace(product) / 3.0;
    }
  });
  return loops;
}

std::vector<double> densities(const Lattice& lattice, const SpinorField& psi) {
  std::vector<double> values(static_cast<std::size_t>(lattice.volume()));
  for (std::size_t k = 0; k < psi.size(); ++k) values[k / kSpinorElements] += std::norm(psi[k]);
  return values;
}

void requireTimeSlice(const Lattice& lattice, int timeSlice) {
  const int times = lattice.extent(3);
  if (timeSlice != kAllTimeSlices && (timeSlice < 0 || timeSlice >= times))
    throw Error(ErrorKind::Usage, "there is no time slice " + std::to_string(timeSlice),
                "they are 0 to " + std::to_string(times - 1) + ", or all");
}

Volume asVolume(const Lattice& lattice, const std::vector<double>& values, int timeSlice) {
  requireTimeSlice(lattice, timeSlice);
  const int times = lattice.extent(3);
  const auto space = static_cast<std::size_t>(lattice.spatialVolume());
  const bool all = timeSlice == kAllTimeSlices;
  const auto components = static_cast<std::size_t>(all ? times : 1);
  Volume volume = volumeOfSpace(lattice, static_cast<int>(components));
  const auto out = volume.elements<double>();
  for (std::size_t c = 0; c < components; ++c) {
    const std::size_t t = all ? c : static_cast<std::size_t>(timeSlice);
    for (std::size_t x = 0; x < space; ++x) out[x * components + c] = values[t * space + x];
  }
  return volume;
}

Volume observableVolume(const GaugeField& field, Observable observable, int timeSlice, const Control& control) {
  const Lattice& lattice = field.lattice();
  if (observable != Observable::Polyakov) return asVolume(lattice, densities(field, observable, control), timeSlice);
  const std::vector<Complex> loops = polyakovLoops(field, control);
  Volume volume = volumeOfSpace(lattice, 2);
  const auto out = volume.elements<double>();
  for (std::size_t x = 0; x < loops.size(); ++x) {
    out[2 * x] = loops[x].real();
    out[2 * x + 1] = loops[x].imag();
  }
  return volume;
}

}  // namespace sscope::lattice
