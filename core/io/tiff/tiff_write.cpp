#include <tiffio.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <vector>

#include "core/base/paths.h"
#include "core/io/file_error.h"
#include "core/io/tiff/tiff.h"
#include "core/io/tiff/tiff_calibration.h"

namespace sscope::io {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kStripBytes = 256 << 10;
constexpr std::int64_t kClassicLimit = std::int64_t{4000} << 20;  // offsets have 32 bits

using TiffFile = std::unique_ptr<TIFF, decltype(&TIFFClose)>;

int sampleFormat(ElementType type) {
  if (!isInteger(type)) return SAMPLEFORMAT_IEEEFP;
  return lowestOf(type) < 0 ? SAMPLEFORMAT_INT : SAMPLEFORMAT_UINT;
}

bool looksLikeColor(const Volume& volume) {
  const int components = volume.shape().components;
  return (components == 3 || components == 4) &&
         (volume.type() == ElementType::u8 || volume.type() == ElementType::u16);
}

void describePage(TIFF* file, const Volume& volume, std::int64_t rowsPerStrip) {
  const VolumeShape& s = volume.shape();
  const bool color = looksLikeColor(volume);
  TIFFSetField(file, TIFFTAG_IMAGEWIDTH, static_cast<std::uint32_t>(s.nx));
  TIFFSetField(file, TIFFTAG_IMAGELENGTH, static_cast<std::uint32_t>(s.ny));
  TIFFSetField(file, TIFFTAG_BITSPERSAMPLE, static_cast<int>(8 * bytesOf(volume.type())));
  TIFFSetField(file, TIFFTAG_SAMPLESPERPIXEL, s.components);
  TIFFSetField(file, TIFFTAG_SAMPLEFORMAT, sampleFormat(volume.type()));
  TIFFSetField(file, TIFFTAG_PHOTOMETRIC, color ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK);
  TIFFSetField(file, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  TIFFSetField(file, TIFFTAG_COMPRESSION, COMPRESSION_NONE);
  TIFFSetField(file, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
  TIFFSetField(file, TIFFTAG_ROWSPERSTRIP, static_cast<std::uint32_t>(rowsPerStrip));
  TIFFSetField(file, TIFFTAG_RESOLUTIONUNIT, RESUNIT_NONE);
  TIFFSetField(file, TIFFTAG_XRESOLUTION, 1 / volume.geometry().spacing[0]);
  TIFFSetField(file, TIFFTAG_YRESOLUTION, 1 / volume.geometry().spacing[1]);
  const int extra = s.components - (color ? 3 : 1);
  const std::vector<std::uint16_t> kinds(static_cast<std::size_t>(extra), EXTRASAMPLE_UNSPECIFIED);
  if (extra > 0) TIFFSetField(file, TIFFTAG_EXTRASAMPLES, extra, kinds.data());
}

void writePages(TIFF* file, const fs::path& shown, const Volume& volume, const Control& control) {
  const VolumeShape& s = volume.shape();
  const std::int64_t rowBytes = s.nx * s.components * static_cast<std::int64_t>(bytesOf(volume.type()));
  const std::int64_t rows = std::clamp<std::int64_t>(kStripBytes / rowBytes, 1, s.ny);
  const std::string description = formatTiffDescription(volume);
  // libtiff wants memory it may change, although it does not without compression.
  auto* voxels = const_cast<std::byte*>(volume.data());
  for (std::int64_t z = 0; z < s.nz; ++z) {
    describePage(file, volume, rows);
    if (z == 0) TIFFSetField(file, TIFFTAG_IMAGEDESCRIPTION, description.c_str());
    errno = 0;
    for (std::int64_t y = 0; y < s.ny; y += rows) {
      control.check();
      const std::int64_t bytes = std::min(rows, s.ny - y) * rowBytes;
      if (TIFFWriteEncodedStrip(file, static_cast<std::uint32_t>(y / rows), voxels + (z * s.ny + y) * rowBytes, bytes) <
          0)
        throw cannotWriteErrno(shown, errno);
    }
    if (TIFFWriteDirectory(file) != 1) throw cannotWriteErrno(shown, errno);
    control.report(static_cast<double>(z + 1) / static_cast<double>(s.nz), "writing");
  }
  if (TIFFFlush(file) != 1) throw cannotWriteErrno(shown, errno);
}

}  // namespace

void writeTiff(const fs::path& path, const Volume& volume, const Control& control) {
  TIFFSetErrorHandler(nullptr);
  TIFFSetWarningHandler(nullptr);
  writeAtomically(path, [&](const fs::path& part) {
    errno = 0;
    const TiffFile file(TIFFOpen(part.c_str(), volume.bytes() > kClassicLimit ? "w8" : "w"), &TIFFClose);
    if (!file) throw cannotWriteErrno(path, errno);
    writePages(file.get(), path, volume, control);
  });
}

}  // namespace sscope::io
