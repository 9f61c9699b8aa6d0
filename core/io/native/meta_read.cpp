#include <algorithm>
#include <array>
#include <bit>
#include <filesystem>
#include <sstream>

#include "core/io/base/decoder.h"
#include "core/io/base/file_error.h"
#include "core/io/base/file_names.h"
#include "core/io/native/meta.h"
#include "core/volume/meaning.h"
#include "core/volume/provenance.h"
#include "core/volume/selection.h"

namespace sscope::io {

namespace fs = std::filesystem;

namespace {

// "slice%03d.raw [first [last [step]]]"; without numbers they count the last axis, from 1.
std::vector<std::string> numberedFiles(const MetaHeader& header, const std::string& path) {
  std::istringstream words(header.data);
  std::string pattern;
  std::int64_t first = 1, last = 0, step = 1;
  // Each number is checked before anything is computed with it: sums of valid ones do not overflow.
  const auto requireSense = [&](bool sense) {
    if (!sense) throw damaged(path, "the numbering of its data files in the header is invalid");
  };
  words >> pattern;
  if (!hasPlaceForNumber(pattern))
    throw damaged(path, "its header names its data files by " + pattern + ", which has no place for a number (%03d)");
  if (!(words >> first)) first = 1;
  requireSense(first >= -INT32_MAX && first <= INT32_MAX);
  if (!(words >> last)) last = first + header.size.back() - 1;
  requireSense(last >= first && last <= INT32_MAX);
  if (!(words >> step)) step = 1;
  constexpr std::int64_t kMostFiles = 1 << 20;
  requireSense(step >= 1 && step <= INT32_MAX && (last - first) / step <= kMostFiles);
  std::vector<std::string> names;
  for (std::int64_t n = first; n <= last; n += step) names.push_back(numberedName(pattern, n));
  return names;
}

// The files that hold the voxels, in order: this one, one other, a numbered row or a list.
std::vector<fs::path> dataFilesOf(const MetaHeader& header, const std::string& path) {
  if (header.attached()) return {fs::path(path)};
  std::vector<std::string> names = {header.data};
  if (header.data.starts_with("LIST")) {
    names = header.list;
  } else if (header.data.find('%') != std::string::npos) {
    names = numberedFiles(header, path);
  }
  if (names.empty()) throw damaged(path, "its header lists no data files");
  std::vector<fs::path> files;
  for (const std::string& name : names) {
    requireDataInside(path, name);
    files.push_back(fs::path(path).parent_path() / name);
  }
  return files;
}

void describe(const MetaHeader& header, const std::string& path, LocatedVolume& located) {
  std::array<std::int64_t, 3> extent{1, 1, 1};
  requireMemory(path, header.storedBytes(), 0);
  for (std::size_t a = 0; a < std::min<std::size_t>(3, header.size.size()); ++a) extent[a] = header.size[a];
  double frames = 1;
  for (std::size_t a = 3; a < header.size.size(); ++a) frames *= static_cast<double>(header.size[a]);
  const double components = frames * static_cast<double>(header.channels);
  if (components > 1 << 24) throw damaged(path, "it claims too many components");
  VolumeInfo& info = located.info;
  info.shape = {extent[0], extent[1], extent[2], static_cast<int>(components)};
  info.geometry = header.geometry;
  info.metadata.frames = static_cast<int>(frames);
  info.format = "MetaImage";
  takeStored(located, header.stored, header.channels);
  takeMeaning(header.meaning, info);
  takeProvenance(header.provenance, info);
  if (frames > 1)
    info.notices.push_back(heldAsComponents("the " + std::to_string(info.metadata.frames) +
                                            " volumes of the series (axes beyond the third)"));
  if (header.slope != 1 || header.intercept != 0)
    info.notices.emplace_back("the file gives a scale from its values to intensities, which is not applied");
  repairGeometry(info);
}

// Sets the places of the voxels in their files.
void takeFiles(const MetaHeader& header, const InputFile& input, StoredVoxels& voxels) {
  const std::string& path = input.path();
  const std::vector<fs::path> files = dataFilesOf(header, path);
  if (static_cast<std::size_t>(header.storedBytes()) / bytesOf(header.stored) % files.size() != 0)
    throw damaged(path, "its " + std::to_string(files.size()) + " data files cannot share its voxels evenly");
  const std::int64_t start = header.attached() ? header.dataOffset : 0;
  // A size of -1: the voxels end the file.
  std::int64_t offset = start + std::max<std::int64_t>(0, header.headerBytes);
  if (header.headerBytes < 0 && voxels.packing == Packing::None)
    offset = header.attached() ? std::max(start, input.bytes() - voxels.bytes()) : -1;
  if (voxels.packing == Packing::Text) offset = start;
  voxels.file = files.front().string();
  voxels.offset = offset;
  for (std::size_t f = 1; f < files.size(); ++f) voxels.further.push_back({files[f].string(), offset});
}

}  // namespace

std::vector<std::string> metaDataNames(const InputFile& file) {
  const MetaHeader header = parseMetaHeader(file);
  if (header.attached()) return {};
  return header.data.starts_with("LIST") ? header.list : std::vector<std::string>{header.data};
}

LocatedVolume locateMeta(const InputFile& file) {
  const MetaHeader header = parseMetaHeader(file);
  LocatedVolume located;
  describe(header, file.path(), located);
  StoredVoxels& voxels = located.voxels;
  voxels.packing = !header.binary ? Packing::Text : header.compressed ? Packing::Deflate : Packing::None;
  voxels.swapped = header.binary && header.bigEndian != (std::endian::native == std::endian::big);
  takeFiles(header, file, voxels);
  return located;
}

}  // namespace sscope::io
