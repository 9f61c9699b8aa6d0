#include "core/io/tiff/imagej_kept.h"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>

#include "core/base/encoding.h"
#include "core/volume/provenance.h"

namespace sscope::io {

namespace {

constexpr std::uint32_t kNone = 0xfffd, kHigh = 0xd800, kLow = 0xdc00, kEnd = 0xe000, kPlane = 0x10000;

void appendUtf8(std::string& text, std::uint32_t code) {
  const auto last = [&](int shift) { text += static_cast<char>(0x80 | ((code >> shift) & 0x3f)); };
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += static_cast<char>(0xc0 | code >> 6);
    last(0);
  } else if (code < kPlane) {
    text += static_cast<char>(0xe0 | code >> 12);
    last(6);
    last(0);
  } else {
    text += static_cast<char>(0xf0 | code >> 18);
    last(12);
    last(6);
    last(0);
  }
}

}  // namespace

std::string fromUtf16(std::string_view bytes, bool bigEndian) {
  const auto unit = [&](std::size_t at) {
    const auto a = static_cast<unsigned char>(bytes[at]), b = static_cast<unsigned char>(bytes[at + 1]);
    return static_cast<std::uint32_t>(bigEndian ? a << 8 | b : b << 8 | a);
  };
  std::string text;
  for (std::size_t at = 0; at + 1 < bytes.size(); at += 2) {
    std::uint32_t code = unit(at);
    if (code >= kHigh && code < kEnd) {
      const bool pair = code < kLow && at + 3 < bytes.size() && unit(at + 2) >= kLow && unit(at + 2) < kEnd;
      code = pair ? kPlane + ((code - kHigh) << 10) + (unit(at + 2) - kLow) : kNone;
      at += pair ? 2 : 0;
    }
    appendUtf8(text, code);
  }
  return text;
}

std::vector<std::byte> toUtf16(std::string_view text) {
  std::vector<std::byte> bytes;
  const auto add = [&](std::uint32_t code) {
    const auto unit = static_cast<std::uint16_t>(code);
    const auto two = std::as_bytes(std::span(&unit, 1));
    bytes.insert(bytes.end(), two.begin(), two.end());
  };
  for (std::size_t at = 0; at < text.size();) {
    const auto first = static_cast<unsigned char>(text[at++]);
    const std::size_t more = first < 0x80 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
    std::uint32_t code = more == 0 ? first : first & (0x3fU >> more);
    bool whole = first < 0x80 || first >= 0xc0;
    for (std::size_t i = 0; i < more && whole; ++i) {
      whole = at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0U) == 0x80;
      if (whole) code = code << 6 | (static_cast<unsigned char>(text[at++]) & 0x3fU);
    }
    if (!whole) code = kNone;
    if (code < kPlane) {
      add(code);
    } else {
      add(kHigh + ((code - kPlane) >> 10));
      add(kLow + ((code - kPlane) & 0x3ff));
    }
  }
  return bytes;
}

using nlohmann::json;

namespace {

constexpr std::string_view kImageJ = "imagej.", kImageJTag = "imagej.tag.";
constexpr std::size_t kMostImageJ = std::size_t{1} << 19;  // bytes of all entries

enum class Form { Text, Bytes };
enum class Each { File, Page, Channel };
struct EntryType {
  std::string_view name;
  Form form;
  Each each;
};
constexpr EntryType kImageJTypes[] = {{"info", Form::Text, Each::File},  {"labl", Form::Text, Each::Page},
                                      {"prop", Form::Text, Each::File},  {"roi ", Form::Bytes, Each::File},
                                      {"over", Form::Bytes, Each::File}, {"luts", Form::Bytes, Each::Channel},
                                      {"rang", Form::Bytes, Each::File}};
constexpr std::string_view kRanges = "rang";  // of display, which other values have not

const EntryType* typeNamed(std::string_view name) {
  const auto* found =
      std::find_if(std::begin(kImageJTypes), std::end(kImageJTypes), [&](const auto& t) { return t.name == name; });
  return found == std::end(kImageJTypes) ? nullptr : found;
}

std::string imageJName(std::uint64_t number) {
  std::string text;
  for (int shift = 24; shift >= 0; shift -= 8) text += static_cast<char>(number >> shift);
  return text;
}

std::uint32_t imageJNumber(std::string_view text) {
  std::uint32_t number = 0;
  for (const char c : text) number = number << 8 | static_cast<unsigned char>(c);
  return number;
}

void appendImageJ(std::vector<std::byte>& bytes, std::uint32_t number) {
  const auto more = std::as_bytes(std::span(&number, 1));
  bytes.insert(bytes.end(), more.begin(), more.end());
}

}  // namespace

void keepImageJLines(const std::map<std::string, std::string>& lines, KeptFields& kept) {
  constexpr std::string_view kUsed[] = {
      "ImageJ", "images", "channels", "slices",  "frames",  "hyperstack", "mode",         "unit",
      "xunit",  "yunit",  "zunit",    "tunit",   "spacing", "finterval",  "fps",          "order",
      "cf",     "c0",     "c1",       "c2",      "c3",      "c4",         "vunit",        "min",
      "max",    "loop",   "origin",   "xorigin", "yorigin", "zorigin",    "stencilscope", kProvenanceKey};
  constexpr std::size_t kLongest = 4096, kMostLines = 64;
  for (const auto& [key, value] : lines) {
    if (std::find(std::begin(kUsed), std::end(kUsed), key) != std::end(kUsed)) continue;
    if (key.empty() || key.size() + value.size() > kLongest || kept.size() >= kMostLines) continue;
    kept.emplace_back(std::string(kImageJ) + key, value);
  }
}

std::string imageJLines(const Metadata& metadata) {
  std::string text;
  for (const auto& [key, value] : metadata.fields)
    if (key.starts_with(kImageJ) && !key.starts_with(kImageJTag) && (key + value).find('\n') == std::string::npos)
      text += key.substr(kImageJ.size()) + "=" + value + "\n";
  return text;
}

bool keepImageJTags(TiffTags& tags, std::uint64_t directory, KeptFields& kept) {
  const auto counts = tags.find(directory, kImageJCounts), data = tags.find(directory, kImageJData);
  if (!counts || !data) return true;
  constexpr std::uint64_t kWord = 4, kMagic = 0x494a494a;
  constexpr std::uint64_t kMostValues = 1 << 16;
  const std::uint64_t head = tags.whole(counts->at, kWord).value_or(0);
  if (counts->count > kMostValues || data->count > kMostImageJ || head < kWord || head > data->count ||
      tags.whole(data->at, kWord) != kMagic)
    return false;
  std::uint64_t at = data->at + head, index = 1;
  for (std::uint64_t entry = kWord; entry + 2 * kWord <= head; entry += 2 * kWord) {
    const std::string name = imageJName(tags.whole(data->at + entry, kWord).value_or(0));
    const std::uint64_t number = tags.whole(data->at + entry + kWord, kWord).value_or(0);
    const EntryType* type = typeNamed(name);
    json list = json::array();
    for (std::uint64_t n = 0; n < number; ++n, ++index) {
      if (index >= counts->count) return false;
      const std::uint64_t bytes = tags.whole(counts->at + kWord * index, kWord).value_or(0);
      if (bytes > data->at + data->count - at) return false;
      const std::string content = tags.bytes(at, bytes);
      if (content.size() != bytes) return false;
      at += bytes;
      if (type == nullptr || name == kRanges) continue;
      list.push_back(type->form == Form::Text ? fromUtf16(content, tags.bigEndian())
                                              : toBase64(std::as_bytes(std::span(content))));
    }
    if (!list.empty()) kept.emplace_back(std::string(kImageJTag) + name, list.dump(-1, ' ', true));
  }
  return true;
}

ImageJTags imageJTags(const Metadata& metadata, std::int64_t pages, std::int64_t channels) {
  ImageJTags result;
  std::vector<std::byte> head, entries;
  appendImageJ(head, imageJNumber("IJIJ"));
  for (const auto& [key, value] : metadata.fields) {
    if (!key.starts_with(kImageJTag)) continue;
    const EntryType* type = typeNamed(std::string_view(key).substr(kImageJTag.size()));
    const json list = json::parse(value, nullptr, false);
    if (type == nullptr || !list.is_array() || list.empty()) continue;
    const auto number = static_cast<std::int64_t>(list.size());
    if ((type->each == Each::Page && number != pages) || (type->each == Each::Channel && number != channels)) continue;
    if (!std::all_of(list.begin(), list.end(), [](const json& each) { return each.is_string(); })) continue;
    appendImageJ(head, imageJNumber(type->name));
    appendImageJ(head, static_cast<std::uint32_t>(number));
    for (const json& each : list) {
      const auto text = each.get<std::string>();
      const std::vector<std::byte> bytes = type->form == Form::Text ? toUtf16(text) : fromBase64(text);
      result.counts.push_back(static_cast<std::uint32_t>(bytes.size()));
      entries.insert(entries.end(), bytes.begin(), bytes.end());
    }
  }
  if (result.counts.empty()) return {};
  result.counts.insert(result.counts.begin(), static_cast<std::uint32_t>(head.size()));
  result.data = std::move(head);
  result.data.insert(result.data.end(), entries.begin(), entries.end());
  return result;
}

}  // namespace sscope::io
