#include "app/cli/filter/filter_task.h"

#include "app/cli/filter/filter_run.h"
#include "app/cli/filter/streamed_run.h"
#include "app/cli/targets.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/base/atomic_file.h"
#include "core/base/error.h"
#include "core/cpu/run/cpu_engine.h"
#include "core/filter/families/degenerate.h"
#include "core/filter/families/family.h"
#include "core/filter/families/recipe_text.h"
#include "core/filter/job/filter_provenance.h"
#include "core/filter/job/output_type.h"
#include "core/filter/job/slabbed_filter.h"
#include "core/filter/job/filter_file.h"
#include "core/filter/program/data_unit.h"
#include "core/filter/program/program_workload.h"
#include "core/job/output_files.h"
#include "core/job/run_provenance.h"
#include "core/measure/ceiling_store.h"
#include "core/measure/judged_parts.h"
#include "core/measure/table.h"
#include "core/session/data_paths.h"
#include "core/volume/fingerprint.h"
#include "core/volume/losses.h"
#include "core/volume/not_finite.h"

namespace sscope::cli {

namespace {

// Nothing that is written may replace anything that is read, or anything else that is written.
void requireOutputs(const FilterTask& task) {
  Targets targets{task.reports, {}};
  if (!task.output.empty())
    for (const auto& file : outputFiles(task.output, resultNames(task.job.bank)))
      targets.volumes.push_back(file.string());
  std::vector<std::string> inputs = task.inputs;
  inputs.push_back(task.source.path);
  requireSafeTargets(targets, inputs);
}

// Small results are written when all is done, and so are those that have to be right first.
bool writesWhileComputing(const FilterRun& run) {
  constexpr std::int64_t kSmall = std::int64_t{16} << 20;
  std::int64_t bytes = 0;
  for (const ArraySpec& output : run.outputs()) bytes += output.bytes();
  const auto& files = run.plan.files;
  return !run.task.verify && !run.task.look && bytes > kSmall && !files.empty() &&
         std::ranges::all_of(files, [&](const auto& file) { return run.workshop.io->writesPieces(file); });
}

FilterRan runWhileWriting(FilterRun& run) {
  const Control control = run.program.control();
  SlabbedFilter filter{run.workshop.engines, run.workshop.variants, run.job, run.input, {}};
  const VolumeOutline outline = run.outline();
  HeldNames names;
  for (std::size_t i = 0; i < run.plan.files.size(); ++i) {
    const auto& file = run.plan.files[i];
    run.program.interrupt.writes(file);
    filter.takers.emplace_back(
        [&run, &file, options = run.optionsOf(i, names), outline](const VoxelPieces& pieces, const Control& stop) {
          run.workshop.io->writePieces(file, outline, pieces, options, stop);
        });
  }
  filter.ran = [&](const RunReport& report) {
    learnRun(run.made, report, {}, fingerprintOf(run.volume(), {control.stop, {}}));
  };
  FilterSums sums = runInSlabs(filter, control);
  names.commit();
  return {std::move(sums), {}, {}};
}

// Computes everything, then writes the results one by one and frees each.
FilterRan runThenWrite(FilterRun& run) {
  const Control control = run.program.control();
  run.input.await(run.volume().bytes(), control);
  FilterResult result = runFilter(run.workshop.engines, run.workshop.variants, run.job, run.volume(), control);
  FilterRan ran{{result.report, result.names, 0, result.lastSteps, {}}, {}, {}};
  for (const Volume& output : result.outputs) ran.nonFinite += countNonFinite(output, control);
  if (run.task.verify) {
    control.report(0, "comparing with the reference");
    ran.verification = verifyFilter(run.job, run.volume(), result, {}, control);
    requireVerified(*ran.verification, result.report.engine);
  }
  if (run.task.look) run.task.look(result, run.volume());
  if (!run.plan.files.empty())
    learnRun(run.made, result.report, ran.verification, fingerprintOf(run.volume(), control));
  HeldNames names;
  for (std::size_t i = 0; i < run.plan.files.size(); ++i) {
    run.program.interrupt.writes(run.plan.files[i]);
    run.workshop.io->write(run.plan.files[i], result.outputs[i], run.optionsOf(i, names), control);
    result.outputs[i] = Volume();
  }
  names.commit();
  return ran;
}

void noteLosses(const FilterRun& run, const FilterRan& ran, std::vector<std::string>& notices) {
  ResultLosses losses{.from = run.volume().type(), .to = run.outputType(), .nonFinite = ran.nonFinite, .input = {}};
  losses.saturated = std::accumulate(ran.report.saturated.begin(), ran.report.saturated.end(), std::int64_t{0});
  losses.input = ran.input ? *ran.input : inputLosses(run.volume(), losses.to, run.program.control());
  losses.formulas = hasFormulas(run.job.bank);
  for (std::string& notice : lossNotices(losses)) notices.push_back(std::move(notice));
}

// What can go wrong with the files is found before anything is computed.
void planFiles(FilterRun& run, std::vector<std::string>& notices) {
  const VolumeIo& io = *run.workshop.io;
  if (run.task.output.empty()) return;
  if (auto notice = settleOutputType(io, run.task.output, run.volume().shape(), run.volume().type(), run.job.bank))
    notices.push_back(*std::move(notice));
  run.plan = planOutputs(io, run.task.output, resultNames(run.job.bank), run.volume().shape(), run.outputType());
  requireKept(io, run.plan, outlineOf(run.volume()), run.input.info().metadata, run.task.compress);
  run.options = writeOptionsFor(run.plan, run.input.info().metadata,
                                {.metadata = {}, .compress = run.task.compress, .zarr3 = run.task.zarr3});
  run.job.interleave = run.plan.interleaved;
  for (std::string& note : droppedNotes(io, run.plan, run.volume().geometry(), run.input.info().metadata))
    notices.push_back(std::move(note));
}

}  // namespace

WriteOptions FilterRun::optionsOf(std::size_t file, HeldNames& names) const {
  WriteOptions own = options;
  own.names = &names;
  const std::vector<std::string> results = resultNames(job.bank);
  own.provenance = made.of(plan.interleaved ? results : std::vector{results.at(file)});
  return own;
}

std::unique_ptr<Workload> FilterRun::workload() const {
  return bankWorkload(job.bank, volume().spec(), volume().geometry(), false);
}

std::vector<ArraySpec> FilterRun::outputs() const { return workload()->outputs(); }

VolumeOutline FilterRun::outline() const { return resultOutline(job.bank, outlineOf(volume()), plan.interleaved); }

Devices devicesFor(const std::string& engine) {
  EngineSet processor;
  addCpuEngines(processor);
  return engine.empty() || processor.find(engine) != nullptr ? Devices::Leave : Devices::Find;
}

namespace {

Provenance::Data dataOfTask(const FilterTask& task, const VolumeInfo& info) {
  Provenance::Data data = dataOf(task.source, info);
  if (task.piped) data.name.clear();
  return data;
}

// Null: the data are read as a whole.
FilterOutcome runOn(Program& program, Workshop& workshop, const FilterTask& task, StreamedInput* streamed) {
  const std::unique_ptr<ArrivingVolume> whole = streamed ? nullptr : open(*workshop.io, task.source, program.control());
  ArrivingVolume* const input = streamed ? streamed : whole.get();
  FilterRun run{program, workshop, task, *input, task.job, {}, {}, GrowingProvenance({})};
  const VolumeInfo& info = input->info();
  program.log("reading " + info.format + ", " + run.volume().shape().text() + " " +
              std::string(toString(run.volume().type())));
  std::vector<std::string> notices;
  if (info.metadata.labels) notices = labelNotices(run.job.bank);
  planFiles(run, notices);
  if (streamed) {
    run.job.bank.unit = streamed->unit(run.job.bank, program.control());
  } else if (usesDataUnit(run.job.bank, outlineOf(run.volume()))) {
    run.input.await(run.volume().bytes(), program.control());
    run.job.bank.unit = dataUnitOf(run.job.bank, run.volume(), program.control());
  }
  const std::unique_ptr<Workload> made = run.workload();
  const Workload& workload = *made;

  const Engine& asked = task.job.engine.empty() ? workshop.engines.preferred() : workshop.engines.at(task.job.engine);
  run.made = GrowingProvenance(filterProvenance(run.job.bank, asked.info().id, dataOfTask(task, info)));
  run.job.lastSteps = true;
  run.job.ceilings = storedCeilings(asked.info(), run.job.threads);
  FilterRan ran = streamed                    ? streamed->filter(run)
                  : writesWhileComputing(run) ? runWhileWriting(run)
                                              : runThenWrite(run);
  program.log("ran " + ran.report.variant + " on " + ran.report.engine + ", " + std::to_string(ran.report.tiles) +
              (ran.report.tiles == 1 ? " tile" : " tiles"));
  FilterOutcome outcome;
  outcome.notices = info.notices;  // those about values, too, now that all were read
  outcome.notices.insert(outcome.notices.end(), notices.begin(), notices.end());
  for (Degenerate& each : degenerateFilters(run.job.bank, run.volume()))
    outcome.notices.push_back(std::move(each.reason));
  noteLosses(run, ran, outcome.notices);
  outcome.output = run.job.bank.output;
  outcome.verification = ran.verification;
  const EngineInfo& engine = workshop.engines.at(ran.report.engine).info();
  outcome.measurement =
      measurementOf(workload, engine, task.job.variant, ran.report, outcome.verification.value_or(Verification{}));
  outcome.measurement.ceilings = run.job.ceilings;
  outcome.streaming = ran.streaming;
  outcome.report = std::move(ran.report);
  outcome.names = std::move(ran.names);
  outcome.lastSteps = std::move(ran.lastSteps);
  for (const auto& file : run.plan.files) {
    program.log("wrote " + file.string());
    outcome.files.push_back(file.string());
  }
  return outcome;
}

}  // namespace

FilterOutcome runTask(Program& program, Workshop& workshop, const FilterTask& task) {
  requireOutputs(task);
  const std::unique_ptr<StreamedInput> streamed = streamedInput(program, workshop, task);
  if (streamed == nullptr || !streamed->fits()) return runOn(program, workshop, task, streamed.get());
  try {
    return runOn(program, workshop, task, streamed.get());
  } catch (const Error& error) {
    // Slabs that cannot be are known before anything is computed.
    if (error.kind() != ErrorKind::Unsupported || streamed->begun()) throw;
  }
  return runOn(program, workshop, task, nullptr);
}

nlohmann::json toJson(const Verification& verification) {
  return {{"verified", verification.verified},  {"rel_l2", verification.relativeL2},
          {"max_ulp", verification.maximumUlp}, {"compared", verification.compared},
          {"unjudged", verification.unjudged},  {"coverage", verification.coverage}};
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
  for (std::size_t i = 0; i < outcome.lastSteps.size(); ++i)
    if (const auto change = outcome.lastSteps[i].relative()) object["last_steps"][outcome.names.at(i)] = *change;
  if (task.job.bank.boundary == Boundary::constant) object["constant"] = task.job.bank.constant;
  if (report.predictedSeconds > 0) object["predicted_s"] = report.predictedSeconds;
  if (outcome.streaming) object["streaming"] = toJson(*outcome.streaming);
  if (outcome.verification) object["verification"] = toJson(*outcome.verification);
  return object;
}

std::string summary(const FilterOutcome& outcome) {
  const RunReport& report = outcome.report;
  std::string text = "ran on " + report.engine + " (" + report.variant + "), " + std::to_string(report.threads) +
                     (report.threads == 1 ? " thread, " : " threads, ") + shortNumber(1e3 * report.phases.kernel) +
                     " ms kernel, " + shortNumber(1e3 * report.phases.total) + " ms total";
  if (outcome.streaming) text += ", " + streamingText(*outcome.streaming);
  if (outcome.verification) text += verificationText(*outcome.verification);
  for (std::size_t i = 0; i < outcome.lastSteps.size(); ++i)
    if (const auto change = outcome.lastSteps[i].relative())
      text += ", last step of " + outcome.names.at(i) + " changed it by " + shortNumber(*change);
  if (!report.why.empty()) text += " (" + report.why + ")";
  return text;
}

}  // namespace sscope::cli
