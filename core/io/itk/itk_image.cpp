#include "core/io/itk/itk_image.h"

#include <itkHDF5ImageIO.h>
#include <itkJPEGImageIO.h>
#include <itkOutputWindow.h>
#include <itkPNGImageIO.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <memory>
#include <new>
#include <regex>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "core/io/base/decoder.h"
#include "core/io/base/file_error.h"
#include "core/io/itk/hdf5_file.h"
#include "core/io/itk/heap_allowance.h"
#include "core/io/jpeg/jpeg.h"
#include "core/io/native/png.h"
#include "core/volume/provenance.h"
#include "core/volume/selection.h"

namespace sscope::io {

using Component = itk::CommonEnums::IOComponent;
using Pixel = itk::CommonEnums::IOPixel;

namespace {

// Empty for long double and unknown types.
std::optional<Stored> storedOf(Component component) {
  switch (component) {
    case Component::UCHAR: return Stored::u8;
    case Component::CHAR: return Stored::i8;
    case Component::USHORT: return Stored::u16;
    case Component::SHORT: return Stored::i16;
    case Component::UINT: return Stored::u32;
    case Component::INT: return Stored::i32;
    case Component::LONG:
    case Component::LONGLONG: return Stored::i64;
    case Component::ULONG:
    case Component::ULONGLONG: return Stored::u64;
    case Component::FLOAT: return Stored::f32;
    case Component::DOUBLE: return Stored::f64;
    default: return std::nullopt;
  }
}

struct Header {
  VolumeInfo info;
  Stored stored = Stored::u8;
  std::int64_t frames = 1;  // the product of all axes beyond the third
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

Header headerOf(const itk::ImageIOBase& io, const std::string& path, const FormatRow& row, const std::string& made) {
  Header header;
  VolumeInfo& info = header.info;
  const unsigned axes = io.GetNumberOfDimensions();
  std::array<double, 4> extent{1, 1, 1, 1};
  for (unsigned a = 0; a < axes; ++a) {
    const auto size = static_cast<double>(io.GetDimensions(a));
    if (size < 1) throw damaged(path, "its size along axis " + std::to_string(a) + " is zero");
    extent[std::min(a, 3U)] *= size;
  }
  const double components = extent[3] * static_cast<double>(std::max(1U, io.GetNumberOfComponents()));
  const Component component = io.GetComponentType();
  const auto stored = storedOf(component);
  if (!stored)
    throw cannotRead(ErrorKind::Unsupported, path,
                     "its voxels are of a type this program does not know (" +
                         itk::ImageIOBase::GetComponentTypeAsString(component) + ")",
                     "convert them to 8, 16 or 32 bit integers or to floating point");
  header.stored = *stored;
  info.type = sameElementType(*stored).value_or(ElementType::f64);
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
  takeProvenance(made, info);
  if (header.frames > 1)
    info.notices.push_back(
        heldAsComponents("the " + std::to_string(header.frames) + " volumes of the series (axes beyond the third)"));
  if (io.GetPixelType() == Pixel::COMPLEX)
    info.notices.emplace_back("complex numbers are held as two components, real and imaginary part");
  repairGeometry(info);
  return header;
}

// The error of a failed decoder in terms of the file, where ITK's words are about its classes.
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

// Runs `work` and explains its errors.
template <class Work>
auto explained(FormatId id, const std::string& path, const Work& work) {
  try {
    return work();
  } catch (const itk::ExceptionObject& error) {
    throw explain(id, path, error);
  } catch (const std::bad_alloc&) {
    throw damaged(path, "decoding it asks for more memory than a file of its size can need");
  }
}

LocatedVolume locatedWith(FormatId id, const std::string& path, const std::string& made, const Control& control) {
  control.check();
  silenceItk();
  const itk::ImageIOBase::Pointer io = makeImageIo(id);
  const auto heap = std::make_shared<HeapAllowance>(path);
  const Header header = explained(id, path, [&] {
    io->SetFileName(path);
    io->ReadImageInformation();
    return headerOf(*io, path, formatRow(id), made);
  });
  heap->growFor(claimedBytes(header.info));
  const VolumeShape shape = header.info.shape;
  const unsigned axis = shape.nz > 1 ? 2 : shape.ny > 1 ? 1 : 0;
  const auto decode = [=](std::int64_t begin, std::int64_t end, std::span<std::byte> out, const Control& stop) {
    stop.check();
    heap->growFor(static_cast<double>(out.size()));
    explained(id, path, [&] {
      // Frames follow each other in the file; in a voxel they lie side by side.
      const auto frames = static_cast<std::size_t>(header.frames);
      const std::size_t voxels = static_cast<std::size_t>((end - begin) * (shape.voxels() / planesOf(shape))),
                        each = out.size() / voxels / frames;
      std::vector<std::byte> frame(frames > 1 ? voxels * each : 0);
      for (std::size_t f = 0; f < frames; ++f) {
        stop.check();
        io->SetIORegion(planesRegion(*io, axis, begin, end - begin, static_cast<std::int64_t>(f)));
        io->Read(frames > 1 ? frame.data() : out.data());
        for (std::size_t v = 0; frames > 1 && v < voxels; ++v)
          std::memcpy(out.data() + (v * frames + f) * each, frame.data() + v * each, each);
      }
      return true;
    });
  };
  return decodedVolume(path, header.info, header.stored, decode);
}

}  // namespace

LocatedVolume locatePicture(FormatId id, const InputPointer& file, const Control& control) {
  const std::string& path = file->path();
  // ITK passes on what the decoders below it make of the part that is there.
  if (id == FormatId::jpeg) requireWholeJpeg(path);
  if (id == FormatId::png) requirePngHeader(*file);
  LocatedVolume located =
      locatedWith(id, path, id == FormatId::png ? provenanceOfPng(*file) : provenanceOfJpeg(*file), control);
  located.onlyWhole = std::string(formatRow(id).name) + " files are read as a whole";
  return located;
}

LocatedVolume locateItkHdf5(const std::string& path, const Control& control) {
  return locatedWith(FormatId::hdf5, path, {}, control);
}

itk::ImageIOBase::Pointer makeImageIo(FormatId id) {
  switch (id) {
    case FormatId::hdf5: return itk::HDF5ImageIO::New().GetPointer();
    case FormatId::png: return itk::PNGImageIO::New().GetPointer();
    case FormatId::jpeg: return itk::JPEGImageIO::New().GetPointer();
    default: throw std::logic_error("ITK has no reader for this format");
  }
}

Component componentOf(ElementType type) {
  switch (type) {
    case ElementType::u8: return Component::UCHAR;
    case ElementType::i8: return Component::CHAR;
    case ElementType::u16: return Component::USHORT;
    case ElementType::i16: return Component::SHORT;
    case ElementType::u32: return Component::UINT;
    case ElementType::i32: return Component::INT;
    case ElementType::f32: return Component::FLOAT;
    case ElementType::f64: break;
  }
  return Component::DOUBLE;
}

itk::ImageIORegion planesRegion(const itk::ImageIOBase& io, unsigned axis, std::int64_t first, std::int64_t count,
                                std::int64_t frame) {
  const unsigned axes = io.GetNumberOfDimensions();
  itk::ImageIORegion region(axes);
  for (unsigned a = 0; a < axes; ++a) {
    const auto size = static_cast<std::int64_t>(io.GetDimensions(a));
    region.SetIndex(a, a > 2 ? static_cast<itk::IndexValueType>(frame % size) : 0);
    region.SetSize(a, a > 2 ? 1 : static_cast<itk::SizeValueType>(size));
    if (a > 2) frame /= size;
  }
  region.SetIndex(axis, static_cast<itk::IndexValueType>(first));
  region.SetSize(axis, static_cast<itk::SizeValueType>(count));
  return region;
}

std::string reasonOf(const std::exception& error) {
  std::string text = error.what();
  if (const auto* ours = dynamic_cast<const itk::ExceptionObject*>(&error)) text = ours->GetDescription();
  text = std::regex_replace(
      text,
      std::regex(
          "itk::ERROR: |ITK ERROR: |(ReadImageInformation|Read|Write): |\\w+\\(0x[0-9a-fA-F]+\\): |\\w+::\\w+: "),
      "");
  text = std::regex_replace(text, std::regex("\\s+"), " ");
  while (!text.empty() && (text.back() == ' ' || text.back() == '.')) text.pop_back();
  constexpr std::size_t kLongest = 200;
  if (text.size() > kLongest) text = text.substr(0, kLongest) + "...";
  return text.empty() ? "it cannot be decoded" : text;
}

namespace {
// Swallows what ITK would print.
class SilentWindow : public itk::OutputWindow {
 public:
  using Self = SilentWindow;
  using Superclass = itk::OutputWindow;
  using Pointer = itk::SmartPointer<Self>;
  itkFactorylessNewMacro(Self);
  void DisplayText(const char* /*text*/) override {}
};
}  // namespace

void silenceItk() { itk::OutputWindow::SetInstance(SilentWindow::New()); }

}  // namespace sscope::io
