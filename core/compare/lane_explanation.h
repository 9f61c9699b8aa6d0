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
  std::vector<MemoryRow> memory;  // empty: it has no first result
  // The kernels, copies and steps of each slab of the first result, in seconds of the lane's clock. Where they were not
  // recorded, its phases: what they are is measured, their order is that in which they are named, and those that
  // overlap are drawn shorter, as they took together.
  KernelTrace slabs;
};
[[nodiscard]] LaneExplanation explained(const Lane& lane);

// For people: the rows of every lane below its name, then its memory.
[[nodiscard]] std::string explanationText(const std::vector<Lane>& lanes);
[[nodiscard]] std::string explanationHtml(const std::vector<Lane>& lanes);  // the same as tables of a page
// "lane,topic,words" and the memory as "lane,memory on WHERE: WHAT,BYTES", a line each.
[[nodiscard]] std::string explanationCsv(const std::vector<Lane>& lanes);

}  // namespace sscope::compare
