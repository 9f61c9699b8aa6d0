#include "core/cpu/filter/correlator.h"

#include <algorithm>

#ifdef SSCOPE_XBYAK
#include <xbyak/xbyak.h>
#endif

namespace sscope::cpu {

#ifdef SSCOPE_XBYAK
namespace {

constexpr std::int64_t kMostRows = 64;  // taps along y, which are written out one by one

// Rows and vectors of sums; the rest of the 16 or 32 registers holds inputs and taps.
TapBlockShape registerTile(SimdLevel level) { return {1, 1, 1, 5, level == SimdLevel::Avx512 ? 4 : 2, 1}; }

class XbyakBlock final : public GeneratedBlock, private Xbyak::CodeGenerator {
 public:
  XbyakBlock(SimdLevel level, const TapBlockShape& shape, bool isDouble)
      : Xbyak::CodeGenerator(codeBytes(shape), Xbyak::DontSetProtectRWE),
        wide_(level == SimdLevel::Avx512),
        double_(isDouble) {
    shape_ = shape;
    emit();
    setProtectModeRE();
    function_ = getCode<Function>();
  }

 private:
  static std::size_t codeBytes(const TapBlockShape& shape) {
    const std::int64_t instructions = (shape.ky + shape.rows) * (shape.vectors + 1 + shape.rows * (shape.vectors + 1));
    return static_cast<std::size_t>(instructions * 16 + 4096);
  }

  [[nodiscard]] Xbyak::Ymm vector(std::int64_t index) const {
    return wide_ ? Xbyak::Ymm(Xbyak::Zmm(static_cast<int>(index))) : Xbyak::Ymm(static_cast<int>(index));
  }
  [[nodiscard]] Xbyak::Ymm sum(std::int64_t row, std::int64_t v) const { return vector(row * shape_.vectors + v); }
  [[nodiscard]] Xbyak::Ymm input(std::int64_t v) const { return vector(shape_.rows * shape_.vectors + v); }
  // Taps take turns in the registers that are left.
  [[nodiscard]] Xbyak::Ymm nextTap() {
    const std::int64_t first = (shape_.rows + 1) * shape_.vectors, registers = wide_ ? 32 : 16;
    tap_ = (tap_ + 1) % (registers - first);
    return vector(first + tap_);
  }

  // Arguments: rdi in, rsi inRow, rdx inPlane, rcx out, r8 outRow, r9 taps.
  void emit() {
    const int element = double_ ? 8 : 4, register_ = wide_ ? 64 : 32;
    for (std::int64_t i = 0; i < shape_.rows * shape_.vectors; ++i)
      wide_ ? vpxord(vector(i), vector(i), vector(i)) : vxorps(vector(i), vector(i), vector(i));
    push(rbx);
    mov(rbx, shape_.kz);
    Xbyak::Label plane, column;
    L(plane);
    mov(rax, rdi);
    mov(r11, shape_.kx);
    L(column);
    mov(r10, rax);
    for (std::int64_t y = 0; y < shape_.ky + shape_.rows - 1; ++y) emitRow(y, element, register_);
    add(r9, static_cast<int>(shape_.ky) * element);
    add(rax, static_cast<int>(shape_.tapDistance) * element);
    dec(r11);
    jnz(column, T_NEAR);
    add(rdi, rdx);
    dec(rbx);
    jnz(plane, T_NEAR);
    for (std::int64_t r = 0; r < shape_.rows; ++r) {
      for (std::int64_t v = 0; v < shape_.vectors; ++v) vmovups(ptr[rcx + static_cast<int>(v) * register_], sum(r, v));
      add(rcx, r8);
    }
    pop(rbx);
    vzeroupper();
    ret();
  }

  // Input row y meets output row r with tap y - r.
  void emitRow(std::int64_t y, int element, int register_) {
    for (std::int64_t v = 0; v < shape_.vectors; ++v) vmovups(input(v), ptr[r10 + static_cast<int>(v) * register_]);
    add(r10, rsi);
    for (std::int64_t r = 0; r < shape_.rows; ++r) {
      const std::int64_t j = y - r;
      if (j < 0 || j >= shape_.ky) continue;
      const Xbyak::Ymm tap = nextTap();
      const auto address = ptr[r9 + static_cast<int>(j) * element];
      double_ ? vbroadcastsd(tap, address) : vbroadcastss(tap, address);
      for (std::int64_t v = 0; v < shape_.vectors; ++v)
        double_ ? vfmadd231pd(sum(r, v), input(v), tap) : vfmadd231ps(sum(r, v), input(v), tap);
    }
  }

  bool wide_, double_;
  std::int64_t tap_ = 0;
};

}  // namespace

template <class T>
std::shared_ptr<const GeneratedBlock> GeneratedBlock::make(SimdLevel level, std::int64_t kx, std::int64_t ky,
                                                           std::int64_t kz, std::int64_t tapDistance) {
  if ((level != SimdLevel::Avx2 && level != SimdLevel::Avx512) || ky < 2 || ky > kMostRows) return nullptr;
  TapBlockShape shape = registerTile(level);
  shape.kx = kx;
  shape.ky = ky;
  shape.kz = kz;
  shape.tapDistance = tapDistance;
  try {
    return std::make_shared<XbyakBlock>(level, shape, sizeof(T) == 8);
  } catch (const Xbyak::Error&) {
    return nullptr;  // no memory for code may be had here; the compiled kernels do the same
  }
}

#else

template <class T>
std::shared_ptr<const GeneratedBlock> GeneratedBlock::make(SimdLevel, std::int64_t, std::int64_t, std::int64_t,
                                                           std::int64_t) {
  return nullptr;
}

#endif

template std::shared_ptr<const GeneratedBlock> GeneratedBlock::make<float>(SimdLevel, std::int64_t, std::int64_t,
                                                                           std::int64_t, std::int64_t);
template std::shared_ptr<const GeneratedBlock> GeneratedBlock::make<double>(SimdLevel, std::int64_t, std::int64_t,
                                                                            std::int64_t, std::int64_t);

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
