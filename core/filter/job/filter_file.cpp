#include "core/filter/job/filter_file.h"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "core/base/atomic_file.h"
#include "core/base/error.h"
#include "core/base/resident_memory.h"
#include "core/filter/job/filter_provenance.h"
#include "core/filter/job/fitting_bank.h"
#include "core/filter/program/data_unit.h"
#include "core/filter/program/program_workload.h"
#include "core/job/run_provenance.h"
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

VolumeOutline resultOutline(const FilterBank& bank, const VolumeOutline& input, bool interleaved) {
  const VolumeShape& shape = input.shape;
  const ArraySpec spec{input.type, {shape.nx, shape.ny, shape.nz, shape.components}};
  const std::vector<ArraySpec> all = bankWorkload(bank, spec, input.geometry, false)->outputs();
  const ArraySpec& one = all.front();
  const int components = shape.components * (interleaved ? static_cast<int>(all.size()) : 1);
  return {{one.extent[0], one.extent[1], one.extent[2], components}, one.type, input.geometry};
}

StreamedResult filterFile(FilterFile job, const Control& control) {
  StreamedFilter& filter = job.filter;
  const Volume& input = filter.input.volume();
  const VolumeOutline outline = resultOutline(filter.job.bank, outlineOf(input), job.plan.interleaved);
  for (const auto& file : job.plan.files) filter.memory -= job.io.heldBySink(file, outline);
  filter.memory = std::max<std::int64_t>(1, filter.memory);
  FingerprintSum sum(input.shape(), input.type());
  filter.see = [&sum, others = filter.see](std::int64_t begin, std::span<const std::byte> planes) {
    sum.add(begin, planes);
    if (others) others(begin, planes);
  };
  const reach::SlabPlan slabs = planStream(filter, control);
  HeldNames together;
  job.how.names = &together;
  const std::vector<std::string> names = resultNames(filter.job.bank);
  std::vector<std::unique_ptr<VolumeSink>> sinks;
  for (std::size_t i = 0; i < job.plan.files.size(); ++i) {
    if (job.opens) job.opens(job.plan.files[i]);
    job.how.provenance = job.made.of(job.plan.interleaved ? names : std::vector{names.at(i)});
    sinks.push_back(job.io.openSink(job.plan.files[i], outline, job.how, control));
  }
  if (job.begins) job.begins(slabs);
  StreamedResult result = runStreamed(filter, slabs, sinks, control);
  learnRun(job.made, result.report, result.verification, sum.text());
  if (filter.verify)
    for (const auto& sink : sinks) sink->check(control);
  for (const auto& sink : sinks) sink->finish(control);
  together.commit();
  return result;
}

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
  if (const std::string reason = notWrittenBySlabs(wish.io, plan.files, false); !reason.empty())
    throw Error(ErrorKind::Unsupported, reason);
  job.interleave = plan.interleaved;
  reach::SparseVolume input({info.shape, info.type, info.geometry});
  const Engine& engine = job.engine.empty() ? wish.engines.preferred() : wish.engines.at(job.engine);
  GrowingProvenance made(filterProvenance(job.bank, engine.info().id, dataNamed(wish.path, info)));
  static_cast<void>(filterFile({.io = wish.io,
                                .filter = {.engines = wish.engines,
                                           .variants = wish.variants,
                                           .job = job,
                                           .source = *source,
                                           .input = input,
                                           .memory = residentMemory() + reach::kSlabOverhead + wish.memory,
                                           .see = {}},
                                .plan = plan,
                                .how = writeOptionsFor(plan, info.metadata, {}),
                                .made = made},
                               control));
  return plan.files;
}

}  // namespace sscope
