#include "tests/io/tiny_files.h"

#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "tests/io/io_support.h"
#include "tests/support/support.h"

namespace sscope::test {

namespace {

// Little-endian.
std::string number(std::uint64_t value, std::size_t bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i));
  return text;
}

std::string bitmap() {
  constexpr std::size_t kWidth = 6, kHeight = 5, kRow = 20;  // three bytes a pixel, rows end on four
  std::string pixels;
  for (std::size_t i = 0; i < kHeight * kRow; ++i) pixels += static_cast<char>(37 * i);
  return "BM" + number(54 + pixels.size(), 4) + number(0, 4) + number(54, 4) + number(40, 4) + number(kWidth, 4) +
         number(kHeight, 4) + number(1, 2) + number(24, 2) + std::string(24, '\0') + pixels;
}

// An element in "explicit VR little endian".
std::string element(std::uint16_t group, std::uint16_t tag, std::string_view type, std::string value) {
  if (value.size() % 2 != 0) value += type == "UI" ? '\0' : ' ';
  const bool isLong = type == "OW" || type == "OB";
  return number(group, 2) + number(tag, 2) + std::string(type) +
         (isLong ? number(0, 2) + number(value.size(), 4) : number(value.size(), 2)) + value;
}

std::string dicom() {
  const std::string kClass = "1.2.840.10008.5.1.4.1.1.7", kOwn = "1.2.826.0.1.3680043.2.1125.1";
  const std::string meta = element(2, 1, "OB", number(0x100, 2)) + element(2, 2, "UI", kClass) +
                           element(2, 3, "UI", kOwn + ".1") + element(2, 0x10, "UI", "1.2.840.10008.1.2.1");
  std::string pixels;
  for (std::uint64_t i = 0; i < 6 * 5; ++i) pixels += number(101 * i, 2);
  return std::string(128, '\0') + "DICM" + element(2, 0, "UL", number(meta.size(), 4)) + meta +
         element(8, 0x16, "UI", kClass) + element(8, 0x18, "UI", kOwn + ".1") + element(8, 0x60, "CS", "OT") +
         element(0x20, 0xd, "UI", kOwn + ".2") + element(0x20, 0xe, "UI", kOwn + ".3") +
         element(0x20, 0x13, "IS", "1") + element(0x20, 0x32, "DS", "1\\2\\3") +
         element(0x20, 0x37, "DS", "1\\0\\0\\0\\1\\0") + element(0x28, 2, "US", number(1, 2)) +
         element(0x28, 4, "CS", "MONOCHROME2") + element(0x28, 0x10, "US", number(5, 2)) +
         element(0x28, 0x11, "US", number(6, 2)) + element(0x28, 0x30, "DS", "0.5\\0.25") +
         element(0x28, 0x100, "US", number(16, 2)) + element(0x28, 0x101, "US", number(16, 2)) +
         element(0x28, 0x102, "US", number(15, 2)) + element(0x28, 0x103, "US", number(0, 2)) +
         element(0x7fe0, 0x10, "OW", pixels);
}

}  // namespace

std::vector<std::filesystem::path> writeTinyFiles(VolumeIo& io, const std::filesystem::path& folder) {
  const Volume volume = randomVolume({6, 5, 4, 1}, ElementType::u8, 4),
               real = randomVolume({6, 5, 4, 2}, ElementType::f32, 4),
               picture = randomVolume({9, 7, 1, 3}, ElementType::u8, 4);
  std::vector<std::filesystem::path> files;
  const auto add = [&](const char* name, const Volume& content) {
    try {
      io.checkWritable(name, content.shape(), content.type());
    } catch (const Error&) {
      return;
    }
    io.write(folder / name, content, {});
    files.push_back(folder / name);
  };
  for (const char* name : {"v.nrrd", "v.json", "v.mha", "v.nii", "v.nii.gz", "v.tif", "v.vti", "v.vtk", "v.h5"})
    add(name, volume);
  for (const char* name : {"r.nrrd", "r.json", "r.mha", "r.nii", "r.vti"}) add(name, real);
  for (const char* name : {"p.png", "p.jpg", "p.tif"}) add(name, picture);
  if (hasItk(io)) {
    std::ofstream(folder / "p.bmp", std::ios::binary) << bitmap();
    files.push_back(folder / "p.bmp");
    std::ofstream(folder / "d.dcm", std::ios::binary) << dicom();
    files.push_back(folder / "d.dcm");
  }
  return files;
}

}  // namespace sscope::test
