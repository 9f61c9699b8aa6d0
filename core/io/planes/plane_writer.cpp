#include "core/io/planes/plane_writer.h"

#include <fcntl.h>

#include <cerrno>
#include <utility>

#include "core/io/base/file_error.h"

namespace sscope::io {

void writeAt(const Descriptor& file, std::int64_t offset, std::span<const std::byte> bytes,
             const std::filesystem::path& shown) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t n = ::pwrite(file.get(), bytes.data() + done, bytes.size() - done,
                               static_cast<off_t>(offset) + static_cast<off_t>(done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw cannotWriteErrno(shown, errno);
    done += static_cast<std::size_t>(n);
  }
}

PlaneWriter::PlaneWriter(const std::filesystem::path& file, FileLayout layout, bool store)
    : layout_(std::move(layout)), file_(::open(file.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC)), store_(store) {
  if (!file_.valid()) throw cannotWriteErrno(layout_.path, errno);
}

void PlaneWriter::write(std::int64_t begin, std::span<const std::byte> voxels, const Control& control) {
  placePlanes(
      layout_, begin, voxels,
      [this](std::int64_t offset, std::span<const std::byte> bytes) {
        writeAt(file_, offset, bytes, layout_.path);
        if (store_) writeBack_.begin(file_, offset, static_cast<std::int64_t>(bytes.size()));
      },
      control);
  written_.note(layout_, begin, voxels);
}

void PlaneWriter::check(const Control& control) const { written_.check(layout_, file_, control); }

void PlaneWriter::flush(const Control& control) { writeBack_.flush(file_, layout_.fileBytes(), layout_.path, control); }

}  // namespace sscope::io
