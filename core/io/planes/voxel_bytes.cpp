#include "core/io/planes/voxel_bytes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "core/io/base/deflate.h"
#include "core/io/base/file_error.h"
#include "core/io/base/text_numbers.h"
#include "core/io/planes/watched_file.h"

namespace sscope::io {

namespace {

namespace fs = std::filesystem;

// "it" or "its data file x.raw".
std::string subjectOf(const std::string& name, const std::string& file) {
  return name == file ? "it" : "its data file " + fs::path(file).filename().string();
}

class StoredBytes final : public VoxelBytes {
 public:
  StoredBytes(const std::string& name, const std::string& path, std::int64_t offset, const StoredVoxels& voxels,
              std::int64_t span)
      : name_(name), first_(offset), run_(voxels.runBytes), gap_(voxels.gapBytes) {
    file_ = openRegular(path);
    struct stat status {};
    if (!file_.valid() || ::fstat(file_.get(), &status) != 0) {
      if (errno == ENOENT && name != path)
        throw cannotRead(ErrorKind::NotFound, name, subjectOf(name, path) + " is missing", "put it next to the header");
      if (errno == EINVAL) throw notBySlabs(name, "it is no regular file");
      throw cannotReadErrno(name, errno);
    }
    watched_.emplace(name, path, status);
    const std::int64_t bytes = watched_->bytes();
    if (first_ < 0) first_ = std::max<std::int64_t>(0, bytes - span);
    const std::int64_t there = std::max<std::int64_t>(0, bytes - first_);
    if (there < span)
      throw damaged(name, subjectOf(name, path) + (name == path ? " is cut off: " : " is too short: ") +
                              bytesText(static_cast<double>(there)) + " of " + bytesText(static_cast<double>(span)) +
                              " of voxels are there, " + bytesText(static_cast<double>(span - there)) + " are missing");
  }

  [[nodiscard]] bool anyOrder() const override { return true; }

  void read(std::int64_t offset, std::span<std::byte> out, const Control& control) override {
    // Bytes that are read between two checks for a stop request.
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

  void requireUnchanged() override { watched_->requireUnchanged(); }

 private:
  std::string name_;
  Descriptor file_;
  std::int64_t first_;      // offset of the voxels
  std::int64_t run_, gap_;  // see StoredVoxels
  std::optional<WatchedFile> watched_;
};

// Bytes that come one after the other: going back begins anew.
class SequentialBytes : public VoxelBytes {
 public:
  [[nodiscard]] bool anyOrder() const override { return false; }
  void read(std::int64_t offset, std::span<std::byte> out, const Control& control) override {
    if (position_ < 0 || offset < position_) {
      begin(control);
      position_ = 0;
    }
    constexpr std::int64_t kSkipped = std::int64_t{1} << 18;
    while (position_ < offset) {
      skipped_.resize(static_cast<std::size_t>(std::min(kSkipped, offset - position_)));
      advance(skipped_, control);
    }
    advance(out, control);
  }

 protected:
  explicit SequentialBytes(std::int64_t bytes) : bytes_(bytes) {}
  virtual void begin(const Control& control) = 0;
  virtual void next(std::int64_t position, std::span<std::byte> out, const Control& control) = 0;
  // All bytes were read.
  virtual void end(const Control& control) = 0;
  std::int64_t bytes_;

 private:
  void advance(std::span<std::byte> out, const Control& control) {
    control.check();
    next(position_, out, control);
    position_ += static_cast<std::int64_t>(out.size());
    if (position_ == bytes_ && !out.empty()) end(control);
  }
  std::int64_t position_ = -1;
  std::vector<std::byte> skipped_;
};

InputFile openVoxels(const std::string& name, const std::string& path) {
  std::error_code code;
  if (name != path && !fs::exists(path, code))
    throw cannotRead(ErrorKind::NotFound, name, subjectOf(name, path) + " is missing", "put it next to the header");
  return {path, name};
}

class InflatedBytes final : public SequentialBytes {
 public:
  InflatedBytes(const std::string& name, const VoxelFile& part, std::int64_t skip, std::int64_t bytes)
      : SequentialBytes(bytes), file_(openVoxels(name, part.path)), offset_(part.offset), skip_(skip) {
    constexpr double kDensest = 1040;  // bytes that deflate packs into one
    if (static_cast<double>(bytes) + static_cast<double>(skip) > kDensest * static_cast<double>(file_.bytes()) + 1024)
      throw damaged(name, "it is cut off: its header claims " + bytesText(static_cast<double>(bytes)) +
                              " of voxels and the file has " + bytesText(static_cast<double>(file_.bytes())));
  }

 private:
  void begin(const Control& control) override {
    std::int64_t skip = skip_;
    if (skip < 0) skip = unpackedBytesOf(file_, offset_, control) - bytes_;
    if (skip < 0) throw damaged(file_.shown(), "it holds fewer voxels than its header states");
    stream_.emplace(file_, offset_);
    std::vector<std::byte> scratch(std::size_t{1} << 18);
    before_ = skip;
    for (std::int64_t done = 0; done < skip;) {
      control.check();
      const auto piece = std::span(scratch).first(
          static_cast<std::size_t>(std::min(skip - done, static_cast<std::int64_t>(scratch.size()))));
      stream_->read(piece, done, skip + bytes_);
      done += static_cast<std::int64_t>(piece.size());
    }
  }
  void next(std::int64_t position, std::span<std::byte> out, const Control& control) override {
    constexpr std::size_t kPiece = std::size_t{1} << 20;
    for (std::size_t done = 0; done < out.size(); done += kPiece) {
      control.check();
      stream_->read(out.subspan(done, std::min(kPiece, out.size() - done)),
                    before_ + position + static_cast<std::int64_t>(done), before_ + bytes_);
    }
  }
  void end(const Control& control) override { stream_->requireChecksum(control); }

  InputFile file_;
  std::int64_t offset_, skip_;
  std::int64_t before_ = 0;  // unpacked bytes before the voxels
  std::optional<Inflater> stream_;
};

class TextBytes final : public SequentialBytes {
 public:
  TextBytes(std::string name, VoxelFile part, const StoredVoxels& voxels, std::int64_t bytes)
      : SequentialBytes(bytes),
        name_(std::move(name)),
        part_(std::move(part)),
        separators_(voxels.separators),
        type_(voxels.type) {}

 private:
  void begin(const Control& /*control*/) override {
    numbers_.emplace(part_.path, name_, part_.offset, separators_, static_cast<std::uint64_t>(bytes_) / bytesOf(type_));
  }
  void next(std::int64_t /*position*/, std::span<std::byte> out, const Control& control) override {
    numbers_->read(type_, out, control);
  }
  void end(const Control& /*control*/) override { numbers_->requireEnd(); }

  std::string name_;
  VoxelFile part_;
  std::string separators_;
  Stored type_;
  std::optional<TextNumbers> numbers_;
};

class MadeBytes final : public VoxelBytes {
 public:
  explicit MadeBytes(std::vector<std::byte> bytes) : bytes_(std::move(bytes)) {}
  [[nodiscard]] bool anyOrder() const override { return true; }
  void read(std::int64_t offset, std::span<std::byte> out, const Control& /*control*/) override {
    std::memcpy(out.data(), bytes_.data() + offset, out.size());
  }

 private:
  std::vector<std::byte> bytes_;
};

// One file of several that share the voxels.
std::unique_ptr<VoxelBytes> partBytes(const std::string& name, const VoxelFile& part, const StoredVoxels& voxels,
                                      std::int64_t bytes) {
  switch (voxels.packing) {
    case Packing::Deflate: return std::make_unique<InflatedBytes>(name, part, voxels.skip, bytes);
    case Packing::Text: return std::make_unique<TextBytes>(name, part, voxels, bytes);
    default:
      return std::make_unique<StoredBytes>(name, part.path, part.offset, voxels,
                                           voxels.further.empty() ? voxels.span() : bytes);
  }
}

// Files that follow each other; one is open at a time.
class JoinedBytes final : public VoxelBytes {
 public:
  JoinedBytes(std::string name, const StoredVoxels& voxels)
      : name_(std::move(name)),
        voxels_(voxels),
        share_(voxels.bytes() / static_cast<std::int64_t>(voxels.further.size() + 1)) {}
  [[nodiscard]] bool anyOrder() const override { return voxels_.packing == Packing::None; }
  void read(std::int64_t offset, std::span<std::byte> out, const Control& control) override {
    while (!out.empty()) {
      const std::int64_t part = offset / share_, at = offset % share_;
      if (part != open_) {
        const VoxelFile first{voxels_.file, voxels_.offset};
        bytes_ =
            partBytes(name_, part == 0 ? first : voxels_.further[static_cast<std::size_t>(part - 1)], voxels_, share_);
        open_ = part;
      }
      const auto piece = out.first(std::min(out.size(), static_cast<std::size_t>(share_ - at)));
      bytes_->read(at, piece, control);
      out = out.subspan(piece.size());
      offset += static_cast<std::int64_t>(piece.size());
    }
  }

 private:
  std::string name_;
  StoredVoxels voxels_;
  std::int64_t share_;  // bytes of voxels in each file
  std::int64_t open_ = -1;
  std::unique_ptr<VoxelBytes> bytes_;
};

}  // namespace

Descriptor openRegular(const fs::path& file) {
  Descriptor opened(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status {};
  if (!opened.valid() || ::fstat(opened.get(), &status) != 0) return {};
  if (S_ISREG(status.st_mode)) return opened;
  errno = EINVAL;
  return {};
}

std::unique_ptr<VoxelBytes> storedBytes(const std::string& name, const StoredVoxels& voxels) {
  return partBytes(name, {voxels.file, voxels.offset}, voxels, voxels.bytes());
}

std::unique_ptr<VoxelBytes> openBytes(const LocatedVolume& located, const std::string& name, const Control& control) {
  if (located.make) return std::make_unique<MadeBytes>(located.make(control));
  const StoredVoxels& voxels = located.voxels;
  if (voxels.further.empty()) return storedBytes(name, voxels);
  return std::make_unique<JoinedBytes>(name, voxels);
}

}  // namespace sscope::io
