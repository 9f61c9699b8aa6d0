#include "core/io/any/layouts.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "core/io/base/detached.h"
#include "core/io/base/file_error.h"
#include "core/io/base/formats.h"
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

}  // namespace sscope::io
