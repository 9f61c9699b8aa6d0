#include "core/io/stream/unpacked_bytes.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <utility>
#include <vector>

#include "core/io/any/file_sets.h"
#include "core/io/base/file_error.h"
#include "core/io/planes/watched_file.h"
#include "core/io/process/child.h"
#include "core/io/process/protocol.h"
#include "core/io/process/stop_signal.h"

namespace sscope::io {

namespace {

// A reader that sends unpacked bytes, and its position.
class Unpacker {
 public:
  // `detail`: of the request. `position`: the first byte that it sends.
  Unpacker(const std::filesystem::path& program, const std::string& name, const std::string& detail,
           std::int64_t position, const ReaderLimits& limits)
      : name_(name),
        child_(program, argumentsOf({std::string(kUnpackRequest), name, detail})),
        watch_(name_, limits),
        position_(position) {}

  [[nodiscard]] std::int64_t position() const { return position_; }

  void take(std::span<std::byte> out, const StopSignal& stop, const Control& control) {
    for (std::size_t done = 0; done < out.size();) {
      if (left_ == 0) beginFrame(stop, control);
      const std::size_t got = readSome(out.subspan(done, std::min(left_, out.size() - done)), stop, control);
      if (got == 0) throw ended();
      done += got;
      left_ -= got;
      position_ += static_cast<std::int64_t>(got);
    }
  }
  // After the last byte. Throws what the reader finds behind it, such as a wrong checksum.
  void end(const StopSignal& stop, const Control& control) { static_cast<void>(nextFrame(stop, control)); }

 private:
  void beginFrame(const StopSignal& stop, const Control& control) {
    const std::optional<std::uint32_t> size = nextFrame(stop, control);
    if (!size || *size > kLongestFrame) throw ended();
    left_ = *size;
  }

  // The size of the next frame; empty where the pipe is closed. Throws the error that arrives instead of a frame.
  std::optional<std::uint32_t> nextFrame(const StopSignal& stop, const Control& control) {
    std::uint32_t size = 0;
    const auto bytes = std::as_writable_bytes(std::span(&size, 1));
    for (std::size_t done = 0; done < bytes.size();) {
      const std::size_t got = readSome(bytes.subspan(done), stop, control);
      if (got == 0) return {};
      done += got;
    }
    if (size == 0) throwReply(stop, control);
    return size;
  }

  // Returns 0 where the pipe is closed.
  std::size_t readSome(std::span<std::byte> out, const StopSignal& stop, const Control& control) {
    constexpr int kPoll = 20;  // milliseconds
    for (;;) {
      control.check();
      const ssize_t got = ::read(child_.reply(), out.data(), out.size());
      arrived_ = arrived_ || got > 0;
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EAGAIN && errno != EINTR) throw cannotReadErrno(name_, errno);
      stop.wait(child_.reply(), kPoll);
      // Planes of absent chunks are made without reading a byte.
      watch_.look(child_, std::exchange(arrived_, false), {control.stop, {}});
    }
  }

  [[noreturn]] void throwReply(const StopSignal& stop, const Control& control) {
    std::string reply;
    std::array<std::byte, 4096> buffer{};
    while (reply.size() <= kMaximumReply) {
      const std::size_t got = readSome(buffer, stop, control);
      if (got == 0) break;
      reply.append(reinterpret_cast<const char*>(buffer.data()), got);
    }
    const VolumeReply decoded = decodeReply(reply);
    if (const auto* error = std::get_if<Error>(&decoded)) throw *error;
    throw ended();
  }
  [[nodiscard]] Error ended() const { return damaged(name_, "the file is damaged (the decoder crashed)"); }

  std::string name_;
  Child child_;
  Watch watch_;
  bool arrived_ = false;  // bytes, since the last look
  std::size_t left_ = 0;  // of the frame
  std::int64_t position_;
};

// Bytes of files that must not change meanwhile.
class UnpackedBytes final : public VoxelBytes {
 public:
  // `bytes`: all of them. `planeBytes`: the reader may begin with any plane of so many bytes; 0: with the first byte
  // only.
  UnpackedBytes(std::filesystem::path program, std::string name, std::int64_t bytes, std::int64_t planeBytes,
                WatchedFiles files, const ReaderLimits& limits)
      : program_(std::move(program)),
        name_(std::move(name)),
        bytes_(bytes),
        planeBytes_(planeBytes),
        limits_(limits),
        files_(std::move(files)) {}

  [[nodiscard]] bool anyOrder() const override { return planeBytes_ > 0; }
  void requireUnchanged() override { files_.requireUnchanged(); }

  void read(std::int64_t offset, std::span<std::byte> out, const Control& control) override {
    if (!reaches(offset)) begin(offset);
    const StopSignal stop(control);
    constexpr std::int64_t kPiece = std::int64_t{1} << 18;
    while (unpacker_->position() < offset) {
      skipped_.resize(static_cast<std::size_t>(std::min(kPiece, offset - unpacker_->position())));
      unpacker_->take(skipped_, stop, control);
    }
    unpacker_->take(out, stop, control);
    if (unpacker_->position() == bytes_ && !out.empty()) unpacker_->end(stop, control);
  }

 private:
  // Whether the running reader reaches this byte soon.
  [[nodiscard]] bool reaches(std::int64_t offset) const {
    if (!unpacker_ || offset < unpacker_->position()) return false;
    constexpr std::int64_t kNear = std::int64_t{16} << 20;  // decoded while another reader would start
    return planeBytes_ == 0 || offset - unpacker_->position() < std::max(kNear, planeBytes_);
  }
  void begin(std::int64_t offset) {
    const std::int64_t plane = planeBytes_ > 0 ? offset / planeBytes_ : 0;
    unpacker_.emplace(program_, name_, planeBytes_ > 0 ? detailOf({plane, bytes_ / planeBytes_}) : std::string(),
                      plane * planeBytes_, limits_);
  }

  std::filesystem::path program_;
  std::string name_;
  std::int64_t bytes_, planeBytes_;
  ReaderLimits limits_;
  WatchedFiles files_;
  std::optional<Unpacker> unpacker_;
  std::vector<std::byte> skipped_;
};

}  // namespace

std::unique_ptr<VoxelBytes> unpackedBytes(const std::filesystem::path& program, const std::string& name,
                                          const StoredVoxels& voxels, const ReaderLimits& limits) {
  const bool planes = voxels.packing == Packing::Planes;
  return std::make_unique<UnpackedBytes>(
      program, name, voxels.bytes(), planes ? voxels.runBytes : 0,
      WatchedFiles(name, planes ? filesRead(name) : std::vector<std::filesystem::path>{voxels.file}), limits);
}

}  // namespace sscope::io
