#include "core/lattice/heat_bath.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/base/error.h"
#include "core/lattice/fields.h"
#include "core/lattice/parallel.h"
#include "core/lattice/random.h"

namespace sscope::lattice {

namespace {

// a0 + i a.sigma.
using Quaternion = std::array<double, 4>;

// 0 < u <= 1, for logarithms.
double positive(Stream& stream) { return 1 - stream.next(); }

// h0 in -1..1 with the weight sqrt(1 - h0^2) exp(alpha h0).
double firstComponent(double alpha, Stream& stream) {
  if (alpha < 1) {  // where Kennedy and Pendleton's method would reject most values
    for (;;) {
      const double h = 2 * stream.next() - 1;
      if (stream.next() <= std::sqrt(1 - h * h) * std::exp(alpha * (h - 1))) return h;
    }
  }
  for (;;) {
    const double angle = std::cos(2 * std::numbers::pi * stream.next());
    const double first = std::log(positive(stream)), second = std::log(positive(stream));
    const double delta = -(first + angle * angle * second) / alpha;
    const double u = stream.next();
    if (u * u <= 1 - delta / 2) return 1 - delta;
  }
}

// A random element of SU(2) with the weight exp(alpha h0).
Quaternion heatBathElement(double alpha, Stream& stream) {
  const double h0 = firstComponent(alpha, stream);
  const double radius = std::sqrt(std::max(0.0, 1 - h0 * h0));
  const double cosine = 2 * stream.next() - 1;
  const double sine = std::sqrt(std::max(0.0, 1 - cosine * cosine));
  const double angle = 2 * std::numbers::pi * stream.next();
  return {h0, radius * sine * std::cos(angle), radius * sine * std::sin(angle), radius * cosine};
}

// h times the inverse of v / |v|.
Quaternion timesInverse(const Quaternion& h, const Quaternion& v, double norm) {
  const std::array<double, 4> w{v[0] / norm, -v[1] / norm, -v[2] / norm, -v[3] / norm};
  // (h0 + i h.sigma)(w0 + i w.sigma) = h0 w0 - h.w + i (h0 w + w0 h - h x w).sigma
  return {
      h[0] * w[0] - h[1] * w[1] - h[2] * w[2] - h[3] * w[3], h[0] * w[1] + w[0] * h[1] - (h[2] * w[3] - h[3] * w[2]),
      h[0] * w[2] + w[0] * h[2] - (h[3] * w[1] - h[1] * w[3]), h[0] * w[3] + w[0] * h[3] - (h[1] * w[2] - h[2] * w[1])};
}

// Rows i and j of m from the left by the element of SU(2).
void multiplyRows(Matrix3& m, int i, int j, const Quaternion& g) {
  const Complex a(g[0], g[3]), b(g[2], g[1]), c(-g[2], g[1]), d(g[0], -g[3]);
  for (int k = 0; k < 3; ++k) {
    const Complex first = m(i, k), second = m(j, k);
    m(i, k) = times(a, first) + times(b, second);
    m(j, k) = times(c, first) + times(d, second);
  }
}

// Gaussian elements, made orthogonal: uniform on the group.
Matrix3 randomElement(Stream stream) {
  Matrix3 link;
  for (Complex& e : link.element) {
    const double radius = std::sqrt(-2 * std::log(positive(stream)));
    e = std::polar(radius, 2 * std::numbers::pi * stream.next());
  }
  return reunitarized(link);
}

void updateLink(GaugeField& field, std::int64_t site, int mu, double beta, Stream stream) {
  Matrix3& link = field.link(site, mu);
  Matrix3 w = link * staples(field, site, mu);
  for (const auto& [i, j] : {std::pair(0, 1), std::pair(0, 2), std::pair(1, 2)}) {
    // The part of the 2x2 block that is proportional to SU(2).
    const Quaternion v{(w(i, i) + w(j, j)).real() / 2, (w(i, j) + w(j, i)).imag() / 2, (w(i, j) - w(j, i)).real() / 2,
                       (w(i, i) - w(j, j)).imag() / 2};
    const double norm = std::hypot(std::hypot(v[0], v[1]), std::hypot(v[2], v[3]));
    const Quaternion h = heatBathElement(2 * beta * norm / kColors, stream);
    const Quaternion g = norm > 1e-12 ? timesInverse(h, v, norm) : h;
    multiplyRows(link, i, j, g);
    multiplyRows(w, i, j, g);
  }
  link = reunitarized(link);
}

}  // namespace

GaugeField hotStart(const Lattice& lattice, std::uint64_t seed, const Control& control) {
  return hotStart(
      lattice, seed, [](std::int64_t site) { return site; }, control);
}

GaugeField hotStart(const Lattice& part, std::uint64_t seed,
                    const std::function<std::int64_t(std::int64_t)>& siteInWhole, const Control& control) {
  GaugeField field(part, control);
  forPieces(part.volume(), control, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t x = begin; x < end; ++x) {
      const std::int64_t site = siteInWhole(x);
      for (int mu = 0; mu < kDirections; ++mu)
        field.link(x, mu) =
            randomElement(Stream(seed, ~std::uint64_t{0}, static_cast<std::uint64_t>(kDirections * site + mu)));
    }
  });
  return field;
}

void heatBathSweep(GaugeField& field, double beta, std::uint64_t seed, std::uint64_t sweep, const Control& control) {
  if (!(beta >= 0 && beta <= 1000))
    throw Error(ErrorKind::Usage, "beta = " + std::to_string(beta) + " is out of range", "give a value from 0 to 1000");
  const Lattice& lattice = field.lattice();
  const auto update = [&](std::int64_t x, int mu) {
    updateLink(field, x, mu, beta, Stream(seed, sweep, static_cast<std::uint64_t>(kDirections * x + mu)));
  };
  for (int mu = 0; mu < kDirections; ++mu) {
    if (!lattice.bipartite()) {  // neighbors of equal parity meet at the seam: update in sequence
      for (std::int64_t x = 0; x < lattice.volume(); ++x) {
        control.check();
        update(x, mu);
      }
      continue;
    }
    for (int parity = 0; parity < 2; ++parity)
      forPieces(lattice.volume(), control, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t x = begin; x < end; ++x)
          if (lattice.parity(x) == parity) update(x, mu);
      });
  }
}

}  // namespace sscope::lattice
