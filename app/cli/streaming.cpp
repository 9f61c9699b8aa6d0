#include "app/cli/streaming.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

namespace sscope::cli {

namespace fs = std::filesystem;

namespace {

constexpr double kMiB = 1 << 20;

std::string slabsText(const Streaming& streaming) {
  return std::to_string(streaming.slabs) + (streaming.slabs == 1 ? " slab of " : " slabs of ") +
         std::to_string(streaming.planes) + (streaming.planes == 1 ? " plane" : " planes");
}

}  // namespace

std::string announcement(const Streaming& streaming) { return "streaming in " + slabsText(streaming); }

std::string streamingText(const Streaming& streaming) {
  const auto moved = static_cast<double>(streaming.readBytes + streaming.writtenBytes);
  return fmt::format("streamed in {}, {:.0f} MiB/s, at most {:.0f} MiB of memory", slabsText(streaming),
                     streaming.seconds > 0 ? moved / kMiB / streaming.seconds : 0,
                     static_cast<double>(streaming.peak) / kMiB);
}

nlohmann::json toJson(const Streaming& streaming) {
  return {{"slabs", streaming.slabs},          {"planes", streaming.planes},
          {"memory", streaming.memory},        {"peak_resident", streaming.peak},
          {"read_bytes", streaming.readBytes}, {"written_bytes", streaming.writtenBytes},
          {"seconds", streaming.seconds}};
}

std::string unstreamable(const VolumeIo& io, const std::vector<fs::path>& files, bool compress) {
  for (const fs::path& file : files) {
    if (compress && !io.packsSlabs(file))
      return "compressed files cannot be written by slabs, except OME-Zarr stores; omit --compress";
    if (!io.writesSlabs(file))
      return file.string() + " cannot be written by slabs; choose .nrrd, .mha, .nii, .vti, .tif, .h5, .zarr or .raw";
  }
  return {};
}

}  // namespace sscope::cli
