#include "core/io/any/layouts.h"

#include <bit>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "core/io/base/file_error.h"
#include "core/io/base/file_names.h"
#include "core/io/base/formats.h"
#include "core/io/native/mrc.h"
#include "core/io/native/npy.h"
#include "core/io/native/nrrd_header.h"
#include "core/io/native/raw_json.h"
#ifdef SSCOPE_IO_ITK
#include "core/io/native/meta.h"
#include "core/io/native/vti.h"
#include "core/io/native/vtk.h"
#include "core/io/nifti/nifti.h"
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

int statedFrames(const VolumeOutline& volume, const Metadata& metadata) {
  return metadata.frames > 0 && volume.shape.components % metadata.frames == 0 ? metadata.frames : 1;
}

}  // namespace

bool hasLayout(const fs::path& path) {
  const FormatRow* row = formatOf(path);
  if (row == nullptr) return false;
  switch (row->id) {
    case FormatId::rawJson:
    case FormatId::nrrd:
    case FormatId::mrc:
    case FormatId::meta:
    case FormatId::vti:
    case FormatId::vtk:
    case FormatId::tiff: return true;
    case FormatId::nifti: return !isPacked(path);
    case FormatId::npy: return !isNpz(path);
    default: return false;
  }
}

bool hasPackedLayout(const fs::path& path, bool compress) {
  const FormatRow* row = formatOf(path);
  if (row == nullptr) return false;
  if (row->id == FormatId::nifti) return isPacked(path);
  return compress && (row->id == FormatId::nrrd || row->id == FormatId::meta);
}

FileLayout layoutOf(const fs::path& path, const VolumeOutline& volume, const WriteOptions& options) {
  const FormatRow& row = requireWritable(path, volume.shape, volume.type);
  requireGeometry(path, volume.geometry);
  const bool packed = hasPackedLayout(path, options.compress);
  if (!packed && (!hasLayout(path) || options.compress))
    throw cannotWrite(ErrorKind::Unsupported, path, "files of its kind cannot be written by slabs",
                      "choose .nrrd, .mha, .nii, .vti, .tif, .npy, .mrc or .raw without compression");
  FileLayout layout;
  layout.path = path;
  layout.data = path;
  layout.volume = volume;
  const Metadata& metadata = options.metadata;
  const fs::path data = dataBesideHeader(path);
  const std::string dataName = data.filename().string();
  const int frames = statedFrames(volume, metadata);
  switch (row.id) {
    case FormatId::rawJson: {
      const RawPair pair = rawPairOf(path);
      layout.header = pair.header;
      layout.headerText = formatRawHeader(volume, metadata, pair.data.filename().string());
      layout.data = pair.data;
      break;
    }
    case FormatId::nrrd:
      putHeader(layout, data, formatNrrdHeader(volume, metadata, {dataName, packed}));
      if (packed) layout.packing = FileLayout::Packing::Gzip;
      break;
    case FormatId::mrc: layout.before = formatMrcHeader(volume); break;
    case FormatId::npy:
      layout.before = formatNpyHeader(volume, metadata);
      layout.order.each = volume.shape.components / frames;
      break;
#ifdef SSCOPE_IO_ITK
    case FormatId::meta: {
      const std::string text = formatMetaHeader(volume, metadata, data.empty() ? kMetaAttached : dataName, packed);
      if (packed) {
        layout.packing = FileLayout::Packing::Zlib;
        layout.sizeAt = text.find(kMetaSizePlace);
        layout.sizeDigits = kMetaSizePlace.size();
      }
      putHeader(layout, data, text);
      break;
    }
    case FormatId::vti: {
      layout.before = bytesOfText(formatVtiHeader(volume, metadata));
      const auto bytes = static_cast<std::uint64_t>(volume.bytes());
      const auto number = std::as_bytes(std::span(&bytes, 1));
      layout.before.insert(layout.before.end(), number.begin(), number.end());
      layout.after = bytesOfText(kVtiEnd);
      break;
    }
    case FormatId::vtk:
      layout.before = bytesOfText(formatVtkHeader(volume));
      layout.swapped = std::endian::native == std::endian::little;
      break;
    case FormatId::tiff: {
      TiffFrame frame = formatTiff(path, volume, metadata);
      layout.before = bytesOfText(frame.start);
      layout.after = std::move(frame.end);
      if (!frame.colors) layout.order = {.each = 1, .times = frames, .bySlices = true};
      break;
    }
    case FormatId::nifti:
      layout.before = formatNiftiHeader(volume, metadata);
      layout.order = {.each = 1, .times = frames};
      if (packed) layout.packing = FileLayout::Packing::Gzip;
      layout.packsHeader = packed;
      break;
#endif
    default: throw std::logic_error("a format whose files have no layout");
  }
  return layout;
}

}  // namespace sscope::io
