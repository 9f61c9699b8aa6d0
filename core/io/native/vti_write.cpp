#include "core/io/native/vti_write.h"

#include <bit>
#include <iomanip>
#include <limits>
#include <locale>
#include <sstream>

#include "core/base/paths.h"
#include "core/io/base/chunked_file.h"
#include "core/io/base/voxel_pieces.h"
#include "core/io/native/vti_types.h"
#include "core/volume/meaning.h"
#include "core/volume/provenance.h"

namespace sscope::io {

namespace {

template <class List>
std::string joined(const List& values) {
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text << std::setprecision(std::numeric_limits<double>::max_digits10);
  const char* separator = "";
  for (const double value : values) {
    text << separator << value;
    separator = " ";
  }
  return text.str();
}

}  // namespace

namespace {

// An array of one text, as VTK has it: the numbers of its characters, with a 0 at the end; each as wide as another.
std::string textArray(const char* name, const std::string& text) {
  if (text.empty()) return {};
  std::string numbers;
  for (const char c : text) {
    const std::string number = std::to_string(static_cast<int>(c));
    numbers += std::string(4 - number.size(), ' ') + number;
  }
  return "<Array type=\"String\" Name=\"" + std::string(name) + "\" NumberOfTuples=\"1\" format=\"ascii\">\n" +
         numbers + " 0\n</Array>\n";
}

std::string fieldData(const Metadata& metadata) {
  const std::string arrays =
      textArray(kMeaningKey, meaningText(metadata)) + textArray(kProvenanceKey, metadata.provenance);
  return arrays.empty() ? arrays : "<FieldData>\n" + arrays + "</FieldData>\n";
}

}  // namespace

std::string formatVtiHeader(const VolumeOutline& volume, const Metadata& metadata) {
  const VolumeShape& s = volume.shape;
  const Geometry g = inMillimeters(volume.geometry);  // the format knows no other unit
  const std::string extent =
      "0 " + std::to_string(s.nx - 1) + " 0 " + std::to_string(s.ny - 1) + " 0 " + std::to_string(s.nz - 1);
  const char* order = std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian";
  return "<?xml version=\"1.0\"?>\n"
         "<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"" +
         std::string(order) +
         "\" header_type=\"UInt64\">\n"
         "<ImageData WholeExtent=\"" +
         extent + "\" Origin=\"" + joined(g.origin) + "\" Spacing=\"" + joined(g.spacing) + "\" Direction=\"" +
         joined(g.direction) + "\">\n" + fieldData(metadata) + "<Piece Extent=\"" + extent +
         "\">\n<PointData Scalars=\"values\">\n"
         "<DataArray type=\"" +
         std::string(kVtiTypes[static_cast<std::size_t>(volume.type)]) + "\" Name=\"values\" NumberOfComponents=\"" +
         std::to_string(s.components) +
         "\" format=\"appended\" offset=\"0\"/>\n"
         "</PointData>\n</Piece>\n</ImageData>\n<AppendedData encoding=\"raw\">\n_";
}

void writeVti(const std::filesystem::path& path, const VolumeOutline& volume, const VoxelPieces& voxels,
              const WriteOptions& options, const Control& control) {
  writeAtomically(
      path,
      [&](const std::filesystem::path& part) {
        ChunkedWriter file(part, path);
        const std::string before = formatVtiHeader(volume, options.metadata);
        file.write(before);
        const auto bytes = static_cast<std::uint64_t>(volume.bytes());
        file.write(std::as_bytes(std::span(&bytes, 1)), {});
        writeEach(volume, voxels, file, control);
        file.write(kVtiEnd);
        const std::string after = formatVtiHeader(volume, options.metadataFor({}));
        if (after.size() != before.size()) throw std::logic_error("a header that changes its length");
        file.patch(0, after);
        file.finish();
      },
      options.names);
}

}  // namespace sscope::io
