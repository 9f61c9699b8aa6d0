#pragma once
// The table of formats: one row each, with what can be read and written. Everything else asks this table.

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/volume/volume_io.h"

namespace sscope::io {

enum class FormatId { nrrd, meta, nifti, tiff, vti, vtk, hdf5, png, jpeg, bmp, dicom, rawJson };

struct FormatRow {
  FormatId id;
  const char* name;
  std::vector<std::string> extensions;  // longest first where one ends with another
  bool write;
  bool volumes;                    // can hold nz > 1
  int maximumComponents;           // 0: any number
  std::vector<ElementType> types;  // writable
  bool native;                     // also there in a build without ITK
  bool millimeters;                // positions are millimeters by convention or by definition
};

// Rows in the order of the documentation; without ITK only the native ones.
[[nodiscard]] std::span<const FormatRow> formatRows();
// The row whose extension ends `name` (case-insensitive), or nullptr.
[[nodiscard]] const FormatRow* formatOf(const std::filesystem::path& name);
[[nodiscard]] const FormatRow& formatRow(FormatId id);
[[nodiscard]] std::vector<FileFormat> describeFormats();

// ".nrrd .nhdr .mha ..." of all formats that can be read, or of those that can write such a volume.
[[nodiscard]] std::string readableExtensions();
[[nodiscard]] std::string writableExtensions(const VolumeShape& shape, ElementType type);

// The row that will write such a volume to `path`. Throws Error(Unsupported) naming the formats that would do.
[[nodiscard]] const FormatRow& requireWritable(const std::filesystem::path& path, const VolumeShape& shape,
                                               ElementType type);

// Throw Error(Unsupported), naming the formats that would do, where compressed voxels or such directions cannot be
// written. Formats that always compress pass, as do those of pictures, which store no places at all.
void requireCompressible(const std::filesystem::path& path);
void requireGeometry(const std::filesystem::path& path, const Geometry& geometry);

}  // namespace sscope::io
