#include "core/lattice/fields.h"

#include <new>

#include "core/base/error.h"
#include "core/lattice/random.h"

namespace sscope::lattice {

namespace {

template <class T>
std::vector<T> filled(std::int64_t count, const T& value, const Lattice& lattice) {
  try {
    return std::vector<T>(static_cast<std::size_t>(count), value);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorKind::Memory, "there is no memory for a field on " + lattice.text() + " sites",
                "use a smaller lattice");
  }
}

}  // namespace

GaugeField::GaugeField(const Lattice& lattice)
    : lattice_(lattice), links_(filled(lattice.volume() * kDirections, identity3(), lattice)) {}

SpinorField zeroSpinor(const Lattice& lattice) {
  return filled(lattice.volume() * kSpinorElements, Complex(0), lattice);
}

SpinorField pointSource(const Lattice& lattice, std::int64_t site, int color, int spin) {
  SpinorField psi = zeroSpinor(lattice);
  psi.at(static_cast<std::size_t>(kSpinorElements * site + kSpins * color + spin)) = 1;
  return psi;
}

void hashFill(SpinorField& field, std::uint64_t seed) {
  for (std::size_t k = 0; k < field.size(); ++k)
    field[k] = {uniform(mix(seed + 2 * k)) - 0.5, uniform(mix(seed + 2 * k + 1)) - 0.5};
}

SpinorField hashSource(const Lattice& lattice, std::uint64_t seed) {
  SpinorField psi = zeroSpinor(lattice);
  hashFill(psi, seed);
  return psi;
}

}  // namespace sscope::lattice
