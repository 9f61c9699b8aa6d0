#pragma once
// A lattice on several devices: each has a part of whole time slices, with one slice of its neighbors on each side.

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/engine/plan.h"
#include "core/lattice/fields.h"
#include "core/lattice/ranks/lattice_part.h"
#include "gpu/run/device_team.h"

namespace sscope {

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

  // Adds what a member holds to those of Plan::buffers(); nothing if it is not allocated.
  void tell(std::vector<PlanBuffer>& all, std::size_t member, const std::string& what, const OwnBuffer& buffer) const;

  // Each member's own slices of a spinor field, to or from a buffer with the field on its extended lattice, sites in
  // order. The input stays for later runs with the same Inputs::identity while the buffers do.
  using Fields = std::vector<const OwnBuffer*>;
  void upload(const Inputs& inputs, const Fields& fields, const Control& control);
  void download(const Fields& fields, const ArrayView& output, const Control& control) const;

  // Of all, with what each did: `busy` seconds of the kernels.
  [[nodiscard]] RunReport reportOf(std::span<const RunReport> reports, std::span<const double> busy,
                                   const Work& work) const;

 private:
  DeviceTeam devices_;
  std::vector<Engine*> engines_;
  std::vector<lattice::LatticePart> parts_;
  std::int64_t sliceBytes_;
  std::uint64_t resident_ = 0;  // the input that is there
};

// Builds all of them, of each member on its engine.
void buildStages(const DeviceTeam& team, std::span<const std::vector<KernelStage*>> stages, const Control& control);
// The stage on rows [first, first + count) of those it is made for.
[[nodiscard]] KernelStage onRows(const KernelStage& stage, std::int64_t first, std::int64_t count);

}  // namespace sscope
