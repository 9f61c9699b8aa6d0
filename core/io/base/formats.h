#pragma once
// The table of formats, one row each: what can be read and written. All other code asks this table.

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/volume/meaning.h"
#include "core/volume/volume_io.h"

namespace sscope::io {

enum class FormatId { nrrd, meta, nifti, tiff, vti, vtk, hdf5, png, jpeg, bmp, dicom, npy, mrc, zarr, rawJson };

struct FormatRow {
  FormatId id;
  const char* name;
  std::vector<std::string> extensions;  // longest first where one ends with another
  bool write;
  bool volumes;                    // can hold nz > 1
  int maximumComponents;           // 0: any number
  std::vector<ElementType> types;  // writable
  bool native;                     // also available in builds without ITK
  bool millimeters;                // positions are in millimeters, by convention or by definition
};

// Rows in the order of docs/manual/file-formats.md; without ITK only the native ones.
[[nodiscard]] std::span<const FormatRow> formatRows();
// The row whose extension ends `name` (case-insensitive), or nullptr.
[[nodiscard]] const FormatRow* formatOf(const std::filesystem::path& name);
[[nodiscard]] const FormatRow& formatRow(FormatId id);
// Throws Error(Usage) where the extension of `path` belongs to a format of images or volumes, also to one that
// this build lacks; `what`, which would be written there, is another kind of file, and `use` says which names it may
// have.
void requireNoFormat(const std::filesystem::path& path, const std::string& what, const std::string& use);
[[nodiscard]] std::vector<FileFormat> describeFormats();

// ".nrrd .nhdr .mha ...": the extensions that can be read, or that can hold such a volume when writing.
[[nodiscard]] std::string readableExtensions();
[[nodiscard]] std::string writableExtensions(const VolumeShape& shape, ElementType type);

// The row that will write such a volume to `path`. Throws Error(Unsupported) naming the formats that can hold it.
[[nodiscard]] const FormatRow& requireWritable(const std::filesystem::path& path, const VolumeShape& shape,
                                               ElementType type);

// Throw Error(Unsupported), naming alternatives, when the format cannot compress or cannot store these directions.
// Formats that always compress pass the first check; formats without any geometry pass the second.
void requireCompressible(const std::filesystem::path& path);
void requireGeometry(const std::filesystem::path& path, const Geometry& geometry);
// Throws Error(Unsupported) where the format would take points in time or channels for colors.
void requireMeaning(const std::filesystem::path& path, const VolumeShape& shape, const Metadata& metadata);
// What a format says of the meaning of values in words of its own.
[[nodiscard]] SaidByFormat saidBy(FormatId id);
// As VolumeIo::dropped.
[[nodiscard]] std::string dropped(const std::filesystem::path& path, const Geometry& geometry,
                                  const Metadata& metadata);

// Whether a file of this name is an archive of arrays of NumPy.
[[nodiscard]] bool isNpz(const std::filesystem::path& path);

}  // namespace sscope::io
