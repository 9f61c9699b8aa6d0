#include "core/io/any/file_sink.h"

#include <unistd.h>

#include <fcntl.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/io/any/layouts.h"
#include "core/io/base/chunked_file.h"
#include "core/io/base/file_error.h"
#include "core/io/planes/disk_room.h"

namespace sscope::io {

namespace {

void writeText(const AtomicFile& file, const FileLayout& layout) {
  ChunkedWriter text(file.temporary(), layout.path);
  text.write(layout.headerText);
  text.finish();
}

// Those of a file whose provenance is not known to the end.
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

void FileSink::check(const Control& control) { writer_->check(control); }

// What is in front of the voxels, behind and beside them, once all is known.
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

}  // namespace sscope::io
