#include "core/io/lattice/link_formats.h"

#include <array>
#include <charconv>
#include <cstdio>
#include <span>
#include <sstream>

#include "core/base/paths.h"
#include "core/io/base/chunked_file.h"
#include "core/io/base/file_error.h"
#include "core/io/lattice/link_data.h"
#include "core/io/lattice/provenance.h"

namespace sscope::io {

using namespace lattice;

namespace {

constexpr std::int64_t kRecordHeaderBytes = 144;
constexpr std::uint32_t kLimeMagic = 0x456789ab;
constexpr std::int64_t kLongestText = 1 << 20;
constexpr std::int64_t kLongestLine = 80;
constexpr int kMostRecords = 4096;
// Lines of names and values: what NERSC's header says and LIME has no record for.
constexpr std::string_view kProvenanceRecord = "stencilscope-provenance";
// What the logical file name is where nobody gave one: there has to be one, or Grid stops at an assertion.
constexpr std::string_view kUnnamed = "lfn://unknown/";

std::uint64_t bigEndianNumber(std::string_view bytes) {
  std::uint64_t value = 0;
  for (const char byte : bytes) value = value << 8 | static_cast<unsigned char>(byte);
  return value;
}

std::string bigEndianBytes(std::uint64_t value, int size) {
  std::string bytes;
  for (int k = size - 1; k >= 0; --k) bytes += static_cast<char>(value >> (8 * k) & 0xff);
  return bytes;
}

struct Record {
  std::string type;
  std::int64_t offset = 0, bytes = 0;
};

std::vector<Record> recordsOf(const ConfigurationFile& file) {
  std::vector<Record> records;
  std::int64_t at = 0;
  while (at < file.size()) {
    if (file.size() - at < kRecordHeaderBytes) throw damaged(file.name(), "it ends in the header of a record");
    const std::string header = file.text(at, kRecordHeaderBytes);
    if (bigEndianNumber(header.substr(0, 4)) != kLimeMagic)
      throw damaged(file.name(), "at byte " + std::to_string(at) + " there is no LIME record");
    const std::uint64_t bytes = bigEndianNumber(header.substr(8, 8));
    Record record{printable(header.substr(16, 128).c_str()), at + kRecordHeaderBytes, 0};
    if (bytes > static_cast<std::uint64_t>(file.size() - record.offset))
      throw damaged(file.name(), "its record " + record.type + " is cut off");
    record.bytes = static_cast<std::int64_t>(bytes);
    records.push_back(record);
    if (records.size() > kMostRecords) throw damaged(file.name(), "it has more than 4096 records");
    at = record.offset + (record.bytes + 7) / 8 * 8;
  }
  return records;
}

const Record* find(const std::vector<Record>& records, std::string_view type) {
  for (const Record& record : records)
    if (record.type == type) return &record;
  return nullptr;
}

std::string textOf(const ConfigurationFile& file, const Record* record) {
  return record == nullptr ? std::string() : file.text(record->offset, std::min(record->bytes, kLongestText));
}

// A short line as it is, of everything else the size.
std::string valueOf(const ConfigurationFile& file, const Record& record) {
  const std::string text(record.bytes <= kLongestLine ? trimmed(textOf(file, &record)) : std::string_view());
  return text.empty() || text != printable(text) ? std::to_string(record.bytes) + " bytes" : text;
}

// What stands between <tag> and </tag>; these documents have no attributes and do not nest what is looked for.
std::optional<std::string_view> tagged(std::string_view document, const std::string& tag) {
  const std::size_t begin = document.find("<" + tag + ">");
  if (begin == std::string_view::npos) return std::nullopt;
  const std::string_view rest = document.substr(begin + tag.size() + 2);
  const std::size_t end = rest.find("</" + tag + ">");
  if (end == std::string_view::npos) return std::nullopt;
  return trimmed(rest.substr(0, end));
}

struct Shape {
  Extents extents{};
  int precision = 0;
};

Shape shapeOf(const ConfigurationFile& file, const std::string& document) {
  const auto number = [&](const char* tag) {
    const std::optional<std::string_view> text = tagged(document, tag);
    const std::optional<int> value = text ? wholeNumber(*text) : std::nullopt;
    if (!value) throw damaged(file.name(), "its ildg-format has no whole number <" + std::string(tag) + ">");
    return *value;
  };
  Shape shape{{number("lx"), number("ly"), number("lz"), number("lt")}, number("precision")};
  if (shape.precision != 32 && shape.precision != 64)
    throw damaged(file.name(), "its precision is " + std::to_string(shape.precision) + ", neither 32 nor 64");
  return shape;
}

// <dims> of a SciDAC file record: whole numbers between blanks.
std::optional<Extents> scidacExtents(const std::string& document) {
  const std::optional<std::string_view> dims = tagged(document, "dims");
  if (!dims) return std::nullopt;
  std::istringstream words{std::string(*dims)};
  Extents extents{};
  for (int& extent : extents)
    if (!(words >> extent) || extent < 1) return std::nullopt;
  return extents;
}

// For files without an ildg-format: the extents are those of the SciDAC record, or the user's; the precision follows
// from the size.
Shape shapeAsked(const ConfigurationFile& file, const std::vector<Record>& records, const Record& data,
                 const std::optional<Extents>& asked) {
  std::optional<Extents> extents = scidacExtents(textOf(file, find(records, "scidac-private-file-xml")));
  const bool guessed = !extents;
  if (guessed) extents = asked;
  if (!extents)
    throw MissingExtents(cannotRead(ErrorKind::Usage, file.name(),
                                    "it does not state its dimensions (it has neither a record ildg-format nor one of "
                                    "SciDAC with them)",
                                    "give them, for example --dims 8,8,8,16"));
  const Lattice lattice = claimedLattice(file, *extents);
  refuseSu2(file, lattice, data.bytes);
  const auto bytes32 = lattice.volume() * static_cast<std::int64_t>(LinkLayout{32, true, 3}.siteBytes());
  if (guessed && data.bytes != bytes32 && data.bytes != 2 * bytes32)
    throw MissingExtents(cannotRead(ErrorKind::Usage, file.name(),
                                    "its links take " + std::to_string(data.bytes) + " bytes where " +
                                        Lattice(*extents).text() + " sites need " + std::to_string(bytes32) + " or " +
                                        std::to_string(2 * bytes32),
                                    "give it other dimensions"));
  return {*extents, data.bytes == bytes32 ? 32 : 64};
}

std::optional<RotatedSums> claimedSums(const ConfigurationFile& file, const std::string& document) {
  if (document.empty()) return std::nullopt;
  const auto number = [&](const char* tag) {
    const std::optional<std::string_view> text = tagged(document, tag);
    std::uint32_t value = 0;
    if (!text ||
        std::from_chars(text->data(), text->data() + text->size(), value, 16).ptr != text->data() + text->size())
      throw damaged(file.name(), "its checksum record has no hexadecimal number <" + std::string(tag) + ">");
    return value;
  };
  return RotatedSums{number("suma"), number("sumb")};
}

std::string record(std::string_view type, std::string_view data, bool first, bool last) {
  const int flags = (first ? 0x8000 : 0) | (last ? 0x4000 : 0);
  std::string name(type);
  name.resize(128, '\0');
  std::string bytes = bigEndianBytes(kLimeMagic, 4) + bigEndianBytes(1, 2) +
                      bigEndianBytes(static_cast<std::uint64_t>(flags), 2) + bigEndianBytes(data.size(), 8) + name;
  bytes += data;
  bytes.resize((bytes.size() + 7) / 8 * 8, '\0');
  return bytes;
}

std::string ildgFormat(const Lattice& lattice, int precision) {
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ildgFormat xmlns=\"http://www.lqcd.org/ildg\" "
      "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
      "xsi:schemaLocation=\"http://www.lqcd.org/ildg/filefmt.xsd\">\n<version>1.0</version>\n<field>su3gauge</field>\n";
  text += "<precision>" + std::to_string(precision) + "</precision>\n";
  constexpr std::array<const char*, 4> kTags{"lx", "ly", "lz", "lt"};
  for (int mu = 0; mu < kDirections; ++mu) {
    const std::string tag = kTags[static_cast<std::size_t>(mu)];
    text += "<" + tag + ">" + std::to_string(lattice.extent(mu)) + "</" + tag + ">";
  }
  return text + "\n</ildgFormat>\n";
}

std::string checksumDocument(const RotatedSums& sums) {
  std::array<char, 160> text{};
  std::snprintf(text.data(), text.size(),
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?><scidacChecksum><version>1.0</version>"
                "<suma>%x</suma><sumb>%x</sumb></scidacChecksum>",
                sums.by29, sums.by31);
  return text.data();
}

Provenance provenanceIn(const ConfigurationFile& file, const std::vector<Record>& records) {
  Provenance provenance = provenanceOf(fromLines(textOf(file, find(records, kProvenanceRecord))));
  const std::string name = printable(trimmed(textOf(file, find(records, "ildg-data-lfn")).c_str()));
  if (!name.empty() && !name.starts_with(kUnnamed))
    provenance.insert(provenance.begin(), {std::string(kLogicalFileName), name});
  return provenanceOf(provenance);
}

// The records behind the links: types and texts.
std::vector<std::pair<std::string, std::string>> trailer(const std::filesystem::path& path,
                                                         const Provenance& provenance,
                                                         const std::optional<RotatedSums>& sums) {
  std::string name = io::valueOf(provenance, kLogicalFileName);
  if (name.empty()) name = std::string(kUnnamed) + printable(path.filename().string());
  std::vector<std::pair<std::string, std::string>> records{{"ildg-data-lfn", name}};
  Provenance others = provenanceOf(provenance);
  std::erase_if(others, [](const auto& entry) { return entry.first == kLogicalFileName; });
  if (!others.empty()) records.emplace_back(kProvenanceRecord, linesOf(others));
  if (sums) records.emplace_back("scidac-checksum", checksumDocument(*sums));
  return records;
}

}  // namespace

bool isLime(std::string_view firstBytes) {
  return firstBytes.size() >= 4 && bigEndianNumber(firstBytes.substr(0, 4)) == kLimeMagic;
}

RawLinks readLime(const ConfigurationFile& file, const std::optional<Extents>& extents, const AllocateLinks& allocate,
                  const Control& control) {
  const std::vector<Record> records = recordsOf(file);
  const Record* data = find(records, "ildg-binary-data");
  if (data == nullptr) data = find(records, "scidac-binary-data");
  if (data == nullptr)
    throw cannotRead(ErrorKind::Unsupported, file.name(), "it has no record of links (ildg-binary-data)",
                     "give an ILDG gauge configuration");
  const std::string format = textOf(file, find(records, "ildg-format"));
  const Shape shape = format.empty() ? shapeAsked(file, records, *data, extents) : shapeOf(file, format);
  const Lattice lattice = claimedLattice(file, shape.extents);
  requireSame(file, lattice, extents);
  const LinkLayout layout{shape.precision, true, 3};

  RawLinks decoded{lattice.extents(), layout, {}, {}, {}, {}};
  const std::span<const std::byte> bytes =
      readPayload(file, lattice, layout, data->offset, data->bytes, allocate, control);
  if (const auto claimed = claimedSums(file, textOf(file, find(records, "scidac-checksum")))) {
    const std::optional<RotatedSums> sums = scidacChecksum(bytes, layout.siteBytes());
    decoded.info.checksummed = sums && *sums == *claimed;
    if (sums && *sums != *claimed) decoded.checksumProblem = "the SciDAC checksum of its links is wrong";
    if (!sums) decoded.info.notices.push_back("its checksum was not looked at: this program was built without zlib");
  }
  decoded.info.format = data->type == "scidac-binary-data" ? "SciDAC" : "ILDG";
  decoded.info.precision = shape.precision;
  decoded.info.provenance = provenanceIn(file, records);
  for (const Record& one : records) decoded.info.header.emplace_back(one.type, valueOf(file, one));
  return decoded;
}

void writeLime(const std::filesystem::path& path, const GaugeField& field, const ConfigurationWriteOptions& options,
               const Control& control) {
  const LinkLayout layout{options.precision, true, 3};
  const std::vector<std::byte> data = encodeLinks(field, layout, control);
  const std::optional<RotatedSums> sums = scidacChecksum(data, layout.siteBytes());
  const auto behind = trailer(path, options.provenance, sums);
  // A record whose data follow by themselves: its size is a multiple of eight, so that nothing has to be padded.
  std::string dataHeader = record("ildg-binary-data", {}, false, behind.empty());
  dataHeader.replace(8, 8, bigEndianBytes(data.size(), 8));
  writeAtomically(path, [&](const std::filesystem::path& part) {
    ChunkedWriter out(part, path);
    out.write(record("ildg-format", ildgFormat(field.lattice(), options.precision), true, false));
    out.write(dataHeader);
    out.write(data, control);
    for (const auto& one : behind) out.write(record(one.first, one.second, false, &one == &behind.back()));
    out.finish();
  });
}

}  // namespace sscope::io
