#include "core/cpu/filter/tuned_block.h"

#ifdef SSCOPE_XBYAK
#include <xbyak/xbyak.h>
#endif

namespace sscope::cpu {

std::int64_t tunedFilters(SimdLevel level) { return level == SimdLevel::Avx512 ? 4 : 2; }

TunedShape tunedTile(SimdLevel level, std::int64_t filters) {
  TunedShape tile;
  tile.filters = filters;
  const bool wide = level == SimdLevel::Avx512;
  tile.rows = filters == 1 ? 5 : filters == 3 ? 2 : 3;
  tile.vectors = wide && filters < 4 ? 4 : 2;
  return tile;
}

#ifdef SSCOPE_XBYAK
namespace {

constexpr std::int64_t kMostRows = 64;  // taps along y, which are written out one by one

class XbyakTunedBlock final : public TunedBlock, private Xbyak::CodeGenerator {
 public:
  XbyakTunedBlock(SimdLevel level, const TunedShape& shape, bool isDouble)
      : Xbyak::CodeGenerator(codeBytes(shape), Xbyak::DontSetProtectRWE),
        wide_(level == SimdLevel::Avx512),
        double_(isDouble),
        element_(isDouble ? 8 : 4),
        register_(wide_ ? 64 : 32) {
    shape_ = shape;
    width_ = shape.vectors * register_ / element_;
    for (const bool streaming : {false, true})
      for (const bool copy : {false, true}) {
        align(64);
        functions_[streaming][copy] = getCurr<Function>();
        emit(streaming, copy);
      }
    setProtectModeRE();
  }

 private:
  static constexpr int kLine = 64;
  static std::size_t codeBytes(const TunedShape& s) {
    const std::int64_t sums = s.filters * s.rows * (s.vectors + 1);
    return static_cast<std::size_t>(4 * ((s.ky + s.rows) * (s.vectors + 2 + sums) * 16 + sums * 64 + 4096));
  }

  [[nodiscard]] Xbyak::Ymm vector(std::int64_t index) const {
    return wide_ ? Xbyak::Ymm(Xbyak::Zmm(static_cast<int>(index))) : Xbyak::Ymm(static_cast<int>(index));
  }
  [[nodiscard]] std::int64_t sums() const { return shape_.filters * shape_.rows * shape_.vectors; }
  [[nodiscard]] Xbyak::Ymm sum(std::int64_t f, std::int64_t row, std::int64_t v) const {
    return vector((f * shape_.rows + row) * shape_.vectors + v);
  }
  [[nodiscard]] Xbyak::Ymm input(std::int64_t v) const { return vector(sums() + v); }
  // The remaining registers hold taps in turn.
  [[nodiscard]] Xbyak::Ymm nextTap() {
    const std::int64_t first = sums() + shape_.vectors, registers = wide_ ? 32 : 16;
    tap_ = (tap_ + 1) % (registers - first);
    return vector(first + tap_);
  }
  [[nodiscard]] int at(std::int64_t v) const { return static_cast<int>(v) * register_; }
  [[nodiscard]] Xbyak::Address argument(std::size_t offset) { return ptr[rdi + static_cast<int>(offset)]; }

  // rdi arguments, r8 in of this block, rcx offset along the outputs, r12 copyFrom, r14 copyTo, r15 fetch;
  // rsi plane, rax column, r10 row of the input, r9 taps, r11 and rbp count columns and planes; rbx what
  // is fetched.
  void emit(bool streaming, bool copy) {
    for (const Xbyak::Reg64& saved : {rbx, rbp, r12, r13, r14, r15}) push(saved);
    mov(r8, argument(offsetof(Arguments, in)));
    mov(rdx, argument(offsetof(Arguments, outRow)));
    xor_(ecx, ecx);
    if (copy) {
      mov(r12, argument(offsetof(Arguments, copyFrom)));
      mov(r13, argument(offsetof(Arguments, copyFromRow)));
      mov(r14, argument(offsetof(Arguments, copyTo)));
      mov(r15, argument(offsetof(Arguments, fetch)));
    }
    Xbyak::Label block;
    L(block);
    emitSums();
    emitStores(streaming);
    if (copy) emitCopy();
    add(r8, argument(offsetof(Arguments, inStep)));
    add(rcx, argument(offsetof(Arguments, outStep)));
    dec(qword[rdi + static_cast<int>(offsetof(Arguments, blocks))]);
    jnz(block, T_NEAR);
    for (const Xbyak::Reg64& saved : {r15, r14, r13, r12, rbp, rbx}) pop(saved);
    vzeroupper();
    ret();
  }

  void emitSums() {
    for (std::int64_t i = 0; i < sums(); ++i)
      wide_ ? vpxord(vector(i), vector(i), vector(i)) : vxorps(vector(i), vector(i), vector(i));
    mov(r9, argument(offsetof(Arguments, taps)));
    mov(rsi, r8);
    mov(ebp, static_cast<int>(shape_.kz));
    if (shape_.fetchPlane) lea(rbx, ptr[r8 + static_cast<int>(shape_.kz * shape_.inPlane)]);
    Xbyak::Label plane, column;
    L(plane);
    if (shape_.fetchPlane) emitFetchPlane();
    mov(rax, rsi);
    if (shape_.fetchNext) lea(rbx, ptr[rsi + at(shape_.vectors)]);
    mov(r11d, static_cast<int>(shape_.kx));
    L(column);
    mov(r10, rax);
    for (std::int64_t y = 0; y < shape_.ky + shape_.rows - 1; ++y) {
      emitRow(y);
      if (shape_.fetchNext) prefetcht0(ptr[rbx + static_cast<int>(y * shape_.inRow)]);
    }
    if (shape_.fetchNext) add(rbx, kLine);
    add(r9, static_cast<int>(shape_.filters * shape_.ky) * element_);
    add(rax, static_cast<int>(shape_.tapDistance) * element_);
    dec(r11d);
    jnz(column, T_NEAR);
    add(rsi, static_cast<int>(shape_.inPlane));
    dec(ebp);
    jnz(plane, T_NEAR);
  }

  // Prefetches a share of the plane below the block's input.
  void emitFetchPlane() {
    const std::int64_t rows = (shape_.ky + shape_.rows - 1 + shape_.kz - 1) / shape_.kz;
    for (std::int64_t y = 0; y < rows; ++y)
      for (int line = 0; line < at(shape_.vectors) + static_cast<int>(shape_.kx * shape_.tapDistance) * element_;
           line += kLine)
        prefetcht0(ptr[rbx + static_cast<int>(y * shape_.inRow) + line]);
    add(rbx, static_cast<int>(rows * shape_.inRow));
  }

  // Input row y meets output row r with tap y - r.
  void emitRow(std::int64_t y) {
    for (std::int64_t v = 0; v < shape_.vectors; ++v) vmovups(input(v), ptr[r10 + at(v)]);
    add(r10, static_cast<int>(shape_.inRow));
    for (std::int64_t r = 0; r < shape_.rows; ++r) {
      const std::int64_t j = y - r;
      if (j < 0 || j >= shape_.ky) continue;
      for (std::int64_t f = 0; f < shape_.filters; ++f) {
        const Xbyak::Ymm tap = nextTap();
        const auto address = ptr[r9 + static_cast<int>(f * shape_.ky + j) * element_];
        double_ ? vbroadcastsd(tap, address) : vbroadcastss(tap, address);
        for (std::int64_t v = 0; v < shape_.vectors; ++v)
          double_ ? vfmadd231pd(sum(f, r, v), input(v), tap) : vfmadd231ps(sum(f, r, v), input(v), tap);
      }
    }
  }

  void emitStores(bool streaming) {
    for (std::int64_t f = 0; f < shape_.filters; ++f) {
      mov(r10, argument(offsetof(Arguments, out) + static_cast<std::size_t>(f) * sizeof(std::byte*)));
      add(r10, rcx);
      for (std::int64_t r = 0; r < shape_.rows; ++r, add(r10, rdx))
        for (std::int64_t v = 0; v < shape_.vectors; ++v)
          streaming ? vmovntps(ptr[r10 + at(v)], sum(f, r, v)) : vmovups(ptr[r10 + at(v)], sum(f, r, v));
    }
  }

  // The loads of a row precede its stores; both are placed among the multiply-adds of the next block.
  void emitCopy() {
    mov(r10, r12);
    mov(rax, r14);
    mov(r11, r15);
    for (std::int64_t r = 0; r < shape_.rows; ++r) {
      for (std::int64_t v = 0; v < shape_.vectors; ++v) {
        vmovups(input(v), ptr[r10 + at(v)]);
        if (wide_ || v % 2 == 0) prefetcht1(ptr[r11 + at(v)]);
      }
      for (std::int64_t v = 0; v < shape_.vectors; ++v) vmovups(ptr[rax + at(v)], input(v));
      add(r10, r13);
      add(r11, r13);
      add(rax, static_cast<int>(shape_.inRow));
    }
    for (const Xbyak::Reg64& pointer : {r12, r14, r15}) add(pointer, at(shape_.vectors));
  }

  bool wide_, double_;
  int element_, register_;
  std::int64_t tap_ = 0;
};

}  // namespace

template <class T>
std::shared_ptr<const TunedBlock> TunedBlock::make(SimdLevel level, const TunedShape& shape) {
  constexpr std::int64_t kMostBytes = 1 << 30;
  if ((level != SimdLevel::Avx2 && level != SimdLevel::Avx512) || shape.ky > kMostRows) return nullptr;
  if (shape.filters > kMostFilters || shape.inRow > kMostBytes || shape.inPlane > kMostBytes) return nullptr;
  const std::int64_t used = shape.filters * shape.rows * shape.vectors + shape.vectors;
  if (used >= (level == SimdLevel::Avx512 ? 32 : 16)) return nullptr;
  try {
    return std::make_shared<XbyakTunedBlock>(level, shape, sizeof(T) == 8);
  } catch (const Xbyak::Error&) {
    return nullptr;  // the system forbids memory for code; the compiled kernels compute the same
  }
}

#else

template <class T>
std::shared_ptr<const TunedBlock> TunedBlock::make(SimdLevel, const TunedShape&) {
  return nullptr;
}

#endif

template std::shared_ptr<const TunedBlock> TunedBlock::make<float>(SimdLevel, const TunedShape&);
template std::shared_ptr<const TunedBlock> TunedBlock::make<double>(SimdLevel, const TunedShape&);

}  // namespace sscope::cpu
