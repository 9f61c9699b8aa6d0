#include "core/io/native/meta_read.h"

#include <algorithm>
#include <bit>
#include <filesystem>
#include <sstream>

#include "core/io/base/chunked_file.h"
#include "core/io/base/convert.h"
#include "core/io/base/detached.h"
#include "core/io/base/file_error.h"
#include "core/io/base/gunzip.h"
#include "core/io/base/numbered_name.h"
#include "core/io/base/text_numbers.h"
#include "core/io/native/meta_header.h"
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
  // Each is judged before anything is computed with it: sums of those that pass do not overflow.
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

std::string missingText(double there, double needed) {
  return bytesText(there) + " of " + bytesText(needed) + " of voxels are there, " + bytesText(needed - there) +
         " are missing";
}

void readShare(const fs::path& file, const MetaHeader& header, const std::string& path, std::span<std::byte> out,
               const Control& control) {
  const std::int64_t start = (header.attached() ? header.dataOffset : 0);
  if (!header.binary) {
    TextNumbers text(file, path, start);
    text.read(header.stored, out, control);
    return text.requireEnd();
  }
  if (header.compressed)
    return gunzipInto(file, path, start + std::max<std::int64_t>(0, header.headerBytes), 0, out, control);
  std::error_code code;
  const auto size = static_cast<std::int64_t>(fs::file_size(file, code));
  if (code) throw cannotReadErrno(path, code.value());
  const auto needed = static_cast<std::int64_t>(out.size());
  const std::int64_t offset = header.headerBytes < 0 ? size - needed : start + header.headerBytes;
  if (offset < start || size - offset < needed)
    throw damaged(
        path,
        (header.attached() ? "it is cut off: " : "its data file " + file.filename().string() + " is too short: ") +
            missingText(static_cast<double>(std::clamp<std::int64_t>(size - std::max(offset, start), 0, needed)),
                        static_cast<double>(needed)));
  readChunked(file, path, offset, out, control);
}

struct Layout {
  VolumeInfo info;
  FrameLayout frames;
};

Layout layoutOf(const MetaHeader& header, const std::string& path) {
  std::array<std::int64_t, 3> extent{1, 1, 1};
  requireMemory(path, header.storedBytes(), 0);
  for (std::size_t a = 0; a < std::min<std::size_t>(3, header.size.size()); ++a) extent[a] = header.size[a];
  double frames = 1;
  for (std::size_t a = 3; a < header.size.size(); ++a) frames *= static_cast<double>(header.size[a]);
  const double components = frames * static_cast<double>(header.channels);
  if (components > 1 << 24) throw damaged(path, "it claims too many components");
  Layout layout;
  VolumeInfo& info = layout.info;
  info.shape = {extent[0], extent[1], extent[2], static_cast<int>(components)};
  info.type = sameElementType(header.stored).value_or(ElementType::f64);
  info.geometry = header.geometry;
  info.metadata.frames = static_cast<int>(frames);
  info.format = "MetaImage";
  takeMeaning(header.meaning, info);
  takeProvenance(header.provenance, info);
  layout.frames = {info.shape.voxels(), static_cast<std::int64_t>(frames), header.channels};
  if (frames > 1)
    info.notices.push_back(heldAsComponents("the " + std::to_string(layout.frames.frames) +
                                            " volumes of the series (axes beyond the third)"));
  if (header.slope != 1 || header.intercept != 0)
    info.notices.emplace_back("the file gives a scale from its values to intensities, which is not applied");
  repairGeometry(info);
  return layout;
}

std::vector<fs::path> evenFilesOf(const MetaHeader& header, const std::string& path) {
  std::vector<fs::path> files = dataFilesOf(header, path);
  if (static_cast<std::size_t>(header.storedBytes()) / bytesOf(header.stored) % files.size() != 0)
    throw damaged(path, "its " + std::to_string(files.size()) + " data files cannot share its voxels evenly");
  return files;
}

}  // namespace

VolumeInfo readMeta(const std::string& path, const AllocateVoxels& allocate, const Control& control) {
  const MetaHeader header = parseMetaHeader(path);
  Layout layout = layoutOf(header, path);
  VolumeInfo& info = layout.info;
  const std::vector<fs::path> files = evenFilesOf(header, path);
  const auto bytes = static_cast<std::size_t>(header.storedBytes());
  const bool swapped = header.bigEndian != (std::endian::native == std::endian::big);
  const auto readInto = [&](std::byte* out) {
    const std::size_t share = bytes / files.size();
    for (std::size_t f = 0; f < files.size(); ++f) readShare(files[f], header, path, {out + f * share, share}, control);
    if (header.binary && swapped) swapBytes({out, bytes}, bytesOf(header.stored));
  };
  const bool wide = !sameElementType(header.stored);
  if (!wide && layout.frames.frames == 1) {
    if (const std::int64_t skip = header.headerBytes;
        files.size() == 1 && header.binary && !header.compressed && (skip >= 0 || !header.attached()))
      info.plain = {files[0].string(), skip < 0 ? -1 : (header.attached() ? header.dataOffset : 0) + skip, swapped};
    std::byte* out = allocate(info);
    if (out != nullptr) readInto(out);
    return info;
  }
  std::vector<std::byte> stored;
  if (wide) {
    // The values decide the type, so they are read first.
    requireMemory(path, 2 * header.storedBytes(), 0);
    stored.resize(bytes);
    readInto(stored.data());
    info.notices.push_back(takeNarrowest(header.stored, stored, info.type));
  }
  std::byte* out = allocate(info);
  if (out == nullptr) return info;
  if (!wide) {
    stored.resize(bytes);
    readInto(stored.data());
  }
  std::vector<std::byte> converted(static_cast<std::size_t>(claimedBytes(info)));
  convert(header.stored, stored, info.type, converted.data());
  scatter(layout.frames, 0, converted, bytesOf(info.type), out);
  return info;
}

LocatedVolume locateMeta(const std::string& path) {
  const MetaHeader header = parseMetaHeader(path);
  Layout layout = layoutOf(header, path);
  const std::vector<fs::path> files = evenFilesOf(header, path);
  if (files.size() != 1) throw notBySlabs(path, "its voxels lie in " + std::to_string(files.size()) + " files");
  if (!header.binary) throw notBySlabs(path, "its voxels are written as text");
  if (!sameElementType(header.stored)) throw notBySlabs(path, "its voxels are 64-bit integers");
  const std::int64_t start = header.attached() ? header.dataOffset : 0;
  StoredVoxels voxels{.file = files[0].string(),
                      .type = header.stored,
                      .swapped = header.bigEndian != (std::endian::native == std::endian::big),
                      .layout = layout.frames,
                      .chosen = allOf(layout.info.shape)};
  if (header.compressed) {
    voxels.packing = Packing::Deflate;
    voxels.offset = start + std::max<std::int64_t>(0, header.headerBytes);
  } else {
    voxels.offset = header.headerBytes < 0 ? -1 : start + header.headerBytes;
  }
  return {std::move(layout.info), std::move(voxels)};
}

}  // namespace sscope::io
