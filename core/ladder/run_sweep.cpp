#include "core/base/error.h"
#include "core/ladder/ladder.h"
#include "core/ladder/sweep_data.h"

namespace sscope {

namespace {

// One row of a point that could not be run at all.
Measurement skippedRow(const Workload& workload, const BenchRow& row, const std::string& why) {
  Measurement m = describe(workload, row.engine, row.variant);
  for (const auto& [name, value] : row.values) m.params[name] = optionToJson(value);
  m.skipped = why;
  return m;
}

}  // namespace

SweepOutcome runSweep(const EngineSet& engines, const VariantTable& variants, const Sweep& sweep,
                      const BenchOptions& options, const Control& control,
                      const std::function<void(const Measurement&)>& finished) {
  SweepOutcome outcome;
  SweepData data(sweep.workload);
  BenchOptions how = options;
  const auto keep = [&](Measurement&& m) {
    if (finished) finished(m);
    outcome.results.push_back(std::move(m));
  };
  try {
    double done = 0;
    for (const SweepPoint& point : sweep.points) {
      control.check();
      const double share = 1.0 / static_cast<double>(sweep.points.size());
      const Control part{control.stop, [&](double fraction, std::string_view stage) {
                           control.report(done + share * fraction, point.text + ": " + std::string(stage));
                         }};
      part.report(0, "starting");
      const std::unique_ptr<Workload> workload = data.workload(sweep.shape, point.values);
      try {
        const ConstArrayView input = data.input(*workload, point.values, part);
        for (Measurement& m : runBench(engines, variants, *workload, {&input, 1}, point.rows, how, part))
          keep(std::move(m));
        how.remeasureCeilings = false;  // once is enough
      } catch (const Error& error) {
        if (error.kind() != ErrorKind::Memory) throw;
        for (const BenchRow& row : point.rows) keep(skippedRow(*workload, row, error.what()));
      }
      done += share;
    }
  } catch (const Canceled&) {
    outcome.canceled = true;
  }
  return outcome;
}

}  // namespace sscope
