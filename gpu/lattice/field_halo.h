#pragma once
// The slices around the parts of a field in planes that several devices share: packed into half spinors where they are,
// copied from device to device, and unpacked.

#include <cstdint>
#include <vector>

#include "core/lattice/ranks/halo.h"
#include "core/lattice/workload/dirac_workload.h"
#include "gpu/lattice/lattice_team.h"

namespace sscope {

class FieldHalo {
 public:
  // What the numbers of the field are stored as and what hops compute in: where they differ, the form is Whole.
  struct Numbers {
    Precision stored = Precision::f64, computed = Precision::f64;
    lattice::HaloForm form = lattice::HaloForm::Half;
  };
  // `dirac`: of each member, on its extended lattice. `fields`: their buffers, which need not be allocated yet.
  FieldHalo(const LatticeTeam& team, std::span<const DiracWorkload> dirac, LatticeTeam::Fields fields,
            const Numbers& numbers);
  FieldHalo(const FieldHalo&) = delete;
  FieldHalo& operator=(const FieldHalo&) = delete;

  // Bytes of device memory of a member, in two buffers; the buffers; the kernels, for buildStages().
  [[nodiscard]] std::int64_t bytes() const { return 4 * faceBytes_; }
  void allocate();
  // See LatticeTeam::tell().
  void tell(std::vector<PlanBuffer>& all, std::size_t member) const;
  void addStages(std::size_t member, std::vector<KernelStage*>& list);

  // An exchange: pack(), what does not read the halo, send() with what pack() gave, receive() with what send() gave.
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
