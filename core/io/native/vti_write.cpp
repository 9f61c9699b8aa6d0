#include <bit>
#include <iomanip>
#include <limits>
#include <locale>
#include <sstream>

#include "core/io/native/vti.h"
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

// An array of one text as VTK writes it: the numbers of its characters with a 0 at the end, all of the same width.
std::string vtiTextArray(const char* name, const std::string& text) {
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
      vtiTextArray(kMeaningKey, meaningText(metadata)) + vtiTextArray(kProvenanceKey, metadata.provenance);
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

}  // namespace sscope::io
