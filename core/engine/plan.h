#pragma once
// A workload prepared for one engine: everything expensive is done once, and runs are cheap.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <typeinfo>
#include <vector>

#include "core/base/control.h"
#include "core/engine/resident_array.h"
#include "core/engine/run_report.h"
#include "core/volume/array_view.h"

namespace sscope {

struct Inputs {
  std::span<const ConstArrayView> arrays;
  // Nonzero: the bytes are the same as in every earlier run with this identity, so a device may keep its copy.
  // 0: read them again.
  std::uint64_t identity = 0;
  // As many as arrays, or none: an input that lives where it was computed, whose view has no data; null for the others.
  // Only for plans that take them (Plan::readsResident).
  std::span<const std::shared_ptr<ResidentArray>> resident{};
};

class VolumePool;
class Workload;

// Memory that a plan holds or will allocate, besides inputs and outputs in the host's memory.
struct PlanBuffer {
  std::string what;  // "between passes"
  std::int64_t bytes = 0;
  bool onDevice = false;
  std::string engine{};  // of several that compute together; empty: the plan's own
};

class Plan {
 public:
  virtual ~Plan() = default;

  // Fills every element of every output. Throws Canceled within 100 ms of a stop request, Error(Device), Error(Memory);
  // the contents of the outputs are then undefined. Not for concurrent runs of the same plan.
  virtual RunReport run(const Inputs& inputs, std::span<const ArrayView> outputs, const Control& control) = 0;

  // The same, but the outputs stay where they are computed. `specs`: the workload's outputs; `memory` is for those that
  // live in the host's memory, which is always so where a device computes in pieces that it cannot hold together.
  [[nodiscard]] virtual ResidentRun runResident(const Inputs& inputs, std::span<const ArraySpec> specs,
                                                VolumePool& memory, const Control& control);

  // Whether inputs may be arrays that live on the plan's engine (Inputs::resident); what is not there any more comes
  // from the host.
  [[nodiscard]] virtual bool readsResident() const { return false; }

  // Whether run() computes in parts to copy other parts beside its kernels. Those of runResident() then compute the
  // whole at once, and give the same to the last bit.
  [[nodiscard]] virtual bool overlapsCopies() const { return false; }

  // Turns this plan into one for a workload that differs only in numbers, such as the weights of filters of the same
  // sizes. Its results are then identical to those of a new plan, to the last bit. False: it cannot, and this plan must
  // not be run again.
  [[nodiscard]] virtual bool adopt(const Workload& /*workload*/, const Control& /*control*/) { return false; }

  // Parts of the workload (Workload::cutTo) have the bits of the whole if they begin at a multiple of so many planes of
  // the whole along the slowest axis of the first input, and end at one or at the end of the whole. 1: any parts. 0:
  // not even those.
  [[nodiscard]] virtual std::int64_t grain() const { return 1; }

  // Bytes of host memory that the plan holds or will allocate, besides inputs and outputs.
  [[nodiscard]] virtual std::int64_t scratchBytes() const = 0;
  // All of it one by one, on devices as well; what runs of other plans may use, too, is among it.
  [[nodiscard]] virtual std::vector<PlanBuffer> buffers() const;
  // Details in one line for people: tile shapes, the method of each filter.
  [[nodiscard]] virtual std::string description() const = 0;

  // What else the plan can do, for abilityOf() (core/base/ability.h): the interface of this type; null if it has none.
  [[nodiscard]] virtual void* findAbility(const std::type_info& /*ability*/) { return nullptr; }
};

}  // namespace sscope
