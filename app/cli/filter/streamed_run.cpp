#include "app/cli/filter/streamed_run.h"

#include <cstdio>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "core/base/error.h"
#include "core/base/memory.h"
#include "core/base/resident_memory.h"
#include "core/filter/job/memory_need.h"
#include "core/filter/job/streamed_files.h"
#include "core/filter/job/streamed_filter.h"
#include "core/measure/ceiling_store.h"
#include "core/volume/file_sets.h"
#include "core/volume/not_finite.h"

namespace sscope::cli {

namespace {

namespace fs = std::filesystem;

constexpr double kMiB = 1 << 20;

std::vector<fs::path> filesOf(const FilterTask& task) {
  std::vector<std::string> names;
  for (const FilterRecipe* recipe : task.job.bank.results()) names.push_back(recipe->name);
  return outputFiles(task.output, names);
}

// What a run holds that reads the data as a whole: results are written while they are computed, where their format
// allows and nobody verifies them first.
double heldBytes(const VolumeIo& io, const FilterTask& task, const VolumeInfo& info, double all) {
  const VolumeShape& s = info.shape;
  if (task.verify) return all;
  for (const fs::path& file : filesOf(task))
    if (!io.writesPieces(file)) return all;
  return static_cast<double>(ArraySpec{info.type, {s.nx, s.ny, s.nz, s.components}}.bytes());
}

// The first of the files that cannot be written by slabs; empty: none.
std::string unstreamable(const VolumeStreams& streams, const FilterTask& task) {
  if (task.compress) return "compressed files are not written by slabs; leave --compress out";
  return notWrittenBySlabs(streams, filesOf(task));
}

}  // namespace

StreamedInput::StreamedInput(std::unique_ptr<VolumeSource> source, std::int64_t memory, bool fits)
    : source_(std::move(source)),
      info_(source_->info()),
      sparse_({info_.shape, info_.type, info_.geometry}),
      memory_(memory),
      fits_(fits) {}

void StreamedInput::await(std::int64_t /*bytes*/, const Control& /*control*/) {
  throw std::logic_error("a volume that is never in memory as a whole");
}

FilterRan StreamedInput::filter(const FilterRun& run) {
  const Control control = run.program.control();
  auto& streams = dynamic_cast<VolumeStreams&>(*run.workshop.io);
  InputValues values;
  const bool small = run.outputType() == ElementType::f32 && info_.type == ElementType::f64;
  const auto see = [&](std::span<const std::byte> voxels) {
    values.nonFinite += countNonFinite(info_.type, voxels);
    if (small) addSmallValues(voxels, values.small);
  };
  const StreamedFilter filter{.engines = run.workshop.engines,
                              .variants = run.workshop.variants,
                              .job = run.job,
                              .source = *source_,
                              .input = sparse_,
                              .memory = memory_,
                              .see = see,
                              .verify = run.task.verify};
  const StreamPlan plan = planStream(filter, control);
  for (const auto& file : run.plan.files) run.program.interrupt.writes(file);
  const auto sinks = openSinks(streams, run.plan.files, run.outline(), run.options);
  Streaming streaming{.slabs = static_cast<std::int64_t>(plan.parts.size()), .planes = plan.thick, .memory = memory_};
  run.program.tell("streaming in " + std::to_string(streaming.slabs) +
                   (streaming.slabs == 1 ? " slab of " : " slabs of ") + std::to_string(plan.thick) +
                   (plan.thick == 1 ? " plane" : " planes"));
  StreamedResult result = runStreamed(filter, plan, sinks, control);
  for (const auto& sink : sinks) sink->finish(control);
  noteNonFinite(info_, values.nonFinite);
  streaming.seconds = result.seconds;
  streaming.readBytes = result.readBytes;
  streaming.writtenBytes = result.writtenBytes;
  streaming.peak = peakResidentMemory();
  return {.report = std::move(result.report),
          .names = std::move(result.names),
          .nonFinite = result.nonFinite,
          .lastSteps = std::move(result.lastSteps),
          .verification = std::move(result.verification),
          .input = values,
          .streaming = streaming};
}

std::unique_ptr<StreamedInput> streamedInput(Program& program, Workshop& workshop, const FilterTask& task) {
  const std::int64_t memory = allowedMemory(task.memory);
  if (task.source.path.empty() || task.output.empty()) return nullptr;
  auto large = largerThan(memory, *workshop.io, task.source.path, task.job.bank, program.control());
  if (!large) return nullptr;
  if (large->source) large->why = unstreamable(dynamic_cast<VolumeStreams&>(*workshop.io), task);
  const bool fits = task.memory <= 0 &&
                    heldBytes(*workshop.io, task, large->info, large->bytes) <= static_cast<double>(availableMemory());
  if (large->why.empty()) return std::make_unique<StreamedInput>(std::move(large->source), memory, fits);
  if (fits) return nullptr;
  throw tooLarge(task.source.path, *large, memory);
}

std::string streamingText(const Streaming& streaming) {
  char text[128];
  std::snprintf(text, sizeof text, ", %.0f MiB/s, at most %.0f MiB of memory",
                streaming.seconds > 0
                    ? static_cast<double>(streaming.readBytes + streaming.writtenBytes) / kMiB / streaming.seconds
                    : 0,
                static_cast<double>(streaming.peak) / kMiB);
  return "streamed in " + std::to_string(streaming.slabs) + (streaming.slabs == 1 ? " slab of " : " slabs of ") +
         std::to_string(streaming.planes) + (streaming.planes == 1 ? " plane" : " planes") + text;
}

nlohmann::json toJson(const Streaming& streaming) {
  return {{"slabs", streaming.slabs},          {"planes", streaming.planes},
          {"memory", streaming.memory},        {"peak_resident", streaming.peak},
          {"read_bytes", streaming.readBytes}, {"written_bytes", streaming.writtenBytes},
          {"seconds", streaming.seconds}};
}

}  // namespace sscope::cli
