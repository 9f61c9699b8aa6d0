#include "core/filter/program/program_slots.h"

#include <algorithm>
#include <numeric>

namespace sscope {

namespace {

// Per node the last stage that reads it; behind all stages for what the last step of an output began with.
std::vector<std::size_t> lastReaders(const FilterProgram& program, const ProgramSteps& steps) {
  std::vector<std::size_t> last(program.nodes.size());
  for (std::size_t s = 0; s < steps.stages.size(); ++s)
    for (const std::size_t input : steps.stages[s].inputs)
      if (input != kSource) last[input] = s;
  for (const ProgramOutput& output : program.outputs)
    if (const auto before = program.nodes[output.node].stepOf; before && *before != kSource)
      last[*before] = steps.stages.size();
  return last;
}

}  // namespace

std::int64_t ProgramSlots::total() const { return std::accumulate(bytes.begin(), bytes.end(), std::int64_t{0}); }

ProgramSlots slotsOf(const ProgramWorkload& workload, const ProgramSteps& steps) {
  const std::vector<std::size_t> last = lastReaders(workload.computed(), steps);
  ProgramSlots slots;
  slots.of.resize(last.size());
  std::vector<std::size_t> free;
  for (std::size_t s = 0; s < steps.stages.size(); ++s) {
    const ProgramStage& stage = steps.stages[s];
    if (!stage.copies)
      for (const std::size_t node : stage.made()) {
        if (steps.result[node]) continue;
        if (free.empty()) {
          free.push_back(slots.bytes.size());
          slots.bytes.push_back(0);
        }
        const std::size_t slot = free.back();  // the one that was read last may still be in the caches
        free.pop_back();
        slots.of[node] = slot;
        slots.bytes[slot] = std::max(slots.bytes[slot], arrayOf(workload, steps, node).spec.bytes());
      }
    for (std::size_t node = 0; node < last.size(); ++node)
      if (last[node] == s && slots.of[node]) free.push_back(*slots.of[node]);
  }
  return slots;
}

}  // namespace sscope
