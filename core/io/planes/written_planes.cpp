#include "core/io/planes/written_planes.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <vector>

#include "core/io/base/file_error.h"

namespace sscope::io {

namespace {

// FNV-1a.
class Sum {
 public:
  void add(std::span<const std::byte> bytes) {
    for (const std::byte byte : bytes) value_ = (value_ ^ static_cast<std::uint64_t>(byte)) * 0x100000001b3;
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325;
};

constexpr std::int64_t kMostOthers = 8;  // besides the first one

// The first of the chosen planes from `plane` on; layout.planes() behind the last.
std::int64_t nextChosen(std::int64_t plane, std::int64_t planes) {
  if (plane >= planes) return planes;
  const std::int64_t every = std::max<std::int64_t>(1, (planes - 1) / kMostOthers);
  const std::int64_t next = (plane + every - 1) / every * every;
  return next < planes ? next : planes - 1;
}

void readAll(const Descriptor& file, std::int64_t offset, std::span<std::byte> out,
             const std::filesystem::path& shown) {
  for (std::size_t done = 0; done < out.size();) {
    const ssize_t got = ::pread(file.get(), out.data() + done, out.size() - done,
                                static_cast<off_t>(offset) + static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw cannotWriteErrno(shown, errno);
    if (got == 0) return;  // what is missing is not what was written
    done += static_cast<std::size_t>(got);
  }
}

}  // namespace

void WrittenPlanes::note(const FileLayout& layout, std::int64_t begin, std::span<const std::byte> voxels) {
  const auto planeBytes = static_cast<std::size_t>(layout.planeBytes());
  const std::int64_t planes = layout.planes(), end = begin + static_cast<std::int64_t>(voxels.size() / planeBytes);
  for (std::int64_t plane = nextChosen(begin, planes); plane < end; plane = nextChosen(plane + 1, planes)) {
    Sum sum;
    placePlanes(layout, plane, voxels.subspan(static_cast<std::size_t>(plane - begin) * planeBytes, planeBytes),
                [&](std::int64_t, std::span<const std::byte> bytes) { sum.add(bytes); }, {});
    sums_[plane] = sum.value();
  }
}

void WrittenPlanes::check(const FileLayout& layout, const Descriptor& file, const Control& control) const {
  const std::vector<std::byte> none(static_cast<std::size_t>(layout.planeBytes()));
  std::vector<std::byte> read;
  for (const auto& [plane, written] : sums_) {
    Sum sum;
    placePlanes(
        layout, plane, none,
        [&](std::int64_t offset, std::span<const std::byte> bytes) {
          read.assign(bytes.size(), std::byte{0});
          readAll(file, offset, read, layout.path);
          sum.add(read);
        },
        control);
    if (sum.value() != written)
      throw cannotWrite(ErrorKind::Io, layout.path,
                        "read again, plane " + std::to_string(plane) + " is not what was written",
                        "check the disk and the file system");
  }
}

}  // namespace sscope::io
