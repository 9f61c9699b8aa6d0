#include "core/io/zarr/zarr_write.h"

#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "core/base/atomic_file.h"
#include "core/io/base/file_error.h"
#include "core/io/planes/plane_writer.h"
#include "core/io/zarr/zarr_layout.h"
#include "core/io/zarr/zarr_level_writer.h"
#include "core/volume/fingerprint.h"

namespace sscope::io {

namespace fs = std::filesystem;

namespace {

class ZarrSink final : public VolumeSink {
 public:
  ZarrSink(const fs::path& path, const VolumeOutline& volume, const WriteOptions& options)
      : path_(path),
        folder_(path, AtomicFile::Kind::Folder),
        layout_(layOutZarr(path, volume, options)),
        sum_(volume.shape, volume.type),
        root_(::open(folder_.temporary().c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)),
        writer_(layout_, 0, root_, path),
        ranges_(options.metadata.channels.empty() ? 0 : static_cast<std::size_t>(layout_.channels),
                {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()}) {
    if (!root_.valid()) throw cannotWriteErrno(path_, errno);
    requireRoom();
  }

  [[nodiscard]] bool anyOrder() const override { return false; }

  void write(std::int64_t begin, std::span<const std::byte> voxels, const Control& control) override {
    const std::int64_t planeBytes = layout_.volume.bytes() / layout_.levels.front().planes;
    if (begin != next_) throw std::logic_error("planes of a store come one after the other");
    next_ += static_cast<std::int64_t>(voxels.size()) / planeBytes;
    if (!ranges_.empty()) look(voxels);
    if (layout_.options.provenance) sum_.add(begin, voxels);
    writer_.write(voxels, control);
  }

  void finish(const Control& control) override {
    writer_.finish(control);
    for (auto& [least, most] : ranges_)
      if (least > most) least = most = 0;
    layout_.options.metadata = layout_.options.metadataFor(sum_.text());
    for (const ZarrText& text : describeStore(layout_, ranges_))
      putIntoStore(root_, text.key, std::as_bytes(std::span(text.text)), path_);
    control.check();
    if (layout_.options.untilStored && ::syncfs(root_.get()) != 0) throw cannotWriteErrno(path_, errno);
    folder_.commit(layout_.options.names);
  }

 private:
  // The levels take a seventh more. The size of packed data is not known.
  void requireRoom() const {
    struct statvfs disk {};
    if (layout_.packing != ZarrPacking::none || ::statvfs(folder_.temporary().c_str(), &disk) != 0) return;
    const double free = static_cast<double>(disk.f_bavail) * static_cast<double>(disk.f_frsize);
    const double needed = static_cast<double>(layout_.volume.bytes()) * (layout_.levels.size() > 1 ? 8.0 / 7 : 1);
    if (needed > free)
      throw cannotWrite(ErrorKind::Io, path_,
                        "it takes " + bytesText(needed) + " and " + bytesText(free) + " are free on its disk",
                        "free some space or choose another place");
  }

  void look(std::span<const std::byte> voxels) {
    dispatch(layout_.volume.type, [&](auto tag) {
      using T = decltype(tag);
      const auto* values = reinterpret_cast<const T*>(voxels.data());
      const std::size_t count = voxels.size() / sizeof(T), channels = ranges_.size();
      for (std::size_t i = 0; i < count; ++i) {
        auto& [least, most] = ranges_[i % channels];
        const auto value = static_cast<double>(values[i]);
        if (!std::isfinite(value)) continue;
        if (value < least) least = value;
        if (value > most) most = value;
      }
    });
  }

  fs::path path_;
  AtomicFile folder_;
  ZarrLayout layout_;
  FingerprintSum sum_;
  Descriptor root_;
  ZarrLevelWriter writer_;
  std::vector<std::array<double, 2>> ranges_;  // of the values of each named channel
  std::int64_t next_ = 0;
};

}  // namespace

std::unique_ptr<VolumeSink> openZarrSink(const fs::path& path, const VolumeOutline& volume,
                                         const WriteOptions& options) {
  return std::make_unique<ZarrSink>(path, volume, options);
}

std::int64_t heldByZarrSink(const fs::path& path, const VolumeOutline& volume) {
  const ZarrLayout layout = layOutZarr(path, volume, {});
  const auto valueBytes = static_cast<std::int64_t>(bytesOf(volume.type));
  std::int64_t bytes = 0;
  for (const ZarrLevel& level : layout.levels) {
    const ZarrLevel chunk = layout.chunkOf(level);
    // A row of chunks, a plane that waits, a quarter of one; a chunk as it is and packed.
    bytes += (chunk.planes + 2) * level.rows * level.columns * volume.shape.components * valueBytes +
             3 * chunk.planes * chunk.rows * chunk.columns * valueBytes;
  }
  return bytes;
}

}  // namespace sscope::io
