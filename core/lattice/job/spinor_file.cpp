#include "core/lattice/job/spinor_file.h"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "core/base/error.h"
#include "core/base/memory.h"
#include "core/lattice/observables.h"
#include "core/lattice/parallel.h"
#include "core/lattice/vector_space.h"

namespace sscope {

using namespace lattice;

namespace {

constexpr const char* kSchemaKey = "stencilscope";
constexpr const char* kSchema = "spinors/1";
constexpr const char* kExtentsKey = "lattice";
constexpr int kNumbers = 2 * kSpinorElements;  // of a site and field
constexpr int kMostFields = kSpinorElements;

VolumeShape shapeOf(const Lattice& lattice, int fields) {
  return {lattice.extent(0), lattice.extent(1), std::int64_t{lattice.extent(2)} * lattice.extent(3), kNumbers * fields};
}

std::string extentsText(const Lattice& lattice) {
  std::string text;
  for (const int extent : lattice.extents()) text += (text.empty() ? "" : " ") + std::to_string(extent);
  return text;
}

std::string noteOf(const SpinorNotes& notes, std::string_view key) {
  const auto found = std::find_if(notes.begin(), notes.end(), [&](const auto& note) { return note.first == key; });
  return found == notes.end() ? std::string() : found->second;
}

bool saysSpinors(const VolumeInfo& info) { return noteOf(info.metadata.fields, kSchemaKey) == kSchema; }

Error damaged(const std::string& path, const std::string& what) {
  return {ErrorKind::BadData, "cannot read spinors from " + path + ": " + what,
          "write it again with `sscope lattice solve`"};
}

Lattice latticeOf(const std::string& path, const VolumeInfo& info) {
  std::istringstream words(noteOf(info.metadata.fields, kExtentsKey));
  std::array<int, kDirections> extents{};
  for (int& extent : extents)
    if (!(words >> extent) || extent < 1) throw damaged(path, "it does not state the extents of its lattice");
  const Lattice lattice(extents);
  const int fields = info.shape.components / kNumbers;
  if (info.type != ElementType::f64 || fields < 1 || fields > kMostFields || !(info.shape == shapeOf(lattice, fields)))
    throw damaged(path,
                  "spinors on " + lattice.text() + " sites are not what its " + info.shape.text() + " numbers can be");
  return lattice;
}

// The index of number k of a site's field in the volume, which holds all fields of a site together.
template <class Move>
void forNumbers(const Lattice& lattice, std::size_t fields, const Control& control, Move&& move) {
  forPieces(lattice.volume(), control, [&](std::int64_t begin, std::int64_t end) {
    for (auto site = static_cast<std::size_t>(begin); site < static_cast<std::size_t>(end); ++site)
      for (std::size_t f = 0; f < fields; ++f)
        for (std::size_t k = 0; k < kSpinorElements; ++k)
          move(f, site * kSpinorElements + k, (site * fields + f) * kNumbers + 2 * k);
  });
}

}  // namespace

void requireSpinorTarget(const VolumeIo& io, const std::string& path, const Lattice& lattice, int fields) {
  const std::string extension = std::filesystem::path(path).extension().string();
  if (extension != ".nrrd" && extension != ".nhdr")
    throw Error(ErrorKind::Usage, "spinors are written as NRRD, not to " + path, "give a name that ends in .nrrd");
  io.checkWritable(path, shapeOf(lattice, fields), ElementType::f64);
}

void writeSpinors(VolumeIo& io, const std::string& path, const SpinorFile& file, const Control& control) {
  requireSpinorTarget(io, path, file.lattice, static_cast<int>(file.fields.size()));
  const VolumeShape shape = shapeOf(file.lattice, static_cast<int>(file.fields.size()));
  requireMemory(shape.elements() * 8);
  Geometry sites;
  sites.unit.clear();  // one lattice spacing apart, of unknown length
  Volume volume(shape, ElementType::f64, sites);
  const auto numbers = volume.elements<double>();
  forNumbers(file.lattice, file.fields.size(), control, [&](std::size_t f, std::size_t k, std::size_t at) {
    numbers[at] = file.fields[f][k].real();
    numbers[at + 1] = file.fields[f][k].imag();
  });
  WriteOptions options;
  options.metadata.inSpace = false;
  options.metadata.fields = {{kSchemaKey, kSchema}, {kExtentsKey, extentsText(file.lattice)}};
  options.metadata.fields.insert(options.metadata.fields.end(), file.notes.begin(), file.notes.end());
  io.write(path, volume, options, control);
}

bool holdsSpinors(VolumeIo& io, const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  if (extension != ".nrrd" && extension != ".nhdr") return false;
  try {
    return saysSpinors(io.probe(path, {}));
  } catch (const Error&) {
    return false;
  }
}

SpinorFile readSpinors(VolumeIo& io, const std::string& path, const Control& control) {
  LoadedVolume loaded = io.read(path, control);
  if (!saysSpinors(loaded.info)) throw damaged(path, "it holds a volume");
  SpinorFile file;
  file.lattice = latticeOf(path, loaded.info);
  for (const auto& note : loaded.info.metadata.fields)
    if (note.first != kSchemaKey && note.first != kExtentsKey) file.notes.push_back(note);
  for (int f = 0; f < loaded.info.shape.components / kNumbers; ++f)
    file.fields.push_back(zeroSpinor(file.lattice, control));
  const auto numbers = loaded.volume.elements<double>();
  forNumbers(file.lattice, file.fields.size(), control, [&](std::size_t f, std::size_t k, std::size_t at) {
    file.fields[f][k] = {numbers[at], numbers[at + 1]};
  });
  return file;
}

std::vector<double> spinorDensities(const SpinorFile& file) {
  std::vector<double> sum(static_cast<std::size_t>(file.lattice.volume()));
  for (const SpinorField& field : file.fields) {
    const std::vector<double> one = densities(file.lattice, field);
    for (std::size_t site = 0; site < sum.size(); ++site) sum[site] += one[site];
  }
  return sum;
}

SpinorProduct innerProduct(const SpinorFile& a, const SpinorFile& b, const Control& control) {
  if (!(a.lattice == b.lattice) || a.fields.size() != b.fields.size())
    throw Error(ErrorKind::Usage,
                std::to_string(a.fields.size()) + " spinor fields on " + a.lattice.text() +
                    " sites have no product with " + std::to_string(b.fields.size()) + " on " + b.lattice.text(),
                "give two files of the same kind");
  SpinorProduct result;
  for (std::size_t f = 0; f < a.fields.size(); ++f) {
    result.product += dot(a.fields[f], b.fields[f], control);
    result.norm2A += norm2(a.fields[f], control);
    result.norm2B += norm2(b.fields[f], control);
    SpinorField difference = a.fields[f];
    addScaled(-1, b.fields[f], difference, control);
    result.difference2 += norm2(difference, control);
  }
  return result;
}

}  // namespace sscope
