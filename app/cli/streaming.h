#pragma once
// What commands share that work on data larger than the memory they may use.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/control.h"
#include "core/volume/volume_io.h"
#include "core/volume/volume_stream.h"

namespace sscope::cli {

// How data were streamed.
struct Streaming {
  std::int64_t slabs = 0, planes = 0;  // planes of a slab
  std::int64_t memory = 0, peak = 0;   // bytes that were allowed, and that were resident at most
  std::int64_t readBytes = 0, writtenBytes = 0;
  double seconds = 0;
};
// "streamed in 17 slabs of 64 planes, 412 MiB/s, at most 231 MiB of memory".
[[nodiscard]] std::string streamingText(const Streaming& streaming);
// "streaming in 17 slabs of 64 planes".
[[nodiscard]] std::string announcement(const Streaming& streaming);
[[nodiscard]] nlohmann::json toJson(const Streaming& streaming);

// "412 MiB", "1.5 GiB".
[[nodiscard]] std::string gibibytes(double bytes);

// Bytes that may be resident: those asked for with --memory, or two thirds of what is free; 0: nobody knows.
[[nodiscard]] std::int64_t memoryAllowed(std::int64_t asked);

// Whether a look at the files of `path` leaves it open that data and results exceed `memory` bytes; `grown`: the most
// bytes that one byte of the data, unpacked, takes with its results.
[[nodiscard]] bool mayExceed(const VolumeIo& io, const std::string& path, double grown, std::int64_t memory);

// What is known of data that may have to be streamed.
struct StreamableInput {
  std::unique_ptr<VolumeSource> source;  // null: it cannot be read by slabs
  VolumeInfo info;
  std::string whyNot;
};
// Throws what VolumeIo::probe throws.
[[nodiscard]] StreamableInput openStreamable(VolumeIo& io, VolumeStreams& streams, const std::string& path,
                                             const Control& control);

// Why the first of these files cannot be written by slabs; empty: all can.
[[nodiscard]] std::string unstreamable(const VolumeStreams& streams, const std::vector<std::filesystem::path>& files,
                                       bool compress);

// Data that take too much, and why they cannot be streamed.
[[nodiscard]] Error tooLarge(const std::string& path, double bytes, std::int64_t memory, const std::string& whyNot);

}  // namespace sscope::cli
