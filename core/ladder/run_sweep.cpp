// Which size a sweep is run at: the paper's, or one that this machine can do in reasonable time.

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/base/error.h"
#include "core/base/memory.h"
#include "core/base/stopwatch.h"
#include "core/ladder/ladder.h"
#include "core/measure/buffer_ring.h"
#include "core/report/extents.h"
#include "core/workload/catalog.h"
#include "core/workload/noise.h"

namespace sscope {

namespace {

constexpr double kSearchShare = 0.5;  // of a point's progress, if there are rows to tune

// One row of a point that could not be run at all.
Measurement skippedRow(const Workload& workload, const BenchRow& row, const std::string& why) {
  Measurement m = describe(workload, row.engine, row.variant);
  for (const auto& [name, value] : row.values) m.params[name] = optionToJson(value);
  m.skipped = why;
  return m;
}

// A control whose progress is the part of the whole that begins at `begin`.
Control partOf(const Control& whole, double begin, double length, const std::string& prefix = {}) {
  return {whole.stop, [&whole, begin, length, prefix](double fraction, std::string_view stage) {
            whole.report(begin + length * fraction, prefix + std::string(stage));
          }};
}

// Runs the points one after the other.
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

namespace {

using Shape = std::array<std::int64_t, 3>;

// Shorter runs depend more on launches and threads than on the rate.
constexpr double kEnoughSeconds = 0.03;
// Seconds of a row besides its runs: compiling and the reference.
constexpr double kRowSeconds = 0.5;

Shape halved(const Shape& shape) {
  Shape half = shape;
  for (std::int64_t& extent : half) extent = std::max<std::int64_t>(extent / 2, 1);
  return half;
}

std::int64_t voxels(const Shape& shape) { return shape[0] * shape[1] * shape[2]; }

std::string durationText(double seconds) {
  if (seconds < 120) return std::to_string(std::lround(seconds)) + " seconds";
  if (seconds < 7200) return std::to_string(std::lround(seconds / 60)) + " minutes";
  return std::to_string(std::lround(seconds / 3600)) + " hours";
}

class Estimate {
 public:
  Estimate(const EngineSet& engines, const VariantTable& variants, const Sweep& sweep, const BenchOptions& options,
           const Control& control)
      : engines_(engines),
        variants_(variants),
        sweep_(sweep),
        options_(options),
        control_(control),
        data_(sweep.workload) {}

  // Seconds that the whole sweep would take at this shape.
  double seconds(const Shape& shape) {
    double sum = 0;
    const int runs = 2 + std::max(options_.repetitions, kMinimumRepetitions);  // the first and the last run are checked
    for (const SweepPoint& point : sweep_.points) {
      control_.check();
      const double operations = data_.workload(at(shape, point), point.values)->work().operations;
      for (const BenchRow& row : point.rows) {
        const double one = operations * secondsPerOperation(row);
        if (one > 0) sum += kRowSeconds + std::max(options_.seconds, runs * one);
      }
    }
    return sum;
  }

  [[nodiscard]] bool fits(const Shape& shape) const {
    const std::int64_t available = availableMemory();
    std::int64_t most = 0;
    for (const SweepPoint& point : sweep_.points)
      most = std::max(most, bytesOf(*data_.workload(at(shape, point), point.values)));
    return available <= 0 || most < available / 2;
  }

 private:
  // Points with a size of their own keep it.
  static const Shape& at(const Shape& shape, const SweepPoint& point) {
    return point.shape[0] > 0 ? point.shape : shape;
  }

  // Measured once for each variant on each engine; 0 where it cannot run.
  double secondsPerOperation(const BenchRow& row) {
    const auto key = std::pair(row.engine, row.variant);
    if (const auto known = rates_.find(key); known != rates_.end()) return known->second;
    double rate = 0;
    try {
      rate = measured(row);
    } catch (const Canceled&) {
      throw;
    } catch (const std::exception&) {
      // The sweep reports what is wrong with this row.
    }
    return rates_[key] = rate;
  }

  double measured(const BenchRow& row) {
    const OptionValues& values = middleOf(row);
    Engine& engine = engines_.at(row.engine);
    for (Shape shape = data_.kind().smallShape;;) {
      control_.check();
      const std::unique_ptr<Workload> workload = data_.workload(shape, values);
      const Control quiet{control_.stop, {}};
      const ConstArrayView input = data_.input(*workload, values, quiet);
      const std::unique_ptr<Plan> plan =
          variants_.prepare(engine, *workload, row.variant,
                            {options_.threads > 0 ? options_.threads : sweep_.threads, 0, row.values}, quiet);
      BufferRing ring({&input, 1}, workload->outputs(), 0, quiet);
      static_cast<void>(plan->run({ring.slot(0).inputs, 0}, ring.slot(0).outputs, quiet));
      const Stopwatch watch;
      static_cast<void>(plan->run({ring.slot(0).inputs, 0}, ring.slot(0).outputs, quiet));
      const double seconds = watch.seconds();
      Shape next = shape;
      for (std::size_t a = 0; a < 3; ++a) next[a] = std::min(2 * shape[a], data_.kind().shape[a]);
      if (seconds >= kEnoughSeconds || next == shape) return seconds / workload->work().operations;
      shape = next;
    }
  }

  // A point with medium work among those at which the row runs.
  [[nodiscard]] const OptionValues& middleOf(const BenchRow& row) const {
    std::vector<const SweepPoint*> points;
    for (const SweepPoint& point : sweep_.points)
      if (std::find(point.rows.begin(), point.rows.end(), row) != point.rows.end()) points.push_back(&point);
    return points[points.size() / 2]->values;
  }

  const EngineSet& engines_;
  const VariantTable& variants_;
  const Sweep& sweep_;
  const BenchOptions& options_;
  const Control& control_;
  SweepData data_;
  std::map<std::pair<std::string, std::string>, double> rates_;
};

}  // namespace

void chooseSize(const EngineSet& engines, const VariantTable& variants, Sweep& sweep, const BenchOptions& options,
                double budget, const Control& control) {
  const WorkloadKind& kind = *findWorkloadKind(sweep.workload);
  control.report(0, "choosing the size");
  Estimate estimate(engines, variants, sweep, options, control);
  const bool fits = estimate.fits(kind.shape);
  const double whole = estimate.seconds(kind.shape);
  Shape shape = kind.shape;
  while (voxels(shape) > voxels(kind.smallShape) && (!estimate.fits(shape) || estimate.seconds(shape) > budget))
    shape = halved(shape);
  sweep.shape = shape;
  sweep.sizeReason = "the paper's size";
  if (shape != kind.shape)
    sweep.sizeReason = "instead of the paper's " + extentsText(extentsOf(kind, kind.shape, sweep.commonValues())) +
                       ", " +
                       (fits ? "with which this sweep would take about " + durationText(whole) + " here"
                             : "which does not fit into the memory of this machine");
}

}  // namespace sscope
