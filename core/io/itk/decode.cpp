#include "core/io/itk/decode.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <system_error>
#include <vector>

#include "core/io/base/convert.h"
#include "core/io/base/detached.h"
#include "core/io/base/file_error.h"
#include "core/io/native/picture_text.h"
#include "core/io/itk/hdf5_extent.h"
#include "core/io/itk/hdf5_text.h"
#include "core/io/itk/heap_allowance.h"
#include "core/io/itk/image_io.h"
#include "core/io/jpeg/jpeg_extent.h"
#include "core/io/native/png_check.h"
#include "core/volume/provenance.h"
#include "core/volume/selection.h"

namespace sscope::io {

using Component = itk::CommonEnums::IOComponent;
using Pixel = itk::CommonEnums::IOPixel;

namespace {

struct Header {
  VolumeInfo info;
  std::int64_t frames = 1;                // of all axes beyond the third
  std::int64_t fileComponents = 1;        // per voxel and frame
  bool wide = false, wideSigned = false;  // 64-bit integers

  [[nodiscard]] Stored stored() const { return wide ? (wideSigned ? Stored::i64 : Stored::u64) : storedAs(info.type); }
};

Geometry geometryOf(const itk::ImageIOBase& io, const FormatRow& row) {
  Geometry geometry;
  geometry.unit = row.millimeters ? "mm" : "";
  if (!row.millimeters) {
    geometry.steps.fill(StepSource::Assumed);  // a picture's dots per inch are those of paper
    return geometry;
  }
  const unsigned axes = std::min(3U, io.GetNumberOfDimensions());
  for (unsigned a = 0; a < axes; ++a) {
    geometry.spacing[a] = io.GetSpacing(a);
    geometry.origin[a] = io.GetOrigin(a);
    const std::vector<double> column = io.GetDirection(a);
    for (unsigned r = 0; r < 3; ++r) geometry.direction[3 * r + a] = r < column.size() ? column[r] : 0;
  }
  return geometry;
}

Header headerOf(const itk::ImageIOBase& io, const std::string& path, const FormatRow& row) {
  Header header;
  VolumeInfo& info = header.info;
  const unsigned axes = io.GetNumberOfDimensions();
  std::array<double, 4> extent{1, 1, 1, 1};
  for (unsigned a = 0; a < axes; ++a) {
    const auto size = static_cast<double>(io.GetDimensions(a));
    if (size < 1) throw damaged(path, "its size along axis " + std::to_string(a) + " is zero");
    extent[std::min(a, 3U)] *= size;
  }
  header.fileComponents = std::max(1U, io.GetNumberOfComponents());
  const double components = extent[3] * static_cast<double>(header.fileComponents);
  const Component component = io.GetComponentType();
  header.wide = component == Component::LONG || component == Component::ULONG || component == Component::LONGLONG ||
                component == Component::ULONGLONG;
  header.wideSigned = component == Component::LONG || component == Component::LONGLONG;
  const auto type = elementTypeOf(component);
  if (!type && !header.wide)
    throw cannotRead(ErrorKind::Unsupported, path,
                     "its voxels are of a type this program does not know (" +
                         itk::ImageIOBase::GetComponentTypeAsString(component) + ")",
                     "convert them to 8, 16 or 32 bit integers or to floating point");
  info.type = type.value_or(ElementType::f64);
  requireMemory(path, extent[0] * extent[1] * extent[2] * components * static_cast<double>(bytesOf(info.type)), 0);
  constexpr double kMostComponents = 1 << 24;
  if (components > kMostComponents) throw damaged(path, "it claims " + std::to_string(components) + " components");
  header.frames = static_cast<std::int64_t>(extent[3]);
  info.shape = {static_cast<std::int64_t>(extent[0]), static_cast<std::int64_t>(extent[1]),
                static_cast<std::int64_t>(extent[2]), static_cast<int>(components)};
  info.geometry = geometryOf(io, row);
  info.metadata.frames = static_cast<int>(extent[3]);
  info.format = row.name;
  info.metadata.inSpace = row.millimeters;  // pictures have no place
  if (row.id == FormatId::hdf5) takeTextsOfHdf5(path, info);
  takeProvenance(row.id == FormatId::png    ? provenanceOfPng(path)
                 : row.id == FormatId::jpeg ? provenanceOfJpeg(path)
                                            : std::string(),
                 info);
  if (header.frames > 1)
    info.notices.push_back(
        heldAsComponents("the " + std::to_string(header.frames) + " volumes of the series (axes beyond the third)"));
  if (io.GetPixelType() == Pixel::COMPLEX)
    info.notices.emplace_back("complex numbers are held as two components, real and imaginary part");
  repairGeometry(info);
  return header;
}

void readAll(itk::ImageIOBase& io, std::byte* out) {
  const unsigned axes = io.GetNumberOfDimensions();
  itk::ImageIORegion region(axes);
  for (unsigned a = 0; a < axes; ++a) {
    region.SetIndex(a, 0);
    region.SetSize(a, io.GetDimensions(a));
  }
  io.SetIORegion(region);
  io.Read(out);
}

FrameLayout layoutOf(const Header& header) {
  return {header.info.shape.voxels(), header.frames, header.fileComponents};
}

// All voxels, in the file's order and of its type.
using ReadAll = std::function<void(std::span<std::byte>)>;

// 64-bit integers: the values decide the type, so they are read first.
void decodeWide(const ReadAll& read, const std::string& path, Header& header, const AllocateVoxels& allocate) {
  VolumeInfo& info = header.info;
  requireMemory(path, 2 * claimedBytes(info), 0);
  const Stored stored = header.stored();
  std::vector<std::byte> values(static_cast<std::size_t>(info.shape.elements()) * bytesOf(stored));
  read(values);
  info.notices.push_back(takeNarrowest(stored, values, info.type));
  std::byte* out = allocate(info);
  if (out == nullptr) return;
  std::vector<std::byte> converted(static_cast<std::size_t>(claimedBytes(info)));
  convert(stored, values, info.type, converted.data());
  scatter(layoutOf(header), 0, converted, bytesOf(info.type), out);
}

// ITK passes on what the decoders below it made of the part that is there.
void requireWhole(FormatId id, const std::string& path) {
  if (id == FormatId::jpeg) requireWholeJpeg(path);
  if (id == FormatId::png) requirePngHeader(path);
}

VolumeInfo decode(itk::ImageIOBase& io, const std::string& path, const FormatRow& row, const AllocateVoxels& allocate) {
  HeapAllowance heap(path);
  io.SetFileName(path);
  io.ReadImageInformation();
  Header header = headerOf(io, path, row);
  heap.growFor(claimedBytes(header.info));
  VolumeInfo& info = header.info;
  const ReadAll read = [&io](std::span<std::byte> out) { readAll(io, out.data()); };
  if (header.wide) {
    decodeWide(read, path, header, allocate);
    return info;
  }
  std::byte* out = allocate(info);
  if (out == nullptr) return info;
  const auto bytes = static_cast<std::size_t>(claimedBytes(info));
  if (header.frames == 1) {
    read({out, bytes});
  } else {
    std::vector<std::byte> frames(bytes);
    read(frames);
    scatter(layoutOf(header), 0, frames, bytesOf(info.type), out);
  }
  return info;
}

// What a failed decoder means, in the user's words where ITK's are about itself.
Error explain(FormatId id, const std::string& path, const std::exception& error) {
  switch (id) {
    case FormatId::png:
    case FormatId::jpeg: return damaged(path, "the picture is damaged or cut off");
    case FormatId::hdf5: {
      std::error_code code;
      const auto there = static_cast<double>(std::filesystem::file_size(path, code));
      const std::optional<std::int64_t> whole = hdf5Bytes(path);
      if (!code && whole && there < static_cast<double>(*whole))
        return damaged(path, "it is cut off: " + bytesText(there) + " of " + bytesText(static_cast<double>(*whole)) +
                                 " are there");
      return cannotRead(ErrorKind::Unsupported, path, "it is an HDF5 file, but not an image in ITK's layout",
                        "convert it to one of " + readableExtensions());
    }
    default: return damaged(path, std::string(formatRow(id).name) + " decoder: " + reasonOf(error));
  }
}

// Runs `work`, whose errors are told in the user's words.
template <class Work>
auto told(FormatId id, const std::string& path, const Work& work) {
  try {
    return work();
  } catch (const itk::ExceptionObject& error) {
    throw explain(id, path, error);
  } catch (const std::bad_alloc&) {
    throw damaged(path, "decoding it asks for more memory than a file of its size can need");
  }
}

}  // namespace

VolumeInfo decodeWithItk(FormatId id, const std::string& path, const AllocateVoxels& allocate, const Control& control) {
  control.check();
  const FormatRow& row = formatRow(id);
  requireWhole(id, path);
  const itk::ImageIOBase::Pointer io = makeImageIo(id);
  return told(id, path, [&] { return decode(*io, path, row, allocate); });
}

DecodedPlanes openPlanesWithItk(FormatId id, const std::string& path, const Control& control) {
  control.check();
  silenceItk();
  const itk::ImageIOBase::Pointer io = makeImageIo(id);
  const auto heap = std::make_shared<HeapAllowance>(path);
  const Header header = told(id, path, [&] {
    io->SetFileName(path);
    io->ReadImageInformation();
    return headerOf(*io, path, formatRow(id));
  });
  if (header.wide) throw notBySlabs(path, "its voxels are 64-bit integers");
  if (header.frames > 1) throw notBySlabs(path, "its frames follow each other");
  if (!io->CanStreamRead()) throw notBySlabs(path, "its decoder reads it as a whole");
  const auto read = [=](std::int64_t begin, std::int64_t end, std::span<std::byte> out, const Control& stop) {
    stop.check();
    heap->growFor(static_cast<double>(out.size()));
    told(id, path, [&] {
      io->SetIORegion(planesRegion(*io, begin, end - begin));
      io->Read(out.data());
      return true;
    });
  };
  return {header.info, read};
}

}  // namespace sscope::io
