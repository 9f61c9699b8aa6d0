#include "tests/io/dicom_file.h"

#include <cstdint>
#include <string_view>

namespace sscope::test {

namespace {

// Little-endian.
std::string little(std::uint64_t value, std::size_t bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i));
  return text;
}

std::string element(std::uint16_t group, std::uint16_t tag, std::string_view type, std::string value) {
  if (value.size() % 2 != 0) value.push_back(type == "UI" ? '\0' : ' ');
  const bool isLong = type == "OW" || type == "OB";
  std::string text = little(group, 2) + little(tag, 2);
  text.append(type);
  if (isLong) text.append(2, '\0');
  text.append(little(value.size(), isLong ? 4 : 2));
  text.append(value);
  return text;
}

std::string item(std::uint16_t tag, const std::string& value) {
  return little(0xfffe, 2) + little(tag, 2) + little(value.size(), 4) + value;
}

}  // namespace

std::string DicomFile::bytes() const {
  const std::string kClass = "1.2.840.10008.5.1.4.1.1.7", kOwn = "1.2.826.0.1.3680043.2.1125.1";
  std::string instance = kOwn + ".1";
  if (number > 1) instance.append(".").append(std::to_string(number));
  std::string meta, pixels;
  const auto add = [](std::string& to, std::uint16_t group, std::uint16_t tag, std::string_view type,
                      const std::string& value) { to += element(group, tag, type, value); };
  add(meta, 2, 1, "OB", little(0x100, 2));
  add(meta, 2, 2, "UI", kClass);
  add(meta, 2, 3, "UI", instance);
  add(meta, 2, 0x10, "UI", piece.empty() ? "1.2.840.10008.1.2.1" : "1.2.840.10008.1.2.4.70");
  for (std::uint64_t i = 0; i < pixelBytes() / 2; ++i) pixels += little(101 * i, 2);
  std::string file(128, '\0');
  file += "DICM";
  add(file, 2, 0, "UL", little(meta.size(), 4));
  file += meta;
  auto elements = more;
  const auto set = [&](std::uint32_t tag, const char* type, const std::string& value) {
    if (!value.empty()) elements.try_emplace(tag, type, value);
  };
  set(0x00080016, "UI", kClass);
  set(0x00080018, "UI", instance);
  set(0x00080060, "CS", modality);
  set(0x0020000d, "UI", kOwn + ".2");
  set(0x0020000e, "UI", series);
  set(0x00200013, "IS", std::to_string(number));
  set(0x00200032, "DS", position);
  set(0x00200037, "DS", orientation);
  set(0x00280002, "US", little(1, 2));
  set(0x00280004, "CS", photometric);
  set(0x00280010, "US", little(static_cast<std::uint64_t>(height), 2));
  set(0x00280011, "US", little(static_cast<std::uint64_t>(width), 2));
  set(0x00280030, "DS", spacing);
  set(0x00280100, "US", little(16, 2));
  set(0x00280101, "US", little(16, 2));
  set(0x00280102, "US", little(15, 2));
  set(0x00280103, "US", little(0, 2));
  set(0x00281050, "DS", windowCenter);
  set(0x00281051, "DS", windowWidth);
  for (const auto& [tag, typeAndValue] : elements)
    add(file, static_cast<std::uint16_t>(tag >> 16), static_cast<std::uint16_t>(tag & 0xffff), typeAndValue.first,
        typeAndValue.second);
  if (piece.empty()) {
    add(file, 0x7fe0, 0x10, "OW", pixels);
    return file;
  }
  file += little(0x7fe0, 2) + little(0x10, 2);
  file += "OB";
  file += little(0, 2) + little(0xffffffff, 4);
  for (const std::string& each : {item(0xe000, ""), item(0xe000, piece), item(0xe0dd, "")}) file += each;
  return file;
}

}  // namespace sscope::test
