#include "core/cpu/lattice/dirac_rows.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/cpu/cpu_engine.h"
#include "core/cpu/lattice/dirac_kernels.h"
#include "core/cpu/step_plan.h"
#include "core/workload/dirac_workload.h"

namespace sscope::cpu {

namespace {

constexpr const char* kPaper = "A. Cassagne et al., Portage d'un code de lattice QCD sur GPU (2013), section II.2";
// Outputs that would push the fields out of the caches are written past them.
constexpr std::int64_t kStreamingBytes = 16 << 20;
constexpr std::int64_t kRowsPerPiece = 64;  // some tens of microseconds

const DiracWorkload& diracWorkload(const Workload& workload) {
  const auto* dirac = dynamic_cast<const DiracWorkload*>(&workload);
  if (dirac == nullptr) throw Error(ErrorKind::Unsupported, "this is not Wilson's operator", "choose another variant");
  return *dirac;
}

std::array<std::int64_t, 4> denseStrides(const ArraySpec& spec) {
  const std::int64_t c = spec.extent[3], x = spec.extent[0], y = spec.extent[1];
  return {c, c * x, c * x * y, 1};
}

// Elements of a view in the order of a dense one.
template <class Visit>
void forEachElement(const ArraySpec& spec, Visit&& visit) {
  std::size_t next = 0;
  for (std::int64_t z = 0; z < spec.extent[2]; ++z)
    for (std::int64_t y = 0; y < spec.extent[1]; ++y)
      for (std::int64_t x = 0; x < spec.extent[0]; ++x)
        for (std::int64_t c = 0; c < spec.extent[3]; ++c) visit(next++, x, y, z, c);
}

class DiracPlan final : public Plan {
 public:
  DiracPlan(const DiracWorkload& workload, DiracRows kernel, int threads, RunReport report)
      : field_(workload.sharedField()),
        spec_(spinorSpec(field_->lattice())),
        kernel_(kernel),
        threads_(threads),
        arena_(threads),
        report_(std::move(report)) {
    job_.links = reinterpret_cast<const double*>(field_->links().data());
    job_.lattice = field_->lattice();
    job_.kappa = workload.wilson().kappa;
    job_.timeBoundary = workload.wilson().timeBoundary;
    job_.adjoint = workload.wilson().adjoint;
    report_.threads = threads;
  }

  RunReport run(const Inputs& inputs, std::span<const ArrayView> outputs, const Control& control) override {
    if (inputs.arrays.size() != 1 || outputs.size() != 1 || !fits(inputs.arrays[0]) || !fits(outputs[0]))
      throw Error(ErrorKind::Usage, "the arrays are not spinor fields of the lattice the operator was prepared for",
                  "prepare it anew");
    control.check();
    const Stopwatch clock;
    const ConstArrayView& from = inputs.arrays[0];
    const ArrayView& to = outputs[0];
    std::vector<double> in, out;
    if (from.stride != denseStrides(spec_)) {
      in.resize(static_cast<std::size_t>(spec_.elements()));
      forEachElement(spec_, [&](std::size_t k, auto... at) { in[k] = from.as<double>()[from.offset(at...)]; });
    }
    if (to.stride != denseStrides(spec_)) out.resize(static_cast<std::size_t>(spec_.elements()));
    DiracJob job = job_;
    job.in = in.empty() ? from.as<double>() : in.data();
    job.out = out.empty() ? to.as<double>() : out.data();
    job.streaming = spec_.bytes() > kStreamingBytes && reinterpret_cast<std::uintptr_t>(job.out) % 32 == 0;
    apply(job, control);
    if (!out.empty())
      forEachElement(spec_, [&](std::size_t k, auto... at) { to.as<double>()[to.offset(at...)] = out[k]; });
    RunReport report = report_;
    report.phases.kernel = report.phases.total = clock.seconds();
    return report;
  }

  [[nodiscard]] std::int64_t scratchBytes() const override { return 0; }
  [[nodiscard]] std::string description() const override {
    return "spin projected, four links a site, " + std::to_string(threads_) + " threads, rows along x in order of time";
  }

 private:
  template <class View>
  [[nodiscard]] bool fits(const View& view) const {
    return view.type == spec_.type && view.extent == spec_.extent;
  }

  // Each thread walks its own part of the lattice in order, so that what a neighbor plane needed is still in the cache.
  void apply(const DiracJob& job, const Control& control) {
    const std::int64_t rows = job.lattice.volume() / job.lattice.extent(0);
    std::atomic<std::int64_t> done{0};
    arena_.execute([&] {
      tbb::parallel_for(
          tbb::blocked_range<std::int64_t>(0, threads_, 1),
          [&](const tbb::blocked_range<std::int64_t>& range) {
            for (std::int64_t part = range.begin(); part != range.end(); ++part) {
              const std::int64_t end = rows * (part + 1) / threads_;
              for (std::int64_t row = rows * part / threads_; row < end; row += kRowsPerPiece) {
                control.check();
                const std::int64_t last = std::min(end, row + kRowsPerPiece);
                kernel_(job, row, last);
                control.report(static_cast<double>(done += last - row) / static_cast<double>(rows), "applying");
              }
            }
          },
          tbb::simple_partitioner());
    });
  }

  std::shared_ptr<const lattice::GaugeField> field_;
  ArraySpec spec_;
  DiracRows kernel_;
  int threads_;
  tbb::task_arena arena_;
  DiracJob job_;
  RunReport report_;
};

using Kernel = DiracRows (*)(SimdLevel);

// Plain rows are the same under every level.
enum class Threads : std::uint8_t { One, All };

Variant rowOf(std::string name, std::string explanation, std::string source, Threads threads, bool plain,
              Kernel kernel) {
  Variant row;
  row.workload = "dirac";
  row.name = std::move(name);
  row.kind = EngineKind::Cpu;
  if (plain) row.onlyOn = "cpu:scalar";
  row.explanation = std::move(explanation);
  row.source = std::move(source);
  row.unsupported = [](const EngineInfo&, const Workload& workload) {
    return dynamic_cast<const DiracWorkload*>(&workload) == nullptr ? std::string("this is not Wilson's operator")
                                                                    : std::string();
  };
  row.prepare = [name = row.name, threads, kernel](Engine& engine, const Workload& workload,
                                                   const PrepareOptions& options,
                                                   const Control&) -> std::unique_ptr<Plan> {
    const auto* cpu = dynamic_cast<const CpuEngine*>(&engine);
    if (cpu == nullptr)
      throw Error(ErrorKind::Usage, engine.info().id + " is not a CPU engine", "choose one of the CPU engines");
    const Work work = workload.work();
    RunReport report;
    report.engine = engine.info().id;
    report.variant = name;
    report.operations = work.operations;
    report.bytes = work.bytes;
    return std::make_unique<DiracPlan>(diracWorkload(workload), kernel(cpu->kernels().f64.level),
                                       threads == Threads::One ? 1 : threadCount(options.threads), std::move(report));
  };
  return row;
}

}  // namespace

void addDiracRows(VariantTable& variants) {
  const Kernel plain = [](SimdLevel) -> DiracRows { return scalarDiracRows; };
  variants.add(rowOf("tuned",
                     "Vectors of the engine's level hold the two spins of a half spinor: of each hop only those are "
                     "multiplied with the link, whose numbers are broadcast from memory, and all sums stay in "
                     "registers. Each thread walks its part of the lattice in order; large results are written past "
                     "the caches.",
                     "Stencilscope", Threads::All, false, diracRows));
  variants.add(rowOf("threads",
                     "The plain loop below on all threads, each with its own part of the lattice, as the paper's "
                     "original does with OpenMP.",
                     kPaper, Threads::All, true, plain));
  variants.add(rowOf("scalar",
                     "A plain loop over the sites in C++ on one core, spin projected, one number after the other: what "
                     "the versions' speed-ups are counted from.",
                     kPaper, Threads::One, true, plain));
}

}  // namespace sscope::cpu
