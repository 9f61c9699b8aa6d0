#include "core/io/itk/hdf5_dataset.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "core/io/base/convert.h"
#include "core/io/base/decoder.h"
#include "core/io/base/file_error.h"
#include "core/io/base/file_names.h"
#include "core/io/base/selection.h"
#include "core/io/itk/hdf5_file.h"
#include "core/io/itk/heap_allowance.h"
#include "core/io/itk/itk_image.h"
#include "core/volume/geometry.h"
#include "core/volume/selection.h"

namespace sscope::io {

namespace {

constexpr int kMostAxes = 5;

std::vector<hsize_t> extentsOf(const Handle& dataset) {
  const Handle space(H5Dget_space(dataset.get()), H5Sclose);
  const int axes = H5Sget_simple_extent_ndims(space.get());
  std::vector<hsize_t> extents(axes > 0 ? static_cast<std::size_t>(axes) : 0);
  if (axes > 0) H5Sget_simple_extent_dims(space.get(), extents.data(), nullptr);
  return extents;
}

// A pair of real numbers, as h5py stores a complex one.
bool isComplex(const Handle& type) {
  if (H5Tget_class(type.get()) != H5T_COMPOUND || H5Tget_nmembers(type.get()) != 2) return false;
  const auto part = [&](unsigned index, std::string_view name) {
    char* const found = H5Tget_member_name(type.get(), index);
    const bool same = found != nullptr && found == name;
    H5free_memory(found);
    return same && H5Tget_member_class(type.get(), index) == H5T_FLOAT;
  };
  return part(0, "r") && part(1, "i");
}

bool isComplexDataset(const Handle& dataset) { return isComplex(Handle(H5Dget_type(dataset.get()), H5Tclose)); }

// The type of real numbers, or of the parts of complex ones. Empty for other types.
std::optional<Stored> storedOf(const Handle& dataset) {
  const Handle type(H5Dget_type(dataset.get()), H5Tclose);
  const std::size_t size = H5Tget_size(type.get());
  const H5T_class_t kind = H5Tget_class(type.get());
  if (isComplex(type)) return size <= 8 ? Stored::f32 : Stored::f64;
  if (kind == H5T_FLOAT) return size <= 4 ? Stored::f32 : Stored::f64;
  // Truth values of h5py are an enumeration.
  if (kind != H5T_INTEGER && !(kind == H5T_ENUM && size == 1)) return std::nullopt;
  const bool hasSign = kind == H5T_INTEGER && H5Tget_sign(type.get()) == H5T_SGN_2;
  switch (size) {
    case 1: return hasSign ? Stored::i8 : Stored::u8;
    case 2: return hasSign ? Stored::i16 : Stored::u16;
    case 4: return hasSign ? Stored::i32 : Stored::u32;
    case 8: return hasSign ? Stored::i64 : Stored::u64;
    default: return std::nullopt;
  }
}

hid_t memoryType(Stored type) {
  switch (type) {
    case Stored::u8: return H5T_NATIVE_UINT8;
    case Stored::i8: return H5T_NATIVE_INT8;
    case Stored::u16: return H5T_NATIVE_UINT16;
    case Stored::i16: return H5T_NATIVE_INT16;
    case Stored::u32: return H5T_NATIVE_UINT32;
    case Stored::i32: return H5T_NATIVE_INT32;
    case Stored::u64: return H5T_NATIVE_UINT64;
    case Stored::i64: return H5T_NATIVE_INT64;
    case Stored::f64: return H5T_NATIVE_DOUBLE;
    default: return H5T_NATIVE_FLOAT;
  }
}

// The type in memory; complex numbers are pairs.
Handle memoryTypeOf(Stored stored, bool complex) {
  if (!complex) return {H5Tcopy(memoryType(stored)), H5Tclose};
  const std::size_t part = bytesOf(stored);
  Handle pair(H5Tcreate(H5T_COMPOUND, 2 * part), H5Tclose);
  H5Tinsert(pair.get(), "r", 0, memoryType(stored));
  H5Tinsert(pair.get(), "i", part, memoryType(stored));
  return pair;
}

herr_t visit(hid_t object, const char* name, const H5O_info_t* info, void* data) {
  constexpr std::size_t kMost = 4096;
  auto& all = *static_cast<std::vector<FilePart>*>(data);
  if (info->type != H5O_TYPE_DATASET) return 0;
  const Handle dataset(H5Dopen2(object, name, H5P_DEFAULT), H5Dclose);
  if (!dataset.valid()) return 0;
  const auto stored = storedOf(dataset);
  if (!stored) return 0;
  const std::vector<hsize_t> extents = extentsOf(dataset);
  if (extents.size() >= 2 && extents.size() <= kMostAxes)
    all.push_back({":/" + quotedName(name), {}, {extents.rbegin(), extents.rend()}, std::string(toString(*stored))});
  return all.size() < kMost ? 0 : 1;
}

// "entry//data/" -> "/entry/data".
std::string absolute(const std::string& dataset) {
  std::string result;
  for (const char c : "/" + dataset)
    if (c != '/' || !result.ends_with('/')) result += c;
  if (result.size() > 1 && result.ends_with('/')) result.pop_back();
  return result;
}

// Includes datasets that only a link leads to, which a walk through the file leaves out.
bool isUsable(const Handle& file, const std::string& dataset) {
  const Handle object(H5Oopen(file.get(), dataset.c_str(), H5P_DEFAULT), H5Oclose);
  if (!object.valid() || H5Iget_type(object.get()) != H5I_DATASET || !storedOf(object)) return false;
  const std::size_t axes = extentsOf(object).size();
  return axes >= 2 && axes <= kMostAxes;
}

std::vector<FilePart> datasetsOf(const Handle& file, const std::string& path) {
  std::vector<FilePart> all;
  if (H5Ovisit2(file.get(), H5_INDEX_NAME, H5_ITER_NATIVE, visit, &all, H5O_INFO_BASIC) < 0)
    throw damaged(path, "its HDF5 structure is damaged");
  std::ranges::sort(all, naturallyBefore, &FilePart::selector);
  return all;
}

bool isMinc(const Handle& file) { return H5Lexists(file.get(), "/minc-2.0", H5P_DEFAULT) > 0; }

std::string nameIn(const Handle& file, const std::string& path, const std::string& named) {
  const std::string dataset = named.empty() ? "" : absolute(named);
  if (!dataset.empty() && isUsable(file, dataset)) return dataset;
  // MINC has its own record of what the numbers mean.
  if (dataset.empty() && isMinc(file))
    throw cannotRead(
        ErrorKind::Unsupported, path, "it is a MINC file, of which scale and places are not read",
        "convert it with `mnc2nii`, or name the dataset of its stored numbers: " + path + ":/minc-2.0/image/0/image");
  const std::vector<FilePart> all = datasetsOf(file, path);
  if (all.empty())
    throw cannotRead(ErrorKind::Empty, path, "it holds no dataset of numbers with 2 to 5 axes",
                     "check how it was written");
  std::vector<std::string> none;
  const std::string selector = dataset.empty() ? "" : ":" + quotedName(dataset);
  return unquotedName(
      all[choosePart({path, "the file holds", "datasets of numbers with 2 to 5 axes"}, all, selector, none)]
          .selector.substr(1));
}

std::string textAttribute(const Handle& dataset, const char* name) {
  const Handle attribute(H5Aopen(dataset.get(), name, H5P_DEFAULT), H5Aclose);
  if (!attribute.valid()) return {};
  const Handle type(H5Aget_type(attribute.get()), H5Tclose), space(H5Aget_space(attribute.get()), H5Sclose);
  constexpr std::size_t kLongest = 1 << 16;
  if (H5Tget_class(type.get()) != H5T_STRING || H5Sget_simple_extent_npoints(space.get()) != 1) return {};
  if (H5Tis_variable_str(type.get()) > 0) {
    char* text = nullptr;
    if (H5Aread(attribute.get(), type.get(), static_cast<void*>(&text)) < 0 || text == nullptr) return {};
    std::string result(text, ::strnlen(text, kLongest));
    H5free_memory(text);
    return result;
  }
  std::string result(std::min(H5Tget_size(type.get()), kLongest), '\0');
  if (H5Tget_size(type.get()) > kLongest || H5Aread(attribute.get(), type.get(), result.data()) < 0) return {};
  return result.substr(0, result.find('\0'));
}

// Empty where the axes have none of one letter each.
std::string dimensionLabels(const Handle& dataset, std::size_t axes) {
  const Handle attribute(H5Aopen(dataset.get(), "DIMENSION_LABELS", H5P_DEFAULT), H5Aclose);
  if (!attribute.valid()) return {};
  const Handle type(H5Aget_type(attribute.get()), H5Tclose), space(H5Aget_space(attribute.get()), H5Sclose);
  std::vector<char*> labels(axes, nullptr);
  if (H5Tis_variable_str(type.get()) <= 0 || H5Sget_simple_extent_npoints(space.get()) != static_cast<hssize_t>(axes) ||
      H5Aread(attribute.get(), type.get(), labels.data()) < 0)
    return {};
  std::string letters;
  for (char* label : labels) {
    if (label != nullptr && std::strlen(label) == 1) letters += *label;
    H5free_memory(label);
  }
  return letters;
}

// A letter for each axis, the slowest first: from ilastik's "axistags" or the labels of dimensions, where these name
// all axes; else the usual letters for this number of axes.
std::string axisLetters(const Handle& dataset, std::size_t axes) {
  constexpr std::string_view kUsual = "tczyx";
  std::string letters;
  const auto tags = nlohmann::json::parse(textAttribute(dataset, "axistags"), nullptr, false);
  if (tags.is_object() && tags.contains("axes") && tags["axes"].is_array()) {
    for (const auto& tag : tags["axes"])
      if (tag.is_object() && tag.contains("key") && tag["key"].is_string()) letters += tag["key"].get<std::string>();
  } else {
    letters = dimensionLabels(dataset, axes);
  }
  for (char& letter : letters) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  const bool known = letters.find_first_not_of(kUsual) == std::string::npos &&
                     std::set<char>(letters.begin(), letters.end()).size() == letters.size();
  if (known && letters.size() == axes) return letters;
  return axes == kUsual.size() ? std::string(kUsual) : axes == 4 ? "tzyx" : std::string(kUsual.substr(5 - axes));
}

// The steps that ilastik and BigDataViewer store for each axis, the slowest first.
void takeSteps(const Handle& dataset, VolumeInfo& info) {
  const Handle attribute(H5Aopen(dataset.get(), "element_size_um", H5P_DEFAULT), H5Aclose);
  std::array<double, 3> steps{};
  if (!attribute.valid()) return;
  const Handle space(H5Aget_space(attribute.get()), H5Sclose);
  if (H5Sget_simple_extent_npoints(space.get()) != 3 || H5Aread(attribute.get(), H5T_NATIVE_DOUBLE, steps.data()) < 0)
    return;
  setSteps(info.geometry, {{{steps[2], "um"}, {steps[1], "um"}, {steps[0], "um"}}});
}

// An open dataset.
struct Hdf5Dataset {
  Handle file, dataset;
  std::vector<hsize_t> extents;
  Stored stored;
  VolumeInfo info;
  FrameLayout layout;
  bool complex = false;
  std::string letters;  // of its axes, the slowest first

  // Planes begin..end-1 across the axis `slowest` ('z', 'y' or 'x') of one frame, as they are stored.
  void readFrame(const std::string& path, char slowest, std::int64_t frame, hsize_t begin, hsize_t end,
                 std::byte* out) const {
    std::vector<hsize_t> start(extents.size(), 0), size = extents;
    const std::size_t space = letters.find_first_of("zyx");
    for (std::size_t a = space; a-- > 0;) {
      start[a] = static_cast<hsize_t>(frame) % extents[a];
      size[a] = 1;
      frame /= static_cast<std::int64_t>(extents[a]);
    }
    if (const std::size_t axis = letters.find(slowest); axis != std::string::npos) {
      start[axis] = begin;
      size[axis] = end - begin;
    }
    const Handle there(H5Dget_space(dataset.get()), H5Sclose);
    const Handle here(H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr), H5Sclose);
    H5Sselect_hyperslab(there.get(), H5S_SELECT_SET, start.data(), nullptr, size.data(), nullptr);
    const Handle numbers = memoryTypeOf(stored, complex);
    if (H5Dread(dataset.get(), numbers.get(), here.get(), there.get(), H5P_DEFAULT, out) < 0)
      throw cannotRead(ErrorKind::BadData, path,
                       "its voxels are damaged, or packed in a way that is not supported here",
                       "save it with gzip or uncompressed");
  }

  // Planes of all frames, in the order of a Volume.
  void read(const std::string& path, std::int64_t begin, std::int64_t end, std::span<std::byte> out,
            const Control& control) const {
    constexpr std::int64_t kPieceBytes = std::int64_t{8} << 20;
    const VolumeShape& shape = info.shape;
    const char slowest = shape.nz > 1 ? 'z' : shape.ny > 1 ? 'y' : 'x';
    const std::int64_t voxels = shape.voxels() / planesOf(shape);  // in a plane
    const auto each = static_cast<std::size_t>(layout.components) * io::bytesOf(stored);
    const auto frames = static_cast<std::size_t>(layout.frames);
    const std::int64_t step = std::max<std::int64_t>(1, kPieceBytes / (voxels * static_cast<std::int64_t>(each)));
    StoredVoxels order;
    order.layout = layout;
    std::vector<std::byte> piece;
    for (std::int64_t first = begin; first < end; first += step) {
      const std::int64_t last = std::min(end, first + step);
      const auto count = static_cast<std::size_t>((last - first) * voxels);
      std::byte* const to = out.data() + static_cast<std::size_t>((first - begin) * voxels) * frames * each;
      for (std::size_t f = 0; f < frames; ++f) {
        control.check();
        if (frames > 1) piece.resize(count * each);
        readFrame(path, slowest, static_cast<std::int64_t>(f), static_cast<hsize_t>(first), static_cast<hsize_t>(last),
                  frames > 1 ? piece.data() : to);
        const auto place = static_cast<std::size_t>(order.firstComponentOf(static_cast<std::int64_t>(f))) /
                           static_cast<std::size_t>(layout.components);
        for (std::size_t v = 0; frames > 1 && v < count; ++v)
          std::memcpy(to + (v * frames + place) * each, piece.data() + v * each, each);
      }
      control.report(static_cast<double>(last - begin) / static_cast<double>(end - begin), "reading");
    }
  }
};

// Points in time and channels before the axes in space are frames, channels behind them lie within a voxel.
void takeAxes(Hdf5Dataset& source, const std::string& path) {
  const std::string& letters = source.letters;
  std::array<std::int64_t, 3> extent{1, 1, 1};
  std::string inSpace, before, behind;
  double components = source.complex ? 2 : 1;
  std::int64_t times = 1;
  source.layout = {1, 1, static_cast<std::int64_t>(components), 1};
  for (std::size_t a = 0; a < letters.size(); ++a) {
    constexpr hsize_t kLongest = hsize_t{1} << 40;
    constexpr double kMostComponents = 1 << 24;
    if (source.extents[a] < 1 || source.extents[a] > kLongest) throw damaged(path, "its dataset is empty");
    const auto size = static_cast<std::int64_t>(source.extents[a]);
    const std::size_t axis = std::string_view("xyz").find(letters[a]);
    if (axis != std::string_view::npos) {
      inSpace += letters[a];
      extent[axis] = size;
      if (!behind.empty()) before = "ct";  // refused below
      continue;
    }
    (inSpace.empty() ? before : behind) += letters[a];
    components *= static_cast<double>(size);
    if (components > kMostComponents) throw damaged(path, "it claims too many components");
    (inSpace.empty() ? source.layout.frames : source.layout.components) *= size;
    if (letters[a] == 't') times = size;
  }
  if (!std::string_view("zyx").ends_with(inSpace) || inSpace.size() < 2 || behind.find('t') != std::string::npos ||
      (before.size() == 2 && !behind.empty()))
    throw cannotRead(ErrorKind::Unsupported, path, "the axes of its dataset are " + letters + ", in this order",
                     "store them as t, c, z, y, x or t, z, y, x, c");
  if (before == "ct") source.layout.times = times;
  source.info.shape = {extent[0], extent[1], extent[2], static_cast<int>(components)};
  source.info.metadata.frames = static_cast<int>(times);
  source.layout.voxels = source.info.shape.voxels();
}

Hdf5Dataset openDataset(Handle file, const std::string& path, const std::string& wanted) {
  const std::string name = nameIn(file, path, wanted);
  Handle dataset(H5Dopen2(file.get(), name.c_str(), H5P_DEFAULT), H5Dclose);
  if (!dataset.valid()) throw damaged(path, "its dataset " + printable(name) + " cannot be opened");
  Hdf5Dataset source{std::move(file), std::move(dataset), {}, Stored::u8, {}, {}, false, {}};
  source.extents = extentsOf(source.dataset);
  source.stored = storedOf(source.dataset).value_or(Stored::u8);
  source.complex = isComplexDataset(source.dataset);
  source.letters = axisLetters(source.dataset, source.extents.size());
  takeAxes(source, path);
  VolumeInfo& info = source.info;
  info.type = sameElementType(source.stored).value_or(ElementType::f64);
  info.geometry.unit = "";
  info.metadata.inSpace = false;
  info.format = "HDF5 dataset " + printable(name);
  if (source.extents.size() > 3)
    info.notices.push_back(heldAsComponents("the axes of " + printable(name) +
                                            " that are not in space (it is taken as " + source.letters + ")"));
  info.geometry.steps.fill(StepSource::Assumed);
  takeSteps(source.dataset, info);
  repairGeometry(info);
  requireMemory(path, claimedBytes(info), 0);
  return source;
}

bool isItkImage(const Handle& file) { return H5Lexists(file.get(), "/ITKImage", H5P_DEFAULT) > 0; }

}  // namespace

std::vector<FilePart> partsOfHdf5(const std::string& path) {
  const Handle file = openHdf5(path);
  return isItkImage(file) || isMinc(file) ? std::vector<FilePart>() : datasetsOf(file, path);
}

LocatedVolume locateHdf5(const std::string& path, const std::string& dataset, const Control& control) {
  std::optional<Handle> file(openHdf5(path));
  if (dataset.empty() && isItkImage(*file)) {
    file.reset();
    return locateItkHdf5(path, control);
  }
  const auto heap = std::make_shared<HeapAllowance>(path);
  const auto source = std::make_shared<const Hdf5Dataset>(openDataset(std::move(*file), path, dataset));
  return decodedVolume(
      path, source->info, source->stored,
      [source, heap, path](std::int64_t begin, std::int64_t end, std::span<std::byte> out, const Control& stop) {
        heap->growFor(static_cast<double>(out.size()));
        source->read(path, begin, end, out, stop);
      });
}

}  // namespace sscope::io
