#include "core/io/stream/plain_volume.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "core/base/memory.h"
#include "core/io/base/chunked_file.h"
#include "core/io/base/decoder.h"
#include "core/io/base/descriptor.h"
#include "core/io/base/file_error.h"
#include "core/io/stream/own_file.h"
#include "core/volume/losses.h"

namespace sscope::io {

namespace {

class PlainVolume final : public ArrivingVolume {
 public:
  PlainVolume(std::string name, VolumeInfo info, Descriptor file, std::int64_t offset)
      : name_(std::move(name)),
        info_(std::move(info)),
        swapped_(info_.plain->swapped),
        file_(std::move(file)),
        offset_(offset),
        volume_(info_.shape, info_.type, info_.geometry) {
    info_.plain.reset();
    reading_ = std::jthread([this](const std::stop_token& stop) { read(stop); });
  }
  // What waits for a slow disk is a piece at most.
  ~PlainVolume() override = default;
  PlainVolume(const PlainVolume&) = delete;
  PlainVolume& operator=(const PlainVolume&) = delete;

  [[nodiscard]] const VolumeInfo& info() const override { return info_; }
  [[nodiscard]] const Volume& volume() const override { return volume_; }

  void await(std::int64_t bytes, const Control& control) override {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, control.stop, [&] { return failure_ || there_ >= bytes; });
    control.check();
    if (failure_ && there_ < bytes) std::rethrow_exception(failure_);
  }

 private:
  static constexpr std::int64_t kPiece = std::int64_t{1} << 20;

  void read(const std::stop_token& stop) {
    try {
      std::int64_t done = 0, nonFinite = 0;
      while (done < volume_.bytes() && !stop.stop_requested()) {
        const std::span<std::byte> piece(volume_.data() + done,
                                         static_cast<std::size_t>(std::min(kPiece, volume_.bytes() - done)));
        fill(piece, done);
        if (swapped_) swapBytes(piece, bytesOf(volume_.type()));
        nonFinite += countNonFinite(volume_.type(), piece);
        done += static_cast<std::int64_t>(piece.size());
        const std::lock_guard lock(mutex_);
        if (done == volume_.bytes()) noteNonFinite(info_, nonFinite);
        there_ = done;
        changed_.notify_all();
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      failure_ = std::current_exception();
      changed_.notify_all();
    }
  }

  void fill(std::span<std::byte> piece, std::int64_t done) const {
    for (std::size_t n = 0; n < piece.size();) {
      const ssize_t got = ::pread(file_.get(), piece.data() + n, piece.size() - n,
                                  static_cast<off_t>(offset_ + done) + static_cast<off_t>(n));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) throw cannotReadErrno(name_, errno);
      if (got == 0) throw damaged(name_, "it became shorter while it was read");
      n += static_cast<std::size_t>(got);
    }
  }

  std::string name_;
  VolumeInfo info_;
  bool swapped_;
  Descriptor file_;
  std::int64_t offset_;
  Volume volume_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::int64_t there_ = 0;
  std::exception_ptr failure_;
  std::jthread reading_;  // last: it is the first to end
};

}  // namespace

std::unique_ptr<ArrivingVolume> openPlain(const std::string& name, VolumeInfo info) {
  const PlainVoxels& plain = *info.plain;
  // Links that lead elsewhere are for the confined reader to refuse.
  if (!belongsTo(name, plain.file)) return nullptr;
  Descriptor file = openRegular(plain.file);
  struct stat status {};
  if (!file.valid() || ::fstat(file.get(), &status) != 0) return nullptr;
  const double bytes = claimedBytes(info);
  requireMemory(name, bytes, static_cast<double>(availableMemory()));
  const std::int64_t needed = static_cast<std::int64_t>(bytes), size = status.st_size;
  const std::int64_t offset = plain.offset < 0 ? size - needed : plain.offset;
  if (offset < 0 || size - offset < needed) return nullptr;  // its decoder says what is missing
  return std::make_unique<PlainVolume>(name, std::move(info), std::move(file), offset);
}

}  // namespace sscope::io
