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
  add(file, 8, 0x16, "UI", kClass);
  add(file, 8, 0x18, "UI", instance);
  add(file, 8, 0x60, "CS", modality);
  add(file, 0x20, 0xd, "UI", kOwn + ".2");
  add(file, 0x20, 0xe, "UI", series);
  add(file, 0x20, 0x13, "IS", std::to_string(number));
  if (!position.empty()) add(file, 0x20, 0x32, "DS", position);
  if (!orientation.empty()) add(file, 0x20, 0x37, "DS", orientation);
  add(file, 0x28, 2, "US", little(1, 2));
  add(file, 0x28, 4, "CS", "MONOCHROME2");
  add(file, 0x28, 0x10, "US", little(static_cast<std::uint64_t>(height), 2));
  add(file, 0x28, 0x11, "US", little(static_cast<std::uint64_t>(width), 2));
  add(file, 0x28, 0x30, "DS", spacing);
  add(file, 0x28, 0x100, "US", little(16, 2));
  add(file, 0x28, 0x101, "US", little(16, 2));
  add(file, 0x28, 0x102, "US", little(15, 2));
  add(file, 0x28, 0x103, "US", little(0, 2));
  if (!windowCenter.empty()) add(file, 0x28, 0x1050, "DS", windowCenter);
  if (!windowWidth.empty()) add(file, 0x28, 0x1051, "DS", windowWidth);
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
