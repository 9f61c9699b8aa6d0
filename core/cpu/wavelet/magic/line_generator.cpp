// Machine code written for one vector of taps. All sums of a pattern stay in registers, on AVX-512 the first 16 taps as
// well; no compiler decides which registers to spill (docs/dev/performance-notes.md).

#include "core/cpu/wavelet/magic/line_kernel.h"

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
        taps_(taps.begin(), taps.end()) {
    // Registers: sums, then taps that stay, then temporaries for data and the other taps in turn.
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

  void run(const LineJob& job) const override {
    const bool across = pattern().axis == LineAxis::Across;
    function_(job.in, job.out, across ? job.ahead : job.in + job.rows, job.begin, job.end, job.ahead);
  }

 private:
  // The third register: rows to fetch (Across) or the end of `in` (Along); the last: rows to fetch (Along).
  using Function = void (*)(const double* const* in, double* const* out, const double* const* third, std::int64_t begin,
                            std::int64_t end, const double* const* ahead);
  static constexpr int kFewestTurns = 3;
  // Found by trial (docs/dev/performance-notes.md).
  static constexpr int kJoinedPhase = 3, kLongestDelay = 2;
  const std::array<Xbyak::Reg64, 2> kAlongIn{rax, rbx}, kAlongOut{r10, rbp}, kAlongAhead{r13, r14};

  static std::size_t codeBytes(std::size_t taps, const LinePattern& pattern) {
    const std::size_t sums = static_cast<std::size_t>(pattern.outputs * pattern.vectors);
    return 16 * (taps * (3 * sums + 24) + 40 * sums + static_cast<std::size_t>(pattern.ahead) * 4) + 8192;
  }

  [[nodiscard]] Xbyak::Ymm vector(int index) const { return wide_ ? Xbyak::Ymm(Xbyak::Zmm(index)) : Xbyak::Ymm(index); }
  [[nodiscard]] Xbyak::Ymm sum(int output, int v) const { return vector(output * pattern().vectors + v); }
  [[nodiscard]] int bytes() const { return wide_ ? 64 : 32; }
  // The temporary registers, used in turn.
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
    Xbyak::Label done;
    cmp(rcx, r8);
    jge(done, T_NEAR);
    across ? emitAcross() : emitAlong();
    L(done);
    vzeroupper();
    ret();
  }

  // Row p contributes to output r with tap p - r: few outputs are active at the start and at the end. Blocks therefore
  // overlap: while the last rows of one block contribute to its last outputs, the first rows of the next contribute to
  // its first ones, so that all registers hold active sums all the time.
  void emitAcross() {
    Xbyak::Label loop, last;
    const int width = static_cast<int>(step()) * 8;
    for (int t = 0; t < count_; ++t) emitBeginning(t);
    add(rcx, width);
    cmp(rcx, r8);
    jge(last, T_NEAR);
    align(32);
    L(loop);
    for (int t = 0; t < count_; ++t) {
      emitEnding(t, width);
      emitBeginning(t);
    }
    add(rcx, width);
    cmp(rcx, r8);
    jl(loop, T_NEAR);
    L(last);
    for (int t = 0; t < count_; ++t) emitEnding(t, width);
  }

  using Data = std::array<Xbyak::Ymm, 2>;
  Data loadRow(int p, int offset) {
    const Xbyak::Reg64 row = nextPointer();
    mov(row, ptr[rdi + 8 * p]);
    Data data;
    for (int v = 0; v < pattern().vectors; ++v) {
      data[static_cast<std::size_t>(v)] = next(dataTurn_);
      vmovupd(data[static_cast<std::size_t>(v)], ptr[row + rcx + (v * bytes() + offset)]);
    }
    return data;
  }

  // Row t of the block at rcx.
  void emitBeginning(int t) {
    const Data data = loadRow(t, 0);
    for (int r = 0; r <= std::min(t, pattern().outputs - 1); ++r) multiplyAdd(r, t - r, data, t == r);
    for (int p = t; p < pattern().ahead; p += count_) emitAhead(p);
    if (t == count_ - 1) emitRow(0, 0);
  }

  // Row count_ + t of the block before.
  void emitEnding(int t, int width) {
    if (t >= pattern().outputs - 1) return;
    const Data data = loadRow(count_ + t, -width);
    for (int r = t + 1; r < pattern().outputs; ++r) multiplyAdd(r, count_ + t - r, data, false);
    emitRow(t + 1, -width);
  }

  void emitAhead(int p) {
    const Xbyak::Reg64 row = nextPointer();
    mov(row, ptr[rdx + 8 * p]);
    for (int b = 0; b < pattern().vectors * bytes(); b += 64) prefetcht1(ptr[row + rcx + b]);
  }

  void emitRow(int output, int offset) {
    const Xbyak::Reg64 row = nextPointer();
    mov(row, ptr[rsi + 8 * output]);
    for (int v = 0; v < pattern().vectors; ++v) {
      const auto to = ptr[row + rcx + (v * bytes() + offset)];
      pattern().streaming ? vmovntpd(to, sum(output, v)) : vmovupd(to, sum(output, v));
    }
  }

  // Positions a whole vector apart follow each other, so that consecutive products go to different sums. Vectors of 64
  // bytes that do not begin at a cache line are slow to load; some are combined from two that do.
  void emitAlong() {
    const int outputs = pattern().outputs, lanes = bytes() / 8;
    const int positions = count_ + lanes * (outputs - 1);
    std::vector<bool> begun(static_cast<std::size_t>(outputs), false);
    const int vectors = pattern().vectors;
    Xbyak::Label row, loop;
    push(rbx);
    push(rbp);
    push(r12);
    push(r13);
    push(r14);
    mov(r12, rcx);
    L(row);
    for (int v = 0; v < vectors; ++v) {
      mov(kAlongIn[static_cast<std::size_t>(v)], ptr[rdi + 8 * v]);
      mov(kAlongOut[static_cast<std::size_t>(v)], ptr[rsi + 8 * v]);
      if (pattern().ahead > 0) mov(kAlongAhead[static_cast<std::size_t>(v)], ptr[r9 + 8 * v]);
    }
    mov(rcx, r12);
    align(32);
    L(loop);
    for (int phase = 0; phase < std::min(lanes, positions); ++phase) {
      emitPhase(phase, positions, begun);
      emitAlongAhead(phase, std::min(lanes, positions));
    }
    for (int r = 0; r < outputs; ++r)
      for (int v = 0; v < vectors; ++v)
        vmovupd(ptr[kAlongOut[static_cast<std::size_t>(v)] + rcx + r * bytes()], sum(r, v));
    add(rcx, static_cast<int>(step()) * 8);
    cmp(rcx, r8);
    jl(loop, T_NEAR);
    add(rdi, 8 * vectors);
    add(rsi, 8 * vectors);
    if (pattern().ahead > 0) add(r9, 8 * vectors);
    cmp(rdi, rdx);
    jl(row, T_NEAR);
    pop(r14);
    pop(r13);
    pop(r12);
    pop(rbp);
    pop(rbx);
  }

  // Prefetches this block's share of the rows to fetch.
  void emitAlongAhead(int phase, int phases) {
    if (pattern().ahead == 0) return;
    const int lines = static_cast<int>(step()) * 8 / 64;
    for (int v = 0; v < pattern().vectors; ++v)
      for (int line = phase; line < lines; line += phases)
        prefetcht1(ptr[kAlongAhead[static_cast<std::size_t>(v)] + rcx + 64 * line]);
  }

  // The positions phase, phase + lanes, ... Each contributes to the outputs before it; the products for the second of
  // them are delayed by a few positions, so that two additions to the same sum are at least one latency apart.
  void emitPhase(int phase, int positions, std::vector<bool>& begun) {
    const int lanes = bytes() / 8, outputs = pattern().outputs, vectors = pattern().vectors;
    const int count = (positions - phase + lanes - 1) / lanes;  // of positions
    const int meets = (count_ - phase + lanes - 1) / lanes;     // outputs that a position contributes to
    const bool joined = wide_ && vectors == 1 && phase == kJoinedPhase;
    const int held = dataTurn_.count / vectors - (joined ? 2 : 1);
    const int delay = meets > 1 ? std::clamp(held / (meets - 1), 0, kLongestDelay) : 0;
    std::vector<Data> data(static_cast<std::size_t>(count));
    Xbyak::Ymm low;
    if (joined) vmovupd(low = next(dataTurn_), ptr[kAlongIn[0] + rcx]);
    for (int step = 0; step < count + delay * (meets - 1); ++step) {
      if (step < count) {
        Data& at = data[static_cast<std::size_t>(step)];
        if (joined && step + 1 < count) {
          const Xbyak::Ymm high = next(dataTurn_);
          vmovupd(high, ptr[kAlongIn[0] + rcx + (step + 1) * bytes()]);
          valignq(low, high, low, static_cast<std::uint8_t>(phase));
          at[0] = low;
          low = high;
        } else {
          for (std::size_t v = 0; v < static_cast<std::size_t>(vectors); ++v) {
            at[v] = next(dataTurn_);
            vmovupd(at[v], ptr[kAlongIn[v] + rcx + (step * bytes() + phase * 8)]);
          }
        }
      }
      for (int meet = 0; meet < meets; ++meet) {
        const int position = step - delay * meet, r = position - meet;
        if (position < 0 || position >= count || r < 0 || r >= outputs) continue;
        const auto sum = static_cast<std::size_t>(r);
        multiplyAdd(r, phase + lanes * meet, data[static_cast<std::size_t>(position)], !begun[sum]);
        begun[sum] = true;
      }
    }
  }

  // Adds tap k times the data to the output's sums, or begins them.
  void multiplyAdd(int output, int k, const Data& data, bool begins) {
    const auto product = [&](int v, const Xbyak::Operand& tap) {
      const Xbyak::Ymm& value = data[static_cast<std::size_t>(v)];
      begins ? vmulpd(sum(output, v), value, tap) : vfmadd231pd(sum(output, v), value, tap);
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
