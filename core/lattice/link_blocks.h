#pragma once
// A gauge field in a layout for vectors: rows of sites along x are cut into blocks of as many sites as a vector has
// lanes, and a block stores the numbers of its four links one after the other.

#include <cstdint>
#include <cstdlib>
#include <memory>

#include "core/base/control.h"
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

}  // namespace sscope::cpu
