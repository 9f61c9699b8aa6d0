#include "core/io/itk/image_io.h"

#include <itkHDF5ImageIO.h>
#include <itkJPEGImageIO.h>
#include <itkOutputWindow.h>
#include <itkPNGImageIO.h>
#include <itkVTKImageIO.h>

#include <regex>
#include <stdexcept>

namespace sscope::io {

using Component = itk::CommonEnums::IOComponent;

itk::ImageIOBase::Pointer makeImageIo(FormatId id) {
  switch (id) {
    case FormatId::vtk: return itk::VTKImageIO::New().GetPointer();
    case FormatId::hdf5: return itk::HDF5ImageIO::New().GetPointer();
    case FormatId::png: return itk::PNGImageIO::New().GetPointer();
    case FormatId::jpeg: return itk::JPEGImageIO::New().GetPointer();
    case FormatId::nrrd:
    case FormatId::meta:
    case FormatId::nifti:
    case FormatId::tiff:
    case FormatId::bmp:
    case FormatId::dicom:
    case FormatId::vti:
    case FormatId::npy:
    case FormatId::mrc:
    case FormatId::zarr:
    case FormatId::rawJson: break;
  }
  throw std::logic_error("ITK has no reader for this format");
}

std::optional<ElementType> elementTypeOf(Component component) {
  switch (component) {
    case Component::UCHAR: return ElementType::u8;
    case Component::CHAR: return ElementType::i8;
    case Component::USHORT: return ElementType::u16;
    case Component::SHORT: return ElementType::i16;
    case Component::UINT: return ElementType::u32;
    case Component::INT: return ElementType::i32;
    case Component::FLOAT: return ElementType::f32;
    case Component::DOUBLE: return ElementType::f64;
    default: return std::nullopt;
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

itk::ImageIORegion planesRegion(const itk::ImageIOBase& io, std::int64_t first, std::int64_t count) {
  const unsigned axes = io.GetNumberOfDimensions();
  itk::ImageIORegion region(axes);
  unsigned slowest = 0;
  for (unsigned a = 0; a < axes; ++a) {
    region.SetIndex(a, 0);
    region.SetSize(a, io.GetDimensions(a));
    if (io.GetDimensions(a) > 1) slowest = a;
  }
  region.SetIndex(slowest, static_cast<itk::IndexValueType>(first));
  region.SetSize(slowest, static_cast<itk::SizeValueType>(count));
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
