#pragma once
// A workload prepared for one engine: the expensive part is done, running it again is cheap.

#include <cstdint>
#include <span>
#include <string>

#include "core/base/control.h"
#include "core/engine/run_report.h"
#include "core/volume/array_view.h"

namespace sscope {

struct Inputs {
  std::span<const ConstArrayView> arrays;
  // Non-zero: the same bytes as in every earlier run with this identity, so that an engine may keep them
  // on its device. 0: read them anew.
  std::uint64_t identity = 0;
};

class Plan {
 public:
  virtual ~Plan() = default;

  // Fills every element of every output, or throws: Canceled within 100 ms of a stop request, Error(Device),
  // Error(Memory). After a throw the outputs' contents are undefined. One run of a plan at a time.
  virtual RunReport run(const Inputs& inputs, std::span<const ArrayView> outputs, const Control& control) = 0;

  // Host memory the plan holds or will take besides inputs and outputs, in bytes.
  [[nodiscard]] virtual std::int64_t scratchBytes() const = 0;
  // One line for the curious: tile shapes, method per filter.
  [[nodiscard]] virtual std::string description() const = 0;
};

}  // namespace sscope
