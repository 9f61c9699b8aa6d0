#include "app/cli/bench/bench_sweep.h"

#include <algorithm>
#include <span>

#include "app/cli/bench/case_options.h"
#include "core/base/counted.h"
#include "core/base/error.h"
#include "core/ladder/ladder.h"
#include "core/ladder/ladder_kind.h"
#include "core/ladder/sweep_data.h"
#include "core/report/extents.h"

namespace sscope::cli {

namespace {

// The table of one point; the values of a variant's own options distinguish rows of the same variant.
std::string pointTable(const SweepPoint& point, std::span<const Measurement> results) {
  std::vector<Measurement> rows(results.begin(), results.end());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const auto& [name, value] : point.rows[i].values) rows[i].variant += " " + name + "=" + formatOption(value);
    if (!point.rows[i].values.empty()) rows[i].ran = rows[i].variant;
  }
  return (point.text.empty() ? "" : point.text + "\n") + toTable(rows) + "\n";
}

std::string sizeText(const Sweep& sweep, const WorkloadKind& kind) {
  return kind.name + ": " + extentsText(extentsOf(kind, sweep.shape, sweep.commonValues())) + ", " + sweep.sizeReason +
         "; " + counted(std::ssize(sweep.points), "point") + ", " +
         counted(static_cast<std::int64_t>(sweep.rowCount()), "row");
}

std::string searchText(const std::vector<TuneResult>& searches) {
  std::string text;
  for (const TuneResult& result : searches) text += toText(result) + "\n";
  return text.empty() ? "nothing to tune: a search has checked the tiles of every row that has a choice\n" : text;
}

}  // namespace

void addSweep(const Workshop& workshop, const SweepOptions& options, BenchReport& report, std::string& text,
              const Control& control, const std::function<void(const Measurement&)>& finished) {
  const WorkloadKind* kind = findWorkloadKind(options.workload);
  if (kind == nullptr)
    throw Error(ErrorKind::Usage, "the workload " + options.workload + " has no ladder to sweep", "leave --sweep out");
  const CatalogParameters given = catalogParameters(*kind, options.parameters, workshop.variants);
  SweepRequest request{options.workload, {}, given.values, {}, options.everyPoint, options.over};
  if (!options.shape.empty()) request.shape = shapeOf(kind->name, kind->dimensions, options.shape);
  const auto sample = SweepData(kind->name).workload(kind->smallShape, given.values);
  request.rows = withValues(chosenRows(workshop, options.which, *sample), workshop, kind->name, given.variantValues);
  Sweep sweep = makeSweep(workshop.engines, workshop.variants, request);
  BenchOptions how = options.how;
  how.threads = given.threads;
  if (options.shape.empty()) chooseSize(workshop.engines, workshop.variants, sweep, how, kSweepSeconds, control);
  if (options.tune) sweep.tuneFirst.emplace();
  SweepOutcome outcome = runSweep(workshop.engines, workshop.variants, sweep, how, control, finished);
  if (outcome.canceled && outcome.results.empty()) throw Canceled();
  if (outcome.canceled)
    report.stopped = stoppedAfter(std::ssize(outcome.results), "row", static_cast<std::int64_t>(sweep.rowCount())) +
                     " of " + kind->name;
  report.notes.push_back(sizeText(sweep, *kind) + ".");
  text += sizeText(sweep, *kind) + "\n" + (options.tune ? searchText(outcome.searches) : "") + "\n";
  std::size_t begin = 0;
  for (const SweepPoint& point : sweep.points) {
    if (begin + point.rows.size() > outcome.results.size()) break;  // it was stopped
    text += pointTable(point, std::span(outcome.results).subspan(begin, point.rows.size()));
    begin += point.rows.size();
  }
  if (const LadderKind* ladder = findLadderKind(kind->name); !options.over.empty() && ladder->overTable)
    text += ladder->overTable(outcome.results);
  std::move(outcome.results.begin(), outcome.results.end(), std::back_inserter(report.results));
}

}  // namespace sscope::cli
