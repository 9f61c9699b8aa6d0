#include "app/cli/streaming.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "core/base/memory.h"
#include "core/volume/file_sets.h"

namespace sscope::cli {

namespace fs = std::filesystem;

namespace {

constexpr double kGiB = 1 << 30, kMiB = 1 << 20;

std::string slabsText(const Streaming& streaming) {
  return std::to_string(streaming.slabs) + (streaming.slabs == 1 ? " slab of " : " slabs of ") +
         std::to_string(streaming.planes) + (streaming.planes == 1 ? " plane" : " planes");
}

}  // namespace

std::string announcement(const Streaming& streaming) { return "streaming in " + slabsText(streaming); }

std::string streamingText(const Streaming& streaming) {
  char text[128];
  std::snprintf(text, sizeof text, ", %.0f MiB/s, at most %.0f MiB of memory",
                streaming.seconds > 0
                    ? static_cast<double>(streaming.readBytes + streaming.writtenBytes) / kMiB / streaming.seconds
                    : 0,
                static_cast<double>(streaming.peak) / kMiB);
  return "streamed in " + slabsText(streaming) + text;
}

nlohmann::json toJson(const Streaming& streaming) {
  return {{"slabs", streaming.slabs},          {"planes", streaming.planes},
          {"memory", streaming.memory},        {"peak_resident", streaming.peak},
          {"read_bytes", streaming.readBytes}, {"written_bytes", streaming.writtenBytes},
          {"seconds", streaming.seconds}};
}

std::string gibibytes(double bytes) {
  char text[32];
  std::snprintf(text, sizeof text, bytes < kGiB ? "%.0f MiB" : "%.1f GiB", bytes / (bytes < kGiB ? kMiB : kGiB));
  return text;
}

std::int64_t memoryAllowed(std::int64_t asked) { return asked > 0 ? asked : availableMemory() / 3 * 2; }

bool mayExceed(const VolumeIo& io, const std::string& path, double grown, std::int64_t memory) {
  constexpr double kDensest = 1032;  // bytes that deflate packs into one
  double bytes = 0;
  for (const fs::path& file : filesRead(io, path)) {
    std::error_code code;
    const auto size = fs::file_size(file, code);
    if (!code) bytes += static_cast<double>(size);
  }
  return bytes * kDensest * grown > static_cast<double>(memory);
}

StreamableInput openStreamable(VolumeIo& io, VolumeStreams& streams, const std::string& path, const Control& control) {
  StreamableInput input;
  try {
    input.source = streams.openSource(path, control);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Unsupported) throw;
    input.whyNot = error.what();
  }
  // Some decoders read everything to know the header; what finds the place of voxels does not.
  input.info = input.source ? input.source->info() : io.probe(path, control);
  return input;
}

std::string unstreamable(const VolumeStreams& streams, const std::vector<fs::path>& files, bool compress) {
  if (compress) return "compressed files are not written by slabs; leave --compress out";
  for (const fs::path& file : files)
    if (!streams.writesSlabs(file))
      return file.string() + " cannot be written by slabs; choose .nrrd, .mha, .nii, .vti, .tif, .h5 or .raw";
  return {};
}

Error tooLarge(const std::string& path, double bytes, std::int64_t memory, const std::string& whyNot) {
  return {ErrorKind::Memory, path + " and its results take " + gibibytes(bytes) + " of memory, " +
                                 gibibytes(static_cast<double>(memory)) + " are allowed, and " + whyNot};
}

}  // namespace sscope::cli
