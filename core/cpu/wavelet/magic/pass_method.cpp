#include "core/cpu/wavelet/magic/pass_method.h"

#include <algorithm>
#include <vector>

#include "core/base/memory.h"
#include "core/volume/volume.h"

namespace sscope::cpu {

namespace {

constexpr std::int64_t kPiece = 500'000;  // multiply-adds between two checks of the control

class PassMethod final : public MagicMethod {
 public:
  PassMethod(const MagicWorkload& workload, MagicLines lines, bool transposed, std::int64_t granularity)
      : taps_(workload.taps().begin(), workload.taps().end()), lines_(lines), granularity_(granularity) {
    const auto& n = workload.input().extent;
    const std::int64_t elements = workload.input().elements();
    std::int64_t stride = 1;
    for (std::size_t axis = 0; axis < (workload.lines() ? 1U : 3U); ++axis) {
      MagicPass& pass = passes_.emplace_back();
      pass.taps = taps_.data();
      pass.tapCount = std::ssize(taps_);
      pass.first = workload.first();
      pass.n = n[axis];
      pass.lines = elements / n[axis];
      pass.stride = transposed ? 1 : stride;
      pass.transposed = transposed;
      stride *= n[axis];
    }
    if (passes_.size() == 1) return;
    requireMemory(elements * 8);
    between_ = Volume({elements, 1, 1, 1}, ElementType::f64);
  }

  void run(const double* in, double* out, const Control& control, RunTrace* trace) override {
    const auto pass = [&](std::size_t axis, const double* from, double* to) {
      recordStep(trace, std::string("along ") + "xyz"[axis], [&] { runPass(passes_[axis], from, to, control); });
    };
    pass(0, in, out);
    if (passes_.size() == 1) return;
    auto* between = between_.view().as<double>();
    pass(1, out, between);
    pass(2, between, out);
  }

  [[nodiscard]] std::int64_t scratchBytes() const override { return passes_.size() == 1 ? 0 : between_.spec().bytes(); }
  [[nodiscard]] std::string description() const override {
    return passes_.size() == 1 ? "one pass" : "three passes over the whole volume";
  }

 private:
  void runPass(MagicPass pass, const double* in, double* out, const Control& control) const {
    pass.in = in;
    pass.out = out;
    const std::int64_t perLine = pass.n * pass.tapCount;
    const std::int64_t piece = std::max<std::int64_t>(1, kPiece / perLine / granularity_) * granularity_;
    for (std::int64_t l = 0; l < pass.lines; l += piece) {
      control.check();
      lines_(pass, l, std::min(l + piece, pass.lines));
    }
  }

  std::vector<double> taps_;
  MagicLines lines_;
  std::int64_t granularity_;
  std::vector<MagicPass> passes_;
  Volume between_;  // in large pages, as all volumes are
};

}  // namespace

std::unique_ptr<MagicMethod> makePassMethod(const MagicWorkload& workload, MagicLines lines, bool transposed,
                                            std::int64_t granularity) {
  return std::make_unique<PassMethod>(workload, lines, transposed, granularity);
}

}  // namespace sscope::cpu
