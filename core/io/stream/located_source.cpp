#include "core/io/stream/located_source.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <variant>

#include "core/base/memory.h"
#include "core/io/any/file_sets.h"
#include "core/io/base/chunked_file.h"
#include "core/io/base/decoder.h"
#include "core/io/base/file_error.h"
#include "core/io/planes/read_planes.h"
#include "core/io/planes/voxel_bytes.h"
#include "core/io/stream/reader_process.h"
#include "core/io/stream/unpacked_bytes.h"
#include "core/volume/losses.h"

namespace sscope::io {

namespace fs = std::filesystem;

namespace {

// Whether `file`, which the confined reader names, is `name` itself, or belongs to it and lies in its folder, links
// resolved.
bool belongsTo(const std::string& name, const fs::path& file) {
  if (name == file) return true;
  const auto files = filesRead(name);
  if (std::find(files.begin(), files.end(), file) == files.end()) return false;
  std::error_code code;
  const auto folder = fs::canonical(fs::path(name).has_parent_path() ? fs::path(name).parent_path() : ".", code);
  const auto real = code ? fs::path() : fs::canonical(file, code);
  return !code && std::mismatch(folder.begin(), folder.end(), real.begin(), real.end()).first == folder.end();
}

// A volume that is used while its voxels are read, in their order.
class PlainVolume final : public ArrivingVolume {
 public:
  PlainVolume(LocatedVolume located, std::unique_ptr<VoxelBytes> bytes)
      : info_(std::move(located.info)),
        swapped_(located.voxels.swapped),
        bytes_(std::move(bytes)),
        volume_(info_.shape, info_.type, info_.geometry) {
    reading_ = std::jthread([this](const std::stop_token& stop) { read(stop); });
  }
  // Waits for a slow disk for one piece at most.
  ~PlainVolume() override = default;
  PlainVolume(const PlainVolume&) = delete;
  PlainVolume& operator=(const PlainVolume&) = delete;

  [[nodiscard]] const VolumeInfo& info() const override { return info_; }
  [[nodiscard]] const Volume& volume() const override { return volume_; }

  void await(std::int64_t bytes, const Control& control) override {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, control.stop, [&] { return failure_ || arrived_ >= bytes; });
    control.check();
    if (failure_ && arrived_ < bytes) std::rethrow_exception(failure_);
  }

 private:
  static constexpr std::int64_t kPiece = std::int64_t{1} << 20;

  void read(const std::stop_token& stop) {
    try {
      std::int64_t done = 0, nonFinite = 0;
      while (done < volume_.bytes() && !stop.stop_requested()) {
        const std::span<std::byte> piece(volume_.data() + done,
                                         static_cast<std::size_t>(std::min(kPiece, volume_.bytes() - done)));
        bytes_->read(done, piece, {});
        if (swapped_) swapBytes(piece, bytesOf(volume_.type()));
        nonFinite += countNonFinite(volume_.type(), piece);
        done += static_cast<std::int64_t>(piece.size());
        const std::lock_guard lock(mutex_);
        if (done == volume_.bytes()) noteNonFinite(info_, nonFinite);
        arrived_ = done;
        changed_.notify_all();
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      failure_ = std::current_exception();
      changed_.notify_all();
    }
  }

  VolumeInfo info_;
  bool swapped_;
  std::unique_ptr<VoxelBytes> bytes_;
  Volume volume_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::int64_t arrived_ = 0;  // bytes
  std::exception_ptr failure_;
  std::jthread reading_;  // last, so that it ends first
};

}  // namespace

std::unique_ptr<VolumeSource> openLocated(const fs::path& program, const std::string& name, LocatedVolume located) {
  const StoredVoxels& voxels = located.voxels;
  if (voxels.packing != Packing::Planes && !belongsTo(name, voxels.file))
    throw notBySlabs(name, "its voxels lie in a file that does not belong to it");
  requirePlanes(located, name);
  auto bytes = voxels.packing == Packing::None ? storedBytes(parseSelection(name).path, voxels)
                                               : unpackedBytes(program, name, voxels, {});
  return openPlanes(std::move(located), std::move(bytes));
}

std::unique_ptr<ArrivingVolume> openInProcess(const fs::path& program, const std::string& path,
                                              const ReaderLimits& limits, const Control& control) {
  auto source = sourceInProcess(program, path, limits, control);
  if (auto* loaded = std::get_if<LoadedVolume>(&source)) return std::make_unique<ArrivedVolume>(std::move(*loaded));
  auto& located = std::get<LocatedVolume>(source);
  // The confined reader refuses links that lead elsewhere.
  if (!belongsTo(path, located.voxels.file))
    return std::make_unique<ArrivedVolume>(readInProcess(program, path, false, limits, control));
  requireMemory(path, claimedBytes(located.info), static_cast<double>(availableMemory()));
  auto bytes = storedBytes(parseSelection(path).path, located.voxels);
  return std::make_unique<PlainVolume>(std::move(located), std::move(bytes));
}

}  // namespace sscope::io
