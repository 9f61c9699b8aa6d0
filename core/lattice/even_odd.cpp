#include "core/lattice/even_odd.h"

#include <algorithm>

#include "core/lattice/parallel.h"

namespace sscope::lattice {

namespace {

// visit(element of the half field, element of the whole field): the first ones of a site.
template <class Visit>
void forHalfSites(const Lattice& lattice, int parity, const Control& control, const Visit& visit) {
  forPieces(lattice.volume() / 2, control, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t half = begin; half < end; ++half) {
      const std::int64_t site = 2 * half + (lattice.parity(2 * half) == parity ? 0 : 1);
      visit(static_cast<std::size_t>(half) * kSpinorElements, static_cast<std::size_t>(site) * kSpinorElements);
    }
  });
}

}  // namespace

SpinorField halfOf(const Lattice& lattice, int parity, const SpinorField& whole, const Control& control) {
  SpinorField half(whole.size() / 2);
  forHalfSites(lattice, parity, control,
               [&](std::size_t to, std::size_t from) { std::copy_n(&whole[from], kSpinorElements, &half[to]); });
  return half;
}

void putHalf(const Lattice& lattice, int parity, const SpinorField& half, SpinorField& whole, const Control& control) {
  forHalfSites(lattice, parity, control,
               [&](std::size_t from, std::size_t to) { std::copy_n(&half[from], kSpinorElements, &whole[to]); });
}

SpinorField EvenOdd::source(const SpinorField& whole, const Control& control) {
  const SpinorField even = halfOf(lattice_, here(0), whole, control);
  SpinorField result(even.size());
  hops_({0, 1, false, &even}, halfOf(lattice_, here(1), whole, control), result, control);
  return result;
}

void EvenOdd::apply(bool adjoint, const SpinorField& in, SpinorField& out, const Control& control) {
  odd_.resize(in.size());
  hops_({1, 1, adjoint, nullptr}, in, odd_, control);
  hops_({0, -1, adjoint, &in}, odd_, out, control);
}

SpinorField EvenOdd::solution(const SpinorField& wholeSource, const SpinorField& even, const Control& control) {
  const SpinorField odd = halfOf(lattice_, here(1), wholeSource, control);
  odd_.resize(even.size());
  hops_({1, 1, false, &odd}, even, odd_, control);
  SpinorField whole(wholeSource.size());
  putHalf(lattice_, here(0), even, whole, control);
  putHalf(lattice_, here(1), odd_, whole, control);
  return whole;
}

}  // namespace sscope::lattice
