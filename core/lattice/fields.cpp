#include "core/lattice/fields.h"

#include <algorithm>
#include <new>

#include "core/base/error.h"
#include "core/base/memory.h"
#include "core/lattice/parallel.h"
#include "core/lattice/random.h"

namespace sscope::lattice {

namespace {

// Smaller fields skip the check of free memory.
constexpr std::int64_t kLarge = std::int64_t{64} << 20;

Error noMemory(const Lattice& lattice) {
  return {ErrorKind::Memory, "there is no memory for a field on " + lattice.text() + " sites", "use a smaller lattice"};
}

// The system grants more memory than it has and ends programs that fill it, so free memory is checked first. Filled
// piece by piece, so that a stop request need not wait: the largest lattices take seconds.
template <class T>
std::vector<T> filled(std::int64_t count, const T& value, const Lattice& lattice, const Control& control) {
  const std::int64_t bytes = count * static_cast<std::int64_t>(sizeof(T));
  if (bytes > kLarge && !fitsInMemory(bytes)) throw noMemory(lattice);
  try {
    std::vector<T> elements;
    elements.reserve(static_cast<std::size_t>(count));
    constexpr auto kPiece = static_cast<std::size_t>(kLarge / 4) / sizeof(T);
    while (elements.size() < static_cast<std::size_t>(count)) {
      control.check();
      elements.resize(std::min(elements.size() + kPiece, static_cast<std::size_t>(count)), value);
    }
    return elements;
  } catch (const std::bad_alloc&) {
    throw noMemory(lattice);
  }
}

}  // namespace

GaugeField::GaugeField(const Lattice& lattice, const Control& control)
    : lattice_(lattice), links_(filled(lattice.volume() * kDirections, identity3(), lattice, control)) {}

bool thirdRowsFollow(const GaugeField& field) {
  constexpr double kLimit = 1e-14;
  for (const Matrix3& u : field.links()) {
    Matrix3 rebuilt = u;
    rebuildThirdRow(rebuilt);
    for (std::size_t k = 6; k < 9; ++k)
      if (!(std::abs(rebuilt.element[k] - u.element[k]) <= kLimit)) return false;
  }
  return true;
}

void projectToSu3(GaugeField& field, const Control& control) {
  forPieces(field.lattice().volume(), control, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t site = begin; site < end; ++site)
      for (int mu = 0; mu < kDirections; ++mu) field.link(site, mu) = projectedToSu3(field.link(site, mu));
  });
}

SpinorField zeroSpinor(const Lattice& lattice, const Control& control) {
  return filled(lattice.volume() * kSpinorElements, Complex(0), lattice, control);
}

SpinorField pointSource(const Lattice& lattice, std::int64_t site, int color, int spin) {
  SpinorField psi = zeroSpinor(lattice);
  psi.at(static_cast<std::size_t>(kSpinorElements * site + kSpins * color + spin)) = 1;
  return psi;
}

void hashFill(SpinorField& field, std::uint64_t seed) {
  for (std::size_t k = 0; k < field.size(); ++k) field[k] = hashAt(k, seed);
}

SpinorField hashSource(const Lattice& lattice, std::uint64_t seed) {
  SpinorField psi = zeroSpinor(lattice);
  hashFill(psi, seed);
  return psi;
}

Matrix3 staples(const GaugeField& field, std::int64_t x, int mu) {
  const Lattice& lattice = field.lattice();
  const std::int64_t ahead = lattice.forward(x, mu);
  Matrix3 sum;
  for (int nu = 0; nu < kDirections; ++nu) {
    if (nu == mu) continue;
    // Up: U_nu(x + mu) U_mu(x + nu)^dagger U_nu(x)^dagger.
    sum += field.link(ahead, nu) * adjoint(field.link(x, nu) * field.link(lattice.forward(x, nu), mu));
    // Down: U_nu(x + mu - nu)^dagger U_mu(x - nu)^dagger U_nu(x - nu).
    const std::int64_t down = lattice.backward(x, nu);
    sum += adjoint(field.link(down, mu) * field.link(lattice.backward(ahead, nu), nu)) * field.link(down, nu);
  }
  return sum;
}

}  // namespace sscope::lattice
