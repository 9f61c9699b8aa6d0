#include "tests/io/tiny_files.h"

#include <cstdint>
#include <fstream>
#include <string>

#include "core/base/error.h"
#include "tests/io/dicom_file.h"
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
  for (const char* name :
       {"v.nrrd", "v.json", "v.mha", "v.nii", "v.nii.gz", "v.tif", "v.vti", "v.vtk", "v.h5", "v.npy", "v.npz"})
    add(name, volume);
  for (const char* name : {"r.nrrd", "r.json", "r.mha", "r.nii", "r.vti", "r.npy"}) add(name, real);
  add("m.mrc", randomVolume({6, 5, 4, 1}, ElementType::i16, 4));
  for (const char* name : {"p.png", "p.jpg", "p.tif"}) add(name, picture);
  if (hasItk(io)) {
    std::ofstream(folder / "p.bmp", std::ios::binary) << bitmap();
    files.push_back(folder / "p.bmp");
    std::ofstream(folder / "d.dcm", std::ios::binary) << DicomFile().bytes();
    files.push_back(folder / "d.dcm");
  }
  return files;
}

}  // namespace sscope::test
