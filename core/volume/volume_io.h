#pragma once
// The interface for reading and writing volumes, implemented by core/io.

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/control.h"
#include "core/base/error.h"
#include "core/volume/metadata.h"
#include "core/volume/volume.h"

namespace sscope {

class ForeignFiles;
class HeldNames;

// Voxels that lie in a file as a Volume holds them, but perhaps for the order of their bytes.
struct PlainVoxels {
  std::string file;
  std::int64_t offset = 0;  // of the first byte; -1: they are the end of the file
  bool swapped = false;     // the bytes of each element are in the other order
};

// A file's description, available before its voxels are read.
struct VolumeInfo {
  VolumeShape shape;
  ElementType type = ElementType::f32;
  Geometry geometry;
  Metadata metadata;
  int fileFrames = 1;  // time points in the file; metadata.frames of them were read
  std::string format;  // "NRRD", "DICOM series (28 slices)"
  std::vector<std::string>
      notices;           // things the user should know: uneven slices, converted pixel type, non-finite values
  std::string modality;  // DICOM's word for what made the image: "CT", "MR"; empty: the file does not say
  std::optional<std::array<double, 2>> window;  // lower and upper value that the file wants to be shown
  int levels = 1;                    // of a pyramid: smaller copies of it are in the file, as NAME@level=1 and on
  std::optional<PlainVoxels> plain;  // where decoders find that nothing has to be decoded; of use to core/io alone
};

struct LoadedVolume {
  Volume volume;
  VolumeInfo info;
};

// One of the things in a file or folder of which one is read: a series, an array, a dataset.
struct FilePart {
  std::string selector;               // what stands behind the file's name: "@series=2", "@array=mask", ":/entry/data"
  std::string title;                  // what the file calls it: "axial T1"; empty: nothing but the selector
  std::vector<std::int64_t> extents;  // x first; empty: not known without reading it
  std::string type;                   // as it is stored, "u16"; empty likewise
  bool usual = false;                 // read where none is chosen
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
  bool zarr3 = false;     // OME-Zarr 0.5, which is in Zarr 3, and not 0.4
  // By slabs: a sink waits until all is on the disk. Whole volumes are left to the system.
  bool untilStored = true;
  HeldNames* names = nullptr;  // give the files their names, if any
  // In place of metadata.provenance: that of the file, once the fingerprint of its voxels is known; for an empty one it
  // has the same length, so that it can be written before them.
  std::function<std::string(const std::string& fingerprint)> provenance{};

  // The metadata with that provenance.
  [[nodiscard]] Metadata metadataFor(const std::string& fingerprint) const {
    Metadata complete = metadata;
    if (provenance) complete.provenance = provenance(fingerprint);
    return complete;
  }
};

// A volume that is used while it is still being read.
class ArrivingVolume {
 public:
  virtual ~ArrivingVolume() = default;  // stops reading

  // All notices are there once all bytes are.
  [[nodiscard]] virtual const VolumeInfo& info() const = 0;
  // Of its final extents from the beginning. Only bytes that were waited for may be read.
  [[nodiscard]] virtual const Volume& volume() const = 0;
  // Waits until the first `bytes` bytes of the volume are there. Throws what reading throws, or Canceled.
  virtual void await(std::int64_t bytes, const Control& control) = 0;
};

// One that has been read already.
class ArrivedVolume final : public ArrivingVolume {
 public:
  explicit ArrivedVolume(LoadedVolume loaded) : loaded_(std::move(loaded)) {}
  [[nodiscard]] const VolumeInfo& info() const override { return loaded_.info; }
  [[nodiscard]] const Volume& volume() const override { return loaded_.volume; }
  void await(std::int64_t /*bytes*/, const Control& control) override { control.check(); }

 private:
  LoadedVolume loaded_;
};

// A volume but for its voxels.
struct VolumeOutline {
  VolumeShape shape;
  ElementType type = ElementType::f32;
  Geometry geometry;

  [[nodiscard]] std::int64_t bytes() const { return shape.elements() * static_cast<std::int64_t>(bytesOf(type)); }
};
[[nodiscard]] inline VolumeOutline outlineOf(const Volume& volume) {
  return {volume.shape(), volume.type(), volume.geometry()};
}

// Each call gives the next voxels of a volume, which stay valid until the call after it; empty at the end. May wait,
// and throw.
using VoxelPieces = std::function<std::span<const std::byte>()>;

class VolumeSource;
class VolumeSink;

// What an implementation leaves out, it cannot do, and says so.
class VolumeIo {
 public:
  virtual ~VolumeIo() = default;

  // A file, a DICOM folder, or a printf pattern or glob of 2D slices ("slice_%03d.png", "slice_*.tif"). Each may end in
  // a selection: "@t=3" a frame, "@c=1" a channel (both from 0), "@series=2" a DICOM series (from 1). Throws
  // Error(NotFound, BadData, Unsupported, Memory, Io) with one sentence naming the file and the remedy, or Canceled. A
  // damaged file never crashes the program.
  [[nodiscard]] virtual LoadedVolume read(const std::string& path, const Control& control) = 0;
  // The same, but returns once it is known what the file holds, if its format allows that. What is wrong with the
  // voxels is then thrown by await().
  [[nodiscard]] virtual std::unique_ptr<ArrivingVolume> open(const std::string& path, const Control& control) {
    return std::make_unique<ArrivedVolume>(read(path, control));
  }
  // The header only.
  [[nodiscard]] virtual VolumeInfo probe(const std::string& path, const Control& control) = 0;
  // What a name that chooses none of them might mean: all parts of a file or folder that holds several (the first
  // hundreds of very many), else nothing. Throws as probe().
  [[nodiscard]] virtual std::vector<FilePart> parts(const std::string& /*path*/, const Control& /*control*/) {
    return {};
  }
  // The format follows the extension. Written under a temporary name, then renamed; nothing is left on failure.
  // Throws Error(Unsupported) when the format cannot hold the type or components.
  virtual void write(const std::filesystem::path& path, const Volume& volume, const WriteOptions& options,
                     const Control& control) = 0;
  void write(const std::filesystem::path& path, const Volume& volume, const Control& control) {
    write(path, volume, WriteOptions{}, control);
  }
  // Whether writePieces() can write this file.
  [[nodiscard]] virtual bool writesPieces(const std::filesystem::path& /*path*/) const { return false; }
  // As write(), of voxels that come piece by piece, in the order of a Volume; where a piece throws, nothing is left.
  // Reports no progress. Throws Error(Unsupported) where writesPieces() is false.
  virtual void writePieces(const std::filesystem::path& path, const VolumeOutline& /*outline*/,
                           const VoxelPieces& /*pieces*/, const WriteOptions& /*options*/, const Control& /*control*/) {
    throw Error(ErrorKind::Unsupported, path.string() + " cannot be written in pieces");
  }

  // Planes of a file (core/volume/volume_stream.h), of `path` as of read(). Throws what that throws, and
  // Error(Unsupported) for files that cannot be read by slabs. Notices about values are not there: these are not known.
  [[nodiscard]] virtual std::unique_ptr<VolumeSource> openSource(const std::string& path, const Control& control);
  // Whether files of this name can be written by slabs, and whether these may be compressed.
  [[nodiscard]] virtual bool writesSlabs(const std::filesystem::path& /*path*/) const { return false; }
  [[nodiscard]] virtual bool packsSlabs(const std::filesystem::path& /*path*/) const { return false; }
  // Bytes that a sink holds for itself, beside the planes that it is given.
  [[nodiscard]] virtual std::int64_t heldBySink(const std::filesystem::path& /*path*/,
                                                const VolumeOutline& /*outline*/) const {
    return 0;
  }
  // The file that write() makes of the same voxels, to the last byte; of HDF5 one that reads the same. Room on the disk
  // is taken at once. Throws what write() throws, Canceled, Error(Unsupported) where writesSlabs() is false, or where
  // `options` compress and packsSlabs() is, Error(Io) with the bytes that are needed and free where these are too few.
  [[nodiscard]] virtual std::unique_ptr<VolumeSink> openSink(const std::filesystem::path& path,
                                                             const VolumeOutline& outline, const WriteOptions& options,
                                                             const Control& control = {});

  // Every file that read(path) would read: header and data, all slices of a pattern, all files of a folder. Leaves out
  // what it cannot determine (from a damaged header); does not throw for bad input.
  [[nodiscard]] virtual std::vector<std::filesystem::path> filesRead(const std::string& path) const { return {path}; }
  // Every file that write(path) would write: header and data.
  [[nodiscard]] virtual std::vector<std::filesystem::path> filesWritten(const std::filesystem::path& path) const {
    return {path};
  }

  // Files of other programs that a converter can open (core/volume/foreign_files.h); null where there is no converter.
  [[nodiscard]] virtual const ForeignFiles* foreignFiles() const { return nullptr; }

  [[nodiscard]] virtual std::vector<FileFormat> formats() const = 0;
  // Throws Error(Unsupported), naming suitable formats, when write() of such a volume would, so that a long computation
  // fails before it starts.
  virtual void checkWritable(const std::filesystem::path& path, const VolumeShape& shape, ElementType type) const = 0;
  // Throws Error(Unsupported), naming suitable formats, when write() could not compress this file.
  virtual void checkCompressible(const std::filesystem::path& /*path*/) const {}
  // Throws Error(Unsupported), naming suitable formats, when a format with geometry cannot store this one. Formats
  // without geometry pass.
  virtual void checkGeometry(const std::filesystem::path& /*path*/, const Geometry& /*geometry*/) const {}
  // Throws Error(Unsupported) when a format that knows colors would take points in time or channels for them.
  virtual void checkMeaning(const std::filesystem::path& /*path*/, const VolumeShape& /*shape*/,
                            const Metadata& /*metadata*/) const {}
  // One sentence saying what of geometry and meaning write() would drop, for formats that have no place for it: "PNG
  // files store no geometry: the spacing and origin of the data are dropped". Empty when nothing is lost.
  [[nodiscard]] virtual std::string dropped(const std::filesystem::path& /*path*/, const Geometry& /*geometry*/,
                                            const Metadata& /*metadata*/) const {
    return {};
  }
};

}  // namespace sscope
