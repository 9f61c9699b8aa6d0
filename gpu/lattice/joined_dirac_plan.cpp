#include "gpu/lattice/joined_plans.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "core/base/stopwatch.h"
#include "core/engine/plan.h"
#include "gpu/lattice/lattice_team.h"
#include "gpu/run/launch_sizes.h"

namespace sscope {

namespace {

class DiracOnDevices final : public Plan {
 public:
  DiracOnDevices(std::span<Engine* const> engines, const DiracRung& rung, const DiracWorkload& workload,
                 std::span<const double> weights, const PrepareOptions& options, const Control& control)
      : workload_(workload),
        team_(engines, workload.field().lattice(), weights),
        members_(team_.size()),
        emptyCaches_(options.emptyCaches) {
    team_.requireSupported();
    std::vector<DiracWorkload> parts;
    for (std::size_t member = 0; member < members_.size(); ++member) {
      parts.emplace_back(
          std::make_shared<lattice::GaugeField>(linksAround(workload.field(), team_.part(member), control)),
          workload.wilson(), workload.thirdRowsFollow());
      members_[member].design = rung.design(parts.back(), options.values);
    }
    const DiracDesign& design = members_.front().design;
    const DiracStep& main = *std::ranges::find(design.steps, DiracPhase::Kernel, &DiracStep::phase);
    const bool rounded = design.stored != main.source.precision;
    halo_.emplace(team_, parts, fields(&Member::planes),
                  FieldHalo::Numbers{design.stored, main.source.precision,
                                     rounded ? lattice::HaloForm::Whole : lattice::HaloForm::Half});
    std::vector<std::vector<std::byte>> links;
    for (const DiracWorkload& part : parts) links.push_back(bytesOf(orderedLinks(part, design.links), design.stored));
    allocate(rung.name, links, options, control);
    build(control);
    report_.variant = rung.name;
    report_.operations = workload.work().operations;
    report_.bytes = workload.work().bytes / (design.stored == Precision::f32 ? 2 : 1);
    report_.executedOperations = design.executedPerSite * static_cast<double>(workload.field().lattice().volume());
  }

  RunReport run(const Inputs& inputs, std::span<const ArrayView> outputs, const Control& control) override {
    const Stopwatch watch;
    requireArrays(workload_, inputs, outputs);
    control.check();
    TeamRun run(team_.devices(), control);
    RunReport report = report_;
    const Stopwatch upload;
    team_.upload(inputs, fields(&Member::source), control);
    launchAll(run, &Member::in);
    run.finish();
    report.phases.upload = upload.seconds();
    if (emptyCaches_) report.emptying = emptied(control);
    run.restart();
    TeamRun::Marks packed = halo_->pack(run);
    for (std::size_t member = 0; member < members_.size(); ++member) members_[member].main.launchInner(run, member);
    const TeamRun::Pending sent = halo_->send(run, std::move(packed));
    halo_->receive(run, sent);
    for (std::size_t member = 0; member < members_.size(); ++member) members_[member].main.launchOuter(run, member);
    run.join();
    run.finish();
    report.phases.kernel = run.seconds();
    std::vector<double> busy;
    for (std::size_t member = 0; member < members_.size(); ++member) busy.push_back(run.busy(member));
    const Stopwatch download;
    launchAll(run, &Member::out);
    run.finish();
    team_.download(fields(&Member::result), outputs[0], control);
    report.phases.download = download.seconds();
    report.phases.compile = std::exchange(compileSeconds_, 0.0);
    report.phases.total = watch.seconds();
    return withShares(std::move(report), busy, run.copied());
  }

  [[nodiscard]] std::int64_t scratchBytes() const override { return scratchBytes_; }
  [[nodiscard]] std::vector<PlanBuffer> buffers() const override {
    std::vector<PlanBuffer> all;
    for (std::size_t member = 0; member < members_.size(); ++member) {
      const Member& one = members_[member];
      team_.addBuffer(all, member, "links", one.links);
      team_.addBuffer(all, member, "source", one.source);
      team_.addBuffer(all, member, "source in planes", one.planes);
      team_.addBuffer(all, member, "result in planes", one.image);
      team_.addBuffer(all, member, "result", one.result);
      halo_->addBuffers(all, member);
    }
    return all;
  }
  [[nodiscard]] std::string description() const override {
    return team_.text() + "; " + members_.front().design.description + ", the inside while the halo is on its way";
  }

 private:
  struct Member {
    DiracDesign design;
    OwnBuffer links, source, planes, image, result;  // all but the links on the extended lattice
    KernelStage in, out;                             // sites to planes, and back
    OwnRows main;
  };

  [[nodiscard]] LatticeTeam::Fields fields(OwnBuffer Member::*buffer) const {
    LatticeTeam::Fields all;
    for (const Member& member : members_) all.push_back(&(member.*buffer));
    return all;
  }

  void allocate(const std::string& variant, std::span<const std::vector<std::byte>> links,
                const PrepareOptions& options, const Control& control) {
    std::vector<std::int64_t> bytes, largest;
    const auto fieldBytes = [&](std::size_t member, Precision precision) {
      return team_.part(member).extended.volume() * kSpinorComponents *
                 static_cast<std::int64_t>(precision == Precision::f64 ? sizeof(double) : sizeof(float)) +
             kSlackBytes;
    };
    for (std::size_t member = 0; member < members_.size(); ++member) {
      const std::int64_t whole = fieldBytes(member, Precision::f64),
                         planes = fieldBytes(member, members_[member].design.stored), own = std::ssize(links[member]);
      bytes.push_back(2 * whole + 2 * planes + own + halo_->bytes());
      largest.push_back(std::max(whole, own));
    }
    team_.devices().requireMemory(bytes, largest, options.deviceMemoryLimit, variant + " needs",
                                  "choose a smaller lattice");
    for (std::size_t member = 0; member < members_.size(); ++member) {
      Member& one = members_[member];
      Device& device = team_.devices().engine(member).device();
      if (device.properties().cpu) scratchBytes_ += bytes[member];
      one.source = device.allocate(fieldBytes(member, Precision::f64));
      one.result = device.allocate(fieldBytes(member, Precision::f64));
      one.planes = device.allocate(fieldBytes(member, one.design.stored));
      one.image = device.allocate(fieldBytes(member, one.design.stored));
      one.links = device.allocate(std::ssize(links[member]));
    }
    halo_->allocate();
    TeamRun run(team_.devices(), control);
    for (std::size_t member = 0; member < members_.size(); ++member)
      run.write(member, *members_[member].links, 0, links[member]);
  }

  void build(const Control& control) {
    const Stopwatch watch;
    std::vector<KernelStage> mains(members_.size());
    std::vector<std::vector<KernelStage*>> stages(members_.size());
    for (std::size_t member = 0; member < members_.size(); ++member) {
      Member& one = members_[member];
      const auto stageOf = [&](const DiracStep& step, const OwnBuffer& from, const OwnBuffer& to) {
        const lattice::Lattice& extended = team_.part(member).extended;
        return KernelStage{step.source,
                           step.columns,
                           extended.extent(3),
                           extended.spatialVolume(),
                           step.operationsPerSite,
                           {&from, &from, &to, &one.links, kNoBuffer, step.direction}};
      };
      const std::vector<DiracStep>& steps = one.design.steps;  // to planes, the operator, back
      one.in = stageOf(steps[0], one.source, one.planes);
      mains[member] = stageOf(steps[1], one.planes, one.image);
      one.out = stageOf(steps[2], one.image, one.result);
      stages[member] = {&one.in, &mains[member], &one.out};
      halo_->addStages(member, stages[member]);
    }
    buildStages(team_.devices(), stages, control);
    for (std::size_t member = 0; member < members_.size(); ++member) {
      Member& one = members_[member];
      const int slices = team_.slices(member);
      one.in = onRows(one.in, 1, slices);
      one.out = onRows(one.out, 1, slices);
      one.main = OwnRows(mains[member], slices);
    }
    compileSeconds_ += watch.seconds();
  }

  void launchAll(TeamRun& run, KernelStage Member::*stage) const {
    for (std::size_t member = 0; member < members_.size(); ++member) {
      const KernelStage* const one = &(members_[member].*stage);
      run.launch(member, {&one, 1});
    }
  }

  [[nodiscard]] double emptied(const Control& control) const {
    const Stopwatch watch;
    team_.devices().atOnce(
        control, [&](std::size_t member, const Control& own) { team_.devices().engine(member).emptyCaches(own); });
    return watch.seconds();
  }

  [[nodiscard]] RunReport withShares(RunReport report, std::span<const double> busy, std::int64_t copied) const {
    std::vector<RunReport> each;
    for (std::size_t member = 0; member < members_.size(); ++member) {
      each.push_back(report);
      each.back().engine = team_.devices().engine(member).info().id;
    }
    RunReport all = team_.reportOf(each, busy, workload_.work());
    all.phases = report.phases;
    all.bytes = report.bytes;
    all.executedOperations = report.executedOperations;
    all.launch["halo bytes"] = static_cast<double>(copied);
    return all;
  }

  DiracWorkload workload_;
  LatticeTeam team_;
  std::vector<Member> members_;
  std::optional<FieldHalo> halo_;
  bool emptyCaches_;
  RunReport report_;
  std::int64_t scratchBytes_ = 0;
  double compileSeconds_ = 0;
};

}  // namespace

std::unique_ptr<Plan> prepareDiracOnDevices(std::span<Engine* const> engines, const DiracRung& rung,
                                            const DiracWorkload& workload, std::span<const double> weights,
                                            const PrepareOptions& options, const Control& control) {
  if (std::ssize(engines) > workload.field().lattice().extent(3)) return nullptr;
  return std::make_unique<DiracOnDevices>(engines, rung, workload, weights, options, control);
}

}  // namespace sscope
