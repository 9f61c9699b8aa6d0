#include <bit>
#include <iomanip>
#include <limits>
#include <locale>
#include <sstream>

#include "core/io/native/meta.h"
#include "core/volume/meaning.h"

namespace sscope::io {

namespace {

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
  if (compress) text << "\nCompressedDataSize = " << kMetaSizePlace;
  text << "\nTransformMatrix =";
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::size_t row = 0; row < 3; ++row) text << ' ' << g.direction[3 * row + axis];
  text << "\nOffset = " << g.origin[0] << ' ' << g.origin[1] << ' ' << g.origin[2] << "\nCenterOfRotation = 0 0 0\n"
       << "ElementSpacing = " << g.spacing[0] << ' ' << g.spacing[1] << ' ' << g.spacing[2] << "\nDimSize = " << s.nx
       << ' ' << s.ny << ' ' << s.nz << '\n';
  if (s.components > 1) text << "ElementNumberOfChannels = " << s.components << '\n';
  const auto put = [&](const char* name, const std::string& all) {
    // Other readers accept lines of some hundred characters and cut off white space.
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

}  // namespace sscope::io
