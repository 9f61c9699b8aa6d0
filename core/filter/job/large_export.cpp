#include "core/filter/job/large_export.h"

#include <algorithm>

#include "core/base/atomic_file.h"
#include "core/base/error.h"
#include "core/base/memory.h"
#include "core/filter/job/filter_provenance.h"
#include "core/filter/job/fitting_bank.h"
#include "core/filter/job/streamed_files.h"
#include "core/filter/job/streamed_filter.h"
#include "core/filter/program/data_unit.h"
#include "core/job/output_files.h"
#include "core/parts/sparse_volume.h"
#include "core/volume/fingerprint.h"

namespace sscope {

namespace {

std::unique_ptr<VolumeSource> openAgain(const LargeExport& wish, const Control& control) {
  auto source = wish.io.openSource(wish.path, control);
  const VolumeInfo& now = source->info();
  if (!(now.shape == wish.opened.shape) || now.type != wish.opened.type || !(now.geometry == wish.opened.geometry))
    throw Error(ErrorKind::BadData, wish.path + " is another file than the one that was opened", "open it again");
  return source;
}

}  // namespace

std::vector<std::filesystem::path> exportLarge(const LargeExport& wish, const Control& control) {
  const std::unique_ptr<VolumeSource> source = openAgain(wish, control);
  const VolumeInfo& info = source->info();
  FilterJob job = wish.job;
  job.bank = fittingBank(job.bank, filterGrid(info.shape.dimensions(), info.geometry)).bank;
  job.bank.unit = dataUnitOf(job.bank, *source, control);
  const std::vector<std::string> names = resultNames(job.bank);
  if (names.empty()) throw Error(ErrorKind::Usage, "every filter is intermediate", "let one of them be a result");
  const OutputPlan plan = planOutputs(wish.io, wish.pattern, names, info.shape, job.bank.outputType(info.type), true);
  requireKept(wish.io, plan, {info.shape, info.type, info.geometry}, info.metadata, false);
  if (const std::string reason = notWrittenBySlabs(wish.io, plan.files); !reason.empty())
    throw Error(ErrorKind::Unsupported, reason);
  job.interleave = plan.interleaved;
  reach::SparseVolume input({info.shape, info.type, info.geometry});
  FingerprintSum sum(info.shape, info.type);
  const VolumeOutline outline = resultOutline(job.bank, outlineOf(input.volume()), plan.interleaved);
  std::int64_t held = 0;
  for (const auto& file : plan.files) held += wish.io.heldBySink(file, outline);
  const StreamedFilter filter{
      .engines = wish.engines,
      .variants = wish.variants,
      .job = job,
      .source = *source,
      .input = input,
      .memory = residentMemory() + kStreamOverhead + std::max<std::int64_t>(1, wish.memory - held),
      .see = [&](std::int64_t begin, std::span<const std::byte> planes) { sum.add(begin, planes); }};
  const StreamPlan slabs = planStream(filter, control);
  HeldNames together;
  WriteOptions how = writeOptionsFor(plan, info.metadata, {});
  how.names = &together;
  const Engine& engine = job.engine.empty() ? wish.engines.preferred() : wish.engines.at(job.engine);
  GrowingProvenance made(filterProvenance(job.bank, engine.info().id, dataNamed(wish.path, info)));
  std::vector<std::unique_ptr<VolumeSink>> sinks;
  for (std::size_t i = 0; i < plan.files.size(); ++i) {
    how.provenance = made.of(plan.interleaved ? names : std::vector{names.at(i)});
    sinks.push_back(wish.io.openSink(plan.files[i], outline, how));
  }
  const StreamedResult result = runStreamed(filter, slabs, sinks, control);
  made.learn([&](Provenance& record) {
    record.variant = result.report.variant;
    record.data->fingerprint = sum.text();
  });
  for (const auto& sink : sinks) sink->finish({control.stop, {}});
  together.commit();
  return plan.files;
}

}  // namespace sscope
