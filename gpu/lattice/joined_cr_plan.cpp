#include "gpu/lattice/joined_plans.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "core/base/stopwatch.h"
#include "core/engine/plan.h"
#include "gpu/lattice/lattice_team.h"
#include "gpu/run/launch_sizes.h"

namespace sscope {

namespace {

constexpr std::size_t kFirst = 0;  // the member that adds sums up

constexpr auto number(CrArray array) { return static_cast<std::size_t>(array); }

// A launch of the program on every member or, for a launch of one group, on the first.
struct Step {
  std::string name;
  bool alone = false;
  std::vector<CrSums> adds;
  FieldHalo* halo = nullptr;
  std::vector<KernelStage> rows;  // of each member: its own slices
  std::vector<OwnRows> around;    // used instead of `rows` where they read the halo
};

class CrOnDevices final : public CrPlan {
 public:
  CrOnDevices(std::span<Engine* const> engines, const CrProgramFor& program, const CrWorkload& workload,
              std::span<const double> weights, const PrepareOptions& options, const Control& control);

  RunReport run(const Inputs& inputs, std::span<const ArrayView> outputs, const Control& control) override {
    CrRequest request;
    request.iterations = workload_.cr().iterations;
    return solve(inputs, outputs, request, control).report;
  }
  CrOutcome solve(const Inputs& inputs, std::span<const ArrayView> outputs, const CrRequest& request,
                  const Control& control) override;

  [[nodiscard]] std::int64_t scratchBytes() const override { return scratchBytes_; }
  [[nodiscard]] std::vector<PlanBuffer> buffers() const override;
  [[nodiscard]] std::string description() const override {
    return team_.text() + "; " + programs_.front().description +
           ", the inside while the halo is on its way, sums added by the first device";
  }

 private:
  struct Member {
    std::array<OwnBuffer, kCrArrays> arrays;  // fields on the extended lattice
    std::array<OwnBuffer, kCrArrays> sums;    // of the whole lattice: Squares and Products of the first member
  };
  // The state of a running solve.
  struct Solve {
    TeamRun& run;
    const CrRequest& request;
    CrOutcome& outcome;
    struct Launch {
      const KernelStage* stage = nullptr;
      const std::string* name = nullptr;
      int iteration = 0;
    };
    std::vector<std::vector<Launch>> queue;  // of each member: launches that are queued together
    struct Traced {
      const std::string* name = nullptr;
      int iteration = 0;
      TeamRun::Span span;
    };
    std::vector<Traced> traced;  // of the first member, since the last readScalars()
    TeamRun::Event origin;       // of the trace
    int queued = 0;              // iterations
    bool scalarsStale = false;   // of the others than the first member
    bool ended = false;
  };

  [[nodiscard]] LatticeTeam::Fields fields(CrArray array) const {
    LatticeTeam::Fields all;
    for (const Member& member : members_) all.push_back(&member.arrays[number(array)]);
    return all;
  }
  [[nodiscard]] const DeviceBuffer& buffer(std::size_t member, CrArray array) const {
    return *members_[member].arrays[number(array)];
  }
  void allocate(std::span<const DiracWorkload> parts, const PrepareOptions& options, const Control& control);
  void build(const Control& control);
  [[nodiscard]] KernelStage stageOf(std::size_t member, const CrLaunch& launch) const;
  [[nodiscard]] RunReport reportOf(const CrOutcome& outcome, const TeamRun& run) const;

  void begin(Solve& solve, const Control& control);
  void advance(Solve& solve, const std::vector<Step>& steps) const;
  void apply(Solve& solve, const Step& step) const;
  void gather(Solve& solve, const std::vector<CrSums>& sums) const;
  void spread(Solve& solve) const;
  void readScalars(Solve& solve);
  using LaunchIn = TeamRun::Span (TeamRun::*)(std::size_t, std::span<const KernelStage* const>);
  void launchQueued(Solve& solve, LaunchIn how = &TeamRun::launch) const;
  void launch(Solve& solve, std::size_t member, std::span<const Solve::Launch> launches, LaunchIn how) const;
  void keepTrace(Solve& solve) const;

  CrWorkload workload_;
  LatticeTeam team_;
  std::vector<CrProgram> programs_;  // of each member
  std::vector<Member> members_;
  std::optional<FieldHalo> halo_, wholeHalo_;  // of R; of Whole, where there is one
  std::vector<Step> before_, during_, after_;
  bool emptyCaches_;
  std::int64_t scratchBytes_ = 0;
  double compileSeconds_ = 0;
  std::vector<double> scalars_;
  double iterationSeconds_ = 0;  // 0: not known yet
};

CrOnDevices::CrOnDevices(std::span<Engine* const> engines, const CrProgramFor& program, const CrWorkload& workload,
                         std::span<const double> weights, const PrepareOptions& options, const Control& control)
    : workload_(workload),
      team_(engines, workload.field().lattice(), weights),
      members_(team_.size()),
      emptyCaches_(options.emptyCaches),
      scalars_(static_cast<std::size_t>(kCrScalars)) {
  team_.requireSupported();
  const bool follow = DiracWorkload(workload.sharedField(), workload.cr().wilson).thirdRowsFollow();
  std::vector<DiracWorkload> parts;
  for (std::size_t member = 0; member < members_.size(); ++member) {
    const auto links =
        std::make_shared<lattice::GaugeField>(linksAround(workload.field(), team_.part(member), control));
    parts.emplace_back(links, workload.cr().wilson, follow);
    programs_.push_back(program(CrWorkload(links, workload.cr()), parts.back(), workload.field().lattice().extent(3)));
  }
  const Precision stored = programs_.front().dirac.stored;
  halo_.emplace(team_, parts, fields(CrArray::R), FieldHalo::Numbers{stored, stored, lattice::HaloForm::Half});
  if (programs_.front().exact)
    wholeHalo_.emplace(team_, parts, fields(CrArray::Whole),
                       FieldHalo::Numbers{Precision::f64, Precision::f64, lattice::HaloForm::Half});
  allocate(parts, options, control);
  build(control);
}

void CrOnDevices::allocate(std::span<const DiracWorkload> parts, const PrepareOptions& options,
                           const Control& control) {
  constexpr std::int64_t kPair = 2 * sizeof(double);
  std::vector<std::array<std::int64_t, kCrArrays>> bytes(members_.size());
  std::vector<std::vector<std::byte>> links, wholeLinks;
  std::vector<std::int64_t> total, largest;
  std::int64_t sums = 0;
  for (std::size_t member = 0; member < members_.size(); ++member) {
    const CrProgram& program = programs_[member];
    const lattice::Lattice& extended = team_.part(member).extended;
    links.push_back(bytesOf(orderedLinks(parts[member], program.dirac.links), program.dirac.stored));
    wholeLinks.emplace_back();
    if (program.exact)
      wholeLinks.back() = bytesOf(orderedLinks(parts[member], program.exact->links), program.exact->stored);
    const std::int64_t field = extended.volume() * kSpinorComponents * static_cast<std::int64_t>(sizeof(double));
    auto& each = bytes[member];
    // R also receives the solution, in order of sites.
    for (const CrArray array : {CrArray::Source, CrArray::R, CrArray::P, CrArray::Ap, CrArray::Ar, CrArray::X})
      each[number(array)] = field + kSlackBytes;
    if (program.exact) each[number(CrArray::Whole)] = field + kSlackBytes;
    each[number(CrArray::Links)] = std::ssize(links.back());
    each[number(CrArray::WholeLinks)] = std::ssize(wholeLinks.back());
    each[number(CrArray::Scalars)] = kCrScalars * static_cast<std::int64_t>(sizeof(double));
    const std::int64_t perSlice = program.squarePairs / workload_.field().lattice().extent(3);
    each[number(CrArray::Squares)] = each[number(CrArray::Products)] = perSlice * extended.extent(3) * kPair;
    sums = program.squarePairs * kPair;
    std::int64_t all = halo_->bytes() + (wholeHalo_ ? wholeHalo_->bytes() : 0) + (member == kFirst ? 2 * sums : 0);
    for (const std::int64_t one : each) all += one;
    total.push_back(all);
    largest.push_back(*std::ranges::max_element(each));
  }
  team_.devices().requireMemory(total, largest, options.deviceMemoryLimit, programs_.front().variant + " needs",
                                "choose a smaller lattice");
  for (std::size_t member = 0; member < members_.size(); ++member) {
    Device& device = team_.devices().engine(member).device();
    if (device.properties().cpu) scratchBytes_ += total[member];
    for (std::size_t k = 0; k < kCrArrays; ++k)
      if (bytes[member][k] > 0) members_[member].arrays[k] = device.allocate(bytes[member][k]);
    if (member != kFirst) continue;
    for (const CrArray array : {CrArray::Squares, CrArray::Products})
      members_[member].sums[number(array)] = device.allocate(sums);
  }
  halo_->allocate();
  if (wholeHalo_) wholeHalo_->allocate();
  TeamRun run(team_.devices(), control);
  for (std::size_t member = 0; member < members_.size(); ++member) {
    run.write(member, buffer(member, CrArray::Links), 0, links[member]);
    if (!wholeLinks[member].empty()) run.write(member, buffer(member, CrArray::WholeLinks), 0, wholeLinks[member]);
  }
}

std::vector<PlanBuffer> CrOnDevices::buffers() const {
  std::vector<PlanBuffer> all;
  for (std::size_t member = 0; member < members_.size(); ++member) {
    for (std::size_t k = 0; k < kCrArrays; ++k) {
      const std::string name = nameOf(static_cast<CrArray>(k));
      team_.addBuffer(all, member, name, members_[member].arrays[k]);
      team_.addBuffer(all, member, name + " of all devices", members_[member].sums[k]);
    }
    halo_->addBuffers(all, member);
    if (wholeHalo_) wholeHalo_->addBuffers(all, member);
  }
  return all;
}

KernelStage CrOnDevices::stageOf(std::size_t member, const CrLaunch& launch) const {
  KernelStage stage{launch.source, launch.columns, launch.rows, launch.columns, launch.operations, {}};
  for (const CrArgument& argument : launch.arguments) {
    if (const auto* array = std::get_if<CrArray>(&argument)) {
      const auto& sums = members_[member].sums[number(*array)];
      stage.arguments.emplace_back(!launch.adds.empty() && sums ? &sums : &members_[member].arrays[number(*array)]);
    } else {
      stage.arguments.emplace_back(std::get<std::int32_t>(argument));
    }
  }
  return stage;
}

void CrOnDevices::build(const Control& control) {
  const Stopwatch watch;
  // p is r before the first iteration, and only r has a halo.
  for (CrProgram& program : programs_)
    for (CrLaunch& launch : program.before)
      if (launch.neighborsOf == CrArray::P) {
        launch.neighborsOf = CrArray::R;
        std::ranges::replace(launch.arguments, CrArgument(CrArray::P), CrArgument(CrArray::R));
      }
  const std::array<std::vector<Step>*, 3> lists{&before_, &during_, &after_};
  std::vector<std::vector<KernelStage*>> stages(members_.size());
  for (std::size_t which = 0; which < lists.size(); ++which) {
    for (std::size_t member = 0; member < members_.size(); ++member) {
      const CrProgram& program = programs_[member];
      const std::vector<CrLaunch> launches = which == 0   ? program.before
                                             : which == 1 ? program.during
                                                          : std::vector<CrLaunch>{*program.after};
      lists[which]->resize(launches.size());
      for (std::size_t i = 0; i < launches.size(); ++i) {
        Step& step = (*lists[which])[i];
        step.name = launches[i].name;
        step.alone = launches[i].rows == 1;
        step.adds = launches[i].adds;
        if (launches[i].neighborsOf) step.halo = *launches[i].neighborsOf == CrArray::Whole ? &*wholeHalo_ : &*halo_;
        if (step.alone && member != kFirst) continue;
        step.rows.push_back(stageOf(member, launches[i]));
      }
    }
    for (Step& step : *lists[which])
      for (std::size_t k = 0; k < step.rows.size(); ++k) stages[k].push_back(&step.rows[k]);
  }
  for (std::size_t member = 0; member < members_.size(); ++member) {
    halo_->addStages(member, stages[member]);
    if (wholeHalo_) wholeHalo_->addStages(member, stages[member]);
  }
  buildStages(team_.devices(), stages, control);
  for (std::vector<Step>* list : lists)
    for (Step& step : *list)
      for (std::size_t k = 0; !step.alone && k < step.rows.size(); ++k) {
        if (step.halo != nullptr) step.around.emplace_back(step.rows[k], team_.slices(k));
        step.rows[k] = onRows(step.rows[k], 1, team_.slices(k));
      }
  compileSeconds_ += watch.seconds();
}

CrOutcome CrOnDevices::solve(const Inputs& inputs, std::span<const ArrayView> outputs, const CrRequest& request,
                             const Control& control) {
  const Stopwatch watch;
  requireArrays(workload_, inputs, outputs);
  control.check();
  CrOutcome outcome;
  TeamRun run(team_.devices(), control);
  Solve solve{run, request, outcome, std::vector<std::vector<Solve::Launch>>(members_.size()), {}, {}, 0, false, false};
  const Stopwatch upload;
  team_.upload(inputs, fields(CrArray::Source), control);
  const double uploaded = upload.seconds();
  double emptying = 0;
  if (emptyCaches_) {
    const Stopwatch empty;
    team_.devices().atOnce(
        control, [&](std::size_t member, const Control& own) { team_.devices().engine(member).emptyCaches(own); });
    emptying = empty.seconds();
  }
  begin(solve, control);
  while (!solve.ended && outcome.iterations < request.iterations) {
    control.report(static_cast<double>(outcome.iterations) / request.iterations, "iterating");
    const bool awaited = request.tolerance > 0 || request.onIteration;
    int count = 1;
    if (iterationSeconds_ > 0)
      count = static_cast<int>(std::clamp(kCrBatchSeconds / iterationSeconds_, 1.0,
                                          static_cast<double>(awaited ? kCrWatchedBatch : kCrHistoryLength)));
    count = std::min(count, request.iterations - outcome.iterations);
    const Stopwatch batch;
    for (int i = 0; i < count; ++i) {
      ++solve.queued;
      advance(solve, during_);
    }
    readScalars(solve);
    if (request.trace == nullptr) iterationSeconds_ = std::max(iterationSeconds_ / 2, batch.seconds() / count);
  }
  // Iterations that were queued beyond the end had no effect.
  if (request.trace != nullptr)
    std::erase_if(request.trace->spans, [&](const auto& span) { return span.iteration > outcome.iterations; });
  outcome.report = reportOf(outcome, run);
  outcome.report.phases.upload = uploaded;
  outcome.report.emptying = emptying;
  const Stopwatch download;
  advance(solve, after_);
  launchQueued(solve);
  run.finish();
  team_.download(fields(CrArray::R), outputs[0], control);
  outcome.report.phases.download = download.seconds();
  outcome.report.phases.compile = std::exchange(compileSeconds_, 0.0);
  outcome.report.phases.total = watch.seconds();
  return outcome;
}

void CrOnDevices::begin(Solve& solve, const Control& control) {
  std::vector<double> scalars(static_cast<std::size_t>(kCrScalars));
  scalars[kCrOne] = 1;
  scalars[kCrTarget] = solve.request.tolerance * solve.request.tolerance;
  for (std::size_t member = 0; member < members_.size(); ++member)
    solve.run.write(member, buffer(member, CrArray::Scalars), 0, std::as_bytes(std::span(scalars)));
  control.check();
  advance(solve, before_);
  readScalars(solve);
}

void CrOnDevices::advance(Solve& solve, const std::vector<Step>& steps) const {
  const auto add = [&](std::size_t member, const Step& step) {
    solve.queue[member].push_back({&step.rows[member], &step.name, solve.queued});
  };
  for (const Step& step : steps) {
    if (step.alone) {
      if (!step.adds.empty()) gather(solve, step.adds);
      add(kFirst, step);
      solve.scalarsStale = true;
      continue;
    }
    if (solve.scalarsStale) spread(solve);
    if (step.halo != nullptr) {
      apply(solve, step);
    } else {
      for (std::size_t member = 0; member < members_.size(); ++member) add(member, step);
    }
  }
}

void CrOnDevices::apply(Solve& solve, const Step& step) const {
  launchQueued(solve);
  const auto launchRows = [&](const std::vector<KernelStage>& (OwnRows::*which)() const, LaunchIn how) {
    for (std::size_t member = 0; member < members_.size(); ++member)
      for (const KernelStage& stage : (step.around[member].*which)())
        solve.queue[member].push_back({&stage, &step.name, solve.queued});
    launchQueued(solve, how);
  };
  TeamRun::Marks packed = step.halo->pack(solve.run);
  launchRows(&OwnRows::inner, &TeamRun::launchBeside);
  const TeamRun::Pending sent = step.halo->send(solve.run, std::move(packed));
  step.halo->receive(solve.run, sent);
  launchRows(&OwnRows::outer, &TeamRun::launch);
  solve.run.join();
}

// Copies the sums of each member's own slices to their places among those of the whole lattice.
void CrOnDevices::gather(Solve& solve, const std::vector<CrSums>& sums) const {
  launchQueued(solve);
  std::vector<TeamCopy> copies;
  for (const CrSums& one : sums)
    for (std::size_t member = 0; member < members_.size(); ++member) {
      const std::int64_t slice = one.perSlice * 2 * static_cast<std::int64_t>(sizeof(double));
      copies.push_back({member, &buffer(member, one.groups), slice, kFirst,
                        members_[kFirst].sums[number(one.groups)].get(), team_.part(member).begin[3] * slice,
                        team_.slices(member) * slice});
    }
  solve.run.end(solve.run.begin(std::move(copies)));
}

// Copies the scalars of the first member to all others.
void CrOnDevices::spread(Solve& solve) const {
  launchQueued(solve);
  std::vector<TeamCopy> copies;
  const DeviceBuffer* scalars = &buffer(kFirst, CrArray::Scalars);
  for (std::size_t member = kFirst + 1; member < members_.size(); ++member)
    copies.push_back({kFirst, scalars, 0, member, &buffer(member, CrArray::Scalars), 0,
                      kCrScalars * static_cast<std::int64_t>(sizeof(double))});
  solve.run.end(solve.run.begin(std::move(copies)));
  solve.scalarsStale = false;
}

void CrOnDevices::launchQueued(Solve& solve, LaunchIn how) const {
  for (std::size_t member = 0; member < members_.size(); ++member) {
    launch(solve, member, solve.queue[member], how);
    solve.queue[member].clear();
  }
}

void CrOnDevices::launch(Solve& solve, std::size_t member, std::span<const Solve::Launch> launches,
                         LaunchIn how) const {
  if (launches.empty()) return;
  if (member == kFirst && solve.request.trace != nullptr) {
    for (const Solve::Launch& one : launches)
      solve.traced.push_back({one.name, one.iteration, (solve.run.*how)(member, {&one.stage, 1})});
    return;
  }
  std::vector<const KernelStage*> stages;
  for (const Solve::Launch& one : launches) stages.push_back(one.stage);
  (solve.run.*how)(member, stages);
}

void CrOnDevices::keepTrace(Solve& solve) const {
  for (const Solve::Traced& one : solve.traced) {
    if (!solve.origin) solve.origin = one.span.first;
    const auto startOf = [&](DeviceEvent& event) {
      return &event == solve.origin.get() ? 0 : event.startsAfter(*solve.origin);
    };
    solve.request.trace->spans.push_back(
        {*one.name, startOf(*one.span.first), startOf(*one.span.last) + one.span.last->seconds(), one.iteration});
  }
  solve.traced.clear();
}

// Waits, reads the scalars, and reports new residuals.
void CrOnDevices::readScalars(Solve& solve) {
  launchQueued(solve);
  solve.run.finish();
  keepTrace(solve);
  solve.run.read(kFirst, buffer(kFirst, CrArray::Scalars), 0, std::as_writable_bytes(std::span(scalars_)));
  const auto at = [&](std::int64_t place) { return scalars_[static_cast<std::size_t>(place)]; };
  CrOutcome& outcome = solve.outcome;
  const double bb = at(kCrBb);
  if (outcome.residuals.empty()) outcome.residuals.push_back(bb > 0 ? 1 : bb);
  const int done = static_cast<int>(at(kCrIterations));
  while (outcome.iterations < done) {
    const int iteration = ++outcome.iterations;
    outcome.residuals.push_back(std::sqrt(at(kCrHistory + iteration % kCrHistoryLength) / bb));
    if (solve.request.onIteration) solve.request.onIteration(iteration, outcome.residuals.back());
  }
  solve.ended = at(kCrEnded) != 0;
  outcome.end = static_cast<CrEnd>(static_cast<int>(at(kCrEnded)));
}

RunReport CrOnDevices::reportOf(const CrOutcome& outcome, const TeamRun& run) const {
  const CrProgram& program = programs_.front();
  std::vector<RunReport> reports(members_.size());
  std::vector<double> busy;
  for (std::size_t member = 0; member < members_.size(); ++member) {
    reports[member].engine = team_.devices().engine(member).info().id;
    reports[member].variant = program.variant;
    busy.push_back(run.busy(member));
  }
  RunReport all = team_.reportOf(reports, busy, workload_.work());
  if (program.dirac.stored == Precision::f32) all.bytes /= 2;
  all.executedOperations = static_cast<double>(workload_.field().lattice().volume()) *
                           (program.executedPerSite * outcome.iterations + program.dirac.executedPerSite);
  all.phases.kernel = run.seconds();
  all.launch["launches an iteration"] = static_cast<double>(during_.size());
  all.launch["halo bytes"] = static_cast<double>(run.copied());
  all.launch["relative residual"] = outcome.residuals.back();
  return all;
}

}  // namespace

std::unique_ptr<CrPlan> prepareCrOnDevices(std::span<Engine* const> engines, const CrProgramFor& program,
                                           const CrWorkload& workload, std::span<const double> weights,
                                           const PrepareOptions& options, const Control& control) {
  if (std::ssize(engines) > workload.field().lattice().extent(3)) return nullptr;
  return std::make_unique<CrOnDevices>(engines, program, workload, weights, options, control);
}

}  // namespace sscope
