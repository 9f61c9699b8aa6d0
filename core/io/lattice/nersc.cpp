#include "core/io/lattice/link_formats.h"

#include <fmt/core.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <span>

#include "core/base/paths.h"
#include "core/io/base/chunked_file.h"
#include "core/io/base/file_error.h"
#include "core/io/lattice/link_data.h"
#include "core/io/lattice/provenance.h"
#include "core/lattice/observables.h"

namespace sscope::io {

using namespace lattice;

namespace {

constexpr std::string_view kBegin = "BEGIN_HEADER";
constexpr std::string_view kEnd = "END_HEADER";
constexpr std::int64_t kLongestHeader = 1 << 16;

struct Header {
  std::vector<std::pair<std::string, std::string>> entries;
  std::int64_t bytes = 0;  // up to the first link

  [[nodiscard]] std::optional<std::string> find(std::string_view key) const {
    for (const auto& [name, value] : entries)
      if (name == key) return value;
    return std::nullopt;
  }
};

Header readHeader(const ConfigurationFile& file) {
  const std::string text = file.text(0, std::min(file.size(), kLongestHeader));
  Header header;
  std::size_t at = text.find('\n');
  while (at != std::string::npos) {
    const std::size_t next = text.find('\n', ++at);
    if (next == std::string::npos) break;
    const std::string_view line = trimmed(std::string_view(text).substr(at, next - at));
    if (line == kEnd) {
      header.bytes = static_cast<std::int64_t>(next) + 1;
      return header;
    }
    const std::size_t equals = line.find('=');
    if (equals != std::string_view::npos)
      header.entries.emplace_back(printable(trimmed(line.substr(0, equals))),
                                  printable(trimmed(line.substr(equals + 1))));
    at = next;
  }
  throw damaged(file.name(), "its header has no line END_HEADER");
}

std::string required(const ConfigurationFile& file, const Header& header, const std::string& key) {
  const std::optional<std::string> value = header.find(key);
  if (!value) throw damaged(file.name(), "its header has no " + key);
  return *value;
}

Lattice latticeOf(const ConfigurationFile& file, const Header& header) {
  Extents extents{};
  for (std::size_t mu = 0; mu < extents.size(); ++mu) {
    const std::string key = "DIMENSION_" + std::to_string(mu + 1);
    const std::string value = required(file, header, key);
    const std::optional<int> extent = wholeNumber(value);
    if (!extent) throw damaged(file.name(), key + " is '" + value + "', not a whole number");
    extents[mu] = *extent;
  }
  return claimedLattice(file, extents);
}

std::optional<RawLinks::Claim> claimOf(const ConfigurationFile& file, const Header& header, const std::string& key) {
  const std::optional<std::string> text = header.find(key);
  if (!text) return std::nullopt;
  RawLinks::Claim claim;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), claim.value);
  if (error != std::errc() || end != text->data() + text->size())
    throw damaged(file.name(), key + " is '" + *text + "', not a number");
  // Without an exponent; with one the digits that are written there say nothing of the rounding that matters here.
  const std::size_t point = text->find('.');
  const bool plain = text->find_first_not_of("+-.0123456789") == std::string::npos;
  const std::size_t decimals = point == std::string::npos ? 0 : text->size() - point - 1;
  if (plain) claim.rounding = 0.5 * std::pow(10.0, -static_cast<double>(decimals));
  return claim;
}

std::optional<std::uint32_t> checksumOf(const ConfigurationFile& file, const Header& header) {
  const std::optional<std::string> text = header.find("CHECKSUM");
  if (!text) return std::nullopt;
  std::string_view digits = *text;
  if (digits.starts_with("0x") || digits.starts_with("0X")) digits.remove_prefix(2);
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  if (error != std::errc() || end != digits.data() + digits.size())
    throw damaged(file.name(), "CHECKSUM is '" + *text + "', not a hexadecimal number of 32 bits");
  return value;
}

int rowsOf(const ConfigurationFile& file, const Header& header) {
  const std::string type = required(file, header, "DATATYPE");
  if (type == "4D_SU3_GAUGE") return 2;
  if (type == "4D_SU3_GAUGE_3x3" || type == "4D_SU3_GAUGE_3X3") return 3;
  throw cannotRead(ErrorKind::Unsupported, file.name(), "it holds " + type + ", not links of SU(3)",
                   "give a file with DATATYPE 4D_SU3_GAUGE or 4D_SU3_GAUGE_3x3");
}

// Precision and byte order; the order is empty where the header leaves it open.
std::pair<int, std::optional<bool>> numbersOf(const ConfigurationFile& file, const Header& header) {
  const std::string text = required(file, header, "FLOATING_POINT");
  const std::string_view name = text;
  const int precision = name.starts_with("IEEE32") ? 32 : name.starts_with("IEEE64") ? 64 : 0;
  const std::string_view order = precision == 0 ? name : name.substr(6);
  if (precision != 0 && order.empty()) return {precision, std::nullopt};
  if (precision != 0 && (order == "BIG" || order == "LITTLE")) return {precision, order == "BIG"};
  throw cannotRead(ErrorKind::Unsupported, file.name(), "its numbers are of the unknown kind " + text,
                   "give a file with FLOATING_POINT IEEE32BIG, IEEE64BIG, IEEE32LITTLE or IEEE64LITTLE");
}

// The byte order of data whose header leaves it open: the one that fits the checksum, or else makes the first link
// unitary.
bool bigEndian(std::span<const std::byte> data, LinkLayout layout, const std::optional<std::uint32_t>& checksum) {
  if (checksum && nerscChecksum(data, false) == *checksum) return false;
  if (checksum && nerscChecksum(data, true) == *checksum) return true;
  layout.bigEndian = false;
  return !(unitarityError(firstLink(layout, data)) < 1e-3);
}

std::string line(const char* key, const std::string& value) { return std::string(key) + " = " + value + "\n"; }

std::string number(double value) { return fmt::format("{:.12g}", value); }

}  // namespace

bool isNersc(std::string_view firstBytes) { return firstBytes.starts_with(kBegin); }

RawLinks readNersc(const ConfigurationFile& file, const std::optional<Extents>& extents, const AllocateLinks& allocate,
                   const Control& control) {
  const Header header = readHeader(file);
  const Lattice lattice = latticeOf(file, header);
  requireSame(file, lattice, extents);
  const auto [precision, order] = numbersOf(file, header);
  LinkLayout layout{precision, order.value_or(true), rowsOf(file, header)};
  const std::optional<std::uint32_t> checksum = checksumOf(file, header);
  RawLinks decoded;
  decoded.plaquette = claimOf(file, header, "PLAQUETTE");
  decoded.linkTrace = claimOf(file, header, "LINK_TRACE");

  const std::span<const std::byte> data =
      readPayload(file, lattice, layout, header.bytes, file.size() - header.bytes, allocate, control);
  if (!order) layout.bigEndian = bigEndian(data, layout, checksum);
  decoded.info.checksummed = checksum && nerscChecksum(data, layout.bigEndian) == *checksum;
  if (checksum && !decoded.info.checksummed)
    decoded.checksumProblem = "the checksum of its links is not the " + *header.find("CHECKSUM") + " of its header";
  decoded.extents = lattice.extents();
  decoded.layout = layout;
  decoded.info.format = "NERSC";
  decoded.info.precision = precision;
  decoded.info.header = header.entries;
  decoded.info.provenance = provenanceOf(header.entries);
  return decoded;
}

void writeNersc(const std::filesystem::path& path, const GaugeField& field, const ConfigurationWriteOptions& options,
                const Control& control) {
  const LinkLayout layout{options.precision, true, options.twoRows ? 2 : 3};
  const std::vector<std::byte> data = encodeLinks(field, layout, control);
  std::array<char, 16> checksum{};
  std::snprintf(checksum.data(), checksum.size(), "%x", nerscChecksum(data, true));
  std::string header = std::string(kBegin) + "\n";
  header += line("HDR_VERSION", "1.0");
  header += line("DATATYPE", options.twoRows ? "4D_SU3_GAUGE" : "4D_SU3_GAUGE_3x3");
  header += line("STORAGE_FORMAT", "1.0");
  for (int mu = 0; mu < kDirections; ++mu)
    header += line(("DIMENSION_" + std::to_string(mu + 1)).c_str(), std::to_string(field.lattice().extent(mu)));
  header += line("LINK_TRACE", number(meanLinkTrace(field, control)));
  header += line("PLAQUETTE", number(meanPlaquette(field, control)));
  for (int mu = 0; mu < kDirections; ++mu) header += line(("BOUNDARY_" + std::to_string(mu + 1)).c_str(), "PERIODIC");
  header += line("CHECKSUM", checksum.data());
  header += linesOf(completed(options.provenance));
  header += line("FLOATING_POINT", options.precision == 32 ? "IEEE32BIG" : "IEEE64BIG");
  header += std::string(kEnd) + "\n";
  writeAtomically(path, [&](const std::filesystem::path& part) {
    ChunkedWriter out(part, path);
    out.write(header);
    out.write(data, control);
    out.finish();
  });
}

}  // namespace sscope::io
