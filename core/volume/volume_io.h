#pragma once
// The interface for reading and writing volumes, implemented by core/io.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/control.h"
#include "core/volume/metadata.h"
#include "core/volume/volume.h"

namespace sscope {

// A file's description, available before its voxels are read.
struct VolumeInfo {
  VolumeShape shape;
  ElementType type = ElementType::f32;
  Geometry geometry;
  Metadata metadata;
  int fileFrames = 1;  // time points in the file; metadata.frames of them were read
  std::string format;  // "NRRD", "DICOM series (28 slices)"
  std::vector<std::string>
      notices;  // things the user should know: uneven slices, converted pixel type, non-finite values
};

struct LoadedVolume {
  Volume volume;
  VolumeInfo info;
};

struct FileFormat {
  std::string name;                     // "NRRD"
  std::vector<std::string> extensions;  // ".nrrd", ".nhdr"
  bool read = false, write = false;
  bool multiComponent = false;  // can store several components
  std::vector<ElementType> writableTypes;
};

struct WriteOptions {
  Metadata metadata;      // written where the format has room for it
  bool compress = false;  // see VolumeIo::checkCompressible
};

class VolumeIo {
 public:
  virtual ~VolumeIo() = default;

  // A file, a DICOM folder, or a printf pattern or glob of 2D slices ("slice_%03d.png", "slice_*.tif"). Each may end in
  // a selection: "@t=3" a frame, "@c=1" a channel (both from 0), "@series=2" a DICOM series (from 1). Throws
  // Error(NotFound, BadData, Unsupported, Memory, Io) with one sentence naming the file and the remedy, or Canceled. A
  // damaged file never crashes the program.
  [[nodiscard]] virtual LoadedVolume read(const std::string& path, const Control& control) = 0;
  // The header only.
  [[nodiscard]] virtual VolumeInfo probe(const std::string& path, const Control& control) = 0;
  // The format follows the extension. Written under a temporary name, then renamed; nothing is left on failure.
  // Throws Error(Unsupported) when the format cannot hold the type or components.
  virtual void write(const std::filesystem::path& path, const Volume& volume, const WriteOptions& options,
                     const Control& control) = 0;
  void write(const std::filesystem::path& path, const Volume& volume, const Control& control) {
    write(path, volume, WriteOptions{}, control);
  }
  [[nodiscard]] virtual std::vector<FileFormat> formats() const = 0;
  // Throws Error(Unsupported), naming suitable formats, when write() of such a volume would, so that a long computation
  // fails before it starts.
  virtual void checkWritable(const std::filesystem::path& path, const VolumeShape& shape, ElementType type) const = 0;
  // Throws Error(Unsupported), naming suitable formats, when write() could not compress this file.
  virtual void checkCompressible(const std::filesystem::path& /*path*/) const {}
  // Throws Error(Unsupported), naming suitable formats, when a format with geometry cannot store this one. Formats
  // without geometry pass.
  virtual void checkGeometry(const std::filesystem::path& /*path*/, const Geometry& /*geometry*/) const {}
  // One sentence saying what of this geometry write() would drop, for formats that store none: "PNG files store no
  // geometry: the spacing and origin of the data are dropped". Empty when nothing is lost.
  [[nodiscard]] virtual std::string droppedGeometry(const std::filesystem::path& /*path*/,
                                                    const Geometry& /*geometry*/) const {
    return {};
  }
};

}  // namespace sscope
