#pragma once
// Where what lies between the stages of a program is kept: arrays that are never needed at the same time share memory.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/filter/program/program_stages.h"

namespace sscope {

struct ProgramSlots {
  std::vector<std::optional<std::size_t>> of;  // per node; none for results and for what nobody needs
  std::vector<std::int64_t> bytes;             // per slot, of its largest array

  [[nodiscard]] std::int64_t total() const;
};

// A node has its slot from the stage that makes it to the last one that reads it; what the last step of an output
// began with (step_norms.h) to the end.
[[nodiscard]] ProgramSlots slotsOf(const ProgramWorkload& workload, const ProgramSteps& steps);

}  // namespace sscope
