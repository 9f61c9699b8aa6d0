#include "core/cpu/filter/correlator.h"

#include <algorithm>

namespace sscope::cpu {

template <class T>
void Correlator<T>::run(Correlation<T> job, const Control& control) const {
  constexpr std::int64_t kPiece = 4'000'000, kRows = 5, kVectors = 8;  // multiply-adds; what blocks divide
  job.kx = kx_;
  job.ky = ky_;
  job.kz = kz_;
  job.tapDistance = tapDistance_;
  const std::int64_t perVector = kx_ * ky_ * kz_;
  const std::int64_t vectors = std::max(kPiece / (perVector * kRows) / kVectors * kVectors, kVectors);
  const std::int64_t rows = std::max(kPiece / (perVector * std::min(vectors, job.vectors)) / kRows * kRows, kRows);
  for (std::int64_t row = 0; row < job.rows; row += rows)
    for (std::int64_t vector = 0; vector < job.vectors; vector += vectors) {
      control.check();
      Correlation<T> piece = job;
      piece.rows = std::min(rows, job.rows - row);
      piece.vectors = std::min(vectors, job.vectors - vector);
      piece.in += row * job.inRow + vector * kernels_->lanes;
      piece.out += row * job.outRow + vector * kernels_->lanes;
      if (job.prefetch != nullptr)
        piece.prefetch += row * job.prefetchRows * job.prefetchRow + vector * kernels_->lanes * job.prefetchElement;
      runPiece(piece);
    }
}

template <class T>
void Correlator<T>::runPiece(const Correlation<T>& job) const {
  const bool fits =
      block_ && !job.accumulate && job.rows >= block_->shape().rows && job.vectors >= block_->shape().vectors;
  fits ? runBlocks(job) : kernels_->correlate(job);
}

// The last block of each row and column is moved back so that it ends with the job: what it computes twice is the same.
template <class T>
void Correlator<T>::runBlocks(const Correlation<T>& job) const {
  constexpr auto kBytes = static_cast<std::int64_t>(sizeof(T));
  const auto [rows, vectors] = std::pair(block_->shape().rows, block_->shape().vectors);
  const GeneratedBlock::Function function = block_->function();
  for (std::int64_t v = 0; v < job.vectors; v += vectors) {
    const std::int64_t x = std::min(v, job.vectors - vectors) * kernels_->lanes;
    for (std::int64_t r = 0; r < job.rows; r += rows) {
      const std::int64_t row = std::min(r, job.rows - rows);
      if (job.prefetch != nullptr)
        prefetchBlock(job, row * job.prefetchRows, x, rows * job.prefetchRows, vectors * kernels_->lanes);
      function(job.in + row * job.inRow + x, job.inRow * kBytes, job.inPlane * kBytes, job.out + row * job.outRow + x,
               job.outRow * kBytes, job.taps);
    }
  }
}

template class Correlator<float>;
template class Correlator<double>;

}  // namespace sscope::cpu
