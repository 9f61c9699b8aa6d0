#include "gpu/lattice/dirac_design.h"

#include <array>
#include <cmath>
#include <cstring>

#include "core/base/error.h"
#include "core/lattice/wilson.h"

namespace sscope {

using namespace lattice;

namespace {

constexpr int kHops = 8;

std::string literal(double value, Precision precision = Precision::f64) { return kernelLiteral(value, precision); }

void append(std::string& list, const std::string& item) { list += (list.empty() ? "" : ",") + item; }
void append(std::string& list, Complex value) { append(list, literal(value.real()) + "," + literal(value.imag())); }

// The sign in front of gamma in the projector of a hop.
double signOf(int hop, bool adjoint) { return (hop < kDirections) == adjoint ? 1 : -1; }

// The link of a hop as in the paper, including the boundary's sign.
Matrix3 linkOf(const DiracWorkload& workload, std::int64_t site, int hop) {
  const GaugeField& field = workload.field();
  const Lattice& lattice = field.lattice();
  const int mu = hop % kDirections;
  const bool back = hop >= kDirections;
  const int t = lattice.coordinate(site, 3), seam = back ? 0 : lattice.extent(3) - 1;
  const double sign = mu == 3 && t == seam ? workload.wilson().timeBoundary : 1;
  return Complex(sign) * (back ? adjoint(field.link(lattice.backward(site, mu), mu)) : field.link(site, mu));
}

void put(std::vector<double>& data, std::size_t at, Complex value) {
  data[at] = value.real();
  data[at + 1] = value.imag();
}

std::vector<double> siteDirections(const DiracWorkload& workload) {
  const std::int64_t volume = workload.field().lattice().volume();
  std::vector<double> data(static_cast<std::size_t>(volume * kHops * 18));
  for (std::int64_t site = 0; site < volume; ++site)
    for (int hop = 0; hop < kHops; ++hop) {
      const Matrix3 u = linkOf(workload, site, hop);
      for (std::size_t k = 0; k < 9; ++k)
        put(data, static_cast<std::size_t>(site * kHops + hop) * 18 + 2 * k, u.element[k]);
    }
  return data;
}

std::vector<double> regrouped(const DiracWorkload& workload) {
  const std::int64_t volume = workload.field().lattice().volume(), pairs = (volume + 1) / 2;
  std::vector<double> data(static_cast<std::size_t>(kHops * pairs * 36));
  for (int hop = 0; hop < kHops; ++hop)
    for (std::int64_t site = 0; site < volume; ++site) {
      const Matrix3 u = linkOf(workload, site, hop);
      for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 3; ++column)
          put(data, static_cast<std::size_t>(2 * ((hop * pairs + site / 2) * 18 + column * 6 + site % 2 * 3 + row)),
              u(row, column));
    }
  return data;
}

std::vector<double> planes(const DiracWorkload& workload, std::size_t rows) {
  const GaugeField& field = workload.field();
  const auto volume = static_cast<std::size_t>(field.lattice().volume());
  std::vector<double> data(volume * kDirections * 6 * rows);
  for (std::size_t site = 0; site < volume; ++site)
    for (std::size_t mu = 0; mu < kDirections; ++mu) {
      const Matrix3& u = field.link(static_cast<std::int64_t>(site), static_cast<int>(mu));
      for (std::size_t k = 0; k < 3 * rows; ++k) {
        data[(mu * 6 * rows + 2 * k) * volume + site] = u.element[k].real();
        data[(mu * 6 * rows + 2 * k + 1) * volume + site] = u.element[k].imag();
      }
    }
  return data;
}

}  // namespace

void defineDirac(KernelSource& source, const DiracWorkload& workload, bool neighborTable, Precision stored) {
  const Lattice& lattice = workload.field().lattice();
  source.extra.emplace_back("dirac_common.h");
  source.define("LX", std::int64_t{lattice.extent(0)});
  source.define("LY", std::int64_t{lattice.extent(1)});
  source.define("LZ", std::int64_t{lattice.extent(2)});
  source.define("LT", std::int64_t{lattice.extent(3)});
  source.define("KAPPA", "(" + literal(workload.wilson().kappa, source.precision) + ")");
  source.define("TIME_SIGN", "(" + literal(workload.wilson().timeBoundary, source.precision) + ")");
  source.define("ADJOINT", workload.wilson().adjoint ? 1 : 0);
  source.define("NEIGHBORS_READ", neighborTable ? 1 : 0);
  source.define("FIELD", std::string(toString(stored)));
}

void defineSpin(KernelSource& source, const DiracWorkload& workload, bool sparse) {
  source.extra.emplace_back("dirac_spin.h");
  source.define("SPARSE", sparse ? 1 : 0);
  std::string matrices, others, factors;
  for (int hop = 0; hop < kHops; ++hop) {
    const Gamma& gamma = gammas()[static_cast<std::size_t>(hop % kDirections)];
    const double sign = signOf(hop, workload.wilson().adjoint);
    for (int k = 0; k < kSpins; ++k)  // (1 + sign gamma)^T
      for (std::size_t s = 0; s < kSpins; ++s) {
        const bool own = static_cast<int>(s) == k, other = gamma.column[s] == k;
        append(matrices, Complex(own ? 1 : 0) + (other ? sign * gamma.value[s] : Complex(0)));
      }
    for (std::size_t s = 0; s < kSpins; ++s) {
      append(factors, sign * gamma.value[s]);
      if (hop < kDirections) append(others, std::to_string(gamma.column[s]));
    }
  }
  if (sparse) {
    source.define("SPIN_OTHER", others);
    source.define("SPIN_FACTORS", factors);
  } else {
    source.define("SPIN_MATRICES", matrices);
  }
}

std::vector<double> orderedLinks(const DiracWorkload& workload, LinkOrder order) {
  switch (order) {
    case LinkOrder::SiteDirections: return siteDirections(workload);
    case LinkOrder::Regrouped: return regrouped(workload);
    case LinkOrder::Planes: return planes(workload, 3);
    case LinkOrder::PlanesTwoRows: return planes(workload, 2);
  }
  return {};
}

std::vector<std::byte> bytesOf(std::span<const double> numbers, Precision precision) {
  const auto bytes = std::as_bytes(numbers);
  if (precision == Precision::f64) return {bytes.begin(), bytes.end()};
  std::vector<std::byte> narrow(numbers.size() * sizeof(float));
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const auto value = static_cast<float>(numbers[k]);
    std::memcpy(narrow.data() + k * sizeof value, &value, sizeof value);
  }
  return narrow;
}

std::vector<std::int32_t> neighborTable(const Lattice& lattice) {
  std::vector<std::int32_t> table;
  table.reserve(static_cast<std::size_t>(lattice.volume() * kHops));
  for (std::int64_t site = 0; site < lattice.volume(); ++site) {
    for (int mu = 0; mu < kDirections; ++mu) table.push_back(static_cast<std::int32_t>(lattice.forward(site, mu)));
    for (int mu = 0; mu < kDirections; ++mu) table.push_back(static_cast<std::int32_t>(lattice.backward(site, mu)));
  }
  return table;
}

}  // namespace sscope
