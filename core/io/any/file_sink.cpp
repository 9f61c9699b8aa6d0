#include "core/io/any/file_sink.h"

#include <unistd.h>

#include <fcntl.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/io/any/layouts.h"
#include "core/io/base/chunked_file.h"
#include "core/io/base/deflate.h"
#include "core/io/base/file_error.h"
#include "core/io/planes/disk_room.h"

namespace sscope::io {

namespace {

void writeText(const AtomicFile& file, const FileLayout& layout) {
  ChunkedWriter text(file.temporary(), layout.path);
  text.write(layout.headerText);
  text.finish();
}

// The options of a file before its provenance is known to the end.
WriteOptions opening(WriteOptions options) {
  options.metadata = options.metadataFor({});
  return options;
}

}  // namespace

FileSink::FileSink(const std::filesystem::path& path, const VolumeOutline& volume, const WriteOptions& options,
                   const Control& control)
    : FileSink(layoutOf(path, volume, opening(options)), options, control) {}

FileSink::FileSink(FileLayout layout, WriteOptions options, const Control& control)
    : options_(std::move(options)), data_(layout.data), sum_(layout.volume.shape, layout.volume.type) {
  if (!layout.header.empty()) {
    header_.emplace(layout.header);
    writeText(*header_, layout);
  }
  const Descriptor file(::open(data_.temporary().c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC));
  if (!file.valid()) throw cannotWriteErrno(layout.path, errno);
  reserveRoom(file, layout.fileBytes(), layout.path, control);
  writeAt(file, 0, layout.before, layout.path);
  writeAt(file, layout.voxelOffset() + layout.volume.bytes(), layout.after, layout.path);
  writer_.emplace(data_.temporary(), std::move(layout), options_.untilStored);
}

void FileSink::write(std::int64_t begin, std::span<const std::byte> voxels, const Control& control) {
  if (options_.provenance) sum_.add(begin, voxels);
  writer_->write(begin, voxels, control);
}

// Writes the texts before, after and beside the voxels again, once all is known.
void FileSink::complete() {
  WriteOptions last = options_;
  last.metadata = options_.metadataFor(sum_.text());
  const FileLayout now = layoutOf(layout().path, layout().volume, last);
  if (now.before.size() != layout().before.size() || now.after.size() != layout().after.size())
    throw std::logic_error("a header that changes its length");
  const Descriptor file(::open(data_.temporary().c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC));
  if (!file.valid()) throw cannotWriteErrno(layout().path, errno);
  writeAt(file, 0, now.before, now.path);
  writeAt(file, now.voxelOffset() + now.volume.bytes(), now.after, now.path);
  if (header_) writeText(*header_, now);
}

void FileSink::finish(const Control& control) {
  control.check();
  if (options_.provenance) complete();
  if (options_.untilStored) writer_->flush(control);
  HeldNames both;
  HeldNames* const held = options_.names == nullptr && header_ ? &both : options_.names;
  data_.commit(held);
  if (header_) header_->commit(held);
  both.commit();
}

namespace {

class PackedSink final : public VolumeSink {
 public:
  PackedSink(FileLayout layout, const WriteOptions& options)
      : options_(options),
        layout_(std::move(layout)),
        target_(layout_.data),
        file_(target_.temporary(), layout_.path),
        sum_(layout_.volume.shape, layout_.volume.type),
        deflater_(layout_.packing == FileLayout::Packing::Gzip ? Deflater::Wrap::Gzip : Deflater::Wrap::Zlib,
                  [this](std::span<const std::byte> packed) { file_.write(packed, {}); }) {
    if (layout_.packsHeader) {
      deflater_.write(layout_.before, {});
    } else {
      file_.write(std::span<const std::byte>(layout_.before), {});
    }
  }

  [[nodiscard]] bool anyOrder() const override { return false; }

  void write(std::int64_t begin, std::span<const std::byte> voxels, const Control& control) override {
    if (options_.provenance) sum_.add(begin, voxels);
    placePlanes(
        layout_, begin, voxels,
        [&](std::int64_t offset, std::span<const std::byte> bytes) {
          if (offset != layout_.voxelOffset() + written_) throw std::logic_error("planes of a packed file are ordered");
          deflater_.write(bytes, {control.stop, {}});
          written_ += static_cast<std::int64_t>(bytes.size());
        },
        control);
  }

  void finish(const Control& control) override {
    if (written_ != layout_.volume.bytes()) throw std::logic_error("planes that are not the whole volume");
    control.check();
    deflater_.finish();
    WriteOptions last = options_;
    last.metadata = options_.metadataFor(sum_.text());
    FileLayout now = layoutOf(layout_.path, layout_.volume, last);
    if (now.before.size() != layout_.before.size()) throw std::logic_error("a header that changes its length");
    std::string size = std::to_string(deflater_.packedBytes());
    if (now.sizeAt > 0) {
      size.insert(0, now.sizeDigits - size.size(), '0');
      std::ranges::copy(std::as_bytes(std::span(size)), now.before.begin() + static_cast<std::ptrdiff_t>(now.sizeAt));
    }
    if (now.before != layout_.before && !layout_.packsHeader)
      file_.patch(0, {reinterpret_cast<const char*>(now.before.data()), now.before.size()});
    file_.finish();
    target_.commit(options_.names);
  }

 private:
  WriteOptions options_;
  FileLayout layout_;
  AtomicFile target_;
  ChunkedWriter file_;
  FingerprintSum sum_;
  Deflater deflater_;
  std::int64_t written_ = 0;  // bytes of voxels
};

}  // namespace

std::unique_ptr<VolumeSink> openPackedSink(const std::filesystem::path& path, const VolumeOutline& volume,
                                           const WriteOptions& options) {
  return std::make_unique<PackedSink>(layoutOf(path, volume, opening(options)), options);
}

}  // namespace sscope::io
