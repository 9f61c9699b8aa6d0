#include "core/filter/job/large_export.h"

#include "core/base/atomic_file.h"
#include "core/base/error.h"
#include "core/base/resident_memory.h"
#include "core/filter/data_unit.h"
#include "core/filter/job/fitting_bank.h"
#include "core/filter/job/streamed_files.h"
#include "core/filter/job/streamed_filter.h"
#include "core/job/output_files.h"
#include "core/reach/sparse_volume.h"

namespace sscope {

namespace {

std::unique_ptr<VolumeSource> openAgain(const LargeExport& wish, VolumeStreams& streams, const Control& control) {
  auto source = streams.openSource(wish.path, control);
  const VolumeInfo& now = source->info();
  if (!(now.shape == wish.opened.shape) || now.type != wish.opened.type || !(now.geometry == wish.opened.geometry))
    throw Error(ErrorKind::BadData, wish.path + " is another file than the one that was opened", "open it again");
  return source;
}

}  // namespace

std::vector<std::filesystem::path> exportLarge(const LargeExport& wish, const Control& control) {
  auto& streams = dynamic_cast<VolumeStreams&>(wish.io);
  const std::unique_ptr<VolumeSource> source = openAgain(wish, streams, control);
  const VolumeInfo& info = source->info();
  FilterJob job = wish.job;
  job.bank = fittingBank(job.bank, filterGrid(info.shape.dimensions(), info.geometry)).bank;
  job.bank.unit = dataUnitOf(job.bank, *source, control);
  std::vector<std::string> names;
  for (const FilterRecipe* recipe : job.bank.results()) names.push_back(recipe->name);
  if (names.empty()) throw Error(ErrorKind::Usage, "every filter is intermediate", "let one of them be a result");
  const OutputPlan plan =
      planOutputs(wish.io, wish.pattern, names, info.shape, job.bank.outputType(info.type), true);
  requireKept(wish.io, plan, {info.shape, info.type, info.geometry}, info.metadata, false);
  if (const std::string reason = notWrittenBySlabs(streams, plan.files); !reason.empty())
    throw Error(ErrorKind::Unsupported, reason);
  job.interleave = plan.interleaved;
  reach::SparseVolume input({info.shape, info.type, info.geometry});
  const StreamedFilter filter{.engines = wish.engines,
                              .variants = wish.variants,
                              .job = job,
                              .source = *source,
                              .input = input,
                              .memory = residentMemory() + kStreamOverhead + wish.memory,
                              .see = {}};
  const StreamPlan slabs = planStream(filter, control);
  HeldNames held;
  WriteOptions how = writeOptionsFor(plan, info.metadata, {});
  how.names = &held;
  const auto sinks =
      openSinks(streams, plan.files, resultOutline(job.bank, outlineOf(input.volume()), plan.interleaved), how);
  static_cast<void>(runStreamed(filter, slabs, sinks, control));
  for (const auto& sink : sinks) sink->finish({control.stop, {}});
  held.commit();
  return plan.files;
}

}  // namespace sscope
