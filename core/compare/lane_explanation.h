#pragma once
// Why a lane ran as it did and where its time and its data went, as rows for people.

#include <cstdint>
#include <string>
#include <vector>

#include "core/compare/lane.h"
#include "core/measure/kernel_trace.h"

namespace sscope::compare {

struct ExplainedRow {
  std::string topic;  // "why"
  std::string words;
};
struct MemoryRow {
  std::string where, what;  // "host", "input"
  std::int64_t bytes = 0;
};

struct LaneExplanation {
  std::vector<ExplainedRow> rows;
  std::vector<MemoryRow> memory;  // empty without a first result
  // The kernels, copies and steps of each slab of the first result, in seconds of the lane's clock. Where they were not
  // recorded, the phases of the slab: their durations are measured, their order is not, and phases that overlap are
  // shortened to the time that they take together.
  KernelTrace slabs;
};
[[nodiscard]] LaneExplanation explained(const Lane& lane);

// The rows of every lane below its name, then its memory.
[[nodiscard]] std::string explanationText(const std::vector<Lane>& lanes);
[[nodiscard]] std::string explanationHtml(const std::vector<Lane>& lanes);  // the same as tables of a page
// Lines "lane,topic,words", and "lane,memory on WHERE: WHAT,BYTES" for the memory.
[[nodiscard]] std::string explanationCsv(const std::vector<Lane>& lanes);

}  // namespace sscope::compare
