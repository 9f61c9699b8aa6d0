#pragma once
// A program cut into computations that engines have: what is computed together, from what, and where it goes.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/filter/program/ended_filters.h"
#include "core/filter/program/program_workload.h"

namespace sscope {

// One workload: nodes that read the same, or a result that is only converted.
struct ProgramStage {
  std::vector<std::size_t> nodes;
  std::vector<std::size_t> inputs;    // nodes, or kSource
  std::optional<std::size_t> copies;  // a result that is node `nodes.front()`'s, which is elsewhere already
  // Formulas of filters `nodes` that are computed with them (EndedFilters), and those of `nodes` that others read.
  std::vector<std::size_t> endings{}, kept{};

  // The nodes of which it leaves arrays, in the order of its workload's outputs.
  [[nodiscard]] std::vector<std::size_t> made() const;
};

// What a run of a part of the outputs has to do. What is computed together, and in which types, is that of the whole
// that the workload was planned for: filters that are computed together may share arithmetic, so that the part has the
// bits of the whole.
struct ProgramSteps {
  Box region;  // of the outputs, in the volume's voxel coordinates
  ProgramBoxes boxes;
  std::vector<Box> planned;                        // per node: its box for the whole
  std::vector<ElementType> types;                  // per node: of what it leaves
  std::vector<std::optional<std::size_t>> result;  // per node: the output that it is written to, if it is
  std::vector<ProgramStage> stages;                // in an order in which all can be computed
};
[[nodiscard]] ProgramSteps stepsOf(const ProgramWorkload& workload, const Box& region);

// Whether an engine computes such filters and their formulas at once, and in less time than it takes for the workloads
// `apart`: the filters, and each of the formulas.
using EndTogether = std::function<bool(const EndedFilters& ended, const std::vector<std::unique_ptr<Workload>>& apart)>;
// The same steps, where formulas that read only the sums of one stage, or what that reads, at the voxel, become a part
// of it; `together` empty: none. What lies between has the same bits, whether it is written or not.
[[nodiscard]] ProgramSteps withEndings(const ProgramWorkload& workload, ProgramSteps steps,
                                       const EndTogether& together);

// The type and the box of what a node leaves, or of the data.
struct ProgramArray {
  ArraySpec spec;
  Box box;
};
[[nodiscard]] ProgramArray arrayOf(const ProgramWorkload& workload, const ProgramSteps& steps, std::size_t node);

// The workload of a stage whose inputs are such arrays.
[[nodiscard]] std::unique_ptr<Workload> stageWorkload(const ProgramWorkload& workload, const ProgramSteps& steps,
                                                      const ProgramStage& stage,
                                                      const std::vector<ProgramArray>& inputs);

// Where what lies between the stages of a program is kept: arrays that are never needed at the same time share memory.

struct ProgramSlots {
  std::vector<std::optional<std::size_t>> of;  // per node; none for results and for what nobody needs
  std::vector<std::int64_t> bytes;             // per slot, of its largest array

  [[nodiscard]] std::int64_t total() const;
};

// A node has its slot from the stage that makes it to the last one that reads it; what the last step of an output
// began with (step_norms.h) to the end.
[[nodiscard]] ProgramSlots slotsOf(const ProgramWorkload& workload, const ProgramSteps& steps);

}  // namespace sscope
