#include "core/io/native/meta_write.h"

#include <bit>
#include <iomanip>
#include <limits>
#include <locale>
#include <sstream>

#include "core/io/base/detached.h"
#include "core/io/base/voxel_pieces.h"
#include "core/io/native/meta_header.h"
#include "core/volume/meaning.h"
#ifdef SSCOPE_IO_ZLIB
#include "core/io/base/gzip_writer.h"
#endif

namespace sscope::io {

namespace fs = std::filesystem;

namespace {

// Room for the number of compressed bytes, which is known last.
constexpr std::string_view kSizePlace = "000000000000000000";

constexpr const char* kMetaTypes[] = {"MET_UCHAR", "MET_CHAR", "MET_USHORT", "MET_SHORT",
                                      "MET_UINT",  "MET_INT",  "MET_FLOAT",  "MET_DOUBLE"};

}  // namespace

std::string formatMetaHeader(const VolumeOutline& volume, const Metadata& metadata, const std::string& dataFile,
                             bool compress) {
  const VolumeShape& s = volume.shape;
  const Geometry g = inMillimeters(volume.geometry);  // the format knows no other unit
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text << std::setprecision(std::numeric_limits<double>::max_digits10);
  text << "ObjectType = Image\nNDims = 3\nBinaryData = True\nBinaryDataByteOrderMSB = "
       << (std::endian::native == std::endian::big ? "True" : "False")
       << "\nCompressedData = " << (compress ? "True" : "False");
  if (compress) text << "\nCompressedDataSize = " << kSizePlace;
  text << "\nTransformMatrix =";
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::size_t row = 0; row < 3; ++row) text << ' ' << g.direction[3 * row + axis];
  text << "\nOffset = " << g.origin[0] << ' ' << g.origin[1] << ' ' << g.origin[2] << "\nCenterOfRotation = 0 0 0\n"
       << "ElementSpacing = " << g.spacing[0] << ' ' << g.spacing[1] << ' ' << g.spacing[2] << "\nDimSize = " << s.nx
       << ' ' << s.ny << ' ' << s.nz << '\n';
  if (s.components > 1) text << "ElementNumberOfChannels = " << s.components << '\n';
  const auto put = [&](const char* name, const std::string& all) {
    // Readers take lines of some hundred characters, and cut off white space.
    constexpr std::size_t kPiece = 400;
    for (std::size_t at = 0; at < all.size(); at += kPiece)
      text << name << at / kPiece << " = \"" << all.substr(at, kPiece) << "\"\n";
  };
  put(kMetaMeaning, meaningText(metadata));
  put(kMetaProvenance, metadata.provenance);
  text << "ElementType = " << kMetaTypes[static_cast<std::size_t>(volume.type)] << "\nElementDataFile = " << dataFile
       << '\n';
  return text.str();
}

namespace {

// The bytes that were written, as kSizePlace has room for them.
std::string writePacked([[maybe_unused]] ChunkedWriter& file, [[maybe_unused]] const VolumeOutline& volume,
                        [[maybe_unused]] const VoxelPieces& voxels, [[maybe_unused]] const Control& control) {
  std::string size(kSizePlace);
#ifdef SSCOPE_IO_ZLIB
  Deflater deflater(Deflater::Wrap::Zlib, [&](std::span<const std::byte> packed) { file.write(packed, {}); });
  writeEach(volume, voxels, deflater, control);
  deflater.finish();
  size = std::to_string(deflater.packedBytes());
  size.insert(0, kSizePlace.size() - size.size(), '0');
#endif
  return size;
}

}  // namespace

void writeMeta(const fs::path& path, const VolumeOutline& volume, const VoxelPieces& voxels,
               const WriteOptions& options, const Control& control) {
  const fs::path data = dataBesideHeader(path);
  std::string packed(kSizePlace);
  const auto text = [&](const Metadata& metadata) {
    std::string header =
        formatMetaHeader(volume, metadata, data.empty() ? kMetaAttached : data.filename().string(), options.compress);
    if (options.compress) header.replace(header.find(kSizePlace), packed.size(), packed);
    return header;
  };
  const auto write = [&](ChunkedWriter& file) {
    if (data.empty() && options.compress) {
      packed = writePacked(file, volume, voxels, control);
    } else {
      writeEach(volume, voxels, file, control);
    }
  };
  writeHeaderAndVoxels(path, path, text, data, write, options);
}

}  // namespace sscope::io
