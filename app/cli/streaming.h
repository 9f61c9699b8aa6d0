#pragma once
// Code of commands that work on data larger than the memory they may use.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/volume/volume_stream.h"

namespace sscope::cli {

// The counts of a streamed run.
struct Streaming {
  std::int64_t slabs = 0, planes = 0;  // planes of a slab
  std::int64_t memory = 0, peak = 0;   // bytes allowed, and maximum resident bytes
  std::int64_t readBytes = 0, writtenBytes = 0;
  double seconds = 0;
};
// "streamed in 17 slabs of 64 planes, 412 MiB/s, at most 231 MiB of memory".
[[nodiscard]] std::string streamingText(const Streaming& streaming);
// "streaming in 17 slabs of 64 planes".
[[nodiscard]] std::string announcement(const Streaming& streaming);
[[nodiscard]] nlohmann::json toJson(const Streaming& streaming);

// Why the first of these files cannot be written by slabs; empty: all can.
[[nodiscard]] std::string unstreamable(const VolumeIo& io, const std::vector<std::filesystem::path>& files,
                                       bool compress);

}  // namespace sscope::cli
