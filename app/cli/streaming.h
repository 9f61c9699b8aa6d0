#pragma once
// What commands share that work on data larger than the memory they may use.

#include <cstdint>
#include <iterator>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "core/parts/slab_stream.h"

namespace sscope::cli {

// How data were streamed.
struct Streaming {
  Streaming(const reach::SlabPlan& plan, std::int64_t bytes)
      : slabs(std::ssize(plan.slabs)), planes(plan.thick), memory(bytes) {}
  std::int64_t slabs, planes;           // planes of a slab
  std::int64_t memory, peak = 0;        // bytes that were allowed, and that were resident at most
  reach::Streamed moved;
};
// "streamed in 17 slabs of 64 planes, 412 MiB/s, at most 231 MiB of memory".
[[nodiscard]] std::string streamingText(const Streaming& streaming);
// "streaming in 17 slabs of 64 planes".
[[nodiscard]] std::string announcement(const Streaming& streaming);
[[nodiscard]] nlohmann::json toJson(const Streaming& streaming);

}  // namespace sscope::cli
