#include "core/io/stream/file_layout.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "core/io/file_error.h"
#include "core/io/file_sets.h"
#include "core/io/formats.h"
#include "core/io/native/mrc.h"
#include "core/io/native/npy.h"
#include "core/io/native/nrrd_header.h"
#include "core/io/native/raw_json.h"
#include "core/volume/array_view.h"
#ifdef SSCOPE_IO_ITK
#include "core/io/native/meta_write.h"
#include "core/io/native/vti_write.h"
#include "core/io/nifti/nifti_header.h"
#include "core/io/tiff/tiff.h"
#endif

namespace sscope::io {

namespace fs = std::filesystem;

namespace {

std::vector<std::byte> bytesOfText(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

// The header in front of the voxels, or in a file beside them.
void putHeader(FileLayout& layout, const fs::path& data, std::string text) {
  if (data.empty()) {
    layout.before = bytesOfText(text);
    return;
  }
  layout.header = layout.path;
  layout.headerText = std::move(text);
  layout.data = data;
}

bool isPacked(const fs::path& path) {
  const std::string extension = path.extension().string();
  return extension == ".gz" || extension == ".GZ";
}

}  // namespace

std::int64_t FileLayout::planes() const {
  const VolumeShape& s = volume.shape;
  const std::array<std::int64_t, 4> extent = {s.nx, s.ny, s.nz, s.components};
  return extent[slowestAxis(extent)];
}

std::int64_t FileLayout::fileBytes() const {
  return static_cast<std::int64_t>(before.size() + after.size()) + volume.bytes();
}

bool hasLayout(const fs::path& path) {
  const FormatRow* row = formatOf(path);
  if (row == nullptr) return false;
  switch (row->id) {
    case FormatId::rawJson:
    case FormatId::nrrd:
    case FormatId::mrc:
    case FormatId::meta:
    case FormatId::vti:
    case FormatId::tiff: return true;
    case FormatId::nifti: return !isPacked(path);
    case FormatId::npy: return !isNpz(path);
    default: return false;
  }
}

FileLayout layoutOf(const fs::path& path, const VolumeOutline& volume, const WriteOptions& options) {
  const FormatRow& row = requireWritable(path, volume.shape, volume.type);
  requireGeometry(path, volume.geometry);
  if (!hasLayout(path) || options.compress)
    throw cannotWrite(ErrorKind::Unsupported, path, "files of its kind cannot be written by slabs",
                      "choose .nrrd, .mha, .nii, .vti, .tif, .npy, .mrc or .raw without compression");
  FileLayout layout;
  layout.path = path;
  layout.data = path;
  layout.volume = volume;
  const fs::path data = dataBesideHeader(path);
  const std::string dataName = data.filename().string();
  switch (row.id) {
    case FormatId::rawJson: {
      const RawPair pair = rawPairOf(path);
      layout.header = pair.header;
      layout.headerText = formatRawHeader(volume, options.metadata, pair.data.filename().string());
      layout.data = pair.data;
      break;
    }
    case FormatId::nrrd: putHeader(layout, data, formatNrrdHeader(volume, options.metadata, {dataName, false})); break;
    case FormatId::mrc: layout.before = formatMrcHeader(volume); break;
    case FormatId::npy:
      if (options.metadata.frames > 1)
        throw cannotWrite(ErrorKind::Unsupported, path, "points in time of .npy cannot be written by slabs",
                          "choose .nrrd, .nii or .raw");
      layout.before = formatNpyHeader(volume, options.metadata);
      break;
#ifdef SSCOPE_IO_ITK
    case FormatId::meta:
      putHeader(layout, data,
                formatMetaHeader(volume, options.metadata, data.empty() ? kMetaAttached : dataName, false));
      break;
    case FormatId::vti: {
      layout.before = bytesOfText(formatVtiHeader(volume, options.metadata));
      const auto bytes = static_cast<std::uint64_t>(volume.bytes());
      const auto number = std::as_bytes(std::span(&bytes, 1));
      layout.before.insert(layout.before.end(), number.begin(), number.end());
      layout.after = bytesOfText(kVtiEnd);
      break;
    }
    case FormatId::tiff: {
      if (!pagesArePlanes(volume, options.metadata))
        throw cannotWrite(ErrorKind::Unsupported, path, "TIFF pages of single components cannot be written by slabs",
                          "choose .nrrd, .mha, .nii, .vti or .raw");
      TiffFrame frame = formatTiff(path, volume, options.metadata);
      layout.before = bytesOfText(frame.start);
      layout.after = std::move(frame.end);
      break;
    }
    case FormatId::nifti:
      layout.before = formatNiftiHeader(volume, options.metadata);
      if (volume.shape.components > 1) {
        const int frames = options.metadata.frames;
        layout.outerFrames = frames > 0 && volume.shape.components % frames == 0 ? frames : 1;
      }
      break;
#endif
    default: throw std::logic_error("a format whose files have no layout");
  }
  return layout;
}

void placePlanes(const FileLayout& layout, std::int64_t begin, std::span<const std::byte> voxels, const PutBytes& put,
                 const Control& control) {
  constexpr std::size_t kPieceBytes = std::size_t{1} << 20;
  const std::int64_t planeBytes = layout.planeBytes();
  const auto given = static_cast<std::int64_t>(voxels.size());
  if (begin < 0 || given % planeBytes != 0 || begin + given / planeBytes > layout.planes())
    throw std::logic_error("planes that a file does not have");
  if (layout.outerFrames == 0) {
    for (std::size_t done = 0; done < voxels.size(); done += kPieceBytes) {
      control.check();
      put(layout.voxelOffset() + begin * planeBytes + static_cast<std::int64_t>(done),
          voxels.subspan(done, std::min(kPieceBytes, voxels.size() - done)));
    }
    return;
  }
  const auto components = static_cast<std::size_t>(layout.volume.shape.components);
  const std::size_t bytes = bytesOf(layout.volume.type), times = static_cast<std::size_t>(layout.outerFrames);
  const std::size_t count = voxels.size() / (components * bytes), piece = kPieceBytes / bytes;
  const std::int64_t all = layout.volume.shape.voxels(), first = begin * (all / layout.planes());
  std::vector<std::byte> one(std::min(piece, count) * bytes);
  for (std::size_t p = 0; p < components; ++p) {
    const std::size_t c = p % times * (components / times) + p / times;
    for (std::size_t start = 0; start < count; start += piece) {
      control.check();
      const std::size_t part = std::min(piece, count - start);
      for (std::size_t v = 0; v < part; ++v)
        std::memcpy(one.data() + v * bytes, voxels.data() + ((start + v) * components + c) * bytes, bytes);
      const auto at = static_cast<std::int64_t>(p) * all + first + static_cast<std::int64_t>(start);
      put(layout.voxelOffset() + at * static_cast<std::int64_t>(bytes),
          std::span<const std::byte>(one).first(part * bytes));
    }
  }
}

}  // namespace sscope::io
