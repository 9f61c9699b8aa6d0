#include "core/io/itk/vtk_extent.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <vector>

#include "core/io/file_error.h"
#include "core/io/native/header_lines.h"
#include "core/io/native/text_numbers.h"

namespace sscope::io {

namespace {

constexpr std::size_t kInFile = 9;  // numbers of a tensor in the file
// Row by row, what is above the diagonal: ITK's order.
constexpr std::array<std::size_t, 6> kOfItk = {0, 1, 2, 4, 5, 8};

bool contains(const std::string& line, const char* word) { return line.find(word) != std::string::npos; }

bool nextLine(HeaderLines& lines, std::string& line) {
  do {
    if (!lines.next(line)) return false;
  } while (line.empty());
  std::transform(line.begin(), line.end(), line.begin(), [](unsigned char c) { return std::tolower(c); });
  return true;
}

}  // namespace

VtkPlace placeOfVtk(const std::string& path) {
  HeaderLines lines(path);
  VtkPlace place;
  std::string line;
  constexpr int kTypeLine = 2, kMostLines = 256;
  for (int n = 0; n < kMostLines && nextLine(lines, line); ++n) {
    if (n == kTypeLine) place.text = contains(line, "ascii");
    if (n <= kTypeLine + 2) continue;  // the third to fifth say what it is, and its dimensions
    if (line.starts_with("cell_data"))
      throw cannotRead(ErrorKind::Unsupported, path, "it holds values of cells, which are read of points only",
                       "save it as .vti, or as values of points");
    place.tensors = contains(line, "tensors");
    if (!place.tensors && !contains(line, "scalars") && !contains(line, "vector")) continue;
    place.start = lines.position();
    if (nextLine(lines, line) && contains(line, "lookup_table")) place.start = lines.position();
    return place;
  }
  throw damaged(path, "it is cut off: it ends before its voxels begin");
}

void requireVtkBytes(const std::string& path, const VtkPlace& place, double elements, std::size_t bytes) {
  const double needed =
      (place.tensors ? elements / static_cast<double>(kOfItk.size()) * kInFile : elements) * static_cast<double>(bytes);
  const auto there = static_cast<double>(sizeOfFile(path, path) - place.start);
  if (there < needed)
    throw damaged(path, "it is cut off: " + bytesText(std::max(0.0, there)) + " of " + bytesText(needed) +
                            " of voxels are there");
}

void readVtkText(const std::string& path, const VtkPlace& place, Stored type, std::span<std::byte> out,
                 const Control& control) {
  TextNumbers text(path, path, place.start);
  if (!place.tensors) {
    text.read(type, out, control);
    return text.requireEnd();
  }
  const std::size_t bytes = bytesOf(type), tensors = out.size() / (kOfItk.size() * bytes);
  std::vector<std::byte> all(tensors * kInFile * bytes);
  text.read(type, all, control);
  text.requireEnd();
  for (std::size_t t = 0; t < tensors; ++t)
    for (std::size_t k = 0; k < kOfItk.size(); ++k)
      std::memcpy(out.data() + (t * kOfItk.size() + k) * bytes, all.data() + (t * kInFile + kOfItk[k]) * bytes, bytes);
}

}  // namespace sscope::io
