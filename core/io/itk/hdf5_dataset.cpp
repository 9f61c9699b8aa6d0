#include "core/io/itk/hdf5_dataset.h"

#include <hdf5.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "core/io/convert.h"
#include "core/io/file_error.h"
#include "core/io/itk/hdf5_extent.h"
#include "core/io/itk/heap_allowance.h"
#include "core/volume/axis_steps.h"
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

// Empty for what is no number.
std::optional<Stored> storedOf(const Handle& dataset) {
  const Handle type(H5Dget_type(dataset.get()), H5Tclose);
  const std::size_t size = H5Tget_size(type.get());
  const H5T_class_t kind = H5Tget_class(type.get());
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

struct Found {
  std::string path;
  std::vector<hsize_t> extents;
};

std::string listOf(const std::vector<Found>& all) {
  constexpr std::size_t kMost = 12;
  std::string text;
  for (std::size_t i = 0; i < std::min(all.size(), kMost); ++i) {
    text += (i == 0 ? "" : ", ") + printable(all[i].path) + " (";
    for (std::size_t a = 0; a < all[i].extents.size(); ++a)
      text += (a == 0 ? "" : " x ") + std::to_string(all[i].extents[a]);
    text += ")";
  }
  return text + (all.size() > kMost ? ", ..." : "");
}

herr_t visit(hid_t object, const char* name, const H5O_info_t* info, void* data) {
  constexpr std::size_t kMost = 4096;
  auto& all = *static_cast<std::vector<Found>*>(data);
  if (info->type != H5O_TYPE_DATASET) return 0;
  const Handle dataset(H5Dopen2(object, name, H5P_DEFAULT), H5Dclose);
  if (!dataset.valid() || !storedOf(dataset)) return 0;
  const std::vector<hsize_t> extents = extentsOf(dataset);
  if (extents.size() >= 2 && extents.size() <= kMostAxes) all.push_back({"/" + std::string(name), extents});
  return all.size() < kMost ? 0 : 1;
}

std::string nameIn(const Handle& file, const std::string& path, const std::string& dataset) {
  std::vector<Found> all;
  H5Ovisit2(file.get(), H5_INDEX_NAME, H5_ITER_NATIVE, visit, &all, H5O_INFO_BASIC);
  // Others have their own way to say what the numbers mean.
  if (dataset.empty() && H5Lexists(file.get(), "/minc-2.0", H5P_DEFAULT) > 0)
    throw cannotRead(ErrorKind::Unsupported, path, "it is a MINC file, of which scale and places are not read",
                     "convert it with `mnc2nii`, or name the dataset of its stored numbers: " + path +
                         ":/minc-2.0/image/0/image");
  if (dataset.empty() && all.size() == 1) return all.front().path;
  if (std::ranges::find(all, dataset, &Found::path) != all.end()) return dataset;
  if (all.empty())
    throw cannotRead(ErrorKind::Unsupported, path, "it holds no dataset of numbers with 2 to 5 axes", {});
  throw Error(ErrorKind::Usage,
              dataset.empty() ? path + " holds " + std::to_string(all.size()) + " datasets"
                              : path + " has no dataset " + printable(dataset) + " of numbers with 2 to 5 axes",
              "name one, as " + path + ":" + printable(all.front().path) + "; there are " + listOf(all));
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
  std::int64_t groups = 1;  // of axes before z y x

  [[nodiscard]] bool wide() const { return stored == Stored::i64 || stored == Stored::u64; }

  // So many of the slowest axis.
  void read(const std::string& path, hsize_t begin, hsize_t count, std::byte* out) const {
    std::vector<hsize_t> start(extents.size(), 0), size = extents;
    start[0] = begin;
    size[0] = count;
    const Handle there(H5Dget_space(dataset.get()), H5Sclose);
    const Handle here(H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr), H5Sclose);
    H5Sselect_hyperslab(there.get(), H5S_SELECT_SET, start.data(), nullptr, size.data(), nullptr);
    if (H5Dread(dataset.get(), memoryType(stored), here.get(), there.get(), H5P_DEFAULT, out) < 0)
      throw cannotRead(ErrorKind::BadData, path,
                       "its voxels are damaged, or packed in a way that is not supported here",
                       "save it with gzip or uncompressed");
  }
};

Source open(const std::string& path, const std::string& wanted) {
  Handle file = openFile(path);
  const std::string name = nameIn(file, path, wanted);
  Handle dataset(H5Dopen2(file.get(), name.c_str(), H5P_DEFAULT), H5Dclose);
  if (!dataset.valid()) throw damaged(path, "its dataset " + printable(name) + " cannot be opened");
  Source source{std::move(file), std::move(dataset), {}, Stored::u8, {}, 1};
  source.extents = extentsOf(source.dataset);
  source.stored = storedOf(source.dataset).value_or(Stored::u8);
  VolumeInfo& info = source.info;
  std::array<std::int64_t, 3> extent{1, 1, 1};
  double groups = 1;
  for (std::size_t a = 0; a < source.extents.size(); ++a) {
    const std::size_t fromEnd = source.extents.size() - 1 - a;
    constexpr hsize_t kLongest = hsize_t{1} << 40;
    if (source.extents[a] < 1 || source.extents[a] > kLongest) throw damaged(path, "its dataset is empty");
    if (fromEnd < 3) {
      extent[fromEnd] = static_cast<std::int64_t>(source.extents[a]);
    } else {
      groups *= static_cast<double>(source.extents[a]);
    }
  }
  constexpr double kMostComponents = 1 << 24;
  if (groups > kMostComponents) throw damaged(path, "it claims too many components");
  source.groups = static_cast<std::int64_t>(groups);
  info.shape = {extent[0], extent[1], extent[2], static_cast<int>(groups)};
  info.type = sameElementType(source.stored).value_or(ElementType::f64);
  info.geometry.unit = "";
  info.format = "HDF5 dataset " + printable(name);
  if (source.groups > 1)
    info.notices.push_back(heldAsComponents("what lies along the axes before the last three of " + printable(name)));
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
    info.type = range.narrowest();
    info.notices.push_back("64-bit integers were converted to " + std::string(toString(info.type)));
  }
  std::byte* out = allocate(info);
  if (out == nullptr) return info;
  const std::int64_t elements = info.shape.elements() / static_cast<std::int64_t>(steps);
  std::vector<std::byte> converted(static_cast<std::size_t>(elements) * bytesOf(info.type));
  const FrameLayout layout{info.shape.voxels(), source.groups, 1, 1};
  each([&](std::int64_t k) {
    convert(source.stored, step, info.type, converted.data());
    scatter(layout, k * elements, converted, bytesOf(info.type), out);
  });
  return info;
}

DecodedPlanes openHdf5Planes(const std::string& path, const std::string& dataset, const Control& control) {
  control.check();
  const auto source = std::make_shared<Source>(open(path, dataset));
  if (source->wide()) throw notBySlabs(path, "its voxels are 64-bit integers");
  if (source->groups > 1) throw notBySlabs(path, "its components follow each other");
  const bool thin = source->extents.size() == 3 && source->extents[0] == 1;
  if (thin) throw notBySlabs(path, "it has a single slice");
  const auto read = [source, path](std::int64_t begin, std::int64_t end, std::span<std::byte> out,
                                   const Control& stop) {
    stop.check();
    source->read(path, static_cast<hsize_t>(begin), static_cast<hsize_t>(end - begin), out.data());
  };
  return {source->info, read};
}

}  // namespace sscope::io
