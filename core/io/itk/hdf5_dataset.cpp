#include "core/io/itk/hdf5_dataset.h"

#include <hdf5.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "core/io/base/convert.h"
#include "core/io/base/file_error.h"
#include "core/io/base/natural_order.h"
#include "core/io/base/selection.h"
#include "core/io/itk/hdf5_extent.h"
#include "core/io/itk/heap_allowance.h"
#include "core/volume/geometry.h"
#include "core/volume/selection.h"

namespace sscope::io {

namespace {

// An object of the library, closed at the end.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&&) = delete;
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  [[nodiscard]] hid_t get() const { return id_; }
  [[nodiscard]] bool valid() const { return id_ >= 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

Handle openFile(const std::string& path) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (file.valid()) return file;
  const std::optional<std::int64_t> whole = hdf5Bytes(path);
  if (const std::int64_t there = sizeOfFile(path, path); whole && there < *whole)
    throw damaged(path, "it is cut off: " + bytesText(static_cast<double>(there)) + " of " +
                            bytesText(static_cast<double>(*whole)) + " are there");
  throw damaged(path, "its HDF5 structure is damaged");
}

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

// Of complex numbers that of their parts. Empty for what is no number.
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

// In memory. Complex numbers are pairs.
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

// Also one that only a link leads to, which a walk through the file leaves out.
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
  // Others have their own way to say what the numbers mean.
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

// A letter for each axis, the slowest first: what ilastik notes in "axistags" and others in the labels of dimensions,
// where both name all axes; else what data of so many axes usually are.
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

// What ilastik and BigDataViewer note of each axis, the slowest first.
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
struct Source {
  Handle file, dataset;
  std::vector<hsize_t> extents;
  Stored stored;
  VolumeInfo info;
  FrameLayout layout;
  bool complex = false;

  [[nodiscard]] bool wide() const { return isWide(stored); }

  // So many of the slowest axis.
  void read(const std::string& path, hsize_t begin, hsize_t count, std::byte* out) const {
    std::vector<hsize_t> start(extents.size(), 0), size = extents;
    start[0] = begin;
    size[0] = count;
    const Handle there(H5Dget_space(dataset.get()), H5Sclose);
    const Handle here(H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr), H5Sclose);
    H5Sselect_hyperslab(there.get(), H5S_SELECT_SET, start.data(), nullptr, size.data(), nullptr);
    const Handle numbers = memoryTypeOf(stored, complex);
    if (H5Dread(dataset.get(), numbers.get(), here.get(), there.get(), H5P_DEFAULT, out) < 0)
      throw cannotRead(ErrorKind::BadData, path,
                       "its voxels are damaged, or packed in a way that is not supported here",
                       "save it with gzip or uncompressed");
  }
};

// Points in time and channels before the axes in space are frames, channels behind them lie within a voxel.
void takeAxes(Source& source, const std::string& letters, const std::string& path) {
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

Source open(const std::string& path, const std::string& wanted) {
  Handle file = openFile(path);
  const std::string name = nameIn(file, path, wanted);
  Handle dataset(H5Dopen2(file.get(), name.c_str(), H5P_DEFAULT), H5Dclose);
  if (!dataset.valid()) throw damaged(path, "its dataset " + printable(name) + " cannot be opened");
  Source source{std::move(file), std::move(dataset), {}, Stored::u8, {}, {}};
  source.extents = extentsOf(source.dataset);
  source.stored = storedOf(source.dataset).value_or(Stored::u8);
  source.complex = isComplexDataset(source.dataset);
  const std::string letters = axisLetters(source.dataset, source.extents.size());
  takeAxes(source, letters, path);
  VolumeInfo& info = source.info;
  info.type = sameElementType(source.stored).value_or(ElementType::f64);
  info.geometry.unit = "";
  info.metadata.inSpace = false;
  info.format = "HDF5 dataset " + printable(name);
  if (source.extents.size() > 3)
    info.notices.push_back(
        heldAsComponents("the axes of " + printable(name) + " that are not in space (it is taken as " + letters + ")"));
  info.geometry.steps.fill(StepSource::Assumed);
  takeSteps(source.dataset, info);
  repairGeometry(info);
  requireMemory(path, claimedBytes(info), 0);
  return source;
}

}  // namespace

bool isItkHdf5(const std::string& path) {
  const Handle file = openFile(path);
  return H5Lexists(file.get(), "/ITKImage", H5P_DEFAULT) > 0;
}

std::vector<FilePart> partsOfHdf5(const std::string& path) {
  if (isItkHdf5(path)) return {};
  const Handle file = openFile(path);
  return isMinc(file) ? std::vector<FilePart>() : datasetsOf(file, path);
}

VolumeInfo readHdf5Dataset(const std::string& path, const std::string& dataset, const AllocateVoxels& allocate,
                           const Control& control) {
  HeapAllowance heap(path);
  const Source source = open(path, dataset);
  VolumeInfo info = source.info;
  const auto steps = static_cast<hsize_t>(source.extents[0]);
  const std::size_t stepBytes = static_cast<std::size_t>(info.shape.elements()) / steps * bytesOf(source.stored);
  heap.growFor(2 * static_cast<double>(stepBytes));
  std::vector<std::byte> step;
  const auto each = [&](const auto& use) {
    step.resize(stepBytes);
    for (hsize_t k = 0; k < steps; ++k) {
      control.check();
      source.read(path, k, 1, step.data());
      use(static_cast<std::int64_t>(k));
      control.report(static_cast<double>(k + 1) / static_cast<double>(steps), "reading");
    }
  };
  if (source.wide()) {
    WideRange range;
    each([&](std::int64_t) { range.add(source.stored, step); });
    info.notices.push_back(takeNarrowest(range, info.type));
  }
  std::byte* out = allocate(info);
  if (out == nullptr) return info;
  const std::int64_t elements = info.shape.elements() / static_cast<std::int64_t>(steps);
  std::vector<std::byte> converted(static_cast<std::size_t>(elements) * bytesOf(info.type));
  each([&](std::int64_t k) {
    convert(source.stored, step, info.type, converted.data());
    scatter(source.layout, k * elements, converted, bytesOf(info.type), out);
  });
  return info;
}

DecodedPlanes openHdf5Planes(const std::string& path, const std::string& dataset, const Control& control) {
  control.check();
  const auto source = std::make_shared<Source>(open(path, dataset));
  if (source->wide()) throw notBySlabs(path, "its voxels are 64-bit integers");
  if (source->layout.frames > 1) throw notBySlabs(path, "its components follow each other");
  const VolumeShape& shape = source->info.shape;
  if (source->extents[0] != static_cast<hsize_t>(shape.nz > 1 ? shape.nz : shape.ny))
    throw notBySlabs(path, "it has a single slice");
  const auto read = [source, path](std::int64_t begin, std::int64_t end, std::span<std::byte> out,
                                   const Control& stop) {
    stop.check();
    source->read(path, static_cast<hsize_t>(begin), static_cast<hsize_t>(end - begin), out.data());
  };
  return {source->info, read};
}

}  // namespace sscope::io
