#include "app/cli/filter/streamed_run.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "core/base/error.h"
#include "core/base/memory.h"
#include "core/base/resident_memory.h"
#include "core/filter/job/filter_file.h"
#include "core/filter/program/data_unit.h"
#include "core/filter/program/program_workload.h"
#include "core/volume/not_finite.h"
#include "core/volume/streamable_input.h"

namespace sscope::cli {

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> filesOf(const FilterTask& task) {
  std::vector<std::string> names;
  for (const FilterRecipe* recipe : task.job.bank.results()) names.push_back(recipe->name);
  return outputFiles(task.output, names);
}

// What a filter keeps beside data and results, at most so many bytes for each voxel: tensors, their eigenvalues,
// spectra.
constexpr double kMostScratch = 64;

// An element of one byte may become one of eight in each result.
double mostGrown(const FilterTask& task) {
  constexpr double kWidest = 8;
  return 1 + kMostScratch + kWidest * static_cast<double>(task.job.bank.enabled().size());
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

// Data and results.
double wholeBytes(const FilterTask& task, const VolumeInfo& info) {
  const VolumeShape& s = info.shape;
  const ArraySpec spec{info.type, {s.nx, s.ny, s.nz, s.components}};
  auto bytes = static_cast<double>(spec.bytes());
  for (const ArraySpec& output : bankWorkload(task.job.bank, spec, info.geometry, false)->outputs())
    bytes += static_cast<double>(output.bytes());
  return bytes;
}

// What the processor's engines keep beside data and results of this job; of more than `enough` bytes it does not matter
// how many.
double scratchBytes(const Workshop& workshop, const FilterTask& task, const VolumeInfo& info, double enough,
                    const Control& control) {
  const Engine& engine = task.job.engine.empty() ? workshop.engines.preferred() : workshop.engines.at(task.job.engine);
  if (engine.info().isDevice() || kMostScratch * static_cast<double>(info.shape.elements()) <= enough) return 0;
  const reach::SparseVolume input({info.shape, info.type, info.geometry});
  try {
    return static_cast<double>(
        PreparedFilter(workshop.engines, workshop.variants, task.job, input.volume(), control).scratchBytes());
  } catch (const Error& error) {
    return error.kind() == ErrorKind::Memory ? std::numeric_limits<double>::infinity()
                                             : 0;  // the run says what is wrong
  }
}

// Volumes that lie in a file as they are used, and whose results would have to be held as a whole before they are
// written, take less time by slabs, though they would fit (docs/dev/performance-notes.md, "File to file").
bool isSoonerBySlabs(const Workshop& workshop, const FilterTask& task, const StreamableInput& input, double bytes) {
  constexpr double kLarge = 256 << 20;
  const Engine& engine = task.job.engine.empty() ? workshop.engines.preferred() : workshop.engines.at(task.job.engine);
  const bool held =
      !std::ranges::all_of(filesOf(task), [&](const fs::path& f) { return workshop.io->writesPieces(f); });
  return held && task.memory <= 0 && !task.verify && bytes >= kLarge && input.source && input.source->plain() &&
         input.info.shape.nz > 1 && !engine.info().isDevice();
}

}  // namespace

StreamedInput::StreamedInput(std::unique_ptr<VolumeSource> source, std::int64_t memory, bool fits, bool untilStored)
    : source_(std::move(source)),
      info_(source_->info()),
      sparse_({info_.shape, info_.type, info_.geometry}),
      memory_(memory),
      fits_(fits),
      untilStored_(untilStored) {}

void StreamedInput::await(std::int64_t /*bytes*/, const Control& /*control*/) {
  throw std::logic_error("a volume that is never in memory as a whole");
}

double StreamedInput::unit(const FilterBank& bank, const Control& control) {
  return dataUnitOf(bank, *source_, control);
}

FilterRan StreamedInput::filter(FilterRun& run) {
  InputLosses values;
  std::optional<Streaming> streaming;
  keepNoFreedMemory();
  WriteOptions how = run.options;
  how.untilStored = untilStored_;
  StreamedResult result = filterFile(
      {.io = *run.workshop.io,
       .filter = {.engines = run.workshop.engines,
                  .variants = run.workshop.variants,
                  .job = run.job,
                  .source = *source_,
                  .input = sparse_,
                  .memory = memory_,
                  .see = [&, to = run.outputType()](std::int64_t, std::span<const std::byte> voxels) {
                    addLosses(info_.type, to, voxels, values);
                  },
                  .verify = run.task.verify},
       .plan = run.plan,
       .how = how,
       .made = run.made,
       .opens = [&](const fs::path& file) { run.program.interrupt.writes(file); },
       .begins =
           [&](const reach::SlabPlan& plan) {
             streaming.emplace(plan, memory_);
             run.program.tell(announcement(*streaming));
             begun_ = true;
           }},
      run.program.control());
  noteNonFinite(info_, values.nonFinite);
  streaming->moved = result.streamed;
  streaming->peak = peakResidentMemory();
  return {std::move(result), values, streaming};
}

std::unique_ptr<StreamedInput> streamedInput(Program& program, Workshop& workshop, const FilterTask& task) {
  const std::int64_t memory = allowedMemory(task.memory);
  if (memory <= 0 || task.source.path.empty() || task.output.empty() || task.look) return nullptr;
  if (!mayExceed(*workshop.io, task.source.path, mostGrown(task), memory)) return nullptr;
  StreamableInput input = openStreamable(*workshop.io, task.source.path, program.control());
  double bytes = wholeBytes(task, input.info);
  // A bound that was given is one of the whole process.
  if (task.memory > 0) bytes += static_cast<double>(residentMemory() + reach::kSlabOverhead);
  bytes += scratchBytes(workshop, task, input.info, static_cast<double>(memory) - bytes, program.control());
  const bool small = bytes <= static_cast<double>(memory);
  if (small && !isSoonerBySlabs(workshop, task, input, bytes)) return nullptr;
  if (std::string unwritable = notWrittenBySlabs(*workshop.io, filesOf(task), task.compress);
      input.source && !unwritable.empty()) {
    if (small) return nullptr;
    input.source.reset();
    input.whyNot = std::move(unwritable);
  }
  const bool fits =
      task.memory <= 0 && heldBytes(*workshop.io, task, input.info, bytes) <= static_cast<double>(availableMemory());
  if (input.source) return std::make_unique<StreamedInput>(std::move(input.source), memory, fits, !small);
  if (fits) return nullptr;
  throw tooLarge(task.source.path, bytes, memory, input.whyNot);
}

}  // namespace sscope::cli
