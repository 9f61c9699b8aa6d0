#pragma once
// The inner loops of Wilson's operator with spin projection: only two of the four spins of each hop are multiplied by
// the link; the other two follow. Compiled once per instruction set.

#include <cstdint>
#include <vector>

#include "core/cpu/run/simd_level.h"
#include "core/lattice/fields.h"
#include "core/lattice/lattice.h"
#include "core/workload/workload.h"

namespace sscope::cpu {

inline constexpr int kAllSites = -1;

// Rows of sites along x; row r = y + Ly (z + Lz t). `Stored`: the type of the numbers in memory.
// All sites: out <- in - kappa H in. Those of one parity, of doubles: out <- center - kappa H in, all three being half
// fields (core/lattice/even_odd.h); only the sites of that parity are visited.
template <class Stored>
struct BasicDiracJob {
  const Stored* links = nullptr;   // 18 numbers per link, four links per site, as in lattice::GaugeField
  const Stored* in = nullptr;      // 24 numbers per site, as in lattice::SpinorField
  Stored* out = nullptr;           // the same from site `firstOut` on; aligned to 32 bytes where `streaming`
  std::int64_t firstOut = 0;       // of all sites; of one parity even
  int parity = kAllSites;          // or 0, 1
  const Stored* center = nullptr;  // of one parity, from site `firstOut` on; null: zero
  lattice::Lattice lattice;
  double kappa = 0;
  double timeBoundary = -1;  // factor of hops across the time boundary
  bool adjoint = false;
  bool streaming = false;  // write past the caches
};
using DiracJob = BasicDiracJob<double>;

template <class Stored>
using BasicDiracRows = void (*)(const BasicDiracJob<Stored>& job, std::int64_t rowBegin, std::int64_t rowEnd);
using DiracRows = BasicDiracRows<double>;

// Plain C++ with vectorization disabled.
void scalarDiracRows(const DiracJob& job, std::int64_t rowBegin, std::int64_t rowEnd);
// Of a level that is there (absentReason() empty). Scalar: the above.
[[nodiscard]] DiracRows diracRows(SimdLevel level);

// Stored in float32, computed in this precision.
[[nodiscard]] BasicDiracRows<float> scalarDiracRowsOfF32(Precision computed);
[[nodiscard]] BasicDiracRows<float> diracRowsOfF32(SimdLevel level, Precision computed);

// The links in the layout of BasicDiracJob<float>.
[[nodiscard]] std::vector<float> floatsOf(const lattice::GaugeField& field);

// The neighbors of a row of sites.
struct DiracNeighbors {
  std::int64_t row;                          // first site
  std::int64_t ahead[4], behind[4];          // first sites of the neighbor rows along y z t (1..3); 0 is unused
  double aheadFactor = 1, behindFactor = 1;  // of the hops along t
};
// The first site of a parity in a row along x.
template <class Stored>
[[nodiscard]] std::int64_t firstInRow(const BasicDiracJob<Stored>& job, std::int64_t row) {
  return job.lattice.parity(row * job.lattice.extent(0)) == job.parity ? 0 : 1;
}
template <class Stored>
[[nodiscard]] DiracNeighbors neighborsOfRow(const BasicDiracJob<Stored>& job, std::int64_t row) {
  const lattice::Lattice& l = job.lattice;
  DiracNeighbors n{row * l.extent(0), {}, {}, 1, 1};
  for (int mu = 1; mu < 4; ++mu) {
    n.ahead[mu] = l.forward(n.row, mu);
    n.behind[mu] = l.backward(n.row, mu);
  }
  const int t = l.coordinate(n.row, 3);
  if (t == l.extent(3) - 1) n.aheadFactor = job.timeBoundary;
  if (t == 0) n.behindFactor = job.timeBoundary;
  return n;
}

}  // namespace sscope::cpu
