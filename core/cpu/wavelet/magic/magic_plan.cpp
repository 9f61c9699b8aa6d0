#include "core/cpu/wavelet/magic/magic_plan.h"

#include <array>
#include <vector>

#include "core/base/error.h"
#include "core/base/stopwatch.h"

namespace sscope::cpu {

namespace {

template <class View>
bool dense(const View& view) {
  std::int64_t stride = 1;
  for (std::size_t a = 0; a < 3; ++a) {
    if (view.extent[a] > 1 && view.stride[a] != stride) return false;
    stride *= view.extent[a];
  }
  return true;
}

template <class Visit>
void forEach(const std::array<std::int64_t, 4>& n, Visit&& visit) {
  std::size_t i = 0;
  for (std::int64_t z = 0; z < n[2]; ++z)
    for (std::int64_t y = 0; y < n[1]; ++y)
      for (std::int64_t x = 0; x < n[0]; ++x) visit(i++, x, y, z);
}

class MagicPlan final : public Plan {
 public:
  MagicPlan(const MagicWorkload& workload, std::unique_ptr<MagicMethod> method, RunReport report, std::int64_t grain,
            std::shared_ptr<RunTrace> trace)
      : input_(workload.input()),
        output_(workload.outputs()[0]),
        method_(std::move(method)),
        report_(std::move(report)),
        grain_(grain),
        trace_(std::move(trace)) {}

  RunReport run(const Inputs& inputs, std::span<const ArrayView> outputs, const Control& control) override {
    if (inputs.arrays.size() != 1 || outputs.size() != 1 || !fits(inputs.arrays[0], input_) ||
        !fits(outputs[0], output_))
      throw Error(ErrorKind::Usage, "the arrays do not have the shapes the filter was prepared for",
                  "prepare it again");
    control.check();
    const Stopwatch clock;
    const ConstArrayView& from = inputs.arrays[0];
    const ArrayView& to = outputs[0];
    std::vector<double> in, out;
    if (!dense(from)) {
      in.resize(static_cast<std::size_t>(input_.elements()));
      forEach(input_.extent, [&](std::size_t i, std::int64_t x, std::int64_t y, std::int64_t z) {
        in[i] = from.as<double>()[from.offset(x, y, z)];
      });
    }
    if (!dense(to)) out.resize(static_cast<std::size_t>(output_.elements()));
    method_->run(in.empty() ? from.as<double>() : in.data(), out.empty() ? to.as<double>() : out.data(), control,
                 trace_.get());
    if (!out.empty())
      forEach(output_.extent, [&](std::size_t i, std::int64_t x, std::int64_t y, std::int64_t z) {
        to.as<double>()[to.offset(x, y, z)] = out[i];
      });
    RunReport report = report_;
    report.phases.kernel = report.phases.total = clock.seconds();
    return report;
  }

  [[nodiscard]] std::int64_t grain() const override { return grain_; }
  [[nodiscard]] std::int64_t scratchBytes() const override { return method_->scratchBytes(); }
  [[nodiscard]] std::string description() const override { return method_->description(); }

 private:
  template <class View>
  static bool fits(const View& view, const ArraySpec& spec) {
    return view.type == spec.type && view.extent == spec.extent;
  }

  ArraySpec input_, output_;
  std::unique_ptr<MagicMethod> method_;
  RunReport report_;
  std::int64_t grain_;
  std::shared_ptr<RunTrace> trace_;  // may be null
};

}  // namespace

std::unique_ptr<Plan> makeMagicPlan(const MagicWorkload& workload, std::unique_ptr<MagicMethod> method,
                                    std::string engine, std::string variant, std::int64_t grain,
                                    std::shared_ptr<RunTrace> trace) {
  const Work work = workload.work();
  RunReport report;
  report.engine = std::move(engine);
  report.variant = std::move(variant);
  report.threads = method->threads();
  report.operations = work.operations;
  report.bytes = work.bytes;
  return std::make_unique<MagicPlan>(workload, std::move(method), std::move(report), grain, std::move(trace));
}

}  // namespace sscope::cpu
