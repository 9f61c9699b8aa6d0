#pragma once
// A lattice cut into parts, one for each rank: along t, and along z too where there are more ranks than time slices.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/lattice/fields.h"

namespace sscope::lattice {

// Sites that follow each other, in a part's own lattice and in its extended one.
struct SiteRun {
  std::int64_t own = 0, extended = 0, count = 0;  // first sites, and how many
};

// The share of a rank. `extended` has one more plane on each side along the directions that are cut: the halo. Along
// all others the part is as periodic as the whole.
struct LatticePart {
  Lattice whole, own, extended;
  std::array<int, kDirections> begin{};                    // coordinates in the whole of the part's first site
  std::array<bool, kDirections> cut{};                     // along z and t only
  std::array<int, kDirections> rankBehind{}, rankAhead{};  // of the neighbors along a cut

  [[nodiscard]] int halo(int mu) const { return cut[static_cast<std::size_t>(mu)] ? 1 : 0; }
  // The end of the part's planes along mu, in the whole.
  [[nodiscard]] int end(int mu) const { return begin[static_cast<std::size_t>(mu)] + own.extent(mu); }
  // The parity in the whole of the part's first site: 0 even, 1 odd.
  [[nodiscard]] int parityOfFirst() const { return (begin[2] + begin[3]) % 2; }
  // The part's time slices, as they lie in memory: in a slice of the whole they begin `firstInSlice()` sites after it.
  [[nodiscard]] std::vector<SiteRun> slices() const;
  [[nodiscard]] std::int64_t firstInSlice() const;
  // The part's sites next to the neighbor behind or ahead, and the sites of the halo, which are the neighbor's; their
  // `own` has no meaning.
  [[nodiscard]] std::vector<SiteRun> face(int mu, bool ahead) const;
  [[nodiscard]] std::vector<SiteRun> haloOf(int mu, bool ahead) const;
};

// Parts that are equal but for one plane; ranks count along z first. Throws Error(Usage) when the lattice has too few
// planes along t and z for this many ranks, with a number that is possible. ranks >= 1.
[[nodiscard]] std::vector<LatticePart> latticeParts(const Lattice& whole, int ranks);
// Time slices in proportion to weights (> 0), at least one for each. Throws Error(Usage) when there are too few.
[[nodiscard]] std::vector<LatticePart> latticeParts(const Lattice& whole, std::span<const double> weights);

// The links of the part's own sites.
[[nodiscard]] GaugeField linksOf(const GaugeField& whole, const LatticePart& part, const Control& control);
// The links of the part's extended lattice, from the whole: the same as withHalo() (halo.h) gets by exchange. Throws
// Canceled, Error(Memory).
[[nodiscard]] GaugeField linksAround(const GaugeField& whole, const LatticePart& part, const Control& control);
// The part's own sites of a field of the whole, and back.
[[nodiscard]] SpinorField takePart(std::span<const Complex> whole, const LatticePart& part);
void putPart(std::span<const Complex> own, const LatticePart& part, std::span<Complex> whole);

// The rows of sites along x of a part: those that need no halo, and those that do.

// Rows [begin, end) of the extended lattice, and where the first one's sites are in the part: its time slice, and the
// site in that.
struct PartRows {
  std::int64_t begin = 0, end = 0, slice = 0, site = 0;
};

// Inner rows have all of their neighbors in the part.
struct SortedRows {
  std::vector<PartRows> inner, outer;
};
[[nodiscard]] SortedRows sortedRows(const LatticePart& part);

// Parts for several engines of this machine.

// Parts of the lattice in proportion to weights, or equal ones where there are none. Throws as latticeParts().
[[nodiscard]] std::vector<LatticePart> partsFor(const Lattice& whole, std::size_t engines,
                                                std::span<const double> weights);

}  // namespace sscope::lattice
