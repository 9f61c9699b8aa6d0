#include "core/io/native/nrrd_header.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>

#include "core/io/file_error.h"
#include "core/io/native/header_lines.h"

namespace sscope::io {

namespace {

constexpr const char* kNrrdTypes[] = {"uint8", "int8", "uint16", "int16", "uint32", "int32", "float", "double"};

std::string number(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

std::string vectorText(double x, double y, double z) {
  return "(" + number(x) + "," + number(y) + "," + number(z) + ")";
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c != '\n') result += c;
  }
  return result + "\"";
}

std::string oneLine(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text;
}

std::string kindOf(const Metadata& metadata) {
  if (!metadata.componentKind.empty()) return metadata.componentKind;
  return metadata.frames > 1 ? "list" : "vector";
}

}  // namespace

std::string NrrdHeader::field(const std::string& name) const {
  const auto found = fields.find(name);
  return found == fields.end() ? std::string() : found->second;
}

NrrdHeader parseNrrdHeader(const std::string& path) {
  HeaderLines lines(path);
  std::string line;
  if (!lines.next(line) || !line.starts_with("NRRD")) throw damaged(path, "it is not a NRRD file");
  const std::string version = line.substr(4, 4);
  if (version < "0001" || version > "0005")
    throw cannotRead(ErrorKind::Unsupported, path, "its NRRD version is " + version + "; 0001 to 0005 are supported",
                     "save it in one of these versions");
  NrrdHeader header;
  while (lines.next(line)) {
    if (line.empty()) {
      header.dataOffset = lines.position();
      break;
    }
    const std::size_t colon = line.find(':');
    if (line.front() == '#' || colon == std::string::npos) continue;
    if (line.compare(colon, 2, ":=") == 0) {
      header.annotations.emplace_back(line.substr(0, colon), line.substr(colon + 2));
      continue;
    }
    std::string name = line.substr(0, colon);
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (name == "datafile") name = "data file";
    const std::size_t start = line.find_first_not_of(' ', colon + 1);
    header.fields[name] = start == std::string::npos ? "" : line.substr(start);
  }
  if (lines.tooLong()) throw damaged(path, "its header is too long");
  return header;
}

std::string nrrdUnit(const NrrdHeader& header) {
  std::string units = header.field("space units");
  if (units.empty()) units = header.field("units");
  std::size_t at = 0;
  while ((at = units.find('"', at)) != std::string::npos) {
    const std::size_t end = units.find('"', at + 1);
    if (end == std::string::npos) break;
    const std::string unit = units.substr(at + 1, end - at - 1);
    at = end + 1;
    if (unit == "micron" || unit == "microns" || unit == "micrometer" || unit == "\xc2\xb5m" || unit == "\xce\xbcm")
      return "um";
    if (unit == "millimeter" || unit == "millimeters") return "mm";
    if (unit == "none" || unit == "pixel" || unit == "???") return "";
    return unit;
  }
  return "mm";
}

std::string formatNrrdHeader(const VolumeOutline& volume, const Metadata& metadata, const NrrdData& data) {
  const VolumeShape& s = volume.shape;
  const Geometry& g = volume.geometry;
  const bool vector = s.components > 1;
  std::string text = "NRRD0005\n";
  text += "type: " + std::string(kNrrdTypes[static_cast<std::size_t>(volume.type)]) + "\n";
  text += std::string("dimension: ") + (vector ? "4" : "3") + "\n";
  text += metadata.inSpace ? "space: left-posterior-superior\n" : "space dimension: 3\n";
  text += "sizes: " + (vector ? std::to_string(s.components) + " " : std::string()) + std::to_string(s.nx) + " " +
          std::to_string(s.ny) + " " + std::to_string(s.nz) + "\n";
  text += std::string("space directions:") + (vector ? " none" : "");
  for (std::size_t a = 0; a < 3; ++a)
    text += " " + vectorText(g.direction[a] * g.spacing[a], g.direction[3 + a] * g.spacing[a],
                             g.direction[6 + a] * g.spacing[a]);
  text += "\n";
  if (vector && metadata.frameSeconds > 0) text += "spacings: " + number(metadata.frameSeconds) + " nan nan nan\n";
  text += std::string("kinds:") + (vector ? " " + kindOf(metadata) : "") + " domain domain domain\n";
  if (bytesOf(volume.type) > 1)
    text += std::string("endian: ") + (std::endian::native == std::endian::little ? "little" : "big") + "\n";
  text += std::string("encoding: ") + (data.gzip ? "gzip" : "raw") + "\n";
  text += "space origin: " + vectorText(g.origin[0], g.origin[1], g.origin[2]) + "\n";
  const std::string unit = quoted(g.unit);
  text += "space units: " + unit + " " + unit + " " + unit + "\n";
  if (const auto& m = metadata.measurementFrame)
    text += "measurement frame: " + vectorText((*m)[0], (*m)[3], (*m)[6]) + " " +
            vectorText((*m)[1], (*m)[4], (*m)[7]) + " " + vectorText((*m)[2], (*m)[5], (*m)[8]) + "\n";
  for (const auto& [key, value] : metadata.fields) text += oneLine(key) + ":=" + oneLine(value) + "\n";
  // Last: what follows it in some files is a list of names.
  if (!data.file.empty()) text += "data file: " + data.file + "\n";
  return text + "\n";
}

}  // namespace sscope::io
