#include "core/job/filter_job.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/filter/family.h"
#include "core/workload/filter_workload.h"

namespace sscope {

namespace {

Geometry geometryOf(const Volume& input, const std::optional<Box>& region) {
  Geometry geometry = input.geometry();
  if (region)
    geometry.origin = geometry.toPhysical({static_cast<double>(region->begin[0]), static_cast<double>(region->begin[1]),
                                           static_cast<double>(region->begin[2])});
  return geometry;
}

// The workload of a job without its region: what is verified is always the whole.
FilterWorkload workloadOf(const FilterJob& job, const Volume& input) {
  FilterWorkload all = FilterWorkload::of(job.bank, input);
  if (job.only.empty()) return all;
  std::vector<Filter> chosen;
  for (const std::size_t index : job.only) {
    if (index >= all.filters().size())
      throw Error(ErrorKind::Usage, "the bank has no filter number " + std::to_string(index + 1));
    chosen.push_back(all.filters()[index]);
  }
  return {std::move(chosen), all.boundary(), all.constant(), all.input(), all.outputType()};
}

// One view per filter, of a volume each or of its components in the one volume that holds all.
template <class VolumeRange>
auto viewsOf(VolumeRange& outputs, std::size_t filters, int components) {
  std::vector<decltype(outputs.front().view())> views;
  for (std::size_t f = 0; f < filters; ++f) {
    if (outputs.size() == filters) {
      views.push_back(outputs[f].view());
      continue;
    }
    auto view = outputs.front().view();
    view.data += f * static_cast<std::size_t>(components) * bytesOf(view.type);
    view.extent[3] = components;
    views.push_back(view);
  }
  return views;
}

}  // namespace

FilterResult runFilter(const EngineSet& engines, const VariantTable& variants, const FilterJob& job,
                       const Volume& input, const Control& control) {
  if (input.empty()) throw Error(ErrorKind::Usage, "there is no data to filter", "open a file or a sample");
  const Stopwatch watch;
  Engine& engine = job.engine.empty() ? engines.preferred() : engines.at(job.engine);
  FilterWorkload workload = workloadOf(job, input);
  if (job.region) workload = workload.restrictedTo(*job.region);

  const std::vector<ArraySpec> specs = workload.outputs();
  std::int64_t needed = 0;
  for (const ArraySpec& spec : specs) needed += spec.bytes();
  requireMemory(needed);
  const std::unique_ptr<Plan> plan =
      variants.prepare(engine, workload, job.variant, {.threads = job.threads, .deviceMemoryLimit = 0}, control);
  requireMemory(needed + plan->scratchBytes());

  FilterResult result;
  const int components = input.shape().components;
  const int filters = static_cast<int>(specs.size());
  for (const Filter& filter : workload.filters()) result.names.push_back(filter.name);
  const ArraySpec& spec = specs.front();
  for (int i = 0; i < (job.interleave ? 1 : filters); ++i)
    result.outputs.emplace_back(
        VolumeShape{spec.extent[0], spec.extent[1], spec.extent[2], components * (job.interleave ? filters : 1)},
        spec.type, geometryOf(input, job.region));
  const std::vector<ArrayView> outputs = viewsOf(result.outputs, specs.size(), components);
  const ConstArrayView in = input.view();
  result.report = plan->run({.arrays = {&in, 1}, .identity = job.inputIdentity}, outputs, control);
  result.report.phases.total = watch.seconds();
  return result;
}

Verification verifyFilter(const FilterJob& job, const Volume& input, const FilterResult& result,
                          const VerifyOptions& options, const Control& control) {
  const FilterWorkload workload = workloadOf(job, input);
  const ConstArrayView in = input.view();
  const std::vector<ConstArrayView> outputs =
      viewsOf(result.outputs, workload.filters().size(), input.shape().components);
  VerifyOptions how = options;
  how.writtenOut = result.report.writtenOut;
  return verify(workload, {&in, 1}, outputs, how, control);
}

}  // namespace sscope
