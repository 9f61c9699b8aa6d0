#pragma once
// A lattice on several devices: each has a part of whole time slices, with one slice of its neighbors on each side,
// which the devices exchange.

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/engine/plan.h"
#include "core/lattice/fields.h"
#include "core/lattice/ranks/halo.h"
#include "core/lattice/ranks/lattice_part.h"
#include "core/lattice/workload/dirac_workload.h"
#include "gpu/run/device_team.h"

namespace sscope {

// A lattice on several devices: each has a part of whole time slices, with one slice of its neighbors on each side.
class LatticeTeam {
 public:
  // Slices in proportion to weights, or equal parts where there are none; at least as many slices as engines. Engines
  // are devices.
  LatticeTeam(std::span<Engine* const> engines, const lattice::Lattice& whole, std::span<const double> weights);

  [[nodiscard]] const DeviceTeam& devices() const { return devices_; }
  [[nodiscard]] std::size_t size() const { return parts_.size(); }
  [[nodiscard]] const lattice::LatticePart& part(std::size_t member) const { return parts_[member]; }
  [[nodiscard]] int slices(std::size_t member) const { return parts_[member].own.extent(3); }
  // Throws Error(Unsupported) where a member cannot compute its part.
  void requireSupported() const;
  // "cuda:0: 32x32x32x32; cuda:1: 32x32x32x32".
  [[nodiscard]] std::string text() const;

  // Adds a member's buffer to those of Plan::buffers(), if it is allocated.
  void addBuffer(std::vector<PlanBuffer>& all, std::size_t member, const std::string& what,
                 const OwnBuffer& buffer) const;

  // Each member's own slices of a spinor field, to or from a buffer with the field on its extended lattice, sites in
  // order. The input stays for later runs with the same Inputs::identity while the buffers do.
  using Fields = std::vector<const OwnBuffer*>;
  void upload(const Inputs& inputs, const Fields& fields, const Control& control);
  void download(const Fields& fields, const ArrayView& output, const Control& control) const;

  // The joint report, with the share of each member; `busy`: its kernels' seconds.
  [[nodiscard]] RunReport reportOf(std::span<const RunReport> reports, std::span<const double> busy,
                                   const Work& work) const;

 private:
  DeviceTeam devices_;
  std::vector<Engine*> engines_;
  std::vector<lattice::LatticePart> parts_;
  std::int64_t sliceBytes_;
  std::uint64_t resident_ = 0;  // the resident input
};

// Builds all stages, each member's on its engine.
void buildStages(const DeviceTeam& team, std::span<const std::vector<KernelStage*>> stages, const Control& control);
// The stage on rows [first, first + count) of its rows.
[[nodiscard]] KernelStage onRows(const KernelStage& stage, std::int64_t first, std::int64_t count);

// A kernel over the time slices of a part, which reads neighbor slices: inner slices need no halo, the first and the
// last one do.
class OwnRows {
 public:
  OwnRows() = default;
  // A built stage on the extended lattice, whose own slices are 1 to `slices`.
  OwnRows(const KernelStage& stage, std::int64_t slices) {
    if (slices > 2) inner_.push_back(onRows(stage, 2, slices - 2));
    outer_.push_back(onRows(stage, 1, 1));
    if (slices > 1) outer_.push_back(onRows(stage, slices, 1));
  }

  // Beside what the member queues next, up to TeamRun::join().
  void launchInner(TeamRun& run, std::size_t member) const { launch(run, member, inner_, &TeamRun::launchBeside); }
  void launchOuter(TeamRun& run, std::size_t member) const { launch(run, member, outer_, &TeamRun::launch); }
  [[nodiscard]] const std::vector<KernelStage>& inner() const { return inner_; }
  [[nodiscard]] const std::vector<KernelStage>& outer() const { return outer_; }

 private:
  using Launch = TeamRun::Span (TeamRun::*)(std::size_t, std::span<const KernelStage* const>);
  static void launch(TeamRun& run, std::size_t member, const std::vector<KernelStage>& stages, Launch how) {
    std::vector<const KernelStage*> all;
    for (const KernelStage& one : stages) all.push_back(&one);
    if (!all.empty()) (run.*how)(member, all);
  }

  std::vector<KernelStage> inner_, outer_;
};

// The halo slices of a field in planes that several devices share: packed into half spinors, copied from device to
// device, and unpacked.
class FieldHalo {
 public:
  // The precisions of the stored field and of hops: if they differ, the form is Whole.
  struct Numbers {
    Precision stored = Precision::f64, computed = Precision::f64;
    lattice::HaloForm form = lattice::HaloForm::Half;
  };
  // `dirac`: of each member, on its extended lattice. `fields`: their buffers, which need not be allocated yet.
  FieldHalo(const LatticeTeam& team, std::span<const DiracWorkload> dirac, LatticeTeam::Fields fields,
            const Numbers& numbers);
  FieldHalo(const FieldHalo&) = delete;
  FieldHalo& operator=(const FieldHalo&) = delete;

  // The bytes of a member's two buffers, the buffers, and the kernels for buildStages().
  [[nodiscard]] std::int64_t bytes() const { return 4 * faceBytes_; }
  void allocate();
  // See LatticeTeam::addBuffer().
  void addBuffers(std::vector<PlanBuffer>& all, std::size_t member) const;
  void addStages(std::size_t member, std::vector<KernelStage*>& list);

  // An exchange: pack(), work that does not read the halo, send() with the result of pack(), receive() with the result
  // of send().
  [[nodiscard]] TeamRun::Marks pack(TeamRun& run) const;
  [[nodiscard]] TeamRun::Pending send(TeamRun& run, TeamRun::Marks packed) const;
  void receive(TeamRun& run, const TeamRun::Pending& sent) const;

 private:
  struct Member {
    OwnBuffer sent, received;  // for or from the neighbor behind, then ahead
    KernelStage pack, unpack;
  };
  const LatticeTeam& team_;
  LatticeTeam::Fields fields_;
  std::int64_t faceBytes_;
  std::vector<Member> members_;
};

}  // namespace sscope
