#include "core/io/itk/encode.h"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "core/base/paths.h"
#include "core/io/file_error.h"
#include "core/io/itk/image_io.h"
#include "core/io/process/descriptor.h"

namespace sscope::io {

using Pixel = itk::CommonEnums::IOPixel;

namespace {

constexpr std::int64_t kSlabBytes = std::int64_t{16} << 20;

// Two axes where nothing of the third one would be lost.
bool isFlat(const Volume& volume) {
  const Geometry& g = volume.geometry();
  const auto& d = g.direction;
  return volume.shape().nz == 1 && g.origin[2] == 0 && g.spacing[2] == 1 && d[2] == 0 && d[5] == 0 && d[6] == 0 &&
         d[7] == 0 && d[8] == 1;
}

void describe(itk::ImageIOBase& io, const Volume& volume) {
  const VolumeShape& shape = volume.shape();
  const Geometry g = inMillimeters(volume.geometry());  // the format knows no other unit
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
  io.SetComponentType(componentOf(volume.type()));
  io.SetNumberOfComponents(static_cast<unsigned>(shape.components));
  // Components are just components: only the formats for pictures know colors.
  io.SetPixelType(shape.components == 1 ? Pixel::SCALAR : Pixel::VECTOR);
  io.SetFileTypeToBinary();
}

itk::ImageIORegion slab(unsigned axes, const VolumeShape& shape, std::int64_t first, std::int64_t count) {
  itk::ImageIORegion region(axes);
  const std::array<std::int64_t, 3> extent{shape.nx, shape.ny, shape.nz};
  for (unsigned a = 0; a < axes; ++a) {
    region.SetIndex(a, 0);
    region.SetSize(a, static_cast<itk::SizeValueType>(extent[a]));
  }
  if (axes == 3) {
    region.SetIndex(2, static_cast<itk::IndexValueType>(first));
    region.SetSize(2, static_cast<itk::SizeValueType>(count));
  }
  return region;
}

void writeSlabs(itk::ImageIOBase& io, const Volume& volume, const Control& control) {
  const VolumeShape& shape = volume.shape();
  const unsigned axes = io.GetNumberOfDimensions();
  const std::int64_t sliceBytes = volume.bytes() / shape.nz;
  const bool streams = axes == 3 && io.CanStreamWrite();
  const std::int64_t step = streams ? std::clamp<std::int64_t>(kSlabBytes / sliceBytes, 1, shape.nz) : shape.nz;
  for (std::int64_t z = 0; z < shape.nz; z += step) {
    control.check();
    io.SetIORegion(slab(axes, shape, z, std::min(step, shape.nz - z)));
    errno = 0;
    io.Write(volume.data() + z * sliceBytes);
    control.report(static_cast<double>(std::min(z + step, shape.nz)) / static_cast<double>(shape.nz), "writing");
  }
}

// HDF5's library ends the program when the disk fills up under it (its destructors throw): the room is tried first.
void requireRoom(const std::filesystem::path& part, const std::filesystem::path& shown, const Volume& volume) {
  constexpr off_t kOverhead = 1 << 20;
  const Descriptor file(::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!file.valid()) throw cannotWriteErrno(shown, errno);
  if (const int failure = ::posix_fallocate(file.get(), 0, static_cast<off_t>(volume.bytes()) + kOverhead);
      failure != 0)
    throw cannotWriteErrno(shown, failure);
  if (::ftruncate(file.get(), 0) != 0 || ::unlink(part.c_str()) != 0) throw cannotWriteErrno(shown, errno);
}

}  // namespace

void encodeWithItk(FormatId id, const std::filesystem::path& path, const Volume& volume, bool compress,
                   const Control& control) {
  silenceItk();
  writeAtomically(path, [&](const std::filesystem::path& part) {
    if (id == FormatId::hdf5) requireRoom(part, path, volume);
    const itk::ImageIOBase::Pointer io = makeImageIo(id);
    try {
      io->SetFileName(part.string());
      describe(*io, volume);
      io->SetUseCompression(compress);
      writeSlabs(*io, volume, control);
    } catch (const itk::ExceptionObject& error) {
      if (errno != 0) throw cannotWriteErrno(path, errno);
      throw cannotWrite(ErrorKind::Io, path, reasonOf(error), "check the free space and the rights of the folder");
    }
  });
}

}  // namespace sscope::io
