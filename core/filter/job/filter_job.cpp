#include "core/filter/job/filter_job.h"

#include <algorithm>

#include "core/base/ability.h"
#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/filter/folded_operator.h"
#include "core/filter/program/program_workload.h"

namespace sscope {

namespace {

struct NamedWorkload {
  std::unique_ptr<Workload> workload;
  std::vector<std::string> names;  // of its outputs
};

// The workload of a job without its region: what is verified is always the whole.
NamedWorkload workloadOf(const FilterJob& job, const Volume& input) {
  const FilterGrid grid = filterGrid(input.shape().dimensions(), input.geometry());
  FilterProgram program = makeProgram(job.bank, grid, job.intermediates);
  const bool plain = program.plain();
  if (!job.only.empty()) {
    std::vector<ProgramOutput> chosen;
    for (const std::size_t index : job.only) {
      if (index >= program.outputs.size())
        throw Error(ErrorKind::Usage, "the bank has no filter number " + std::to_string(index + 1));
      chosen.push_back(program.outputs[index]);
    }
    program.outputs = std::move(chosen);
  }
  NamedWorkload named;
  for (const ProgramOutput& output : program.outputs) named.names.push_back(output.name);
  const ElementType type = job.bank.outputType(input.type());
  if (plain) {
    std::vector<Operator> operators;
    const VolumeShape& shape = input.shape();
    for (const ProgramOutput& output : program.outputs)
      operators.push_back(
          foldedOperator(program.nodes[output.node].op, {shape.nx, shape.ny, shape.nz}, job.bank.boundary));
    named.workload = std::make_unique<FilterWorkload>(std::move(operators), job.bank.boundary, job.bank.constant,
                                                      input.spec(), type);
  } else {
    named.workload = std::make_unique<ProgramWorkload>(std::move(program), job.bank.boundary, job.bank.constant,
                                                       input.spec(), grid.spacing, type);
  }
  return named;
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

Verification verifyIn(const Workload& workload, const std::vector<std::string>& names, const Volume& input,
                      const FilterResult& result, const VerifyOptions& options, const Control& control) {
  const ConstArrayView in = input.view();
  const std::vector<ConstArrayView> outputs = viewsOf(result.outputs, names.size(), input.shape().components);
  VerifyOptions how = options;
  how.writtenOut = result.report.writtenOut;
  how.names = names;
  return verify(workload, {&in, 1}, outputs, how, control);
}

}  // namespace

Geometry geometryOf(const Volume& input, const std::optional<Box>& region) {
  Geometry geometry = input.geometry();
  if (region)
    geometry.origin = geometry.toPhysical({static_cast<double>(region->begin[0]), static_cast<double>(region->begin[1]),
                                           static_cast<double>(region->begin[2])});
  return geometry;
}

void PreparedFilter::takeWorkload() {
  if (input_->empty()) throw Error(ErrorKind::Usage, "there is no data to filter", "open a file or a sample");
  NamedWorkload whole = workloadOf(job_, *input_);
  workload_ = !job_.region   ? std::move(whole.workload)
              : job_.asWhole ? whole.workload->cutTo(*job_.region)
                             : whole.workload->restrictedTo(*job_.region);
  names_ = std::move(whole.names);
}

PreparedFilter::PreparedFilter(const EngineSet& engines, const VariantTable& variants, FilterJob job,
                               const Volume& input, const Control& control)
    : job_(std::move(job)), input_(&input) {
  takeWorkload();
  Engine& engine = job_.engine.empty() ? engines.preferred() : engines.at(job_.engine);
  const std::int64_t needed = outputBytes();
  requireMemory(needed);
  plan_ = variants.prepare(
      engine, *workload_, job_.variant,
      {.threads = job_.threads, .deviceMemoryLimit = 0, .ceilings = job_.ceilings, .impatient = job_.impatient},
      control);
  requireMemory(needed + plan_->scratchBytes());
  if (auto* teller = abilityOf<StepTeller>(*plan_)) teller->askLastSteps(job_.lastSteps);
}

std::vector<StepNorms> PreparedFilter::lastSteps() const {
  const auto* teller = abilityOf<StepTeller>(*plan_);
  return teller == nullptr ? std::vector<StepNorms>() : teller->lastSteps();
}

bool PreparedFilter::adopt(const FilterJob& job, const Volume& input, const Control& control) {
  if (job.engine != job_.engine || job.variant != job_.variant || job.threads != job_.threads ||
      job.interleave != job_.interleave || job.lastSteps != job_.lastSteps || job.asWhole != job_.asWhole)
    return false;
  const std::string before(workload_->name());
  job_ = job;
  input_ = &input;
  takeWorkload();
  return workload_->name() == before && plan_->adopt(*workload_, control);
}

std::int64_t PreparedFilter::outputBytes() const {
  std::int64_t bytes = 0;
  for (const ArraySpec& spec : workload_->outputs()) bytes += spec.bytes();
  return bytes;
}

FilterResult PreparedFilter::makeRoom() const {
  VolumePool none;
  return makeRoom(none);
}

FilterResult PreparedFilter::makeRoom(VolumePool& pool) const {
  FilterResult result;
  const std::vector<ArraySpec> specs = workload_->outputs();
  const int components = input_->shape().components;
  const int filters = static_cast<int>(specs.size());
  const int volumes = job_.interleave ? 1 : filters;
  result.names = names_;
  const ArraySpec& spec = specs.front();
  for (int i = 0; i < volumes; ++i)
    result.outputs.push_back(
        pool.make({spec.extent[0], spec.extent[1], spec.extent[2], components * (job_.interleave ? filters : 1)},
                  spec.type, geometryOf(*input_, job_.region), static_cast<std::size_t>(volumes)));
  return result;
}

void PreparedFilter::run(FilterResult& result, const Control& control) const {
  const Stopwatch watch;
  const std::vector<ArrayView> outputs = viewsOf(result.outputs, names_.size(), input_->shape().components);
  const ConstArrayView in = input_->view();
  result.report = plan_->run({.arrays = {&in, 1}, .identity = job_.inputIdentity}, outputs, control);
  result.report.phases.total = watch.seconds();
  result.lastSteps = lastSteps();
}

ResidentFilterResult PreparedFilter::runResident(VolumePool& pool, const Control& control) const {
  if (job_.interleave) throw Error(ErrorKind::Usage, "results that share a volume cannot stay where they are computed");
  const Stopwatch watch;
  const ConstArrayView in = input_->view();
  ResidentRun ran =
      plan_->runResident({.arrays = {&in, 1}, .identity = job_.inputIdentity}, workload_->outputs(), pool, control);
  ran.report.phases.total = watch.seconds();
  return {std::move(ran.outputs), names_, std::move(ran.report), geometryOf(*input_, job_.region), lastSteps()};
}

Volume sharedVolume(const std::shared_ptr<const Volume>& volume, const Geometry& geometry) {
  return {volume->shape(), volume->type(), geometry,
          std::shared_ptr<std::byte>(volume, const_cast<std::byte*>(volume->data()))};  // never written to again
}

FilterResult hostResult(const ResidentFilterResult& result, const Control& control) {
  FilterResult host;
  host.names = result.names;
  host.report = result.report;
  host.lastSteps = result.lastSteps;
  for (std::size_t i = 0; i < result.outputs.size(); ++i) {
    const auto all = static_cast<double>(result.outputs.size());
    const Control one = control.part(static_cast<double>(i) / all, static_cast<double>(i + 1) / all);
    host.outputs.push_back(sharedVolume(result.outputs[i]->host(one), result.geometry));
  }
  return host;
}

std::vector<Range> planesRead(const FilterJob& job, const Volume& input, std::size_t axis) {
  return workloadOf(job, input).workload->reachAlong(axis, job.region.value());
}

FilterResult runFilter(const EngineSet& engines, const VariantTable& variants, const FilterJob& job,
                       const Volume& input, const Control& control) {
  const Stopwatch watch;
  const PreparedFilter prepared(engines, variants, job, input, control);
  FilterResult result = prepared.makeRoom();
  prepared.run(result, control);
  result.report.phases.total = watch.seconds();
  return result;
}

Verification verifyFilter(const FilterJob& job, const Volume& input, const FilterResult& result,
                          const VerifyOptions& options, const Control& control) {
  const auto [workload, names] = workloadOf(job, input);
  return verifyIn(*workload, names, input, result, options, control);
}

Verification verifyPart(const FilterJob& job, const Volume& input, const FilterResult& result,
                        const VerifyOptions& options, const Control& control) {
  const auto [whole, names] = workloadOf(job, input);
  return verifyIn(*whole->cutTo(job.region.value()), names, input, result, options, control);
}

Verification verifyFilter(const FilterJob& job, const Volume& input, const ResidentFilterResult& result,
                          const VerifyOptions& options, const Control& control) {
  const ConstArrayView in = input.view();
  VerifyOptions how = options;
  how.writtenOut = result.report.writtenOut;
  how.names = result.names;
  return verify(*workloadOf(job, input).workload, {&in, 1}, result.outputs, how, control);
}

std::shared_ptr<const ResidentFilterResult> renamed(const std::shared_ptr<const ResidentFilterResult>& result,
                                                    std::vector<std::string> names) {
  auto other = std::make_shared<ResidentFilterResult>(*result);
  other->names = std::move(names);
  return other;
}

}  // namespace sscope
