#include "app/cli/streaming.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

namespace sscope::cli {

namespace {

constexpr double kMiB = 1 << 20;

std::string slabsText(const Streaming& streaming) {
  return std::to_string(streaming.slabs) + (streaming.slabs == 1 ? " slab of " : " slabs of ") +
         std::to_string(streaming.planes) + (streaming.planes == 1 ? " plane" : " planes");
}

}  // namespace

std::string announcement(const Streaming& streaming) { return "streaming in " + slabsText(streaming); }

std::string streamingText(const Streaming& streaming) {
  const auto moved = static_cast<double>(streaming.moved.readBytes + streaming.moved.writtenBytes);
  return fmt::format("streamed in {}, {:.0f} MiB/s, at most {:.0f} MiB of memory", slabsText(streaming),
                     streaming.moved.seconds > 0 ? moved / kMiB / streaming.moved.seconds : 0,
                     static_cast<double>(streaming.peak) / kMiB);
}

nlohmann::json toJson(const Streaming& streaming) {
  return {{"slabs", streaming.slabs},          {"planes", streaming.planes},
          {"memory", streaming.memory},        {"peak_resident", streaming.peak},
          {"read_bytes", streaming.moved.readBytes}, {"written_bytes", streaming.moved.writtenBytes},
          {"seconds", streaming.moved.seconds}};
}

}  // namespace sscope::cli
