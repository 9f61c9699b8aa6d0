#include "core/io/lattice/provenance.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <ctime>

#include "core/io/base/file_error.h"
#include "core/io/lattice/decoded.h"

namespace sscope::io {

using lattice::Provenance;

namespace {

// Longer ones would not leave room for the header's other lines.
constexpr std::size_t kLongestLines = std::size_t{1} << 15;

// What follows from the links and the way they are written.
constexpr std::array<std::string_view, 7> kOfTheLinks{"HDR_VERSION", "DATATYPE", "STORAGE_FORMAT", "LINK_TRACE",
                                                      "PLAQUETTE",   "CHECKSUM", "FLOATING_POINT"};

bool ofTheLinks(std::string_view key) {
  return key.starts_with("DIMENSION_") || key.starts_with("BOUNDARY_") ||
         std::find(kOfTheLinks.begin(), kOfTheLinks.end(), key) != kOfTheLinks.end();
}

// SOURCE_DATE_EPOCH, as reproducible builds have it: seconds since 1970.
std::string epochText() {
  const char* const text = std::getenv("SOURCE_DATE_EPOCH");
  if (text == nullptr) return {};
  const std::string_view digits = text;
  std::time_t seconds = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), seconds);
  std::tm broken{};
  if (error != std::errc() || end != digits.data() + digits.size() || gmtime_r(&seconds, &broken) == nullptr) return {};
  std::array<char, 64> date{};
  return {date.data(), std::strftime(date.data(), date.size(), "%a %b %e %H:%M:%S %Y UTC", &broken)};
}

bool wholeSequence(const std::string& text) { return wholeNumber(text).has_value(); }

}  // namespace

Provenance provenanceOf(const Provenance& header) {
  Provenance provenance;
  std::size_t length = 0;
  for (const auto& [key, value] : header) {
    length += key.size() + value.size() + 4;
    if (!key.empty() && !ofTheLinks(key) && length <= kLongestLines) provenance.emplace_back(key, value);
  }
  return provenance;
}

std::string valueOf(const Provenance& provenance, std::string_view key) {
  const auto found =
      std::find_if(provenance.begin(), provenance.end(), [&](const auto& entry) { return entry.first == key; });
  return found == provenance.end() ? std::string() : found->second;
}

Provenance completed(const Provenance& provenance) {
  const auto known = [&](const char* key, const std::string& otherwise) -> std::pair<std::string, std::string> {
    const std::string value = valueOf(provenance, key);
    return {key, value.empty() ? otherwise : value};
  };
  Provenance result{known("ENSEMBLE_ID", "unknown"), known("ENSEMBLE_LABEL", "unknown"), known("SEQUENCE_NUMBER", "0"),
                    known("CREATOR", "Stencilscope " SSCOPE_VERSION)};
  if (!wholeSequence(result[2].second)) result[2].second = "0";
  const std::string epoch = epochText();
  for (const char* key : {"CREATION_DATE", "ARCHIVE_DATE"})
    if (const auto entry = known(key, epoch); !entry.second.empty()) result.push_back(entry);
  for (const auto& entry : provenanceOf(provenance))
    if (valueOf(result, entry.first).empty()) result.push_back(entry);
  return result;
}

std::string linesOf(const Provenance& provenance) {
  std::string text;
  for (const auto& [key, value] : provenance) text += printable(key) + " = " + printable(value) + "\n";
  return text;
}

Provenance fromLines(std::string_view text) {
  Provenance result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t equals = line.find('=');
    if (equals != std::string_view::npos)
      result.emplace_back(printable(trimmed(line.substr(0, equals))), printable(trimmed(line.substr(equals + 1))));
  }
  return result;
}

}  // namespace sscope::io
