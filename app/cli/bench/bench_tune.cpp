#include "app/cli/bench/bench_tune.h"

#include <algorithm>

#include "core/engine/tuning_store.h"
#include "core/measure/tune.h"

namespace sscope::cli {

std::string tuneRows(const Workshop& workshop, const Workload& workload, const ConstArrayView& input,
                     std::vector<BenchRow>& rows, int threads, const Control& control) {
  std::string text;
  TuneOptions options;
  options.threads = threads;
  const auto count = static_cast<double>(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (tunable(workshop.engines, workshop.variants, workload, rows[i]).variant == nullptr) continue;
    const Control part{control.stop, [&](double share, std::string_view stage) {
                         control.report((static_cast<double>(i) + share) / count, stage);
                       }};
    const TuneResult result = tune(workshop.engines, workshop.variants, workload, {&input, 1}, rows[i], options, part);
    text += toText(result) + "\n";
    if (result.skipped.empty()) rows[i].values = result.values;
  }
  return text.empty() ? "nothing to tune: no row has tiles to choose from\n" : text;
}

std::string tunedRows(const Workshop& workshop, const Workload& workload, const std::vector<BenchRow>& rows) {
  std::string text;
  for (const BenchRow& row : rows) {
    const auto [variant, engine] = tunable(workshop.engines, workshop.variants, workload, row);
    if (variant == nullptr || !row.values.empty()) continue;
    if (const auto tiles = rememberedTiles(*variant, *engine, workload); tiles && !tiles->values.empty())
      text +=
          variant->name + " on " + row.engine + ": " + toText(tiles->values) + ", as tuned on " + tiles->date + "\n";
  }
  return text;
}

}  // namespace sscope::cli
