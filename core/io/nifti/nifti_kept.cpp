#include "core/io/nifti/nifti_kept.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/base/encoding.h"
#include "core/io/base/formats.h"
#include "core/volume/meaning.h"
#include "core/volume/provenance.h"

namespace sscope::io {

namespace {

constexpr std::int32_t kComment = 6;  // the code of an extension that is text

constexpr std::string_view kPrefix = "nifti.", kExtension = "nifti.extension.";

// Fields that are only written back: their offset and type in versions 1 and 2; of text its length.
enum class Kind { Byte, I16, I32, I64, F32, F64, Text };
struct Kept {
  std::string_view name;
  std::size_t first, second;
  Kind type1, type2;
  std::size_t length = 0;
};
constexpr Kept kKept[] = {
    {"dim_info", 39, 524, Kind::Byte, Kind::Byte},        {"intent_p1", 56, 80, Kind::F32, Kind::F64},
    {"intent_p2", 60, 88, Kind::F32, Kind::F64},          {"intent_p3", 64, 96, Kind::F32, Kind::F64},
    {"intent_code", 68, 504, Kind::I16, Kind::I32},       {"slice_start", 74, 224, Kind::I16, Kind::I64},
    {"slice_end", 120, 232, Kind::I16, Kind::I64},        {"slice_code", 122, 496, Kind::Byte, Kind::I32},
    {"cal_max", 124, 192, Kind::F32, Kind::F64},          {"cal_min", 128, 200, Kind::F32, Kind::F64},
    {"slice_duration", 132, 208, Kind::F32, Kind::F64},   {"toffset", 136, 216, Kind::F32, Kind::F64},
    {"descrip", 148, 240, Kind::Text, Kind::Text, 80},    {"aux_file", 228, 320, Kind::Text, Kind::Text, 24},
    {"qform_code", 252, 344, Kind::I16, Kind::I32},       {"sform_code", 254, 348, Kind::I16, Kind::I32},
    {"intent_name", 328, 508, Kind::Text, Kind::Text, 16}};

// Calls use(T{}) with the type of a number.
template <class Use>
void withKind(Kind kind, const Use& use) {
  switch (kind) {
    case Kind::Byte: return use(std::uint8_t{});
    case Kind::I16: return use(std::int16_t{});
    case Kind::I32: return use(std::int32_t{});
    case Kind::I64: return use(std::int64_t{});
    case Kind::F32: return use(float{});
    case Kind::F64: return use(double{});
    case Kind::Text: return;
  }
}

std::string fieldOf(const Metadata& metadata, std::string_view name) {
  for (const auto& [key, value] : metadata.fields)
    if (key.starts_with(kPrefix) && key.substr(kPrefix.size()) == name) return value;
  return {};
}

template <class T>
T numberOf(std::string_view text, T otherwise) {
  T value{};
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return code == std::errc() && end == text.data() + text.size() ? value : otherwise;
}

}  // namespace

NiftiKept keptOfNifti(const NiftiFields& f, bool second) {
  NiftiKept kept;
  for (const Kept& each : kKept) {
    const std::size_t at = second ? each.second : each.first;
    std::string value;
    if (each.length > 0) {
      const std::string_view text = f.text(at, each.length);
      value = text.substr(0, text.find('\0'));
    }
    withKind(second ? each.type2 : each.type1, [&](auto tag) {
      const auto number = f.at<decltype(tag)>(at);
      std::array<char, 32> digits{};
      if (number != 0 || each.name.ends_with("form_code"))
        value.assign(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr);
    });
    if (!value.empty()) kept.emplace_back(std::string(kPrefix).append(each.name), value);
  }
  return kept;
}

std::size_t takeNiftiExtensions(std::span<const std::byte> bytes, bool swapped, NiftiKept& kept,
                                std::string& provenance, std::string& meaning) {
  constexpr std::size_t kBefore = 4, kHead = 8, kMost = std::size_t{1} << 19;
  std::size_t left = 0, held = 0, number = 0;
  if (bytes.size() < kBefore || bytes[0] == std::byte{0}) return 0;
  bytes = bytes.subspan(kBefore);
  while (bytes.size() >= kHead) {
    const NiftiFields f(bytes, swapped);
    const auto size = f.at<std::int32_t>(0);
    if (size < static_cast<std::int32_t>(kHead) || static_cast<std::size_t>(size) > bytes.size()) break;
    const auto content = bytes.subspan(kHead, static_cast<std::size_t>(size) - kHead);
    const std::string_view text(reinterpret_cast<const char*>(content.data()), content.size());
    const bool made = text.starts_with('{') && text.find(kProvenanceKey) != text.npos,
               means = text.starts_with(kMeaningKey);
    if (f.at<std::int32_t>(4) == kComment && (made || means)) {
      const std::string_view whole = text.substr(0, text.find('\0'));
      if (made) {
        provenance = whole;
      } else {
        meaning = whole.substr(std::min(whole.size(), std::string_view(kMeaningKey).size()));
      }
      bytes = bytes.subspan(static_cast<std::size_t>(size));
      continue;
    }
    held += content.size();
    if (held > kMost) {
      ++left;
    } else {
      kept.emplace_back(std::string(kExtension).append(std::to_string(number++)),
                        std::to_string(f.at<std::int32_t>(4)) + " " + toBase64(content));
    }
    bytes = bytes.subspan(static_cast<std::size_t>(size));
  }
  return left;
}

std::int64_t keptNumber(const Metadata& metadata, std::string_view name, std::int64_t otherwise) {
  return numberOf(fieldOf(metadata, name), otherwise);
}

std::vector<std::byte> formatNiftiExtensions(const Metadata& metadata) {
  std::vector<std::byte> bytes(4);
  const auto add = [&bytes](std::int32_t code, std::string_view content) {
    bytes[0] = std::byte{1};
    const std::size_t size = (content.size() + 8 + 15) / 16 * 16;
    NiftiWriter one(size);
    one.put<std::int32_t>(0, size);
    one.put<std::int32_t>(4, code);
    one.text(8, content);
    const std::vector<std::byte> all = one.take();
    bytes.insert(bytes.end(), all.begin(), all.end());
  };
  for (const auto& [key, value] : metadata.fields) {
    const std::size_t space = value.find(' ');
    if (!key.starts_with(kExtension) || space == std::string::npos) continue;
    const std::vector<std::byte> content = fromBase64(std::string_view(value).substr(space + 1));
    add(numberOf<std::int32_t>(std::string_view(value).substr(0, space), 0),
        {reinterpret_cast<const char*>(content.data()), content.size()});
  }
  if (const std::string meaning = meaningText(metadata, saidBy(FormatId::nifti)); !meaning.empty())
    add(kComment, kMeaningKey + meaning);
  if (!metadata.provenance.empty()) add(kComment, metadata.provenance);
  return bytes;
}

void putKept(const Metadata& metadata, bool second, std::int64_t slices, NiftiWriter& header) {
  // Times of slices are those of all slices of the file.
  const bool timed = keptNumber(metadata, "slice_end", -1) + 1 == slices;
  for (const Kept& each : kKept) {
    const std::string value = fieldOf(metadata, each.name);
    if (value.empty() || (each.name.starts_with("slice_") && !timed)) continue;
    const std::size_t at = second ? each.second : each.first;
    if (each.length > 0) header.text(at, std::string_view(value).substr(0, each.length));
    withKind(second ? each.type2 : each.type1,
             [&](auto tag) { header.put<decltype(tag)>(at, numberOf<decltype(tag)>(value, 0)); });
  }
}

}  // namespace sscope::io
