#include "core/io/zarr/zarr_read.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <numeric>
#include <utility>

#include "core/io/base/file_error.h"
#include "core/io/zarr/zarr_chunks.h"
#include "core/io/zarr/zarr_image.h"
#include "core/volume/array_view.h"

namespace sscope::io {

namespace {

class ZarrVolume {
 public:
  explicit ZarrVolume(const Selection& selection)
      : store_(selection.path), image_(findZarrImage(store_, selection)), chunks_(store_, image_.array) {
    info_ = describeZarr(image_, store_.shown(image_.array.key));
    info_.fileFrames = info_.metadata.frames;
    const VolumeInfo whole = info_;
    const bool chooses = zarrChooses(selection);
    if (chooses) info_ = chosenInfo(selection, whole, chosenComponents(selection, whole));
    setBox(whole, chooses ? selection.frame : std::nullopt, chooses ? selection.channel : std::nullopt);
  }

  [[nodiscard]] VolumeInfo& info() { return info_; }
  [[nodiscard]] const ZarrImage& image() const { return image_; }
  // 64-bit integers are read as they are stored.
  [[nodiscard]] bool wide() const { return isWide(image_.array.type); }
  // The size in memory of a chunk, or of a chunk in a shard.
  [[nodiscard]] double chunkBytes() const {
    double bytes = static_cast<double>(bytesOf(image_.array.type));
    for (const std::int64_t n : image_.array.shards ? image_.array.shards->chunk : image_.array.chunk)
      bytes *= static_cast<double>(n);
    return bytes;
  }
  // The number of planes that share chunks.
  [[nodiscard]] std::int64_t together() const {
    for (std::size_t a = 0; a < image_.axes.size(); ++a)
      if (image_.axes[a].role == static_cast<ZarrRole>(slowest_)) {
        // In a shard the chunks inside count.
        const ZarrArray& array = image_.array;
        if (!array.shards) return array.chunk[a];
        const auto& order = array.coding.order;
        return array.shards->chunk[static_cast<std::size_t>(std::ranges::find(order, a) - order.begin())];
      }
    return 1;
  }
  void read(std::int64_t begin, std::int64_t end, std::span<std::byte> out, const Control& control) {
    ZarrBox box = box_;
    for (std::size_t a = 0; a < image_.axes.size(); ++a)
      if (image_.axes[a].role == static_cast<ZarrRole>(slowest_)) {
        box.begin[a] = begin;
        box.end[a] = end;
      }
    chunks_.read(box, wide() ? std::nullopt : std::optional(info_.type), out, control);
  }

  void forgetChunks() { chunks_.forget(); }

  // Chunks may be absent on purpose, or lost.
  void noteMissing(VolumeInfo& info) const {
    if (chunks_.missing() == 0) return;
    info.notices.push_back(std::to_string(chunks_.missing()) + " of " + std::to_string(chunks_.seen()) +
                           " chunks are not in the store: their voxels have its fill value, " +
                           printable(image_.array.fillText.substr(0, 32)));
  }

 private:
  // The part of the array that is chosen, and the places of its values: components innermost, those of a frame
  // together.
  void setBox(const VolumeInfo& whole, std::optional<std::int64_t> frame, std::optional<std::int64_t> channel) {
    const std::int64_t channels = whole.shape.components / whole.metadata.frames, kept = channel ? 1 : channels;
    const VolumeShape& s = info_.shape;
    const std::int64_t voxel = s.components;
    const std::size_t n = image_.axes.size();
    box_ = {std::vector<std::int64_t>(n, 0), image_.array.shape, std::vector<std::int64_t>(n, 0)};
    std::int64_t following = channels;  // channels that differ along the axes behind
    for (std::size_t a = 0; a < n; ++a) {
      const std::int64_t extent = image_.array.shape[a];
      switch (image_.axes[a].role) {
        case ZarrRole::x: box_.steps[a] = voxel; break;
        case ZarrRole::y: box_.steps[a] = voxel * s.nx; break;
        case ZarrRole::z: box_.steps[a] = voxel * s.nx * s.ny; break;
        case ZarrRole::time:
          box_.steps[a] = kept;
          if (frame) choose(a, *frame);
          break;
        case ZarrRole::channel:
          following /= extent;
          box_.steps[a] = following;
          if (channel) choose(a, *channel / following % extent);
          break;
      }
    }
    slowest_ = slowestAxis({s.nx, s.ny, s.nz, s.components});
  }
  void choose(std::size_t axis, std::int64_t place) {
    box_.begin[axis] = place;
    box_.end[axis] = place + 1;
  }

  ZarrStore store_;
  ZarrImage image_;
  ZarrChunks chunks_;
  VolumeInfo info_;
  ZarrBox box_;
  std::size_t slowest_ = 2;
};

}  // namespace

bool zarrChooses(const Selection& selection) { return selection.some() && selection.correction.axes.empty(); }

LocatedVolume locateZarr(const Selection& selection) {
  const auto volume = std::make_shared<ZarrVolume>(selection);
  const Stored stored = volume->wide() ? volume->image().array.type : storedAs(volume->info().type);
  LocatedVolume located =
      decodedVolume(selection.path, volume->info(), stored,
                    [volume](std::int64_t begin, std::int64_t end, std::span<std::byte> out, const Control& control) {
                      // Counted anew: the type of 64-bit integers takes another pass before.
                      if (begin == 0) volume->forgetChunks();
                      volume->read(begin, end, out, control);
                    });
  constexpr double kLargestChunk = 256 << 20;
  if (volume->chunkBytes() > kLargestChunk)
    located.onlyWhole = "a single chunk of it takes " + bytesText(volume->chunkBytes());
  located.together = volume->together();
  located.noteRead = [volume](VolumeInfo& info) { volume->noteMissing(info); };
  return located;
}

}  // namespace sscope::io
