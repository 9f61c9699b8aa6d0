#include "core/io/stream/stored_source.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/io/file_error.h"
#include "core/io/native/chunked_file.h"
#include "core/io/process/descriptor.h"
#include "core/io/stream/own_file.h"
#include "core/volume/array_view.h"

namespace sscope::io {

namespace {

// So much is read between two looks at a stop request.
constexpr std::int64_t kPieceBytes = std::int64_t{1} << 20;

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

class StoredSource final : public VolumeSource {
 public:
  StoredSource(std::string name, LocatedVolume located, Descriptor file)
      : name_(std::move(name)),
        info_(std::move(located.info)),
        voxels_(std::move(located.voxels)),
        file_(std::move(file)),
        elementBytes_(static_cast<std::int64_t>(bytesOf(voxels_.type))) {
    struct stat status {};
    if (::fstat(file_.get(), &status) != 0) throw cannotReadErrno(name_, errno);
    stamp_ = stampOf(status);
    if (voxels_.offset < 0) voxels_.offset = stamp_.bytes - voxels_.bytes();
    const std::int64_t there = std::max<std::int64_t>(0, stamp_.bytes - std::max<std::int64_t>(0, voxels_.offset));
    if (voxels_.offset < 0 || there < voxels_.bytes())
      throw damaged(name_, "it is cut off: " + bytesText(static_cast<double>(there)) + " of " +
                               bytesText(static_cast<double>(voxels_.bytes())) + " of voxels are there, " +
                               bytesText(static_cast<double>(voxels_.bytes() - there)) + " are missing");
    const VolumeShape& s = info_.shape;
    axis_ = slowestAxis({s.nx, s.ny, s.nz, s.components});
    planes_ = axis_ == 2 ? s.nz : axis_ == 1 ? s.ny : s.nx;
    planeVoxels_ = s.voxels() / planes_;
    const FrameLayout& layout = voxels_.layout;
    asStored_ = layout.frames == 1 && info_.shape.components == layout.components && voxels_.scale.trivial() &&
                sameElementType(voxels_.type) == info_.type;
  }

  [[nodiscard]] const VolumeInfo& info() const override { return info_; }
  [[nodiscard]] bool anyOrder() const override { return true; }

  void read(std::int64_t begin, std::int64_t end, std::span<std::byte> voxels, const Control& control) override {
    const std::int64_t bytes =
        (end - begin) * planeVoxels_ * info_.shape.components * static_cast<std::int64_t>(sscope::bytesOf(info_.type));
    if (begin < 0 || end < begin || end > planes_ || static_cast<std::int64_t>(voxels.size()) != bytes)
      throw std::logic_error("planes that a file does not have, or no room for them");
    requireUnchanged();
    if (asStored_) {
      readStored(begin, end, voxels, control);
    } else {
      for (std::int64_t frame = 0; frame < voxels_.layout.frames; ++frame)
        readFrame(frame, begin, end, voxels, control);
    }
    requireUnchanged();
  }

 private:
  void requireUnchanged() const {
    struct stat opened {
    }, named{};
    if (::fstat(file_.get(), &opened) != 0) throw cannotReadErrno(name_, errno);
    if (::stat(voxels_.file.c_str(), &named) != 0)
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

  void fill(std::span<std::byte> out, std::int64_t offset) const {
    for (std::size_t done = 0; done < out.size();) {
      const ssize_t got = ::pread(file_.get(), out.data() + done, out.size() - done,
                                  static_cast<off_t>(offset) + static_cast<off_t>(done));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) throw cannotReadErrno(name_, errno);
      if (got == 0) throw damaged(name_, "it became shorter while it was read");
      done += static_cast<std::size_t>(got);
    }
    if (voxels_.swapped) swapBytes(out, static_cast<std::size_t>(elementBytes_));
  }

  void readStored(std::int64_t begin, std::int64_t end, std::span<std::byte> out, const Control& control) const {
    const std::int64_t planeBytes = planeVoxels_ * voxels_.layout.components * elementBytes_;
    const std::int64_t offset = voxels_.offset + begin * planeBytes, all = (end - begin) * planeBytes;
    for (std::int64_t done = 0; done < all; done += kPieceBytes) {
      control.check();
      fill(out.subspan(static_cast<std::size_t>(done), static_cast<std::size_t>(std::min(kPieceBytes, all - done))),
           offset + done);
    }
  }

  // The chosen components among those that a frame holds.
  void readFrame(std::int64_t frame, std::int64_t begin, std::int64_t end, std::span<std::byte> out,
                 const Control& control) {
    const std::int64_t components = voxels_.layout.components, first = voxels_.firstComponentOf(frame);
    std::vector<std::pair<std::int64_t, std::int64_t>> places;  // component in the frame, component in `out`
    const ChosenComponents& chosen = voxels_.chosen;
    for (std::int64_t c = 0; c < components; ++c) {
      const std::int64_t from = first + c - chosen.first;
      if (from >= 0 && from % chosen.step == 0 && from / chosen.step < chosen.count)
        places.emplace_back(c, from / chosen.step);
    }
    if (places.empty()) return;
    const auto size = static_cast<std::int64_t>(sscope::bytesOf(info_.type));
    const std::int64_t voxelBytes = components * elementBytes_;
    const std::int64_t perPiece = std::max<std::int64_t>(1, kPieceBytes / voxelBytes);
    const std::int64_t count = (end - begin) * planeVoxels_;
    const std::int64_t start =
        voxels_.offset + (frame * voxels_.layout.voxels + begin * planeVoxels_) * components * elementBytes_;
    stored_.resize(static_cast<std::size_t>(std::min(perPiece, count) * voxelBytes));
    converted_.resize(static_cast<std::size_t>(std::min(perPiece, count) * components * size));
    for (std::int64_t done = 0; done < count; done += perPiece) {
      control.check();
      const std::int64_t part = std::min(perPiece, count - done);
      const auto piece = std::span(stored_).first(static_cast<std::size_t>(part * voxelBytes));
      fill(piece, start + done * voxelBytes);
      convert(voxels_.type, piece, info_.type, converted_.data(), voxels_.scale);
      for (std::int64_t v = 0; v < part; ++v)
        for (const auto& [from, to] : places)
          std::memcpy(out.data() + ((done + v) * info_.shape.components + to) * size,
                      converted_.data() + (v * components + from) * size, static_cast<std::size_t>(size));
    }
  }

  std::string name_;
  VolumeInfo info_;
  StoredVoxels voxels_;
  Descriptor file_;
  std::int64_t elementBytes_;  // of an element in the file
  FileStamp stamp_;
  std::size_t axis_ = 2;
  std::int64_t planes_ = 0, planeVoxels_ = 0;
  bool asStored_ = false;                      // but for the order of bytes
  std::vector<std::byte> stored_, converted_;  // one piece
};

}  // namespace

std::unique_ptr<VolumeSource> openStored(const std::string& name, LocatedVolume located) {
  if (located.voxels.packing != Packing::None) throw notBySlabs(name, "its voxels are compressed");
  if (!belongsTo(name, located.voxels.file))
    throw notBySlabs(name, "its voxels lie in a file that does not belong to it");
  Descriptor file = openRegular(located.voxels.file);
  if (!file.valid()) {
    const std::string shown = std::filesystem::path(located.voxels.file).filename().string();
    if (errno == ENOENT && name != located.voxels.file)
      throw cannotRead(ErrorKind::NotFound, name, "its data file " + shown + " is missing",
                       "put it next to the header");
    if (errno == EINVAL) throw notBySlabs(name, "it is no regular file");
    throw cannotReadErrno(name, errno);
  }
  return std::make_unique<StoredSource>(name, std::move(located), std::move(file));
}

}  // namespace sscope::io
