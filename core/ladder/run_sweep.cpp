#include "core/base/error.h"
#include "core/base/memory.h"
#include "core/ladder/ladder.h"
#include "core/workload/catalog.h"
#include "core/workload/noise.h"

namespace sscope {

namespace {

constexpr double kSearchShare = 0.5;  // of a point's progress, where there is something to search

// One row of a point that could not be run at all.
Measurement skippedRow(const Workload& workload, const BenchRow& row, const std::string& why) {
  Measurement m = describe(workload, row.engine, row.variant);
  for (const auto& [name, value] : row.values) m.params[name] = optionToJson(value);
  m.skipped = why;
  return m;
}

// Reports into the part of the whole's progress that begins at `begin`.
Control partOf(const Control& whole, double begin, double length, const std::string& prefix = {}) {
  return {whole.stop, [&whole, begin, length, prefix](double fraction, std::string_view stage) {
            whole.report(begin + length * fraction, prefix + std::string(stage));
          }};
}

// Points one after the other.
class SweepRun {
 public:
  SweepRun(const EngineSet& engines, const VariantTable& variants, const Sweep& sweep, const BenchOptions& options,
           const std::function<void(const Measurement&)>& finished)
      : engines_(engines),
        variants_(variants),
        sweep_(sweep),
        options_(options),
        finished_(finished),
        data_(sweep.workload) {
    if (options_.threads == 0) options_.threads = sweep.threads;
  }

  void runPoint(const SweepPoint& point, const Control& control) {
    control.check();
    control.report(0, "starting");
    const std::unique_ptr<Workload> workload = data_.workload(sweep_.shapeOf(point), point.values);
    try {
      const ConstArrayView input = data_.input(*workload, point.values, control);
      const double searched = search(point, *workload, input, control);
      const Control rest = partOf(control, searched, 1 - searched);
      for (Measurement& m : runBench(engines_, variants_, *workload, {&input, 1}, point.rows, options_, rest))
        keep(std::move(m));
      options_.remeasureCeilings = false;  // once is enough
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::Memory) throw;
      for (const BenchRow& row : point.rows) keep(skippedRow(*workload, row, error.what()));
    }
  }

  SweepOutcome outcome;

 private:
  // Tunes the rows that need it; the share of the point's progress that this took.
  double search(const SweepPoint& point, const Workload& workload, const ConstArrayView& input,
                const Control& control) {
    if (!sweep_.tuneFirst) return 0;
    std::vector<const BenchRow*> untuned;
    for (const BenchRow& row : point.rows)
      if (isUntuned(engines_, variants_, workload, row)) untuned.push_back(&row);
    TuneOptions options = *sweep_.tuneFirst;
    options.threads = options_.threads;
    const double each = untuned.empty() ? 0 : kSearchShare / static_cast<double>(untuned.size());
    for (std::size_t i = 0; i < untuned.size(); ++i) {
      const Control part = partOf(control, static_cast<double>(i) * each, each);
      outcome.searches.push_back(tune(engines_, variants_, workload, {&input, 1}, *untuned[i], options, part));
    }
    return untuned.empty() ? 0 : kSearchShare;
  }

  void keep(Measurement&& m) {
    if (finished_) finished_(m);
    outcome.results.push_back(std::move(m));
  }

  const EngineSet& engines_;
  const VariantTable& variants_;
  const Sweep& sweep_;
  BenchOptions options_;
  const std::function<void(const Measurement&)>& finished_;
  SweepData data_;
};

}  // namespace

SweepOutcome runSweep(const EngineSet& engines, const VariantTable& variants, const Sweep& sweep,
                      const BenchOptions& options, const Control& control,
                      const std::function<void(const Measurement&)>& finished) {
  SweepRun run(engines, variants, sweep, options, finished);
  const double share = 1.0 / static_cast<double>(sweep.points.size());
  try {
    double done = 0;
    for (const SweepPoint& point : sweep.points) {
      run.runPoint(point, partOf(control, done, share, point.text.empty() ? "" : point.text + ": "));
      done += share;
    }
  } catch (const Canceled&) {
    run.outcome.canceled = true;
  }
  return std::move(run.outcome);
}

namespace {

const WorkloadKind& kindOf(const std::string& name) {
  const WorkloadKind* kind = findWorkloadKind(name);
  if (kind == nullptr) throw Error(ErrorKind::NotFound, "the workload " + name + " has no ladder");
  return *kind;
}

}  // namespace

SweepData::SweepData(const std::string& workload) : kind_(kindOf(workload)) {}

std::unique_ptr<Workload> SweepData::workload(const std::array<std::int64_t, 3>& shape,
                                              const OptionValues& values) const {
  const OptionValues complete = completeOptions(kind_.options, values);
  return kind_.make(kind_.inputSpec(shape, complete), complete);
}

ConstArrayView SweepData::input(const Workload& workload, const OptionValues& values, const Control& control) {
  const ArraySpec spec = workload.inputs().front();
  const std::int64_t seed = integerOf(completeOptions(kind_.options, values), "seed");
  if (seed != seed_ || noise_.spec().type != spec.type || noise_.spec().extent != spec.extent) {
    noise_ = {};
    requireMemory(bytesOf(workload));
    noise_ = noiseVolume({spec.extent[0], spec.extent[1], spec.extent[2], static_cast<int>(spec.extent[3])}, spec.type,
                         static_cast<std::uint64_t>(seed), control);
    seed_ = seed;
  } else {
    requireMemory(bytesOf(workload) - spec.bytes());
  }
  return std::as_const(noise_).view();
}

std::int64_t bytesOf(const Workload& workload) {
  std::int64_t bytes = 0;
  for (const ArraySpec& spec : workload.inputs()) bytes += spec.bytes();
  for (const ArraySpec& spec : workload.outputs()) bytes += spec.bytes();
  return bytes;
}

}  // namespace sscope
