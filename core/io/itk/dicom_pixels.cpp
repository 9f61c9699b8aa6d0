#include "core/io/itk/dicom_pixels.h"

#include <gdcmImageApplyLookupTable.h>
#include <gdcmImageChangePlanarConfiguration.h>
#include <gdcmPixmapReader.h>
#include <gdcmRescaler.h>

#include <new>
#include <utility>

#include "core/io/base/file_error.h"
#include "core/io/itk/dicom_extent.h"
#include "core/io/itk/heap_allowance.h"

namespace sscope::io {

// Of objects of any class: what has pixels can be read.
class AnyDicomReader final : public gdcm::PixmapReader {
 public:
  bool Read() override {
    if (!gdcm::Reader::Read()) return false;
    PixelData->SetTransferSyntax(F->GetHeader().GetDataSetTransferSyntax());
    return ReadImage(gdcm::MediaStorage(gdcm::MediaStorage::SecondaryCaptureImageStorage));
  }
};

namespace {

Error undecodable(const std::string& path) {
  return cannotRead(ErrorKind::BadData, path, "it holds no DICOM picture that can be decoded",
                    "check that it is an image and complete");
}

std::optional<Stored> storedOf(gdcm::PixelFormat::ScalarType type) {
  switch (type) {
    case gdcm::PixelFormat::SINGLEBIT:
    case gdcm::PixelFormat::UINT8: return Stored::u8;
    case gdcm::PixelFormat::INT8: return Stored::i8;
    case gdcm::PixelFormat::UINT12:
    case gdcm::PixelFormat::UINT16: return Stored::u16;
    case gdcm::PixelFormat::INT12:
    case gdcm::PixelFormat::INT16: return Stored::i16;
    case gdcm::PixelFormat::UINT32: return Stored::u32;
    case gdcm::PixelFormat::INT32: return Stored::i32;
    case gdcm::PixelFormat::FLOAT32: return Stored::f32;
    case gdcm::PixelFormat::FLOAT64: return Stored::f64;
    default: return std::nullopt;
  }
}

// GDCM's decoders throw what they like.
template <class Work>
auto guarded(const std::string& path, const Work& work) {
  try {
    return work();
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw damaged(path, "decoding it asks for more memory than a file of its size can need");
  } catch (const std::exception&) {
    throw undecodable(path);
  }
}

}  // namespace

struct DicomPixels::State {
  explicit State(const std::string& file) : path(file), heap(file) {}
  // The pixels with their samples side by side and their colors looked up.
  [[nodiscard]] const gdcm::Bitmap& bitmap() const { return *current; }

  void open() {
    reader.SetFileName(path.c_str());
    if (!reader.Read()) throw undecodable(path);
    current = &reader.GetPixmap();
    if (current->GetPlanarConfiguration() == 1) {
      planar.SetInput(*current);
      planar.SetPlanarConfiguration(0);
      if (!planar.Change()) throw undecodable(path);
      current = &planar.GetOutputAsBitmap();
    }
    if (current->GetPhotometricInterpretation() == gdcm::PhotometricInterpretation::PALETTE_COLOR) {
      lookup.SetInput(*current);
      if (!lookup.Apply()) throw undecodable(path);
      current = &lookup.GetOutputAsBitmap();
    }
    const auto found = storedOf(format().GetScalarType());
    if (!found)
      throw cannotRead(ErrorKind::Unsupported, path, "its pixels are of a type this program does not know",
                       "convert them to 8, 16 or 32 bit integers");
    stored = *found;
    // GDCM shifts such values the wrong way, or not at all.
    if (format().GetHighBit() + 1 > format().GetBitsStored())
      throw cannotRead(ErrorKind::Unsupported, path,
                       "its " + std::to_string(format().GetBitsStored()) + " bits end at bit " +
                           std::to_string(format().GetHighBit()) + ", above the lowest ones",
                       "convert it with dcmconv or pydicom to values that begin at bit 0");
    if (format().GetSamplesPerPixel() > 1 && bytesOf(stored) > 2)
      throw cannotRead(ErrorKind::Unsupported, path, "its colors have 32 bits, which are not decoded reliably",
                       "save it with 8 bits a color");
  }
  [[nodiscard]] const gdcm::PixelFormat& format() const { return current->GetPixelFormat(); }

  std::string path;
  HeapAllowance heap;
  AnyDicomReader reader;
  gdcm::ImageChangePlanarConfiguration planar;
  gdcm::ImageApplyLookupTable lookup;
  const gdcm::Bitmap* current = nullptr;
  Stored stored = Stored::u8;
};

DicomPixels::DicomPixels(const std::string& path) {
  requireDicomPixels(path);
  state_ = guarded(path, [&] {
    auto state = std::make_unique<State>(path);
    state->open();
    return state;
  });
}

DicomPixels::~DicomPixels() = default;

std::int64_t DicomPixels::width() const { return state_->bitmap().GetDimension(0); }
std::int64_t DicomPixels::height() const { return state_->bitmap().GetDimension(1); }
std::int64_t DicomPixels::frames() const {
  return state_->bitmap().GetNumberOfDimensions() > 2 ? std::max(1U, state_->bitmap().GetDimension(2)) : 1;
}
int DicomPixels::samples() const { return state_->format().GetSamplesPerPixel(); }
bool DicomPixels::whiteIsSmall() const {
  return state_->bitmap().GetPhotometricInterpretation() == gdcm::PhotometricInterpretation::MONOCHROME1;
}
Stored DicomPixels::stored() const { return state_->stored; }

ElementType DicomPixels::typeOf(const Scale& scale) const {
  if (scale.trivial()) return sameElementType(state_->stored).value();
  gdcm::Rescaler rescaler;
  rescaler.SetSlope(scale.slope);
  rescaler.SetIntercept(scale.intercept);
  rescaler.SetPixelFormat(state_->format());
  const auto type = storedOf(rescaler.ComputeInterceptSlopePixelType());
  return type ? sameElementType(*type).value() : ElementType::f64;
}

std::size_t DicomPixels::frameBytes() const {
  return static_cast<std::size_t>(width() * height() * samples()) * bytesOf(stored());
}

std::vector<std::byte> DicomPixels::decode() {
  return guarded(state_->path, [&] {
    const std::size_t needed = frameBytes() * static_cast<std::size_t>(frames());
    const auto length = static_cast<std::size_t>(state_->bitmap().GetBufferLength());
    state_->heap.growFor(static_cast<double>(std::max(needed, length)));
    std::vector<std::byte> bytes(std::max(needed, length));
    if (!state_->bitmap().GetBuffer(reinterpret_cast<char*>(bytes.data()))) throw undecodable(state_->path);
    if (state_->format() == gdcm::PixelFormat::SINGLEBIT)
      for (std::size_t i = needed; i-- > 0;) bytes[i] = bytes[i / 8] >> (i % 8) & std::byte{1};
    bytes.resize(needed);
    return bytes;
  });
}

}  // namespace sscope::io
