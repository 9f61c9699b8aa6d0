#include "core/io/stream/unpacked_bytes.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <utility>
#include <vector>

#include "core/io/file_error.h"
#include "core/io/process/child.h"
#include "core/io/process/protocol.h"
#include "core/io/process/stop_signal.h"

namespace sscope::io {

namespace {

// A reader that sends unpacked bytes, and how far it is.
class Unpacker {
 public:
  Unpacker(const std::filesystem::path& program, const std::string& name, const ReaderLimits& limits)
      : name_(name), child_(program, argumentsOf({std::string(kUnpackRequest), name, {}})), watch_(name_, limits) {}

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

 private:
  void beginFrame(const StopSignal& stop, const Control& control) {
    std::uint32_t size = 0;
    const auto bytes = std::as_writable_bytes(std::span(&size, 1));
    for (std::size_t done = 0; done < bytes.size();) {
      const std::size_t got = readSome(bytes.subspan(done), stop, control);
      if (got == 0) throw ended();
      done += got;
    }
    if (size == 0) throwReply(stop, control);
    if (size > kLongestFrame) throw ended();
    left_ = size;
  }

  // 0 where the pipe is closed.
  std::size_t readSome(std::span<std::byte> out, const StopSignal& stop, const Control& control) {
    constexpr int kPollMilliseconds = 20;
    for (;;) {
      control.check();
      const ssize_t got = ::read(child_.reply(), out.data(), out.size());
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EAGAIN && errno != EINTR) throw cannotReadErrno(name_, errno);
      stop.wait(child_.reply(), kPollMilliseconds);
      watch_.look(child_, false, {control.stop, {}});
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
    auto decoded = decodePlace(reply);
    if (auto* error = std::get_if<Error>(&decoded)) throw *error;
    throw ended();
  }
  [[nodiscard]] Error ended() const { return damaged(name_, "the file is damaged (the decoder crashed)"); }

  std::string name_;
  Child child_;
  Watch watch_;
  std::size_t left_ = 0;  // of the frame
  std::int64_t position_ = 0;
};

class UnpackedBytes final : public VoxelBytes {
 public:
  UnpackedBytes(std::filesystem::path program, std::string name, const StoredVoxels& voxels, const ReaderLimits& limits)
      : program_(std::move(program)), name_(std::move(name)), limits_(limits), packed_(storedBytes(name_, voxels)) {}

  [[nodiscard]] bool anyOrder() const override { return false; }
  void requireUnchanged() const override { packed_->requireUnchanged(); }

  void read(std::int64_t offset, std::span<std::byte> out, const Control& control) override {
    if (!unpacker_ || offset < unpacker_->position()) unpacker_.emplace(program_, name_, limits_);
    const StopSignal stop(control);
    constexpr std::int64_t kPiece = std::int64_t{1} << 18;
    while (unpacker_->position() < offset) {
      skipped_.resize(static_cast<std::size_t>(std::min(kPiece, offset - unpacker_->position())));
      unpacker_->take(skipped_, stop, control);
    }
    unpacker_->take(out, stop, control);
  }

 private:
  std::filesystem::path program_;
  std::string name_;
  ReaderLimits limits_;
  std::unique_ptr<VoxelBytes> packed_;  // the file as it is
  std::optional<Unpacker> unpacker_;
  std::vector<std::byte> skipped_;
};

}  // namespace

std::unique_ptr<VoxelBytes> unpackedBytes(const std::filesystem::path& program, const std::string& name,
                                          const StoredVoxels& voxels, const ReaderLimits& limits) {
  return std::make_unique<UnpackedBytes>(program, name, voxels, limits);
}

}  // namespace sscope::io
