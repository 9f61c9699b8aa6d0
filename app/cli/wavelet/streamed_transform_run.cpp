#include "app/cli/wavelet/streamed_transform_run.h"

#include <utility>

#include "app/cli/checks.h"
#include "app/cli/streaming.h"
#include "core/base/error.h"
#include "core/base/memory.h"
#include "core/base/paths.h"
#include "core/base/resident_memory.h"
#include "core/job/output_files.h"
#include "core/job/run_provenance.h"
#include "core/volume/fingerprint.h"
#include "core/volume/not_finite.h"
#include "core/volume/streamable_input.h"
#include "core/wavelet/slabs/streamed_transform.h"

namespace sscope::cli {

namespace {

// The slabs, once it is known that there are some.
struct Planned {
  std::unique_ptr<SlabTransform> slabs;
  std::unique_ptr<reach::SparseVolume> planes;
  reach::SlabPlan plan;
  std::int64_t held = 0;  // bytes by what writes the result
};

StreamedTransform streamOf(const StreamableInput& input, const Planned& planned, const TransformOptions& options,
                           std::int64_t memory) {
  return {.transform = *planned.slabs,
          .source = *input.source,
          .input = *planned.planes,
          .memory = memory,
          .see = {},
          .verify = options.where.verify};
}

Planned planned(const StreamableInput& input, const SlabbedTransform& transform, const TransformOptions& options,
                const VolumeIo& io, const std::string& out, std::int64_t memory, const Control& control) {
  const VolumeInfo& info = input.info;
  Planned planned{transform.make(info), nullptr, {}, 0};
  memory -= planned.held = io.heldBySink(out, planned.slabs->outline());
  planned.planes = std::make_unique<reach::SparseVolume>(VolumeOutline{info.shape, info.type, info.geometry});
  planned.plan = planStream(streamOf(input, planned, options, memory), control);
  return planned;
}

void run(Program& program, Workshop& workshop, const TransformOptions& options, StreamableInput& input,
         const std::string& in, const std::string& out, const Planned& planned, std::int64_t memory,
         const TransformRecipe& recipe, const nlohmann::json& report) {
  const Control control = program.control();
  VolumeInfo& info = input.info;
  const VolumeOutline& outline = planned.slabs->outline();
  workshop.io->checkWritable(out, outline.shape, outline.type);
  workshop.io->checkGeometry(out, outline.geometry);
  for (const std::string& notice : info.notices) program.note("note: " + notice);
  if (const std::string dropped = workshop.io->dropped(out, outline.geometry, info.metadata); !dropped.empty())
    program.note("note: " + dropped);
  program.interrupt.writes(out);
  GrowingProvenance made(transformProvenance(workshop.engines, options, recipe, in, info));
  WriteOptions how{.metadata = info.metadata, .compress = options.batch.compress, .zarr3 = options.batch.zarr3};
  how.provenance = made.of();
  const auto sink = workshop.io->openSink(out, outline, how, control);
  Streaming streaming(planned.plan, memory);
  program.tell(announcement(streaming));
  std::int64_t nonFinite = 0;
  StreamedTransform stream = streamOf(input, planned, options, memory - planned.held);
  FingerprintSum sum(info.shape, info.type);
  stream.see = [&](std::int64_t begin, std::span<const std::byte> voxels) {
    nonFinite += countNonFinite(info.type, voxels);
    sum.add(begin, voxels);
  };
  StreamedTransformResult result = runStreamed(stream, planned.plan, *sink, control);
  learnRun(made, result.report, result.verification, sum.text());
  if (options.where.verify) sink->check(control);
  sink->finish(control);
  program.log("wrote " + out);
  const std::size_t told = info.notices.size();
  noteNonFinite(info, nonFinite);
  for (std::size_t i = told; i < info.notices.size(); ++i) program.note("note: " + info.notices[i]);
  streaming.moved = result.streamed;
  streaming.peak = peakResidentMemory();
  tellOutcome(program, options,
              {in, out, info.type, outline, std::move(result.report), std::move(result.verification), nonFinite,
               result.nonFinite, streaming},
              report);
}

}  // namespace

bool transformBySlabs(Program& program, Workshop& workshop, const TransformOptions& options, const std::string& in,
                      const std::string& out, const SlabbedTransform& transform, const nlohmann::json& report) {
  const std::int64_t memory = allowedMemory(options.memory);
  constexpr double kWidest = 8 * 8;  // bytes of eight copies of an element of f64
  if (memory <= 0 || !mayExceed(*workshop.io, in, kWidest, memory)) return false;
  checkTarget(out);
  StreamableInput input = openStreamable(*workshop.io, in, program.control());
  const double bytes = transform.bytesHeld(input.info);
  if (bytes <= static_cast<double>(memory)) return false;
  keepNoFreedMemory();
  std::string whyNot = input.source ? notWrittenBySlabs(*workshop.io, {out}, options.batch.compress) : input.whyNot;
  Planned slabs;
  if (whyNot.empty()) try {
      slabs = planned(input, transform, options, *workshop.io, out, memory, program.control());
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::Unsupported) throw;
      whyNot = error.what();
    }
  if (whyNot.empty()) {
    run(program, workshop, options, input, in, out, slabs, memory, transform.recipe, report);
    return true;
  }
  if (options.memory <= 0 && bytes <= static_cast<double>(availableMemory())) return false;
  throw tooLarge(in, bytes, memory, whyNot);
}

}  // namespace sscope::cli
