#include "core/io/native/meta_write.h"

#include <bit>
#include <iomanip>
#include <limits>
#include <locale>
#include <sstream>

#include "core/base/paths.h"
#include "core/io/file_sets.h"
#include "core/io/native/chunked_file.h"

namespace sscope::io {

namespace fs = std::filesystem;

namespace {

constexpr const char* kTypeNames[] = {"MET_UCHAR", "MET_CHAR", "MET_USHORT", "MET_SHORT",
                                      "MET_UINT",  "MET_INT",  "MET_FLOAT",  "MET_DOUBLE"};

std::string header(const Volume& volume, const std::string& dataFile) {
  const VolumeShape& s = volume.shape();
  const Geometry g = inMillimeters(volume.geometry());  // the format knows no other unit
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text << std::setprecision(std::numeric_limits<double>::max_digits10);
  text << "ObjectType = Image\nNDims = 3\nBinaryData = True\nBinaryDataByteOrderMSB = "
       << (std::endian::native == std::endian::big ? "True" : "False") << "\nCompressedData = False\nTransformMatrix =";
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::size_t row = 0; row < 3; ++row) text << ' ' << g.direction[3 * row + axis];
  text << "\nOffset = " << g.origin[0] << ' ' << g.origin[1] << ' ' << g.origin[2] << "\nCenterOfRotation = 0 0 0\n"
       << "ElementSpacing = " << g.spacing[0] << ' ' << g.spacing[1] << ' ' << g.spacing[2] << "\nDimSize = " << s.nx
       << ' ' << s.ny << ' ' << s.nz << '\n';
  if (s.components > 1) text << "ElementNumberOfChannels = " << s.components << '\n';
  text << "ElementType = " << kTypeNames[static_cast<std::size_t>(volume.type())] << "\nElementDataFile = " << dataFile
       << '\n';
  return text.str();
}

}  // namespace

void writeMeta(const fs::path& path, const Volume& volume, const Control& control) {
  const std::span<const std::byte> voxels(volume.data(), static_cast<std::size_t>(volume.bytes()));
  const fs::path data = dataBesideHeader(path);
  const bool detached = !data.empty();
  writeAtomically(path, [&](const fs::path& part) {
    ChunkedWriter file(part, path);
    file.write(header(volume, detached ? data.filename().string() : "LOCAL"));
    if (!detached) file.write(voxels, control);
    file.finish();
    if (!detached) return;
    writeAtomically(data, [&](const fs::path& dataPart) {
      ChunkedWriter dataFile(dataPart, path);
      dataFile.write(voxels, control);
      dataFile.finish();
    });
  });
}

}  // namespace sscope::io
