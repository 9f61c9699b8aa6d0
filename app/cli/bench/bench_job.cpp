#include "app/cli/bench/bench_job.h"

#include <nlohmann/json.hpp>

#include "app/cli/bench/bench_workshop.h"
#include "core/base/error.h"
#include "core/filter/job/slider_bench.h"
#include "core/filter/program/program_workload.h"
#include "core/measure/measurement.h"

namespace sscope::cli {

namespace {

// Why the row cannot run, as half a sentence; empty if it can.
std::string reasonAgainst(const Workshop& workshop, const BenchRow& row, const EngineInfo& info,
                          const Workload& workload) {
  if (!info.available()) return "absent: " + info.absentReason;
  if (row.variant.empty()) return {};  // the engine chooses
  const Variant& variant = workshop.variants.at(workload.name(), info.kind, row.variant);
  const std::string why = variant.unsupported ? variant.unsupported(info, workload) : std::string();
  return why.empty() ? why : "skipped: " + why;
}

// Those that can run; why others cannot is said in `text`. Other libraries have no part in a slider.
std::vector<SliderContender> contendersOf(const Workshop& workshop, const JobBenchOptions& options,
                                          const SliderCase& what, std::string& text) {
  const auto made = bankWorkload(what.bank, what.input->spec(), what.input->geometry(), true);
  const Workload& workload = *made;
  std::vector<SliderContender> contenders;
  std::string reason;
  for (const BenchRow& row : chosenRows(workshop, options.which, workload)) {
    const EngineInfo* info = workshop.engines.find(row.engine);
    if (info == nullptr || info->isPeer()) continue;
    const std::string against = reasonAgainst(workshop, row, *info, workload);
    if (against.empty()) {
      contenders.push_back({row.engine, row.variant});
    } else {
      reason = row.engine + (row.variant.empty() ? "" : "/" + row.variant) + " " + against;
      text += reason + "\n";
    }
  }
  if (contenders.empty())
    throw Error(reason.empty() ? ErrorKind::Usage : ErrorKind::Unsupported,
                "none of the engines chosen runs the filters of a slider" + (reason.empty() ? "" : " (" + reason + ")"),
                "choose some that `sscope devices` lists");
  return contenders;
}

nlohmann::json documentOf(const Workshop& workshop, const std::string& title, const std::vector<SliderRow>& rows) {
  const BenchReport machine{thisMachine(), workshop.engines.infos(), {}};
  nlohmann::json document{{"schema", "stencilscope.job/1"},
                          {"date", isoTime()},
                          {"machine", toJson(machine).at("machine")},
                          {"title", title},
                          {"results", nlohmann::json::array()}};
  for (const SliderRow& row : rows) document["results"].push_back(toJson(row));
  return document;
}

}  // namespace

int runJobBench(Program& program, const JobBenchOptions& options) {
  const Workshop workshop = makeBenchWorkshop();
  const Control control = program.control();
  SliderBench job = makeSliderBench(options.what, *workshop.io, control);
  job.what.steps = options.repetitions;
  job.what.slicesOnly = options.slicesOnly;
  std::string text = job.title + "\n";
  const std::vector<SliderContender> contenders = contendersOf(workshop, options, job.what, text);
  const std::vector<SliderRow> rows =
      runSliderBench(workshop.engines, workshop.variants, job.what, contenders, control);
  text += toTable(rows);
  runEach({[&] {
             if (options.json != "-") writeText(program, "-", text);
           },
           [&] {
             if (!options.json.empty()) writeJson(program, options.json, documentOf(workshop, job.title, rows));
           },
           [&] {
             for (const SliderRow& row : rows)
               if (!row.failed.empty())
                 throw Error(ErrorKind::Device, row.engine + " failed: " + row.failed, "its figures are left out");
           }});
  return 0;
}

}  // namespace sscope::cli
