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
  [[nodiscard]] bool wide() const { return image_.array.type == Stored::i64 || image_.array.type == Stored::u64; }
  [[nodiscard]] std::int64_t planes() const {
    const VolumeShape& s = info_.shape;
    return slowest_ == 2 ? s.nz : slowest_ == 1 ? s.ny : s.nx;
  }
  // Of one chunk, of shards of one in it, as it is held.
  [[nodiscard]] double chunkBytes() const {
    double bytes = static_cast<double>(bytesOf(image_.array.type));
    for (const std::int64_t n : image_.array.shards ? image_.array.shards->chunk : image_.array.chunk)
      bytes *= static_cast<double>(n);
    return bytes;
  }
  // So many share chunks.
  [[nodiscard]] std::int64_t together() const {
    for (std::size_t a = 0; a < image_.axes.size(); ++a)
      if (image_.axes[a].role == static_cast<ZarrRole>(slowest_)) {
        // Of a shard the chunks in it.
        const ZarrArray& array = image_.array;
        if (!array.shards) return array.chunk[a];
        const auto& order = array.coding.order;
        return array.shards->chunk[static_cast<std::size_t>(std::ranges::find(order, a) - order.begin())];
      }
    return 1;
  }
  // Of `sent` bytes an element.
  [[nodiscard]] std::int64_t planeBytes(std::size_t bytes) const {
    return info_.shape.elements() / planes() * static_cast<std::int64_t>(bytes);
  }

  void read(std::int64_t begin, std::int64_t end, std::optional<ElementType> type, std::span<std::byte> out,
            const Control& control) {
    ZarrBox box = box_;
    for (std::size_t a = 0; a < image_.axes.size(); ++a)
      if (image_.axes[a].role == static_cast<ZarrRole>(slowest_)) {
        box.begin[a] = begin;
        box.end[a] = end;
      }
    chunks_.read(box, type, out, control);
  }

  // Calls `use` for all planes, so many at a time as share chunks and are no more than some megabytes.
  template <class Use>
  void forEachBlock(std::size_t bytes, const Control& control, Use&& use) const {
    constexpr std::int64_t kAtOnce = std::int64_t{16} << 20;
    const std::int64_t all = planes(), share = together();
    const std::int64_t most = std::max<std::int64_t>(1, kAtOnce / planeBytes(bytes) / share) * share;
    for (std::int64_t begin = 0; begin < all; begin += most) {
      control.check();
      use(begin, std::min(all, begin + most));
      control.report(static_cast<double>(std::min(all, begin + most)) / static_cast<double>(all), "reading");
    }
  }

  // Sets the type of 64-bit integers to the narrowest that holds all of them.
  void narrow(const Control& control) {
    WideRange range;
    std::vector<std::byte> block;
    forEachBlock(8, control, [&](std::int64_t begin, std::int64_t end) {
      block.resize(static_cast<std::size_t>((end - begin) * planeBytes(8)));
      read(begin, end, std::nullopt, block, control);
      range.add(image_.array.type, block);
    });
    info_.notices.push_back(takeNarrowest(range, info_.type));
    chunks_.forget();
  }

  // What has no chunk may be so on purpose, or lost.
  void noteMissing() {
    if (chunks_.missing() == 0) return;
    info_.notices.push_back(std::to_string(chunks_.missing()) + " of " + std::to_string(chunks_.seen()) +
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

VolumeInfo readZarr(const Selection& selection, const AllocateVoxels& allocate, const Control& control) {
  ZarrVolume volume(selection);
  if (volume.wide()) volume.narrow(control);
  std::byte* out = allocate(volume.info());
  if (out == nullptr) return volume.info();
  const ElementType type = volume.info().type;
  const std::int64_t planeBytes = volume.planeBytes(sscope::bytesOf(type));
  volume.forEachBlock(sscope::bytesOf(type), control, [&](std::int64_t begin, std::int64_t end) {
    volume.read(begin, end, type, {out + begin * planeBytes, static_cast<std::size_t>((end - begin) * planeBytes)},
                control);
  });
  volume.noteMissing();
  return volume.info();
}

DecodedPlanes openZarrPlanes(const Selection& selection) {
  const auto volume = std::make_shared<ZarrVolume>(selection);
  if (volume->wide()) throw notBySlabs(selection.path, "its voxels are 64-bit integers");
  constexpr double kLargestChunk = 256 << 20;
  if (volume->chunkBytes() > kLargestChunk)
    throw notBySlabs(selection.path, "a single chunk of it takes " + bytesText(volume->chunkBytes()));
  const ElementType type = volume->info().type;
  return {volume->info(),
          [volume, type](std::int64_t begin, std::int64_t end, std::span<std::byte> out, const Control& control) {
            volume->read(begin, end, type, out, control);
          },
          volume->together()};
}

}  // namespace sscope::io
