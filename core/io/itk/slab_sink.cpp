#include "core/io/itk/slab_sink.h"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <stdexcept>

#include "core/base/atomic_file.h"
#include "core/io/base/file_error.h"
#include "core/io/itk/hdf5_text.h"
#include "core/io/itk/image_io.h"
#include "core/io/itk/write_planes.h"
#include "core/io/planes/disk_room.h"
#include "core/io/planes/write_back.h"
#include "core/volume/fingerprint.h"

namespace sscope::io {

namespace fs = std::filesystem;

namespace {

// Room on a disk that nobody else can take: a file without a name, which shrinks while another one grows. HDF5's
// library ends the program when the disk fills up under it.
class HeldRoom {
 public:
  HeldRoom(const fs::path& beside, std::int64_t bytes, const fs::path& shown, const Control& control) : left_(bytes) {
    const fs::path folder = beside.has_parent_path() ? beside.parent_path() : fs::path(".");
    file_ = Descriptor(::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600));
    if (file_.valid()) {
      takeRoom(file_, bytes, shown, control);
      return;
    }
    // Where files without names are unknown, it is looked at now and not held.
    const Descriptor named(::open(beside.c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC));
    if (!named.valid()) throw cannotWriteErrno(shown, errno);
    takeRoom(named, bytes, shown, control);
    static_cast<void>(!::ftruncate(named.get(), 0));
  }
  // `bytes` of it are about to be written.
  void give(std::int64_t bytes) {
    left_ = std::max<std::int64_t>(0, left_ - bytes);
    if (file_.valid()) static_cast<void>(!::ftruncate(file_.get(), static_cast<off_t>(left_)));
  }

 private:
  Descriptor file_;
  std::int64_t left_;
};

class ItkSink final : public VolumeSink {
 public:
  ItkSink(FormatId id, const fs::path& path, const VolumeOutline& volume, const WriteOptions& options,
          const Control& control)
      : path_(path),
        file_(path),
        options_(options),
        sum_(volume.shape, volume.type),
        planeBytes_(volume.bytes() / planesOf(volume.shape)),
        room_(file_.temporary(), volume.bytes() + overheadOf(planesOf(volume.shape)), path, control),
        io_(makeImageIo(id)) {
    silenceItk();
    io_->SetFileName(file_.temporary().string());
    describe(*io_, volume);
    io_->SetUseCompression(false);
  }
  // Closing the file writes its tables.
  ~ItkSink() override { room_.give(volumeBytes()); }
  ItkSink(const ItkSink&) = delete;
  ItkSink& operator=(const ItkSink&) = delete;

  [[nodiscard]] bool anyOrder() const override { return true; }

  void write(std::int64_t begin, std::span<const std::byte> voxels, const Control& control) override {
    constexpr std::int64_t kPiece = std::int64_t{2} << 20;
    const auto bytes = static_cast<std::int64_t>(voxels.size());
    if (bytes % planeBytes_ != 0) throw std::logic_error("planes that a file does not have");
    if (options_.provenance) sum_.add(begin, voxels);
    const std::int64_t count = bytes / planeBytes_, most = std::max<std::int64_t>(1, kPiece / planeBytes_);
    for (std::int64_t done = 0; done < count; done += most) {
      control.check();
      const std::int64_t planes = std::min(most, count - done);
      room_.give(planes * (planeBytes_ + kPerPlane));
      writePlanes(*io_, begin + done, planes, voxels.data() + done * planeBytes_, path_);
    }
  }

  void finish(const Control& control) override {
    control.check();
    room_.give(volumeBytes());
    io_ = nullptr;
    putTextsOfHdf5(file_.temporary(), path_, options_.metadataFor(sum_.text()));
    const Descriptor written(::open(file_.temporary().c_str(), O_WRONLY | O_CLOEXEC));
    if (!written.valid()) throw cannotWriteErrno(path_, errno);
    WriteBack().flush(written, sizeOfFile(file_.temporary(), path_.string()), path_, control);
    file_.commit(options_.names);
  }

 private:
  static constexpr std::int64_t kPerPlane = 256;  // of the table of chunks

  static std::int64_t planesOf(const VolumeShape& s) { return s.nz > 1 ? s.nz : s.ny > 1 ? s.ny : s.nx; }
  static std::int64_t overheadOf(std::int64_t planes) {
    constexpr std::int64_t kHeaders = std::int64_t{1} << 20;
    return kHeaders + planes * kPerPlane;
  }
  // More than there is.
  [[nodiscard]] static std::int64_t volumeBytes() { return std::int64_t{1} << 62; }

  fs::path path_;
  AtomicFile file_;
  WriteOptions options_;
  FingerprintSum sum_;
  std::int64_t planeBytes_;
  HeldRoom room_;
  itk::ImageIOBase::Pointer io_;  // closed before the temporary file is removed
};

}  // namespace

std::unique_ptr<VolumeSink> openSinkWithItk(FormatId id, const fs::path& path, const VolumeOutline& volume,
                                            const WriteOptions& options, const Control& control) {
  return std::make_unique<ItkSink>(id, path, volume, options, control);
}

}  // namespace sscope::io
