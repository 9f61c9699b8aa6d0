#pragma once
// How volumes come in and go out; implemented by core/io and handed to those who need it.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/control.h"
#include "core/volume/metadata.h"
#include "core/volume/volume.h"

namespace sscope {

// What a file says of itself before its voxels are read.
struct VolumeInfo {
  VolumeShape shape;
  ElementType type = ElementType::f32;
  Geometry geometry;
  Metadata metadata;
  int fileFrames = 1;  // how many points in time the file holds; metadata.frames of them were read
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

  // A file, a DICOM folder, or a printf pattern or glob of 2D slices ("slice_%03d.png", "slice_*.tif"). Behind each of
  // them a choice may stand: "@t=3" a frame, "@c=1" a channel (both from 0), "@series=2" a DICOM series (from 1).
  // Throws Error(NotFound, BadData, Unsupported, Memory, Io) with one sentence naming the file and the
  // remedy, or Canceled. A damaged file never takes the program down.
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
  // Throws Error(Unsupported), naming the formats that would do, when write() of such a volume would: lets a
  // long computation fail before it starts.
  virtual void checkWritable(const std::filesystem::path& path, const VolumeShape& shape, ElementType type) const = 0;
  // Throws Error(Unsupported), naming the formats that would do, when write() could not compress this file.
  virtual void checkCompressible(const std::filesystem::path& /*path*/) const {}
  // Throws Error(Unsupported), naming what would do, when the format would lose where such voxels lie although it
  // stores places. Formats of pictures, which store none, pass.
  virtual void checkGeometry(const std::filesystem::path& /*path*/, const Geometry& /*geometry*/) const {}
};

}  // namespace sscope
