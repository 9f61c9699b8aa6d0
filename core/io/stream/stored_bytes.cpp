#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <utility>

#include "core/io/base/descriptor.h"
#include "core/io/base/file_error.h"
#include "core/io/stream/own_file.h"
#include "core/io/stream/voxel_bytes.h"
#include "core/io/stream/watched_file.h"

namespace sscope::io {

namespace {

class StoredBytes final : public VoxelBytes {
 public:
  StoredBytes(const std::string& name, const StoredVoxels& voxels, Descriptor file, const struct stat& status)
      : name_(name),
        file_(std::move(file)),
        first_(voxels.offset),
        run_(voxels.runBytes),
        gap_(voxels.gapBytes),
        watched_(name, voxels.file, status) {
    if (voxels.packing != Packing::None) return;
    const std::int64_t bytes = watched_.bytes();
    if (first_ < 0) first_ = bytes - voxels.span();
    const std::int64_t there = std::max<std::int64_t>(0, bytes - std::max<std::int64_t>(0, first_));
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

  void requireUnchanged() override { watched_.requireUnchanged(); }

 private:
  std::string name_;
  Descriptor file_;
  std::int64_t first_;      // of the voxels
  std::int64_t run_, gap_;  // see StoredVoxels
  WatchedFile watched_;
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
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) throw cannotReadErrno(name, errno);
  return std::make_unique<StoredBytes>(name, voxels, std::move(file), status);
}

}  // namespace sscope::io
