#include "core/io/zarr/zarr_write.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <limits>
#include <memory>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/atomic_file.h"
#include "core/base/control.h"
#include "core/io/base/descriptor.h"
#include "core/io/base/file_error.h"
#include "core/io/planes/plane_writer.h"
#include "core/io/zarr/zarr_layout.h"
#include "core/volume/element_type.h"
#include "core/volume/fingerprint.h"

namespace sscope::io {

namespace fs = std::filesystem;

namespace {

// One level of a pyramid is written plane by plane, and those below it.

// Half a plane, or a quarter: what takes the place of blocks of 2 voxels along each axis that has several.
class ZarrHalver {
 public:
  ZarrHalver(const ZarrLayout& layout, const ZarrLevel& level);
  // The blocks of one plane, or of two that follow each other; `second` may be empty. Empty in between.
  [[nodiscard]] std::span<const std::byte> halve(std::span<const std::byte> first, std::span<const std::byte> second);

 private:
  const ZarrLayout& layout_;
  ZarrLevel level_;
  std::vector<std::byte> out_;
};

// A new file of a store, from its folder down: where that was removed meanwhile, as of a job that is ended, nothing is
// made. Throws Error(Io), naming `shown`.
void putIntoStore(const Descriptor& folder, const std::string& key, std::span<const std::byte> bytes,
                  const std::filesystem::path& shown);

class ZarrLevelWriter {
 public:
  // Level `number` of the layout, into the store's folder, which must stay open. `shown` names the store in errors.
  ZarrLevelWriter(const ZarrLayout& layout, std::size_t number, const Descriptor& folder, std::filesystem::path shown);

  // The next planes, as a Volume holds them. Throws Error(Io), Canceled.
  void write(std::span<const std::byte> planes, const Control& control);
  // There are no more.
  void finish(const Control& control);

 private:
  void writeRow(const Control& control);
  void writeChunk(const std::array<std::int64_t, 3>& place, std::int64_t component);
  void passOn(std::span<const std::byte> plane, bool last, const Control& control);

  const ZarrLayout& layout_;
  std::size_t number_;
  const Descriptor& folder_;
  std::filesystem::path shown_;
  std::string made_;  // the folder that was made last
  ZarrLevel level_, chunk_;
  std::size_t planeBytes_;
  std::int64_t done_ = 0;       // planes that were given
  std::vector<std::byte> row_;  // planes of the row of chunks that is on its way
  std::vector<std::byte> odd_;  // a plane that waits for the next one
  std::vector<std::byte> values_, packed_;
  ZarrHalver halver_;
  std::unique_ptr<ZarrLevelWriter> below_;
};

std::size_t planeBytesOf(const ZarrLayout& layout, const ZarrLevel& level) {
  return static_cast<std::size_t>(level.rows * level.columns * layout.volume.shape.components) *
         bytesOf(layout.volume.type);
}

// A value of the mean: the nearest whole number.
template <class T>
T meanOf(double sum, int count) {
  const double mean = sum / count;
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(std::floor(mean + 0.5));
  } else {
    return static_cast<T>(mean);
  }
}

// Rows and columns of a plane, of one or two planes, whose elements have `components` values.
template <class T>
void halvePlanes(const std::array<const T*, 2>& planes, const ZarrLevel& level, std::int64_t components, bool first,
                 T* out) {
  const std::int64_t rows = level.rows, columns = level.columns;
  for (std::int64_t row = 0; row < rows; row += 2)
    for (std::int64_t column = 0; column < columns; column += 2)
      for (std::int64_t c = 0; c < components; ++c) {
        double sum = 0;
        int count = 0;
        for (const T* plane : planes) {
          if (plane == nullptr) continue;
          for (std::int64_t y = row; y < std::min(row + 2, rows); ++y)
            for (std::int64_t x = column; x < std::min(column + 2, columns); ++x, ++count)
              sum += static_cast<double>(plane[(y * columns + x) * components + c]);
        }
        *out++ = first ? planes[0][(row * columns + column) * components + c] : meanOf<T>(sum, count);
      }
}

ZarrHalver::ZarrHalver(const ZarrLayout& layout, const ZarrLevel& level) : layout_(layout), level_(level) {}

std::span<const std::byte> ZarrHalver::halve(std::span<const std::byte> first, std::span<const std::byte> second) {
  const std::int64_t rows = (level_.rows + 1) / 2, columns = (level_.columns + 1) / 2;
  const std::int64_t components = layout_.volume.shape.components;
  out_.resize(static_cast<std::size_t>(rows * columns * components) * bytesOf(layout_.volume.type));
  dispatch(layout_.volume.type, [&](auto tag) {
    using T = decltype(tag);
    const std::array<const T*, 2> planes = {reinterpret_cast<const T*>(first.data()),
                                            second.empty() ? nullptr : reinterpret_cast<const T*>(second.data())};
    halvePlanes<T>(planes, level_, components, layout_.options.metadata.labels, reinterpret_cast<T*>(out_.data()));
  });
  return out_;
}

void putIntoStore(const Descriptor& folder, const std::string& key, std::span<const std::byte> bytes,
                  const fs::path& shown) {
  const Descriptor out(::openat(folder.get(), key.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
  if (!out.valid()) throw cannotWriteErrno(shown, errno);
  writeAt(out, 0, bytes, shown);
}

ZarrLevelWriter::ZarrLevelWriter(const ZarrLayout& layout, std::size_t number, const Descriptor& folder, fs::path shown)
    : layout_(layout),
      number_(number),
      folder_(folder),
      shown_(std::move(shown)),
      level_(layout.levels[number]),
      chunk_(layout.chunkOf(level_)),
      planeBytes_(planeBytesOf(layout, level_)),
      halver_(layout, level_) {
  row_.reserve(static_cast<std::size_t>(chunk_.planes) * planeBytes_);
  if (number + 1 < layout.levels.size())
    below_ = std::make_unique<ZarrLevelWriter>(layout, number + 1, folder_, shown_);
}

void ZarrLevelWriter::write(std::span<const std::byte> planes, const Control& control) {
  const std::size_t whole = static_cast<std::size_t>(chunk_.planes) * planeBytes_;
  for (std::size_t at = 0; at < planes.size(); at += planeBytes_) {
    control.check();
    const auto plane = planes.subspan(at, planeBytes_);
    row_.insert(row_.end(), plane.begin(), plane.end());
    ++done_;
    if (row_.size() == whole || done_ == level_.planes) writeRow(control);
    if (below_) passOn(plane, done_ == level_.planes, control);
  }
}

void ZarrLevelWriter::passOn(std::span<const std::byte> plane, bool last, const Control& control) {
  if (!odd_.empty()) {
    below_->write(halver_.halve(odd_, plane), control);
    odd_.clear();
  } else if (last || level_.planes == 1) {
    below_->write(halver_.halve(plane, {}), control);
  } else {
    odd_.assign(plane.begin(), plane.end());
  }
}

void ZarrLevelWriter::finish(const Control& control) {
  if (done_ != level_.planes) throw std::logic_error("planes are missing of a store");
  if (below_) below_->finish(control);
}

void ZarrLevelWriter::writeRow(const Control& control) {
  const std::int64_t place = (done_ - 1) / chunk_.planes;
  for (std::int64_t component = 0; component < layout_.volume.shape.components; ++component)
    for (std::int64_t row = 0; row * chunk_.rows < level_.rows; ++row)
      for (std::int64_t column = 0; column * chunk_.columns < level_.columns; ++column) {
        control.check();
        writeChunk({place, row, column}, component);
      }
  row_.clear();
}

void ZarrLevelWriter::writeChunk(const std::array<std::int64_t, 3>& place, std::int64_t component) {
  const std::size_t size = bytesOf(layout_.volume.type);
  const std::int64_t components = layout_.volume.shape.components,
                     planes = static_cast<std::int64_t>(row_.size() / planeBytes_);
  const std::int64_t firstRow = place[1] * chunk_.rows, firstColumn = place[2] * chunk_.columns;
  const std::int64_t rows = std::min(chunk_.rows, level_.rows - firstRow),
                     columns = std::min(chunk_.columns, level_.columns - firstColumn);
  // What lies outside of the array is 0.
  values_.assign(static_cast<std::size_t>(chunk_.planes * chunk_.rows * chunk_.columns) * size, std::byte{0});
  for (std::int64_t z = 0; z < planes; ++z)
    for (std::int64_t y = 0; y < rows; ++y) {
      const std::byte* from =
          row_.data() + static_cast<std::size_t>(z) * planeBytes_ +
          static_cast<std::size_t>(((firstRow + y) * level_.columns + firstColumn) * components + component) * size;
      std::byte* to = values_.data() + static_cast<std::size_t>((z * chunk_.rows + y) * chunk_.columns) * size;
      if (components == 1) {
        std::memcpy(to, from, static_cast<std::size_t>(columns) * size);
      } else {
        for (std::int64_t x = 0; x < columns; ++x)
          std::memcpy(to + static_cast<std::size_t>(x) * size, from + static_cast<std::size_t>(x * components) * size,
                      size);
      }
    }
  const std::string key = layout_.chunkKey(number_, component, place);
  std::span<const std::byte> bytes = values_;
  if (layout_.packing != ZarrPacking::none) {
    packChunk(values_, size, layout_.packing, packed_);
    bytes = packed_;
  }
  if (const std::string parent = key.substr(0, key.rfind('/')); parent != made_) {
    for (std::size_t end = parent.find('/');; end = parent.find('/', end + 1)) {
      if (::mkdirat(folder_.get(), parent.substr(0, end).c_str(), 0777) != 0 && errno != EEXIST)
        throw cannotWriteErrno(shown_, errno);
      if (end == std::string::npos) break;
    }
    made_ = parent;
  }
  putIntoStore(folder_, key, bytes, shown_);
}

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
