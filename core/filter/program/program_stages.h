#pragma once
// A program divided into stages that engines can compute, with their inputs and outputs, and the memory of intermediate
// arrays.

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
  std::optional<std::size_t> copies;  // a result equal to that of node `nodes.front()`, which exists elsewhere
  // Formulas that are computed with the filters `nodes` (EndedFilters), and those of `nodes` that other nodes read.
  std::vector<std::size_t> endings{}, kept{};

  // The nodes whose arrays it writes, in the order of its workload's outputs.
  [[nodiscard]] std::vector<std::size_t> made() const;
};

// The stages of a run for a part of the outputs. Groups and types are those of the whole for which the workload was
// planned: filters that are computed together may share arithmetic, so that the part has the bits of the whole.
struct ProgramSteps {
  Box region;  // of the outputs, in the volume's voxel coordinates
  ProgramBoxes boxes;
  std::vector<Box> planned;                        // per node: its box for the whole
  std::vector<ElementType> types;                  // per node: of its array
  std::vector<std::optional<std::size_t>> result;  // per node: the output that it is written to, if it is
  std::vector<ProgramStage> stages;                // in an order in which all can be computed
};
[[nodiscard]] ProgramSteps stepsOf(const ProgramWorkload& workload, const Box& region);

// Whether an engine computes these filters and their formulas at once, and faster than the separate workloads `apart`:
// the filters, and each of the formulas.
using EndTogether = std::function<bool(const EndedFilters& ended, const std::vector<std::unique_ptr<Workload>>& apart)>;
// The same steps, with formulas that read only the sums of one stage, or its input, at the voxel moved into that stage;
// `together` empty: none. Intermediate values have the same bits, whether they are written or not.
[[nodiscard]] ProgramSteps withEndings(const ProgramWorkload& workload, ProgramSteps steps,
                                       const EndTogether& together);

// The type and the box of a node's array, or of the data.
struct ProgramArray {
  ArraySpec spec;
  Box box;
};
[[nodiscard]] ProgramArray arrayOf(const ProgramWorkload& workload, const ProgramSteps& steps, std::size_t node);

// The workload of a stage whose inputs are such arrays.
[[nodiscard]] std::unique_ptr<Workload> stageWorkload(const ProgramWorkload& workload, const ProgramSteps& steps,
                                                      const ProgramStage& stage,
                                                      const std::vector<ProgramArray>& inputs);

// The memory of intermediate arrays: arrays that are never needed at the same time share a slot.

struct ProgramSlots {
  std::vector<std::optional<std::size_t>> of;  // per node; none for results and unused nodes
  std::vector<std::int64_t> bytes;             // per slot, of its largest array

  [[nodiscard]] std::int64_t total() const;
};

// A node has its slot from the stage that makes it to the last one that reads it; the input of an output's last step
// (step_norms.h) keeps it to the end.
[[nodiscard]] ProgramSlots slotsOf(const ProgramWorkload& workload, const ProgramSteps& steps);

}  // namespace sscope
