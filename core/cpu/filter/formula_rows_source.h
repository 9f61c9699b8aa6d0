#pragma once
// The rows of input that a formula reads for a block of values: the array itself where it has the arithmetic's type and
// order, else a converted copy with the boundary rule applied.

#include <array>
#include <cstdint>
#include <vector>

#include "core/cpu/run/kernel_table.h"
#include "core/cpu/run/scratch.h"
#include "core/filter/formula/workload/formula_workload.h"

namespace sscope::cpu {

// Rows of one input at one distance along z, in sequence along y. The components of a voxel are adjacent.
template <class T>
class FormulaRowsOf {
 public:
  FormulaRowsOf(const FormulaWorkload& workload, std::size_t input, std::int64_t dz);

  [[nodiscard]] std::size_t input() const { return input_; }
  [[nodiscard]] std::int64_t dz() const { return dz_; }
  // Rows that are kept at the same time.
  [[nodiscard]] std::int64_t held() const { return highY_ - lowY_ + 1; }
  [[nodiscard]] std::int64_t scratchBytes(std::int64_t block, std::int64_t lanes) const {
    return held() * ScratchCarver::paddedBytes<T>(rowElements(block, lanes));
  }

  // The rows of one thread while it computes a column of at most `tallest` blocks.
  struct Held {
    std::vector<T*> buffers;
    std::vector<const T*> rows;
  };
  [[nodiscard]] Held hold(ScratchCarver& carver, std::int64_t block, std::int64_t lanes, std::int64_t tallest) const;

  struct Block {
    std::int64_t firstValue = 0, count = 0;  // of the row
    std::int64_t lanes = 1;
    std::int64_t y = 0, z = 0;  // of the region
    std::int64_t top = 0;       // y of the first block in this column, where no rows are kept yet
  };
  // Prepares the rows for a block; the blocks of a column follow each other along y.
  void fetch(const ConstArrayView& array, const PrecisionKernels<T>& kernels, const Block& block, Held& held) const;
  // The first value of the read.
  [[nodiscard]] const T* at(const FormulaRead& read, const Block& block, const Held& held) const {
    return held.rows[slot(block, block.y + read.offset[1])] + (read.offset[0] - lowX_) * components_;
  }

 private:
  [[nodiscard]] std::int64_t rowElements(std::int64_t block, std::int64_t lanes) const {
    return (block + (highX_ - lowX_) * components_ + 2 * lanes) / lanes * lanes;
  }
  // Rows are counted from the highest of the column on; as many as are held at once have buffers of their own.
  [[nodiscard]] std::size_t slot(const Block& block, std::int64_t y) const {
    return static_cast<std::size_t>(y - lowY_ - block.top);
  }
  [[nodiscard]] const T* direct(const ConstArrayView& array, const Block& block, std::int64_t iy,
                                std::int64_t iz) const;
  void fetchRow(const ConstArrayView& array, const PrecisionKernels<T>& kernels, const Block& block, std::int64_t y,
                Held& held) const;

  std::size_t input_;
  std::int64_t dz_;
  std::int64_t lowX_ = 0, highX_ = 0, lowY_ = 0, highY_ = 0;
  std::int64_t components_ = 1, own_ = 1;  // of the output's voxels; of the array's
  std::int64_t firstX_ = 0, volumeX_ = 1;  // the row's first value, and the volume's values along x
  double constant_ = 0;
  // Per axis: the array's index for each position of the region and of what is read around it, or -1; along x in
  // values.
  std::array<std::vector<std::int64_t>, 3> index_;
};

}  // namespace sscope::cpu
