#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <utility>

#include "core/io/file_error.h"
#include "core/io/process/descriptor.h"
#include "core/io/stream/own_file.h"
#include "core/io/stream/voxel_bytes.h"

namespace sscope::io {

namespace {

// What changes where a file is replaced, written to, cut off or removed.
struct FileStamp {
  dev_t device = 0;
  ino_t number = 0;
  std::int64_t bytes = 0;
  timespec written{};

  [[nodiscard]] bool sameTime(const FileStamp& other) const {
    return written.tv_sec == other.written.tv_sec && written.tv_nsec == other.written.tv_nsec;
  }
};

FileStamp stampOf(const struct stat& status) { return {status.st_dev, status.st_ino, status.st_size, status.st_mtim}; }

class StoredBytes final : public VoxelBytes {
 public:
  StoredBytes(std::string name, const StoredVoxels& voxels, Descriptor file)
      : name_(std::move(name)),
        path_(voxels.file),
        file_(std::move(file)),
        first_(voxels.offset),
        run_(voxels.runBytes),
        gap_(voxels.gapBytes) {
    struct stat status {};
    if (::fstat(file_.get(), &status) != 0) throw cannotReadErrno(name_, errno);
    stamp_ = stampOf(status);
    if (voxels.packing != Packing::None) return;
    if (first_ < 0) first_ = stamp_.bytes - voxels.span();
    const std::int64_t there = std::max<std::int64_t>(0, stamp_.bytes - std::max<std::int64_t>(0, first_));
    if (first_ < 0 || there < voxels.span())
      throw damaged(name_, "it is cut off: " + bytesText(static_cast<double>(there)) + " of " +
                               bytesText(static_cast<double>(voxels.span())) + " of voxels are there, " +
                               bytesText(static_cast<double>(voxels.span() - there)) + " are missing");
  }

  [[nodiscard]] bool anyOrder() const override { return true; }

  void read(std::int64_t offset, std::span<std::byte> out, const Control& control) override {
    // So much is read between two looks at a stop request.
    constexpr std::size_t kPiece = std::size_t{1} << 20;
    for (std::size_t done = 0; done < out.size();) {
      control.check();
      const std::int64_t at = offset + static_cast<std::int64_t>(done);
      std::size_t most = std::min(kPiece, out.size() - done);
      std::int64_t before = 0;  // bytes of gaps
      if (gap_ > 0) {
        most = std::min(most, static_cast<std::size_t>(run_ - at % run_));
        before = at / run_ * gap_;
      }
      const ssize_t got = ::pread(file_.get(), out.data() + done, most, static_cast<off_t>(first_ + at + before));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) throw cannotReadErrno(name_, errno);
      if (got == 0) throw damaged(name_, "it became shorter while it was read");
      done += static_cast<std::size_t>(got);
    }
  }

  void requireUnchanged() const override {
    struct stat opened {
    }, named{};
    if (::fstat(file_.get(), &opened) != 0) throw cannotReadErrno(name_, errno);
    if (::stat(path_.c_str(), &named) != 0)
      throw errno == ENOENT ? cannotRead(ErrorKind::NotFound, name_, "it was removed while it was read", "put it back")
                            : cannotReadErrno(name_, errno);
    const FileStamp now = stampOf(opened), there = stampOf(named);
    const char* what = there.device != stamp_.device || there.number != stamp_.number ? "was replaced"
                       : now.bytes < stamp_.bytes                                     ? "became shorter"
                       : now.bytes > stamp_.bytes                                     ? "grew"
                       : !now.sameTime(stamp_)                                        ? "was written to"
                                                                                      : nullptr;
    if (what != nullptr)
      throw cannotRead(ErrorKind::BadData, name_, "it " + std::string(what) + " while it was read",
                       "wait until it is complete and start again");
  }

 private:
  std::string name_, path_;
  Descriptor file_;
  std::int64_t first_;      // of the voxels
  std::int64_t run_, gap_;  // see StoredVoxels
  FileStamp stamp_;
};

}  // namespace

std::unique_ptr<VoxelBytes> storedBytes(const std::string& name, const StoredVoxels& voxels) {
  Descriptor file = openRegular(voxels.file);
  if (!file.valid()) {
    const std::string shown = std::filesystem::path(voxels.file).filename().string();
    if (errno == ENOENT && name != voxels.file)
      throw cannotRead(ErrorKind::NotFound, name, "its data file " + shown + " is missing",
                       "put it next to the header");
    if (errno == EINVAL) throw notBySlabs(name, "it is no regular file");
    throw cannotReadErrno(name, errno);
  }
  return std::make_unique<StoredBytes>(name, voxels, std::move(file));
}

}  // namespace sscope::io
