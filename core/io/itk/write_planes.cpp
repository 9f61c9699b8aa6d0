#include "core/io/itk/write_planes.h"

#include <array>
#include <cerrno>
#include <vector>

#include "core/io/base/file_error.h"
#include "core/io/itk/image_io.h"

namespace sscope::io {

namespace {

using Pixel = itk::CommonEnums::IOPixel;

bool isFlat(const VolumeOutline& volume) {
  const Geometry& g = volume.geometry;
  const auto& d = g.direction;
  return volume.shape.nz == 1 && g.origin[2] == 0 && g.spacing[2] == 1 && d[2] == 0 && d[5] == 0 && d[6] == 0 &&
         d[7] == 0 && d[8] == 1;
}

}  // namespace

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
    io.SetIORegion(planesRegion(io, first, count));
    errno = 0;
    io.Write(voxels);
  } catch (const itk::ExceptionObject& error) {
    if (errno != 0) throw cannotWriteErrno(shown, errno);
    throw cannotWrite(ErrorKind::Io, shown, reasonOf(error), "check the free space and the rights of the folder");
  }
}

}  // namespace sscope::io
