#include "gpu/lattice/lattice_team.h"

#include "core/base/error.h"
#include "core/engine/joined_parts.h"
#include "core/lattice/ranks/joined_parts.h"
#include "core/lattice/workload/spinor_input.h"
#include "gpu/lattice/dirac_variants.h"

namespace sscope {

namespace {

std::vector<DeviceEngine*> devicesOf(std::span<Engine* const> engines) {
  std::vector<DeviceEngine*> devices;
  for (Engine* engine : engines) devices.push_back(&engineAs<DeviceEngine>(*engine));
  return devices;
}

}  // namespace

LatticeTeam::LatticeTeam(std::span<Engine* const> engines, const lattice::Lattice& whole,
                         std::span<const double> weights)
    : devices_(devicesOf(engines)),
      engines_(engines.begin(), engines.end()),
      parts_(lattice::partsFor(whole, engines.size(), weights)),
      sliceBytes_(kSpinorComponents * static_cast<std::int64_t>(sizeof(double)) * whole.spatialVolume()) {}

void LatticeTeam::requireSupported() const {
  for (std::size_t member = 0; member < size(); ++member)
    if (const std::string why = diracUnsupported(engines_[member]->info(), parts_[member].extended); !why.empty())
      throw Error(ErrorKind::Unsupported,
                  "a lattice of " + parts_[member].own.text() + " cannot be computed on " +
                      engines_[member]->info().id + ": " + why,
                  "choose other engines");
}

std::string LatticeTeam::text() const {
  std::string text;
  for (std::size_t member = 0; member < size(); ++member)
    text += (member > 0 ? "; " : "") + engines_[member]->info().id + ": " + parts_[member].own.text();
  return text;
}

void LatticeTeam::tell(std::vector<PlanBuffer>& all, std::size_t member, const std::string& what,
                       const OwnBuffer& buffer) const {
  if (!buffer) return;
  DeviceEngine& engine = devices_.engine(member);
  all.push_back({what, buffer->bytes(), !engine.device().properties().cpu, engine.info().id});
}

void LatticeTeam::upload(const Inputs& inputs, const Fields& fields, const Control& control) {
  if (inputs.identity != 0 && resident_ == inputs.identity) return;
  resident_ = 0;
  const WholeSpinor source(inputs.arrays[0]);
  const auto bytes = std::as_bytes(source.elements());
  devices_.atOnce(control, [&](std::size_t member, const Control& own) {
    const auto part = bytes.subspan(static_cast<std::size_t>(parts_[member].begin[3] * sliceBytes_),
                                    static_cast<std::size_t>(slices(member) * sliceBytes_));
    devices_.engine(member).transfer().write(**fields[member], sliceBytes_, part, own);
  });
  resident_ = inputs.identity;
}

void LatticeTeam::download(const Fields& fields, const ArrayView& output, const Control& control) const {
  const SpinorTarget target(output);
  const std::span<std::byte> bytes = std::as_writable_bytes(
      std::span(target.elements(), static_cast<std::size_t>(parts_.front().whole.volume() * lattice::kSpinorElements)));
  devices_.atOnce(control, [&](std::size_t member, const Control& own) {
    const auto part = bytes.subspan(static_cast<std::size_t>(parts_[member].begin[3] * sliceBytes_),
                                    static_cast<std::size_t>(slices(member) * sliceBytes_));
    devices_.engine(member).transfer().read(**fields[member], sliceBytes_, part, own);
  });
  target.finish();
}

RunReport LatticeTeam::reportOf(std::span<const RunReport> reports, std::span<const double> busy,
                                const Work& work) const {
  RunReport all = joinedReport(engines_, reports, work);
  const std::vector<std::string> names = namesOfParts(all.engine);
  for (std::size_t member = 0; member < size(); ++member) {
    const lattice::LatticePart& part = parts_[member];
    note({names[member], static_cast<double>(part.own.extent(2)) * part.own.extent(3),
          static_cast<double>(part.own.volume()) / static_cast<double>(part.whole.volume()), busy[member]},
         all.launch);
  }
  return all;
}

void buildStages(const DeviceTeam& team, std::span<const std::vector<KernelStage*>> stages, const Control& control) {
  for (std::size_t member = 0; member < team.size(); ++member)
    for (KernelStage* stage : stages[member]) stage->start(team.engine(member).programs());
  for (const std::vector<KernelStage*>& list : stages)
    for (KernelStage* stage : list) stage->finish(control);
}

KernelStage onRows(const KernelStage& stage, std::int64_t first, std::int64_t count) {
  KernelStage part = stage;
  part.firstRow = first;
  part.rows = count;
  return part;
}

}  // namespace sscope
