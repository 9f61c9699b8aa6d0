#include "core/cpu/wavelet/magic/magic_plan.h"

#include <array>
#include <vector>

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/cpu/run/cpu_engine.h"
#include "core/cpu/run/threads.h"
#include "core/cpu/wavelet/magic/pass_method.h"
#include "core/cpu/wavelet/magic/tuned_magic.h"
#include "core/cpu/wavelet/rows.h"
#include "core/engine/typed_row.h"

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

namespace {

const std::string kPaper =
    "B. Videau et al., Optimizing 3D convolutions for wavelet transforms on CPUs with SSE units and GPUs (2013), ";

// What a rung is for.
enum class Use { Both, Straight, Transposed, Lines, TransposedLines, Volume };

std::string misuse(Use use, const MagicWorkload& workload) {
  const bool lines = workload.lines(), columns = workload.transposed();
  switch (use) {
    case Use::Both: break;
    case Use::Straight:
      if (columns) return "it writes no columns; its transposed twin does";
      break;
    case Use::Transposed:
      if (lines && !columns) return "it writes lines as columns; choose transposed=true";
      break;
    case Use::Lines:
      if (!lines) return "the paper's pattern works on lines only; choose passes=lines";
      if (columns) return "it writes no columns";
      break;
    case Use::TransposedLines:
      if (!columns) return "it writes lines as columns; choose passes=lines and transposed=true";
      break;
    case Use::Volume:
      if (lines) return "it is for all three axes; choose passes=3d";
      break;
  }
  return {};
}

struct Rung {
  std::string name, source;
  std::string engine;  // whose instructions it is written for; empty: every level has its own
  Use use = Use::Both;
  std::function<std::unique_ptr<MagicMethod>(const MagicWorkload&, const KernelTable&, int threads)> make;
  std::int64_t grain = 1;  // Plan::grain(); 0: lines that are computed together and alone are rounded differently
};

Variant rowOf(const Rung& rung) {
  Variant row;
  row.workload = "magic";
  row.name = rung.name;
  row.kind = EngineKind::Cpu;
  row.source = rung.source;
  row.onlyOn = rung.engine;
  row.unsupported = unsupportedFor<MagicWorkload>(
      [use = rung.use](const EngineInfo&, const MagicWorkload& workload) { return misuse(use, workload); });
  row.prepare = prepareFor<CpuEngine, MagicWorkload>(
      [name = rung.name, make = rung.make, grain = rung.grain](CpuEngine& engine, const MagicWorkload& workload,
                                                               const PrepareOptions& options, const Control&) {
        return makeMagicPlan(workload, make(workload, engine.kernels(), threadCount(options.threads)), engine.info().id,
                             name, grain, options.trace);
      });
  return row;
}

Rung scalarRung(std::string name, bool transposed, MagicLines lines, std::int64_t granularity) {
  return {std::move(name), kPaper + "section IV.A", "cpu:scalar", transposed ? Use::Transposed : Use::Straight,
          [=](const MagicWorkload& workload, const KernelTable&, int) {
            return makePassMethod(workload, lines, transposed, granularity);
          }};
}

void addSse(VariantTable& variants, std::string name, int columns, int rows, bool transposed, Use use,
            const std::string& section) {
  const MagicLines lines = sseLines(columns, rows, transposed);
  if (lines == nullptr) return;  // another kind of processor
  const int together = transposed ? kStagedLines : columns;
  variants.add(rowOf({std::move(name), kPaper + section, "cpu:sse4", use,
                      [=](const MagicWorkload& workload, const KernelTable&, int) {
                        return makePassMethod(workload, lines, transposed, together);
                      },
                      columns > 1 ? 0 : 1}));
}

void addSseRungs(VariantTable& variants) {
  struct Pattern {
    int columns, rows;
  };
  for (const auto& [columns, rows] : {Pattern{1, 2}, {1, 4}, {2, 2}, {1, 6}, {1, 8}, {2, 4}, {4, 2}, {1, 10}, {1, 12}})
    addSse(variants, "sse-" + std::to_string(columns) + "x" + std::to_string(rows), columns, rows, false, Use::Lines,
           "table II");
  for (const auto& [columns, rows] : {Pattern{2, 4}, {4, 2}})
    addSse(variants, "sse-" + std::to_string(columns) + "x" + std::to_string(rows) + "-t", columns, rows, true,
           Use::TransposedLines, "table III");
  addSse(variants, "sse-t", 4, 2, true, Use::Volume, "section IV.D");
}

}  // namespace

void addMagicRows(VariantTable& variants) {
  variants.add(rowOf({"tuned", "Stencilscope", "", Use::Both,
                      [](const MagicWorkload& workload, const KernelTable& kernels, int threads) {
                        return makeTunedMagic(workload, kernels, threads);
                      }}));
  variants.add(rowOf(scalarRung("simple", false, simpleLines, 1)));
  variants.add(rowOf(scalarRung("simple-t", true, simpleLines, 1)));
  variants.add(rowOf(scalarRung("unrolled", false, unrolledLines, 8)));
  variants.add(rowOf(scalarRung("unrolled-t", true, unrolledLines, 8)));
  variants.add(rowOf({"compiler", "Stencilscope", "", Use::Straight,
                      [](const MagicWorkload& workload, const KernelTable& kernels, int) {
                        return makePassMethod(workload, plainLines(kernels.f64.level), false, 1);
                      }}));
  addSseRungs(variants);
}

}  // namespace sscope::cpu
