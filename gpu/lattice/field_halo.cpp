#include "gpu/lattice/field_halo.h"

#include <utility>

#include "gpu/lattice/dirac_design.h"
#include "gpu/run/sizes.h"

namespace sscope {

namespace {

constexpr std::int64_t kGroup = 128;

std::int64_t bytesOfNumber(Precision precision) {
  return precision == Precision::f64 ? static_cast<std::int64_t>(sizeof(double))
                                     : static_cast<std::int64_t>(sizeof(float));
}

}  // namespace

FieldHalo::FieldHalo(const LatticeTeam& team, std::span<const DiracWorkload> dirac, LatticeTeam::Fields fields,
                     const Numbers& numbers)
    : team_(team), fields_(std::move(fields)), members_(team.size()) {
  const std::int64_t slice = team.part(0).whole.spatialVolume();
  const std::int64_t count = numbers.form == lattice::HaloForm::Half ? kSpinorComponents / 2 : kSpinorComponents;
  faceBytes_ = count * slice * bytesOfNumber(numbers.stored);
  for (std::size_t member = 0; member < team.size(); ++member) {
    Member& one = members_[member];
    KernelStage stage;
    stage.source.precision = numbers.computed;
    stage.source.group = {kGroup, 1};
    stage.source.define("NUMBERS", count);
    defineDirac(stage.source, dirac[member], false, numbers.stored);
    stage.columns = roundUp(slice, kGroup);
    stage.rows = 2;
    stage.elementsPerRow = slice;
    stage.operationsPerElement = static_cast<double>(count);
    one.pack = stage;
    one.pack.source.entry = "halo_pack";
    one.pack.arguments = {fields_[member], &one.sent};
    const lattice::LatticePart& part = team.part(member);
    const int sign = dirac[member].wilson().timeBoundary;
    one.unpack = std::move(stage);
    one.unpack.source.entry = "halo_unpack";
    one.unpack.arguments = {&one.received, fields_[member], std::int32_t{part.begin[3] == 0 ? sign : 1},
                            std::int32_t{part.end(3) == part.whole.extent(3) ? sign : 1}};
  }
}

void FieldHalo::allocate() {
  for (std::size_t member = 0; member < members_.size(); ++member)
    for (OwnBuffer* buffer : {&members_[member].sent, &members_[member].received})
      *buffer = team_.devices().engine(member).device().allocate(2 * faceBytes_);
}

void FieldHalo::tell(std::vector<PlanBuffer>& all, std::size_t member) const {
  team_.tell(all, member, "halo to send", members_[member].sent);
  team_.tell(all, member, "halo received", members_[member].received);
}

void FieldHalo::addStages(std::size_t member, std::vector<KernelStage*>& list) {
  list.push_back(&members_[member].pack);
  list.push_back(&members_[member].unpack);
}

TeamRun::Marks FieldHalo::pack(TeamRun& run) const {
  for (std::size_t member = 0; member < members_.size(); ++member) {
    const KernelStage* const one = &members_[member].pack;
    run.launch(member, {&one, 1});
  }
  return run.mark();
}

TeamRun::Pending FieldHalo::send(TeamRun& run, TeamRun::Marks packed) const {
  std::vector<TeamCopy> copies;
  for (std::size_t member = 0; member < members_.size(); ++member) {
    const std::size_t behind = (member + members_.size() - 1) % members_.size(), ahead = (member + 1) % members_.size();
    const DeviceBuffer* sent = members_[member].sent.get();
    copies.push_back({member, sent, 0, behind, members_[behind].received.get(), faceBytes_, faceBytes_});
    copies.push_back({member, sent, faceBytes_, ahead, members_[ahead].received.get(), 0, faceBytes_});
  }
  return run.begin(std::move(copies), std::move(packed));
}

void FieldHalo::receive(TeamRun& run, const TeamRun::Pending& sent) const {
  run.end(sent);
  for (std::size_t member = 0; member < members_.size(); ++member) {
    const KernelStage* const one = &members_[member].unpack;
    run.launch(member, {&one, 1});
  }
}

}  // namespace sscope
