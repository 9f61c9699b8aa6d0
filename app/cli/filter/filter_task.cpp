#include "app/cli/filter/filter_task.h"
#include "app/cli/overflow.h"
#include "app/cli/targets.h"

#include <nlohmann/json.hpp>
#include <numeric>

#include "core/base/error.h"
#include "core/cpu/cpu_engines.h"
#include "core/filter/degenerate.h"
#include "core/filter/workload/filter_workload.h"
#include "core/job/output_files.h"
#include "core/measure/ceiling_store.h"
#include "core/measure/text_table.h"

namespace sscope::cli {

namespace {

std::vector<std::string> namesOf(const FilterBank& bank) {
  std::vector<std::string> names;
  for (const FilterRecipe* recipe : bank.enabled()) names.push_back(recipe->name);
  return names;
}

Verification requireVerified(const FilterJob& job, const Volume& input, const FilterResult& result,
                             const Control& control) {
  control.report(0, "comparing with the reference");
  const Verification verification = verifyFilter(job, input, result, {}, control);
  if (!verification.verified)
    throw Error(ErrorKind::Device, "the result of " + result.report.engine + " is wrong: " + verification.failure,
                "choose another engine and report this to its vendor; nothing was written");
  return verification;
}

// Nothing that is written may replace anything that is read, or anything else that is written.
void requireOutputs(const FilterTask& task) {
  Targets targets{task.reports, {}};
  if (!task.output.empty())
    for (const auto& file : outputFiles(task.output, namesOf(task.job.bank))) targets.volumes.push_back(file.string());
  std::vector<std::string> inputs = task.inputs;
  inputs.push_back(task.source.path);
  requireSafeTargets(targets, inputs);
}

bool holds(const VolumeIo& io, const FilterTask& task, const Volume& input, ElementType type) {
  try {
    static_cast<void>(planOutputs(io, task.output, namesOf(task.job.bank), input.shape(), type));
    return true;
  } catch (const Error& error) {
    return false;
  }
}

// Pictures hold no f32: where nobody asked for a type, the input's will do.
void settleType(const VolumeIo& io, const FilterTask& task, const Volume& input, FilterJob& job,
                std::vector<std::string>& notices) {
  const OutputType same{std::nullopt};
  if (!task.typeIsOpen || holds(io, task, input, job.bank.output.resolve(input.type())) ||
      !holds(io, task, input, input.type()))
    return;
  job.bank.output = same;
  notices.push_back("the results are stored as " + std::string(toString(input.type())) +
                    ", rounded, because the file cannot hold f32");
}

// Writes the results one by one and frees each.
void writeOutputs(Program& program, VolumeIo& io, const OutputPlan& plan, std::vector<Volume> outputs,
                  const WriteOptions& options) {
  const Control control = program.control();
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    program.interrupt.writes(plan.files[i]);
    io.write(plan.files[i], outputs[i], options, control);
    outputs[i] = Volume();
  }
}

}  // namespace

Devices devicesFor(const std::string& engine) {
  EngineSet processor;
  addCpuEngines(processor);
  return engine.empty() || processor.find(engine) != nullptr ? Devices::Leave : Devices::Find;
}

FilterOutcome runTask(Program& program, Workshop& workshop, const FilterTask& task) {
  requireOutputs(task);
  const Control control = program.control();
  FilterJob job = task.job;
  LoadedVolume loaded = load(*workshop.io, task.source, control);
  const Volume& input = loaded.volume;
  program.log("read " + loaded.info.format + ", " + input.shape().text() + " " + std::string(toString(input.type())));
  std::vector<std::string> notices = loaded.info.notices;
  if (!task.output.empty()) settleType(*workshop.io, task, input, job, notices);
  const FilterWorkload workload = FilterWorkload::of(job.bank, input);
  OutputPlan plan;
  if (!task.output.empty())
    plan = planOutputs(*workshop.io, task.output, namesOf(job.bank), input.shape(), workload.outputType());
  requireKept(*workshop.io, plan, input.geometry(), task.compress);
  for (const auto& file : plan.files)
    if (std::string dropped = workshop.io->droppedGeometry(file, input.geometry()); !dropped.empty()) {
      notices.push_back(std::move(dropped));
      break;  // of all files alike
    }
  job.interleave = plan.interleaved;

  const Engine& asked = job.engine.empty() ? workshop.engines.preferred() : workshop.engines.at(job.engine);
  job.ceilings = storedCeilings(asked.info(), job.threads);
  FilterResult result = runFilter(workshop.engines, workshop.variants, job, input, control);
  program.log("ran " + result.report.variant + " on " + result.report.engine + ", " +
              std::to_string(result.report.tiles) + (result.report.tiles == 1 ? " tile" : " tiles"));
  FilterOutcome outcome;
  outcome.report = result.report;
  outcome.names = result.names;
  for (Degenerate& each : degenerateFilters(job.bank, input)) notices.push_back(std::move(each.reason));
  std::int64_t lost = 0;
  for (const Volume& output : result.outputs) lost += notFinite(output, control);
  const std::int64_t saturated =
      std::accumulate(result.report.saturated.begin(), result.report.saturated.end(), std::int64_t{0});
  const bool finite = (lost == 0 && saturated == 0) || notFinite(input, control) == 0;
  if (saturated > 0) notices.push_back(saturationNotice(saturated, workload.outputType(), !finite));
  if (lost > 0 && finite) notices.push_back(overflowNotice(lost, input.type(), workload.outputType()));
  if (workload.outputType() == ElementType::f32)
    if (const auto [nonzero, tooSmall] = tooSmallForF32(input, control); isUnderflow(tooSmall, nonzero))
      notices.push_back(std::to_string(tooSmall) + " of " + std::to_string(nonzero) +
                        " nonzero input values are too small for f32, the type of the results, and count as 0; "
                        "results of type f64 keep them");
  outcome.notices = std::move(notices);
  outcome.output = job.bank.output;
  if (task.verify) outcome.verification = requireVerified(job, input, result, control);
  const EngineInfo& engine = workshop.engines.at(result.report.engine).info();
  outcome.measurement =
      measurementOf(workload, engine, task.job.variant, result.report, outcome.verification.value_or(Verification{}));
  outcome.measurement.ceilings = job.ceilings;

  loaded.volume = Volume();  // the input is not needed while the outputs are written
  if (!task.output.empty()) {
    writeOutputs(program, *workshop.io, plan, std::move(result.outputs),
                 writeOptionsFor(plan, loaded.info.metadata, task.compress));
    for (const auto& file : plan.files) {
      program.log("wrote " + file.string());
      outcome.files.push_back(file.string());
    }
  }
  return outcome;
}

nlohmann::json toJson(const Verification& verification) {
  return {{"verified", verification.verified},
          {"rel_l2", verification.relativeL2},
          {"max_ulp", verification.maximumUlp},
          {"compared", verification.compared},
          {"coverage", verification.coverage}};
}

std::string verificationText(const Verification& verification) {
  return (verification.relativeL2 > 0 ? ", rel. error " + shortNumber(verification.relativeL2)
                                      : ", equal to the reference") +
         " (" + verification.coverage + ")";
}

nlohmann::json toJson(const FilterTask& task, const FilterOutcome& outcome) {
  const RunReport& report = outcome.report;
  nlohmann::json filters = nlohmann::json::array();
  for (const FilterRecipe* recipe : task.job.bank.enabled()) filters.push_back(toJson(*recipe));
  nlohmann::json object{{"schema", "stencilscope.filter/1"},
                        {"version", SSCOPE_VERSION},
                        {"input", task.source.path.empty() ? task.source.sample : task.source.path},
                        {"shape", outcome.measurement.shape},
                        {"engine", report.engine},
                        {"variant", report.variant},
                        {"why", report.why},
                        {"threads", report.threads},
                        {"tiles", report.tiles},
                        {"boundary", std::string(toString(task.job.bank.boundary))},
                        {"output", toString(outcome.output)},
                        {"filters", std::move(filters)},
                        {"outputs", outcome.files},
                        {"saturated", report.saturated},
                        {"phases", sscope::toJson(report.phases)},
                        {"flops", report.operations},
                        {"bytes", report.bytes},
                        {"notices", outcome.notices}};
  if (report.predictedSeconds > 0) object["predicted_s"] = report.predictedSeconds;
  if (outcome.verification) object["verification"] = toJson(*outcome.verification);
  return object;
}

std::string summary(const FilterOutcome& outcome) {
  const RunReport& report = outcome.report;
  std::string text = "ran on " + report.engine + " (" + report.variant + "), " + std::to_string(report.threads) +
                     (report.threads == 1 ? " thread, " : " threads, ") + shortNumber(1e3 * report.phases.kernel) +
                     " ms kernel, " + shortNumber(1e3 * report.phases.total) + " ms total";
  if (outcome.verification) text += verificationText(*outcome.verification);
  if (!report.why.empty()) text += " (" + report.why + ")";
  return text;
}

}  // namespace sscope::cli
