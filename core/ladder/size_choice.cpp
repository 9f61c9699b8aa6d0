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

namespace sscope {

namespace {

using Shape = std::array<std::int64_t, 3>;

// Shorter runs say more about launches and threads than about the rate.
constexpr double kEnoughSeconds = 0.03;
// What a row costs besides its runs: compiling, the reference.
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
    const int runs = 2 + std::max(options_.repetitions, kMinimumRepetitions);  // a first and a last one are checked
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
      // The sweep itself says what is wrong with this row.
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

  // Neither the lightest nor the heaviest of the points at which the row runs.
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
                             : "which would not fit into the memory of this machine");
}

}  // namespace sscope
