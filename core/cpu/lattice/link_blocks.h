#pragma once
// A gauge field as vectors read it: of a row of sites along x, blocks of as many sites as a vector has lanes, and in
// each block number after number of its four links.

#include <cstdint>
#include <cstdlib>
#include <memory>

#include "core/base/control.h"
#include "core/lattice/fields.h"

namespace sscope::cpu {

inline constexpr int kLinkNumbers = 18;    // as lattice::Matrix3 has them
inline constexpr int kAlgebraNumbers = 8;  // of su(3): see su3_vectors-inl.h
inline constexpr int kPlanes = 6;          // xy, xz, xt, yz, yt, zt

// How rows are cut into blocks. Row r = y + Ly (z + Lz t).
struct BlockShape {
  BlockShape() = default;
  BlockShape(const lattice::Lattice& of, int lanesOfLevel);
  [[nodiscard]] std::int64_t rows() const { return lattice.volume() / lattice.extent(0); }
  // Doubles of a row with so many vectors a site.
  [[nodiscard]] std::int64_t rowDoubles(int numbers) const { return std::int64_t{blocks} * numbers * lanes; }

  lattice::Lattice lattice;
  int lanes = 1;
  int blocks = 1;  // of a row
  int tail = 1;    // sites in the last of them, 1..lanes
};

// Doubles aligned for every level, not written to, with a vector's room at both ends: shifted loads may begin one
// number early and end one late. Throws Error(Memory).
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
  // Not written to. Throws Error(Memory).
  explicit LinkBlocks(const BlockShape& shape);

  [[nodiscard]] const BlockShape& shape() const { return shape_; }
  [[nodiscard]] std::int64_t bytes() const { return numbers_.size() * static_cast<std::int64_t>(sizeof(double)); }
  // The first block of a row: number k of direction mu of the lanes of block b is at
  // ((4 b + mu) 18 + k) lanes + lane.
  [[nodiscard]] double* row(std::int64_t row) { return numbers_.data() + row * rowDoubles_; }
  [[nodiscard]] const double* row(std::int64_t row) const { return numbers_.data() + row * rowDoubles_; }

  // Lanes behind the last site of a row are unit links. Throw Canceled; then some rows were not copied.
  void copyFrom(const lattice::GaugeField& field, const Control& control);
  void copyTo(lattice::GaugeField& field, const Control& control) const;

 private:
  BlockShape shape_;
  std::int64_t rowDoubles_ = 0;
  AlignedDoubles numbers_;
};

}  // namespace sscope::cpu
