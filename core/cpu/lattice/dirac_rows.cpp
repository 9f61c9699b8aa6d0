#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "core/base/ability.h"
#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/cpu/lattice/dirac_kernels.h"
#include "core/cpu/lattice/rows.h"
#include "core/cpu/run/cpu_engine.h"
#include "core/cpu/run/threads.h"
#include "core/engine/typed_row.h"
#include "core/lattice/workload/dirac_workload.h"
#include "core/lattice/workload/lattice_precision.h"

namespace sscope::cpu {

namespace {

// Outputs that would evict the fields from the caches are stored with non-temporal stores.
constexpr std::int64_t kStreamingBytes = 16 << 20;
constexpr std::int64_t kRowsPerPiece = 64;  // some tens of microseconds

std::array<std::int64_t, 4> denseStrides(const ArraySpec& spec) {
  const std::int64_t c = spec.extent[3], x = spec.extent[0], y = spec.extent[1];
  return {c, c * x, c * x * y, 1};
}

// Calls visit(index in the dense array, x, y, z, c) for every element, in the order of the dense array.
template <class Visit>
void forEachElement(const ArraySpec& spec, Visit&& visit) {
  std::size_t next = 0;
  for (std::int64_t z = 0; z < spec.extent[2]; ++z)
    for (std::int64_t y = 0; y < spec.extent[1]; ++y)
      for (std::int64_t x = 0; x < spec.extent[0]; ++x)
        for (std::int64_t c = 0; c < spec.extent[3]; ++c) visit(next++, x, y, z, c);
}

// The base class of the plans: takes and returns float64 volumes, and copies those that are not dense.
class DiracPlan : public Plan {
 public:
  DiracPlan(const DiracWorkload& workload, int threads, RunReport report)
      : field_(workload.sharedField()),
        spec_(spinorSpec(field_->lattice())),
        threads_(threads),
        arena_(threads),
        report_(std::move(report)) {
    report_.threads = threads;
  }

  RunReport run(const Inputs& inputs, std::span<const ArrayView> outputs, const Control& control) override {
    if (inputs.arrays.size() != 1 || outputs.size() != 1 || !fits(inputs.arrays[0]) || !fits(outputs[0]))
      throw Error(ErrorKind::Usage, "the arrays are not spinor fields of the lattice the operator was prepared for",
                  "prepare it again");
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
    apply(in.empty() ? from.as<double>() : in.data(), out.empty() ? to.as<double>() : out.data(), control);
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

 protected:
  // Applies the operator to dense arrays.
  virtual void apply(const double* in, double* out, const Control& control) = 0;

  // Calls body(first row, end) for pieces of the lattice. Each thread walks its own part in order, so that what a
  // neighboring plane needed is still in the cache.
  template <class Body>
  void walk(const Control& control, Body&& body) {
    const RowRange all{0, field_->lattice().volume() / field_->lattice().extent(0), nullptr, nullptr};
    walk({&all, 1}, control, [&](const RowRange&, std::int64_t begin, std::int64_t end) { body(begin, end); });
  }

  // body(range, first row, end) for pieces of ranges that follow each other.
  template <class Body>
  void walk(std::span<const RowRange> ranges, const Control& control, Body&& body) {
    std::int64_t rows = 0;
    for (const RowRange& range : ranges) rows += range.end - range.begin;
    std::atomic<std::int64_t> done{0};
    const auto walkPart = [&](std::int64_t part) {
      std::int64_t before = 0;  // rows of earlier ranges
      for (const RowRange& range : ranges) {
        const std::int64_t count = range.end - range.begin;
        const std::int64_t first = std::max<std::int64_t>(0, rows * part / threads_ - before);
        const std::int64_t end = std::min(count, rows * (part + 1) / threads_ - before);
        for (std::int64_t row = first; row < end; row += kRowsPerPiece) {
          control.check();
          const std::int64_t last = std::min(end, row + kRowsPerPiece);
          body(range, range.begin + row, range.begin + last);
          control.report(static_cast<double>(done += last - row) / static_cast<double>(rows), "applying");
        }
        before += count;
      }
    };
    arena_.execute([&] {
      tbb::parallel_for(
          tbb::blocked_range<std::int64_t>(0, threads_, 1),
          [&](const tbb::blocked_range<std::int64_t>& range) {
            for (std::int64_t part = range.begin(); part != range.end(); ++part) walkPart(part);
          },
          tbb::simple_partitioner());
    });
  }

  // The job of the operator, without its fields.
  template <class Stored>
  [[nodiscard]] BasicDiracJob<Stored> jobOf(const lattice::WilsonParameters& parameters) const {
    BasicDiracJob<Stored> job;
    job.lattice = field_->lattice();
    job.kappa = parameters.kappa;
    job.timeBoundary = parameters.timeBoundary;
    job.adjoint = parameters.adjoint;
    return job;
  }
  [[nodiscard]] std::int64_t bytes() const { return spec_.bytes(); }
  [[nodiscard]] const RunReport& report() const { return report_; }
  [[nodiscard]] const lattice::GaugeField& field() const { return *field_; }

 private:
  template <class View>
  [[nodiscard]] bool fits(const View& view) const {
    return view.type == spec_.type && view.extent == spec_.extent;
  }

  std::shared_ptr<const lattice::GaugeField> field_;
  ArraySpec spec_;
  int threads_;
  tbb::task_arena arena_;
  RunReport report_;
};

class FullDiracPlan final : public DiracPlan, public HopPlan, public RowPlan {
 public:
  FullDiracPlan(const DiracWorkload& workload, DiracRows kernel, int threads, RunReport report)
      : DiracPlan(workload, threads, std::move(report)), kernel_(kernel), job_(jobOf<double>(workload.wilson())) {
    job_.links = reinterpret_cast<const double*>(field().links().data());
  }

  void applyRows(const double* in, std::span<const RowRange> ranges, const Control& control) override {
    DiracJob job = job_;
    job.in = in;
    walkRanges(job, ranges, bytes(), control);
  }

  void hopRows(const lattice::Hops& hops, const double* in, std::span<const RowRange> ranges,
               const Control& control) override {
    if (job_.lattice.extent(0) % 2 != 0)
      throw Error(ErrorKind::Usage, "rows of " + std::to_string(job_.lattice.extent(0)) + " sites have no halves",
                  "apply the operator to all sites");
    DiracJob job = jobOf(hops);
    job.in = in;
    walkRanges(job, ranges, bytes() / 2, control);
  }

  [[nodiscard]] void* findAbility(const std::type_info& ability) override {
    return abilityAmong<HopPlan, RowPlan>(ability, this);
  }

  [[nodiscard]] RunReport rowReport() const override { return report(); }

  RunReport hop(const lattice::Hops& hops, const lattice::SpinorField& in, lattice::SpinorField& out,
                const Control& control) override {
    using lattice::SpinorField;
    const auto half = static_cast<std::size_t>(job_.lattice.volume()) * lattice::kSpinorElements / 2;
    if (!job_.lattice.bipartite() || in.size() != half || out.size() != half ||
        (hops.center != nullptr && hops.center->size() != half))
      throw Error(ErrorKind::Usage, "the arrays are not half fields of the lattice the operator was prepared for",
                  "prepare it again");
    control.check();
    const Stopwatch clock;
    const auto numbers = [](const SpinorField& field) { return reinterpret_cast<const double*>(field.data()); };
    DiracJob job = jobOf(hops);
    job.center = hops.center == nullptr ? nullptr : numbers(*hops.center);
    walkThrough(job, numbers(in), reinterpret_cast<double*>(out.data()), bytes() / 2, control);
    RunReport result = report();
    result.operations /= 2;
    result.bytes /= 2;
    result.phases.kernel = result.phases.total = clock.seconds();
    return result;
  }

 private:
  void apply(const double* in, double* out, const Control& control) override {
    walkThrough(job_, in, out, bytes(), control);
  }

  using DiracPlan::jobOf;
  [[nodiscard]] DiracJob jobOf(const lattice::Hops& hops) const {
    DiracJob job = job_;
    job.kappa = -hops.sign * job_.kappa;
    job.adjoint = job_.adjoint != hops.adjoint;
    job.parity = hops.parity;
    return job;
  }

  void walkRanges(const DiracJob& job, std::span<const RowRange> ranges, std::int64_t written, const Control& control) {
    walk(ranges, control, [&](const RowRange& range, std::int64_t begin, std::int64_t end) {
      DiracJob piece = job;
      piece.out = range.out;
      piece.center = range.center;
      piece.firstOut = range.begin * job.lattice.extent(0);
      piece.streaming = streams(written, range.out);
      kernel_(piece, begin, end);
    });
  }

  static bool streams(std::int64_t written, const double* out) {
    return written > kStreamingBytes && reinterpret_cast<std::uintptr_t>(out) % 32 == 0;
  }

  void walkThrough(DiracJob job, const double* in, double* out, std::int64_t written, const Control& control) {
    job.in = in;
    job.out = out;
    job.streaming = streams(written, out);
    walk(control, [&](std::int64_t begin, std::int64_t end) { kernel_(job, begin, end); });
  }

  DiracRows kernel_;
  DiracJob job_;
};

// Stored in float32: links once, the field before each application; results are written as float64 piece by piece.
class NarrowDiracPlan final : public DiracPlan {
 public:
  NarrowDiracPlan(const DiracWorkload& workload, BasicDiracRows<float> kernel, int threads, RunReport report)
      : DiracPlan(workload, threads, std::move(report)),
        kernel_(kernel),
        job_(jobOf<float>(workload.wilson())),
        links_(floatsOf(field())),
        in_(static_cast<std::size_t>(bytes()) / sizeof(double)) {
    job_.links = links_.data();
    job_.in = in_.data();
  }
  [[nodiscard]] std::int64_t scratchBytes() const override {
    return static_cast<std::int64_t>((links_.size() + in_.size()) * sizeof(float));
  }

 private:
  void apply(const double* in, double* out, const Control& control) override {
    const std::int64_t perRow = job_.lattice.extent(0) * kSpinorComponents;
    walk({control.stop, {}}, [&](std::int64_t begin, std::int64_t end) {
      std::transform(in + begin * perRow, in + end * perRow, in_.begin() + begin * perRow,
                     [](double value) { return static_cast<float>(value); });
    });
    walk(control, [&](std::int64_t begin, std::int64_t end) {
      thread_local std::vector<float> results;
      results.resize(static_cast<std::size_t>((end - begin) * perRow));
      BasicDiracJob<float> job = job_;
      job.out = results.data();
      job.firstOut = begin * job.lattice.extent(0);
      kernel_(job, begin, end);
      std::copy(results.begin(), results.end(), out + begin * perRow);
    });
  }

  BasicDiracRows<float> kernel_;
  BasicDiracJob<float> job_;
  std::vector<float> links_, in_;
};

std::unique_ptr<Plan> makeDiracPlan(const DiracWorkload& workload, DiracRows kernel, int threads, RunReport report) {
  return std::make_unique<FullDiracPlan>(workload, kernel, threads, std::move(report));
}

std::unique_ptr<Plan> makeDiracPlan(const DiracWorkload& workload, BasicDiracRows<float> kernel, int threads,
                                    RunReport report) {
  return std::make_unique<NarrowDiracPlan>(workload, kernel, threads, std::move(report));
}

constexpr const char* kDiracPaper = "A. Cassagne et al., Portage d'un code de lattice QCD sur GPU (2013), section II.2";

using MakeDiracPlan = std::function<std::unique_ptr<Plan>(const DiracWorkload&, SimdLevel, int threads, RunReport)>;

enum class Threads : std::uint8_t { One, All };

// `plain`: the kernel is the same at every level, so the row is offered on cpu:scalar only.
Variant diracRowOf(std::string name, std::string source, Threads threads, bool plain, MakeDiracPlan make) {
  Variant row;
  row.workload = "dirac";
  row.name = std::move(name);
  row.kind = EngineKind::Cpu;
  if (plain) row.onlyOn = "cpu:scalar";
  row.source = std::move(source);
  row.unsupported = unsupportedFor<DiracWorkload>();
  row.prepare = prepareFor<CpuEngine, DiracWorkload>(
      [name = row.name, threads, make = std::move(make)](CpuEngine& engine, const DiracWorkload& workload,
                                                         const PrepareOptions& options, const Control&) {
        const Work work = workload.work();
        RunReport report;
        report.engine = engine.info().id;
        report.variant = name;
        report.operations = work.operations;
        report.bytes = work.bytes;
        return make(workload, engine.kernels().f64.level, threads == Threads::One ? 1 : threadCount(options.threads),
                    std::move(report));
      });
  return row;
}

MakeDiracPlan full(DiracRows (*kernel)(SimdLevel)) {
  return [kernel](const DiracWorkload& workload, SimdLevel level, int threads, RunReport report) {
    return makeDiracPlan(workload, kernel(level), threads, std::move(report));
  };
}

Variant diracExtraOf(std::string name, Precision computed, LowerPrecision lower) {
  Variant row =
      diracRowOf(std::move(name), "Stencilscope", Threads::All, false,
                 [computed](const DiracWorkload& workload, SimdLevel level, int threads, RunReport report) {
                   report.bytes /= 2;
                   return makeDiracPlan(workload, diracRowsOfF32(level, computed), threads, std::move(report));
                 });
  row.lower = std::move(lower);
  return row;
}

}  // namespace

std::vector<float> floatsOf(const lattice::GaugeField& field) {
  std::vector<float> numbers;
  numbers.reserve(field.links().size() * 18);
  for (const lattice::Matrix3& u : field.links())
    for (const lattice::Complex& z : u.element) {
      numbers.push_back(static_cast<float>(z.real()));
      numbers.push_back(static_cast<float>(z.imag()));
    }
  return numbers;
}

void addDiracRows(VariantTable& variants) {
  const MakeDiracPlan plain = full([](SimdLevel) -> DiracRows { return scalarDiracRows; });
  variants.add(diracRowOf("tuned", "Stencilscope", Threads::All, false, full(diracRows)));
  variants.add(diracRowOf("threads", kDiracPaper, Threads::All, true, plain));
  variants.add(diracRowOf("scalar", kDiracPaper, Threads::One, true, plain));
  variants.add(diracExtraOf("tuned-f32", Precision::f32, diracComputedInF32()));
  variants.add(diracExtraOf("tuned-mixed", Precision::f64, diracStoredInF32()));
}

}  // namespace sscope::cpu
