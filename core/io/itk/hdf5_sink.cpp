#include "core/io/itk/hdf5_sink.h"

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <stdexcept>
#include <vector>

#include "core/base/atomic_file.h"
#include "core/io/base/file_error.h"
#include "core/io/itk/hdf5_file.h"
#include "core/io/itk/itk_image.h"
#include "core/io/planes/disk_room.h"
#include "core/io/planes/plane_writer.h"
#include "core/volume/fingerprint.h"

namespace sscope::io {

namespace fs = std::filesystem;

namespace {

using Pixel = itk::CommonEnums::IOPixel;

bool isFlat(const VolumeOutline& volume) {
  const Geometry& g = volume.geometry;
  const auto& d = g.direction;
  return volume.shape.nz == 1 && g.origin[2] == 0 && g.spacing[2] == 1 && d[2] == 0 && d[5] == 0 && d[6] == 0 &&
         d[7] == 0 && d[8] == 1;
}

void describe(itk::ImageIOBase& io, const VolumeOutline& volume) {
  const VolumeShape& shape = volume.shape;
  const Geometry g = inMillimeters(volume.geometry);  // the format knows no other unit
  const unsigned axes = isFlat(volume) ? 2 : 3;
  const std::array<std::int64_t, 3> extent{shape.nx, shape.ny, shape.nz};
  io.SetNumberOfDimensions(axes);
  for (unsigned a = 0; a < axes; ++a) {
    io.SetDimensions(a, static_cast<itk::SizeValueType>(extent[a]));
    io.SetSpacing(a, g.spacing[a]);
    io.SetOrigin(a, g.origin[a]);
    std::vector<double> column;
    for (unsigned r = 0; r < axes; ++r) column.push_back(g.direction[3 * r + a]);
    io.SetDirection(a, column);
  }
  io.SetComponentType(componentOf(volume.type));
  io.SetNumberOfComponents(static_cast<unsigned>(shape.components));
  // Components are just components: only the formats for pictures know colors.
  io.SetPixelType(shape.components == 1 ? Pixel::SCALAR : Pixel::VECTOR);
  io.SetFileTypeToBinary();
}

void writePlanes(itk::ImageIOBase& io, std::int64_t first, std::int64_t count, const std::byte* voxels,
                 const std::filesystem::path& shown) {
  try {
    unsigned slowest = 0;
    for (unsigned a = 0; a < io.GetNumberOfDimensions(); ++a)
      if (io.GetDimensions(a) > 1) slowest = a;
    io.SetIORegion(planesRegion(io, slowest, first, count));
    errno = 0;
    io.Write(voxels);
  } catch (const itk::ExceptionObject& error) {
    if (errno != 0) throw cannotWriteErrno(shown, errno);
    throw cannotWrite(ErrorKind::Io, shown, reasonOf(error), "check the free space and the rights of the folder");
  }
}

// Reserved room on a disk: a file without a name, which shrinks while another one grows. HDF5's library ends the
// program when the disk fills up (its destructors throw).
class HeldRoom {
 public:
  HeldRoom(const fs::path& beside, std::int64_t bytes, const fs::path& shown, const Control& control) : left_(bytes) {
    const fs::path folder = beside.has_parent_path() ? beside.parent_path() : fs::path(".");
    file_ = Descriptor(::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600));
    if (file_.valid()) {
      takeRoom(file_, bytes, shown, control);
      return;
    }
    // Without support for files without names the room is checked now and not held.
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

class Hdf5Sink final : public VolumeSink {
 public:
  Hdf5Sink(const fs::path& path, const VolumeOutline& volume, const WriteOptions& options, const Control& control)
      : path_(path),
        file_(path),
        options_(options),
        sum_(volume.shape, volume.type),
        planeBytes_(volume.bytes() / planesOf(volume.shape)),
        room_(file_.temporary(), volume.bytes() + overheadOf(planesOf(volume.shape)), path, control),
        io_(makeImageIo(FormatId::hdf5)) {
    silenceItk();
    io_->SetFileName(file_.temporary().string());
    describe(*io_, volume);
    io_->SetUseCompression(options.compress);
  }
  // Closing the file writes its tables.
  ~Hdf5Sink() override { room_.give(allBytes()); }
  Hdf5Sink(const Hdf5Sink&) = delete;
  Hdf5Sink& operator=(const Hdf5Sink&) = delete;

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
    room_.give(allBytes());
    io_ = nullptr;
    putTextsOfHdf5(file_.temporary(), path_, options_.metadataFor(sum_.text()));
    if (options_.untilStored) {
      const Descriptor written(::open(file_.temporary().c_str(), O_WRONLY | O_CLOEXEC));
      if (!written.valid()) throw cannotWriteErrno(path_, errno);
      WriteBack().flush(written, sizeOfFile(file_.temporary(), path_.string()), path_, control);
    }
    file_.commit(options_.names);
  }

 private:
  static constexpr std::int64_t kPerPlane = 256;  // bytes in the table of chunks

  static std::int64_t overheadOf(std::int64_t planes) {
    constexpr std::int64_t kHeaders = std::int64_t{1} << 20;
    return kHeaders + planes * kPerPlane;
  }
  // More than any volume has: all of the room.
  [[nodiscard]] static std::int64_t allBytes() { return std::int64_t{1} << 62; }

  fs::path path_;
  AtomicFile file_;
  WriteOptions options_;
  FingerprintSum sum_;
  std::int64_t planeBytes_;
  HeldRoom room_;
  itk::ImageIOBase::Pointer io_;  // closed before the temporary file is removed
};

}  // namespace

std::unique_ptr<VolumeSink> openHdf5Sink(const fs::path& path, const VolumeOutline& volume, const WriteOptions& options,
                                         const Control& control) {
  return std::make_unique<Hdf5Sink>(path, volume, options, control);
}

}  // namespace sscope::io
