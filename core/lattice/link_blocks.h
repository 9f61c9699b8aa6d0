#pragma once
// A gauge field in a layout for vectors: rows of sites along x are cut into blocks of as many sites as a vector has
// lanes, and a block stores the numbers of its four links one after the other.

#include <cstdint>
#include <cstdlib>
#include <memory>

#include "core/base/control.h"
#include "core/cpu/run/simd_level.h"
#include "core/lattice/fields.h"

namespace sscope::cpu {

inline constexpr int kLinkNumbers = 18;    // as in lattice::Matrix3
inline constexpr int kAlgebraNumbers = 8;  // of su(3): see su3_vectors-inl.h
inline constexpr int kPlanes = 6;          // xy, xz, xt, yz, yt, zt

// The division of rows into blocks. Row r = y + Ly (z + Lz t).
struct BlockShape {
  BlockShape() = default;
  BlockShape(const lattice::Lattice& of, int lanesOfLevel);
  [[nodiscard]] std::int64_t rows() const { return lattice.volume() / lattice.extent(0); }
  // Doubles in a row with `numbers` vectors per site.
  [[nodiscard]] std::int64_t rowDoubles(int numbers) const { return std::int64_t{blocks} * numbers * lanes; }

  lattice::Lattice lattice;
  int lanes = 1;
  int blocks = 1;  // of a row
  int tail = 1;    // sites in the last of them, 1..lanes
};

// Uninitialized doubles aligned for every level, with padding of one vector at both ends, because shifted loads may
// start one number early and end one late. Throws Error(Memory).
class AlignedDoubles {
 public:
  AlignedDoubles() = default;
  explicit AlignedDoubles(std::int64_t count);
  [[nodiscard]] double* data() { return memory_.get() + kRoom; }
  [[nodiscard]] const double* data() const { return memory_.get() + kRoom; }
  [[nodiscard]] std::int64_t size() const { return size_; }

 private:
  static constexpr std::int64_t kRoom = 16;
  struct Free {
    void operator()(double* memory) const { std::free(memory); }
  };
  std::unique_ptr<double[], Free> memory_;
  std::int64_t size_ = 0;
};

class LinkBlocks {
 public:
  LinkBlocks() = default;
  // Uninitialized. Throws Error(Memory).
  explicit LinkBlocks(const BlockShape& shape);

  [[nodiscard]] const BlockShape& shape() const { return shape_; }
  [[nodiscard]] std::int64_t bytes() const { return numbers_.size() * static_cast<std::int64_t>(sizeof(double)); }
  // The first block of a row: number k of direction mu of the lanes of block b is at
  // ((4 b + mu) 18 + k) lanes + lane.
  [[nodiscard]] double* row(std::int64_t row) { return numbers_.data() + row * rowDoubles_; }
  [[nodiscard]] const double* row(std::int64_t row) const { return numbers_.data() + row * rowDoubles_; }

  // Lanes after the last site of a row become unit links. Throw Canceled, with some rows not copied.
  void copyFrom(const lattice::GaugeField& field, const Control& control);
  void copyTo(lattice::GaugeField& field, const Control& control) const;

 private:
  BlockShape shape_;
  std::int64_t rowDoubles_ = 0;
  AlignedDoubles numbers_;
};

// The inner loops over links, compiled once per instruction set: plaquettes, a stage of the Wilson flow, and the
// clover's densities. Rows have the blocks of LinkBlocks.
//
// The force of a link and the leaves of a clover are sums over plaquettes that start at the site and of plaquettes that
// start behind it, parallel-transported to the site. So each plaquette is computed only once.

// The plane of two different directions.
inline constexpr int kPlaneOf[4][4] = {{-1, 0, 1, 2}, {0, -1, 3, 4}, {1, 3, -1, 5}, {2, 4, 5, -1}};

// Vectors per block of plaquettes: elements of the algebra in the order of the planes, and one number.
inline constexpr int kPlaquetteNumbers = kPlanes * kAlgebraNumbers + 1;

// out = the projections of U_mu(x) U_nu(x + mu) U_mu(x + nu)^dagger U_nu(x)^dagger to the algebra, mu < nu.
struct PlaquetteRow {
  int blocks = 1, tail = 1;  // as BlockShape
  const double* here = nullptr;
  const double* ahead[4] = {};   // rows of the links one ahead along y, z, t (1..3)
  const double* next = nullptr;  // ahead[3] of the next row: the only one not in a cache
  double* out = nullptr;
};

// Rows of links and of plaquettes: here (0), one behind along y, z, t (1..3), and behind along two directions.
inline constexpr int kBehindBoth[4][4] = {{0, 0, 0, 0}, {0, 0, 4, 5}, {0, 4, 0, 6}, {0, 5, 6, 0}};
struct NeighborRows {
  int blocks = 1, tail = 1;
  const double* links[7] = {};
  const double* plaquettes[7] = {};
};

// exponent <- old exponent + now force; out <- exp(exponent) links.
struct FlowRow {
  NeighborRows from;
  double old = 0, now = 0;  // old = 0: the exponent is not read
  bool keepsExponent = true;
  bool streaming = false;      // write out with non-temporal stores
  int terms = 1;               // of the exponential's series
  int halvings = 0;            // of the exponent before the series, and squarings after it
  double* exponent = nullptr;  // elements of the algebra, four a block
  double* out = nullptr;       // overlaps none of the others
};

// As in lattice::Observable, one number per lane.
struct CloverRow {
  NeighborRows from;
  double *energy = nullptr, *charge = nullptr;
  double* plaquette = nullptr;  // the sum over the six planes of Re tr P
};

struct LinkKernels {
  int lanes = 1;
  void (*plaquettes)(const PlaquetteRow& row) = nullptr;
  // The same, with the sum over the planes of Re tr P as the last number.
  void (*tracedPlaquettes)(const PlaquetteRow& row) = nullptr;
  void (*evolve)(const FlowRow& row) = nullptr;
  void (*clover)(const CloverRow& row) = nullptr;  // of traced plaquettes
};
// The kernels of an available level (absentReason() empty). Scalar: only instructions that every processor of this
// build has.
[[nodiscard]] LinkKernels linkKernels(SimdLevel level);

// The widest available level.
[[nodiscard]] SimdLevel widestLevel();

}  // namespace sscope::cpu
