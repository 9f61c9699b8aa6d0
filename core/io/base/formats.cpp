#include "core/io/base/formats.h"

#include <algorithm>
#include <cctype>
#include <iterator>

#include "core/base/error.h"
#include "core/base/words.h"
#include "core/io/base/file_error.h"

namespace sscope::io {

namespace {

using enum ElementType;

const std::vector<ElementType> kAll(std::begin(kElementTypes), std::end(kElementTypes));

std::vector<FormatRow> makeRows() {
  std::vector<FormatRow> rows = {
      {FormatId::nrrd, "NRRD", {".nrrd", ".nhdr"}, true, true, 0, kAll, true, true},
      {FormatId::meta, "MetaImage", {".mha", ".mhd"}, true, true, 0, kAll, false, true},
      {FormatId::nifti,
       "NIfTI",
       {".nii.gz", ".nii", ".hdr.gz", ".img.gz", ".hdr", ".img"},
       true,
       true,
       0,
       kAll,
       false,
       true},
      {FormatId::tiff, "TIFF", {".tif", ".tiff"}, true, true, 0, kAll, false, false},
      {FormatId::vti, "VTK XML image", {".vti"}, true, true, 0, kAll, false, true},
      {FormatId::vtk, "VTK legacy", {".vtk"}, true, true, 0, kAll, false, true},
      {FormatId::hdf5, "HDF5 (ITK layout)", {".h5", ".hdf5"}, true, true, 0, kAll, false, true},
      {FormatId::png, "PNG", {".png"}, true, false, 4, {u8, u16}, false, false},
      {FormatId::jpeg, "JPEG", {".jpg", ".jpeg"}, true, false, 3, {u8}, false, false},
      {FormatId::bmp, "BMP", {".bmp"}, false, false, 0, {}, false, false},
      {FormatId::dicom, "DICOM", {".dcm", ".ima", ".dicom"}, false, true, 0, {}, false, true},
      {FormatId::npy, "NumPy", {".npy", ".npz"}, true, true, 0, kAll, true, false},
      {FormatId::mrc, "MRC", {".mrc", ".rec", ".map", ".mrcs"}, true, true, 1, {i8, i16, u16, f32}, true, false},
      {FormatId::zarr, "OME-Zarr", {".ome.zarr", ".zarr"}, true, true, 0, kAll, true, false},
      {FormatId::rawJson, "raw + JSON", {".raw.json", ".json", ".raw"}, true, true, 0, kAll, true, false},
  };
  return rows;
}

// Also those that need ITK.
const std::vector<FormatRow>& allRows() {
  static const std::vector<FormatRow> table = makeRows();
  return table;
}

const std::vector<FormatRow>& rows() {
#ifdef SSCOPE_IO_ITK
  return allRows();
#else
  static const std::vector<FormatRow> table = [] {
    std::vector<FormatRow> native = allRows();
    std::erase_if(native, [](const FormatRow& row) { return !row.native; });
    return native;
  }();
  return table;
#endif
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

const FormatRow* rowOf(const std::vector<FormatRow>& table, const std::filesystem::path& name) {
  const std::string file = lower(name.filename().string());
  for (const FormatRow& row : table)
    for (const std::string& extension : row.extensions)
      if (file.size() > extension.size() && file.ends_with(extension)) return &row;
  return nullptr;
}

bool canWrite(const FormatRow& row, const VolumeShape& shape, ElementType type) {
  return row.write && (row.volumes || shape.nz == 1) &&
         (row.maximumComponents == 0 || shape.components <= row.maximumComponents) &&
         // JPEG knows gray and RGB only.
         !(row.id == FormatId::jpeg && shape.components == 2) &&
         std::find(row.types.begin(), row.types.end(), type) != row.types.end();
}

// The names under which a format is offered for writing: its usual extensions without the historical pairs.
std::vector<std::string> offered(const FormatRow& row) {
  if (row.id == FormatId::nifti) return {".nii", ".nii.gz"};
  if (row.id == FormatId::rawJson) return {".raw", ".json"};
  return row.extensions;
}

std::string join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::string buildNote() {
#ifdef SSCOPE_IO_ITK
  return {};
#else
  return " (this build has no ITK: nrrd, npy, mrc, zarr and raw+json only)";
#endif
}

}  // namespace

std::span<const FormatRow> formatRows() { return rows(); }

const FormatRow* formatOf(const std::filesystem::path& name) { return rowOf(rows(), name); }

void requireNoFormat(const std::filesystem::path& path, const std::string& what, const std::string& use) {
  if (const FormatRow* row = rowOf(allRows(), path))
    throw cannotWrite(ErrorKind::Usage, path,
                      "its extension belongs to " + std::string(row->name) + ", and " + what + " is no such file", use);
}

const FormatRow& formatRow(FormatId id) {
  return *std::find_if(rows().begin(), rows().end(), [&](const FormatRow& row) { return row.id == id; });
}

std::vector<FileFormat> describeFormats() {
  std::vector<FileFormat> list;
  for (const FormatRow& row : rows())
    list.push_back({row.name, row.extensions, true, row.write, row.maximumComponents != 1, row.types});
  return list;
}

std::string readableExtensions() {
  std::vector<std::string> all;
  for (const FormatRow& row : rows()) all.insert(all.end(), row.extensions.begin(), row.extensions.end());
  return join(all) + buildNote();
}

std::string writableExtensions(const VolumeShape& shape, ElementType type) {
  std::vector<std::string> all;
  for (const FormatRow& row : rows())
    if (canWrite(row, shape, type))
      for (std::string& extension : offered(row)) all.push_back(std::move(extension));
  return join(all) + buildNote();
}

const FormatRow& requireWritable(const std::filesystem::path& path, const VolumeShape& shape, ElementType type) {
  const std::string use = "use one of " + writableExtensions(shape, type);
  const FormatRow* row = formatOf(path);
  if (row == nullptr)
    throw cannotWrite(ErrorKind::Unsupported, path, "its extension names no format that can be written", use);
  if (!row->write)
    throw cannotWrite(ErrorKind::Unsupported, path, std::string(row->name) + " files can only be read", use);
  const std::string name = lower(path.filename().string());
  if (row->id == FormatId::nifti && !name.ends_with(".nii") && !name.ends_with(".nii.gz"))
    throw cannotWrite(ErrorKind::Unsupported, path, "NIfTI is written as one file only", use);
  if (canWrite(*row, shape, type)) return *row;
  std::string what = shape.nz > 1 && !row->volumes ? "a volume of several slices"
                     : std::find(row->types.begin(), row->types.end(), type) == row->types.end()
                         ? std::string(toString(type)) + " values"
                         : std::to_string(shape.components) + " components";
  throw cannotWrite(ErrorKind::Unsupported, path, std::string(row->name) + " cannot hold " + what, use);
}

void requireCompressible(const std::filesystem::path& path) {
  const std::string name = lower(path.filename().string());
  const FormatRow* row = formatOf(path);
  const auto ends = [&](const char* extension) { return name.ends_with(extension); };
  bool can = false;
  if (row != nullptr) {
    switch (row->id) {
      case FormatId::nrrd: can = ends(".nrrd"); break;
      case FormatId::meta: can = ends(".mha"); break;
      case FormatId::nifti: can = ends(".nii.gz"); break;
      case FormatId::npy: can = ends(".npz"); break;
      case FormatId::zarr:
      case FormatId::tiff:
      case FormatId::hdf5:
      case FormatId::png:
      case FormatId::jpeg: can = true; break;
      default: break;
    }
  }
#ifdef SSCOPE_IO_ITK
  const std::string use = "use one of .nrrd .mha .nii.gz .tif .h5 .npz .zarr .png";
#else
  const std::string use = "use .nrrd, .npz or .zarr";
#endif
#ifndef SSCOPE_IO_ZLIB
  throw cannotWrite(ErrorKind::Unsupported, path, "this build cannot compress", "leave --compress out");
#endif
  if (!can) throw cannotWrite(ErrorKind::Unsupported, path, "this kind of file is not compressed here", use);
}

void requireGeometry(const std::filesystem::path& path, const Geometry& geometry) {
  const FormatRow* row = formatOf(path);
  if (row != nullptr && (row->id == FormatId::vtk || row->id == FormatId::mrc || row->id == FormatId::zarr) &&
      geometry.direction != Geometry{}.direction)
    throw cannotWrite(
        ErrorKind::Unsupported, path,
        std::string(row->name) + " files store no directions, and these voxels do not lie along x, y and z",
        "use " + std::string(row->id == FormatId::vtk ? ".vti" : ".nrrd") + ", or another format that keeps places");
}

void requireMeaning(const std::filesystem::path& path, const VolumeShape& shape, const Metadata& metadata) {
  const FormatRow* row = formatOf(path);
  if (row == nullptr || row->volumes || shape.components == 1 || !metadata.separate()) return;
  const bool frames = metadata.frames > 1;
  throw cannotWrite(
      ErrorKind::Unsupported, path,
      std::string(row->name) + " would take its " + std::to_string(frames ? metadata.frames : shape.components) +
          (frames ? " points in time for colors" : " channels for colors"),
      std::string("choose one of them, as NAME@") + (frames ? "t" : "c") + "=0, or use .tif, .nrrd or .nii");
}

namespace {

// Of formats without a word for a step that nobody gave.
std::string assumedDropped(const FormatRow& row, const Geometry& geometry) {
  switch (row.id) {
    case FormatId::meta:
    case FormatId::nifti:
    case FormatId::vti:
    case FormatId::vtk:
    case FormatId::hdf5: break;
    default: return {};
  }
  std::string axes;
  for (std::size_t a = 0; a < 3; ++a)
    if (geometry.steps[a] == StepSource::Assumed) axes += (axes.empty() ? "" : ", ") + std::string(1, "xyz"[a]);
  if (axes.empty()) return {};
  return std::string(row.name) + " files cannot record that the steps along " + axes +
         " are assumed: they are stored as if they were given";
}

}  // namespace

namespace {

std::string droppedGeometry(const FormatRow& row, const Geometry& geometry) {
  if (row.id != FormatId::png && row.id != FormatId::jpeg && row.id != FormatId::npy)
    return assumedDropped(row, geometry);
  const Geometry usual;
  std::vector<std::string> dropped;
  if (geometry.spacing != usual.spacing) dropped.emplace_back("spacing");
  if (geometry.origin != usual.origin) dropped.emplace_back("origin");
  if (geometry.direction != usual.direction) dropped.emplace_back("direction");
  const std::string list = listed(dropped);
  if (list.empty()) return {};
  return std::string(row.name) + " files store no geometry: the " + list + " of the data " +
         (dropped.size() == 1 ? "is" : "are") + " dropped";
}

// Whether a text of ours takes what the format itself does not say.
bool holdsMeaning(const FormatRow& row, const std::filesystem::path& path) {
  switch (row.id) {
    case FormatId::nrrd:
    case FormatId::meta:
    case FormatId::nifti:
    case FormatId::vti:
    case FormatId::hdf5:
    case FormatId::rawJson: return true;
    case FormatId::npy: return isNpz(path);
    default: return false;
  }
}

// A space that only NIfTI's codes name, which NRRD keeps among its annotations.
bool losesSpace(const FormatRow& row, const Geometry& geometry, const Metadata& metadata) {
  const std::string space = spaceText(metadata);
  if (row.id == FormatId::nrrd || row.id == FormatId::nifti || space == "unknown") return false;
  if (space != "patient (LPS)" && space != "scanner") return true;
  return row.id == FormatId::mrc && geometry.origin != Geometry{}.origin;
}

}  // namespace

SaidByFormat saidBy(FormatId id) {
  constexpr SaidByFormat kAllOfIt{true, true, true, true, true, true};
  switch (id) {
    case FormatId::nrrd: return {.frames = true, .seconds = true, .valueUnit = true, .space = true};
    case FormatId::nifti: return {.frames = true, .seconds = true, .labels = true, .space = true};
    case FormatId::npy: return {.frames = true, .space = true};
    case FormatId::mrc:
    case FormatId::png:
    case FormatId::jpeg: return {.space = true};  // they come back in no known space
    case FormatId::tiff:
    case FormatId::zarr: return kAllOfIt;
    default: return {};
  }
}

std::string dropped(const std::filesystem::path& path, const Geometry& geometry, const Metadata& metadata) {
  const FormatRow* row = formatOf(path);
  if (row == nullptr) return {};
  std::string text = droppedGeometry(*row, geometry);
  std::vector<std::string> words;
  if (!holdsMeaning(*row, path) || !fitsMeaning(metadata, saidBy(row->id)))
    words = meaningWords(metadata, saidBy(row->id));
  if (losesSpace(*row, geometry, metadata))
    words.push_back("the space of their positions (" + spaceText(metadata) + ")");
  if (!words.empty())
    text += (text.empty() ? "" : "; ") + std::string(row->name) + " files have no place for " + listed(words) +
            (words.size() == 1 ? ", which is dropped" : ", which are dropped");
  return text;
}

bool isNpz(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  return extension == ".npz" || extension == ".NPZ";
}

}  // namespace sscope::io
