// Machine code written for one vector of taps. All sums of a pattern stay in registers, on AVX-512 the first 16 taps
// as well; nothing is left to a compiler's choice of what to evict (docs/performance.md).

#include "core/cpu/magic/line_kernel.h"

#ifdef SSCOPE_XBYAK

#include <xbyak/xbyak.h>

#include <algorithm>
#include <array>

namespace sscope::cpu {

namespace {

class GeneratedLine final : public LineKernel, private Xbyak::CodeGenerator {
 public:
  GeneratedLine(SimdLevel level, std::span<const double> taps, const LinePattern& pattern)
      : LineKernel(pattern, level == SimdLevel::Avx512 ? 8 : 4),
        Xbyak::CodeGenerator(codeBytes(taps.size(), pattern), Xbyak::DontSetProtectRWE),
        wide_(level == SimdLevel::Avx512),
        count_(static_cast<int>(taps.size())),
        taps_(taps.begin(), taps.end()),
        started_(static_cast<std::size_t>(pattern.outputs), false) {
    // Sums, then taps that stay, then registers that take turns for data and for the other taps.
    const int sums = pattern.outputs * pattern.vectors, all = wide_ ? 32 : 16;
    resident_ = wide_ ? std::clamp(all - sums - kFewestTurns, 0, count_) : 0;
    dataTurn_.first = sums + resident_;
    dataTurn_.count = wide_ ? all - dataTurn_.first : pattern.vectors;
    tapTurn_.first = dataTurn_.first + dataTurn_.count;
    tapTurn_.count = all - tapTurn_.first;
    emit();
    setProtectModeRE();
    function_ = getCode<Function>();
  }

  void run(const LineJob& job) const override { function_(job.in, job.out, job.ahead, job.begin, job.end); }

 private:
  using Function = void (*)(const double* const* in, double* const* out, const double* const* ahead, std::int64_t begin,
                            std::int64_t end);
  static constexpr int kFewestTurns = 3;

  static std::size_t codeBytes(std::size_t taps, const LinePattern& pattern) {
    const std::size_t sums = static_cast<std::size_t>(pattern.outputs * pattern.vectors);
    return 16 * (taps * (2 * sums + 8) + 40 * sums + static_cast<std::size_t>(pattern.ahead) * 4) + 8192;
  }

  [[nodiscard]] Xbyak::Ymm vector(int index) const { return wide_ ? Xbyak::Ymm(Xbyak::Zmm(index)) : Xbyak::Ymm(index); }
  [[nodiscard]] Xbyak::Ymm sum(int output, int v) const { return vector(output * pattern().vectors + v); }
  [[nodiscard]] int bytes() const { return wide_ ? 64 : 32; }
  // Registers that take turns.
  struct Turn {
    int first = 0, count = 1, at = 0;
  };
  [[nodiscard]] Xbyak::Ymm next(Turn& turn) const {
    turn.at = (turn.at + 1) % turn.count;
    return vector(turn.first + turn.at);
  }
  Xbyak::Reg64 nextPointer() {
    static const std::array<Xbyak::Reg64, 3> pointers{Xbyak::util::rax, Xbyak::util::r9, Xbyak::util::r10};
    pointer_ = (pointer_ + 1) % pointers.size();
    return pointers[pointer_];
  }

  // Arguments: rdi in, rsi out, rdx ahead, rcx begin, r8 end; r11 points to the taps.
  void emit() {
    mov(r11, reinterpret_cast<std::size_t>(taps_.data()));
    for (int k = 0; k < resident_; ++k)
      vbroadcastsd(vector(pattern().outputs * pattern().vectors + k), ptr[r11 + 8 * k]);
    shl(rcx, 3);
    shl(r8, 3);
    const bool across = pattern().axis == LineAxis::Across;
    if (!across) {
      mov(rax, ptr[rdi]);
      if (pattern().vectors > 1) mov(r9, ptr[rdi + 8]);
      mov(rdx, ptr[rsi]);
      if (pattern().vectors > 1) mov(r10, ptr[rsi + 8]);
    }
    Xbyak::Label loop, done;
    cmp(rcx, r8);
    jge(done, T_NEAR);
    align(32);
    L(loop);
    std::fill(started_.begin(), started_.end(), false);
    across ? emitAcross() : emitAlong();
    add(rcx, static_cast<int>(step()) * 8);
    cmp(rcx, r8);
    jl(loop, T_NEAR);
    L(done);
    vzeroupper();
    ret();
  }

  void emitAcross() {
    const int outputs = pattern().outputs, vectors = pattern().vectors;
    for (int p = 0; p < count_ + outputs - 1; ++p) {
      const Xbyak::Reg64 row = nextPointer();
      mov(row, ptr[rdi + 8 * p]);
      std::array<Xbyak::Ymm, 2> data;
      for (int v = 0; v < vectors; ++v) {
        data[static_cast<std::size_t>(v)] = next(dataTurn_);
        vmovupd(data[static_cast<std::size_t>(v)], ptr[row + rcx + v * bytes()]);
      }
      for (int r = std::max(0, p - count_ + 1); r <= std::min(p, outputs - 1); ++r) multiplyAdd(r, p - r, data);
      if (p < pattern().ahead) emitAhead(p);
      if (p >= count_ - 1) emitRow(p - count_ + 1);
    }
    for (int p = count_ + outputs - 1; p < pattern().ahead; ++p) emitAhead(p);
  }

  void emitAhead(int p) {
    const Xbyak::Reg64 row = nextPointer();
    mov(row, ptr[rdx + 8 * p]);
    for (int b = 0; b < pattern().vectors * bytes(); b += 64) prefetcht1(ptr[row + rcx + b]);
  }

  void emitRow(int output) {
    const Xbyak::Reg64 row = nextPointer();
    mov(row, ptr[rsi + 8 * output]);
    for (int v = 0; v < pattern().vectors; ++v) {
      const auto to = ptr[row + rcx + v * bytes()];
      pattern().streaming ? vmovntpd(to, sum(output, v)) : vmovupd(to, sum(output, v));
    }
  }

  // Positions a whole vector apart follow each other, so that consecutive products go to different sums.
  void emitAlong() {
    const int outputs = pattern().outputs, vectors = pattern().vectors, lanes = bytes() / 8;
    const int positions = count_ + lanes * (outputs - 1);
    const std::array<Xbyak::Reg64, 2> in{rax, r9}, out{rdx, r10};
    for (int phase = 0; phase < std::min(lanes, positions); ++phase)
      for (int p = phase; p < positions; p += lanes) {
        const int last = std::min(p / lanes, outputs - 1);
        int first = last;
        while (first > 0 && p - lanes * (first - 1) < count_) --first;
        if (p - lanes * last >= count_) continue;  // fewer taps than lanes: nothing meets this position
        std::array<Xbyak::Ymm, 2> data;
        for (std::size_t v = 0; v < static_cast<std::size_t>(vectors); ++v) {
          data[v] = next(dataTurn_);
          vmovupd(data[v], ptr[in[v] + rcx + p * 8]);
        }
        for (int r = first; r <= last; ++r) multiplyAdd(r, p - lanes * r, data);
      }
    for (int r = 0; r < outputs; ++r)
      for (std::size_t v = 0; v < static_cast<std::size_t>(vectors); ++v)
        vmovupd(ptr[out[v] + rcx + r * bytes()], sum(r, static_cast<int>(v)));
  }

  void multiplyAdd(int output, int k, const std::array<Xbyak::Ymm, 2>& data) {
    const bool begun = started_[static_cast<std::size_t>(output)];
    started_[static_cast<std::size_t>(output)] = true;
    const auto product = [&](int v, const Xbyak::Operand& tap) {
      const Xbyak::Ymm& value = data[static_cast<std::size_t>(v)];
      begun ? vfmadd231pd(sum(output, v), value, tap) : vmulpd(sum(output, v), value, tap);
    };
    if (k < resident_ || !wide_) {
      Xbyak::Ymm tap = vector(pattern().outputs * pattern().vectors + k);
      if (k >= resident_) vbroadcastsd(tap = next(tapTurn_), ptr[r11 + 8 * k]);
      for (int v = 0; v < pattern().vectors; ++v) product(v, tap);
    } else {
      for (int v = 0; v < pattern().vectors; ++v) product(v, ptr_b[r11 + 8 * k]);
    }
  }

  bool wide_;
  int count_;
  std::vector<double> taps_;
  std::vector<bool> started_;  // sums that hold something, while code is written
  int resident_ = 0;
  Turn dataTurn_, tapTurn_;
  std::size_t pointer_ = 0;
  Function function_ = nullptr;
};

std::unique_ptr<LineKernel> tryGenerate(SimdLevel level, std::span<const double> taps, const LinePattern& pattern) {
  try {
    return std::make_unique<GeneratedLine>(level, taps, pattern);
  } catch (const Xbyak::Error&) {  // a system that forbids programs to write code
    return nullptr;
  }
}

}  // namespace

bool line::canGenerate(SimdLevel level) {
  if (level != SimdLevel::Avx2 && level != SimdLevel::Avx512) return false;
  static const bool allowed = [] {
    constexpr std::array<double, 2> kTaps{1, 1};
    return tryGenerate(SimdLevel::Avx2, kTaps, {}) != nullptr;
  }();
  return allowed;
}

std::unique_ptr<LineKernel> line::generate(SimdLevel level, std::span<const double> taps, const LinePattern& pattern) {
  return tryGenerate(level, taps, pattern);
}

}  // namespace sscope::cpu

#else

namespace sscope::cpu {

bool line::canGenerate(SimdLevel) { return false; }

std::unique_ptr<LineKernel> line::generate(SimdLevel, std::span<const double>, const LinePattern&) { return nullptr; }

}  // namespace sscope::cpu

#endif
