#include "core/io/native/nrrd_header.h"

#include "core/volume/meaning.h"
#include "core/volume/provenance.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>

#include "core/io/base/file_error.h"
#include "core/io/base/formats.h"
#include "core/io/base/header_text.h"

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

// "data file" and "datafile" are one, as in other names.
std::string nameOf(const std::string& text) {
  std::string name = lowerCased(text);
  std::erase_if(name, [](char c) { return c == ' ' || c == '\t'; });
  return name == "centerings" ? "centers" : name;
}

std::string valueOf(const std::string& name, const std::string& text) {
  constexpr std::string_view kWords[] = {"type", "encoding", "endian", "space", "centers"};
  const bool word = std::find(std::begin(kWords), std::end(kWords), name) != std::end(kWords);
  return word ? lowerCased(trimmed(text)) : trimmed(text);
}

std::string fieldOf(const Metadata& metadata, const std::string& name) {
  for (const auto& [key, value] : metadata.fields)
    if (key == name) return value;
  return {};
}

// A value with the escapes of the format.
std::string nrrdEscaped(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '\\' ? std::string("\\\\") : std::string(1, c);
  return result;
}

std::string kindOf(const Metadata& metadata) {
  if (!metadata.componentKind.empty()) return metadata.componentKind;
  return metadata.frames > 1 ? "list" : "vector";
}

}  // namespace

std::string NrrdHeader::field(const std::string& name) const {
  const auto found = fields.find(nameOf(name));
  return found == fields.end() ? std::string() : found->second;
}

NrrdHeader parseNrrdHeader(const InputFile& file) {
  const std::string& path = file.path();
  HeaderLines lines(file);
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
    const std::string name = nameOf(line.substr(0, colon));
    header.fields[name] = valueOf(name, line.substr(colon + 1));
    if (name != "datafile" || !header.fields[name].starts_with("LIST")) continue;
    constexpr std::size_t kMostFiles = 65536;
    while (header.list.size() < kMostFiles && lines.next(line))
      if (std::string each = trimmed(line); !each.empty()) header.list.push_back(std::move(each));
    break;
  }
  if (lines.tooLong()) throw damaged(path, "its header is too long");
  return header;
}

void takeNrrdTexts(VolumeInfo& info) {
  const auto moved = [&](const char* key) {
    auto& fields = info.metadata.fields;
    const auto found = std::ranges::find(fields, key, &std::pair<std::string, std::string>::first);
    std::string text;
    if (found == fields.end()) return text;
    for (std::size_t at = 0; at < found->second.size(); ++at) {
      if (found->second[at] == '\\' && at + 1 < found->second.size()) ++at;
      text += found->second[at];
    }
    fields.erase(found);
    return text;
  };
  takeMeaning(moved(kMeaningKey), info);
  takeProvenance(moved(kProvenanceKey), info);
}

std::string formatNrrdHeader(const VolumeOutline& volume, const Metadata& metadata, const NrrdData& data) {
  const VolumeShape& s = volume.shape;
  const Geometry& g = volume.geometry;
  const bool both = metadata.frames > 1 && s.components % metadata.frames == 0 && s.components > metadata.frames;
  const bool vector = s.components > 1;
  const std::string kept = metadata.inSpace ? std::string() : fieldOf(metadata, kNrrdSpace);
  std::string assumed;
  for (std::size_t a = 0; a < 3; ++a)
    if (g.steps[a] == StepSource::Assumed) assumed += "xyz"[a];
  const std::string none = both ? " none none" : vector ? " none" : "";
  std::string text = "NRRD0005\n";
  text += "type: " + std::string(kNrrdTypes[static_cast<std::size_t>(volume.type)]) + "\n";
  text += std::string("dimension: ") + (both ? "5" : vector ? "4" : "3") + "\n";
  text += metadata.inSpace ? "space: left-posterior-superior\n"
          : kept.empty()   ? "space dimension: 3\n"
                           : "space: " + kept + "\n";
  text += "sizes: " + (both ? std::to_string(s.components / metadata.frames) + " " : std::string()) +
          (vector ? std::to_string(both ? metadata.frames : s.components) + " " : std::string()) +
          std::to_string(s.nx) + " " + std::to_string(s.ny) + " " + std::to_string(s.nz) + "\n";
  text += "space directions:" + none;
  for (std::size_t a = 0; a < 3; ++a)
    text += " " + vectorText(g.direction[a] * g.spacing[a], g.direction[3 + a] * g.spacing[a],
                             g.direction[6 + a] * g.spacing[a]);
  text += "\n";
  if (vector && metadata.frameSeconds > 0)
    text += std::string("spacings:") + (both ? " nan " : " ") + number(metadata.frameSeconds) + " nan nan nan\n";
  text += std::string("kinds:") +
          (both     ? " vector list"
           : vector ? " " + kindOf(metadata)
                    : "") +
          " domain domain domain\n";
  if (bytesOf(volume.type) > 1)
    text += std::string("endian: ") + (std::endian::native == std::endian::little ? "little" : "big") + "\n";
  text += std::string("encoding: ") + (data.gzip ? "gzip" : "raw") + "\n";
  text += "space origin: " + vectorText(g.origin[0], g.origin[1], g.origin[2]) + "\n";
  const std::string unit = quoted(g.unit);
  text += "space units: " + unit + " " + unit + " " + unit + "\n";
  if (!metadata.valueUnit.empty()) text += "sample units: " + quoted(metadata.valueUnit) + "\n";
  if (const auto& m = metadata.measurementFrame)
    text += "measurement frame: " + vectorText((*m)[0], (*m)[3], (*m)[6]) + " " +
            vectorText((*m)[1], (*m)[4], (*m)[7]) + " " + vectorText((*m)[2], (*m)[5], (*m)[8]) + "\n";
  if (!assumed.empty()) text += std::string(kNrrdAssumed) + ":=" + assumed + "\n";
  for (const auto& [key, value] : metadata.fields)
    if (key != kNrrdSpace) text += oneLine(key) + ":=" + oneLine(value) + "\n";
  if (const std::string meaning = meaningText(metadata, saidBy(FormatId::nrrd)); !meaning.empty())
    text += std::string(kMeaningKey) + ":=" + nrrdEscaped(meaning) + "\n";
  if (!metadata.provenance.empty())
    text += std::string(kProvenanceKey) + ":=" + nrrdEscaped(metadata.provenance) + "\n";
  // This field comes last: in some files a list of names follows it.
  if (!data.file.empty()) text += "data file: " + data.file + "\n";
  return text + "\n";
}

}  // namespace sscope::io
