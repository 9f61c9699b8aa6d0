#include "core/cpu/lattice/cr_sweeps.h"

#include <complex>
#include <type_traits>
#include <utility>

namespace sscope::cpu {

using lattice::kSpinorElements;

CrPieces::CrPieces(const lattice::Lattice& whole) : perSlice(whole.extent(2)) {
  const std::int64_t ny = whole.extent(1), each = ny * whole.extent(0) * std::int64_t{kSpinorElements};
  for (std::int64_t plane = 0; plane < perSlice * whole.extent(3); ++plane) {
    inner.push_back(all.size());
    all.push_back({{plane * ny, (plane + 1) * ny}, {plane * each, (plane + 1) * each}, plane * each});
  }
}

CrPieces::CrPieces(const lattice::LatticePart& part, std::int64_t slice) : perSlice(part.own.extent(2)) {
  const std::int64_t ny = part.own.extent(1), each = ny * part.own.extent(0) * std::int64_t{kSpinorElements};
  const int nz = part.own.extent(2), nt = part.own.extent(3);
  for (int t = 0; t < nt; ++t)
    for (int z = 0; z < nz; ++z) {
      const bool edge = (part.cut[2] && (z == 0 || z == nz - 1)) || (part.cut[3] && (t == 0 || t == nt - 1));
      (edge ? outer : inner).push_back(all.size());
      const std::int64_t plane = z + part.halo(2) + std::int64_t{part.extended.extent(2)} * (t + part.halo(3));
      all.push_back({{plane * ny, (plane + 1) * ny}, {plane * each, (plane + 1) * each}, t * slice + z * each});
    }
}

CrRanks::CrRanks(reach::Communicator& communicator, const lattice::LatticePart& part,
                 const lattice::WilsonParameters& parameters, const Control& control)
    : communicator_(communicator), part_(part), parameters_(parameters), sum_(part, communicator, control) {}

template <class Stored>
lattice::BasicSpinorHalo<Stored>& CrRanks::halo() {
  auto& one = [this]() -> auto& {
    if constexpr (std::is_same_v<Stored, double>)
      return doubles_;
    else
      return floats_;
  }
  ();
  if (!one) one.emplace(part_, parameters_, lattice::HaloForm::Half);
  return *one;
}

template <class Stored>
std::unique_ptr<reach::Exchange> CrRanks::beginHalo(const Stored* field, const Control& control) {
  const std::int64_t first = part_.slices().front().extended * kSpinorElements;
  const std::int64_t slice = part_.extended.spatialVolume() * kSpinorElements;
  return halo<Stored>().begin(communicator_, reinterpret_cast<const std::complex<Stored>*>(field) + first, slice,
                              control);
}

template <class Stored>
void CrRanks::endHalo(std::unique_ptr<reach::Exchange> exchange, Stored* field, const Control& control) {
  halo<Stored>().end(std::move(exchange), reinterpret_cast<std::complex<Stored>*>(field), control);
  waited_ += halo<Stored>().waited();
}

template std::unique_ptr<reach::Exchange> CrRanks::beginHalo(const double*, const Control&);
template std::unique_ptr<reach::Exchange> CrRanks::beginHalo(const float*, const Control&);
template void CrRanks::endHalo(std::unique_ptr<reach::Exchange>, double*, const Control&);
template void CrRanks::endHalo(std::unique_ptr<reach::Exchange>, float*, const Control&);
template lattice::BasicSpinorHalo<double>& CrRanks::halo();
template lattice::BasicSpinorHalo<float>& CrRanks::halo();

}  // namespace sscope::cpu
