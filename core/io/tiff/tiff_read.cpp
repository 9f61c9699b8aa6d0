#include <algorithm>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "core/io/base/chunked_file.h"
#include "core/io/base/convert.h"
#include "core/io/base/decoder.h"
#include "core/io/base/file_error.h"
#include "core/io/base/selection.h"
#include "core/io/tiff/tiff.h"
#include "core/io/tiff/tiff_series.h"
#include "core/io/tiff/tiff_tags.h"
#include "core/volume/geometry.h"
#include "core/volume/provenance.h"

namespace sscope::io {

namespace {

using TiffFile = std::unique_ptr<TIFF, decltype(&TIFFClose)>;

void requireDecodable(const TiffPage& page, const std::string& path) {
  if (TIFFIsCODECConfigured(static_cast<std::uint16_t>(page.compression)) == 0)
    throw cannotRead(
        ErrorKind::Unsupported, path,
        "its pixels are compressed with scheme " + std::to_string(page.compression) + ", which is not supported here",
        "save it uncompressed");
  if (page.tileDepth > 1 && (page.compression != COMPRESSION_NONE || page.bits % 8 != 0))
    throw cannotRead(ErrorKind::Unsupported, path, "its tiles hold several slices and are compressed",
                     "save it in pages, or uncompressed");
  if (!page.stored() || (page.photometric == PHOTOMETRIC_YCBCR && page.compression != COMPRESSION_JPEG) ||
      page.photometric == PHOTOMETRIC_LOGL || page.photometric == PHOTOMETRIC_LOGLUV)
    throw cannotRead(ErrorKind::Unsupported, path,
                     "its samples (" + std::to_string(page.bits) + " bits, format " + std::to_string(page.format) +
                         ", color space " + std::to_string(page.photometric) + ") are not supported",
                     "save it as gray or RGB with 8, 16 or 32 bits");
}

// Goes to a directory by its offset; by its number libtiff would follow the chain from the first one on.
bool goTo(TIFF* file, std::uint64_t directory) { return TIFFSetSubDirectory(file, directory) == 1; }

std::string heldText(const TiffSeries& series) {
  std::string text = "the ";
  if (series.channels > 1) text += std::to_string(series.channels) + " channels";
  if (series.channels > 1 && series.frames > 1) text += " of ";
  if (series.frames > 1) text += std::to_string(series.frames) + " frames";
  return heldAsComponents(text);
}

// ImageJ's signed integers stay integers; other scaled integers become real, as in NIfTI.
ElementType typeOf(const TiffSeries& series) {
  const Stored stored = *series.page.stored();
  const Scale& scale = series.calibration.scale;
  if (series.page.palette()) return ElementType::u8;
  if (stored == Stored::u16 && scale.slope == 1 && scale.intercept == -32768) return ElementType::i16;
  if (!scale.trivial()) return ElementType::f32;
  return sameElementType(stored).value_or(stored == Stored::f16 ? ElementType::f32 : ElementType::f64);
}

VolumeInfo describe(const TiffSeries& series, const std::string& path) {
  const TiffPage& page = series.page;
  const TiffCalibration& calibration = series.calibration;
  VolumeInfo info;
  const int samples = page.palette() ? 3 : page.samples;
  const double components = static_cast<double>(samples) * static_cast<double>(series.groups());
  if (components > 1 << 24) throw damaged(path, "it claims too many components");
  info.shape = {page.width, page.height, series.slices, static_cast<int>(components)};
  info.type = typeOf(series);
  info.geometry.unit.clear();
  setSteps(info.geometry, calibration.steps);
  // Common units instead of rare ones; the numbers differ by powers of ten.
  constexpr std::pair<std::string_view, const char*> kUsual[] = {
      {"pm", "nm"}, {"angstrom", "nm"}, {"dm", "cm"}, {"km", "m"}};
  for (const auto& [rare, usual] : kUsual)
    if (info.geometry.unit == rare) info.geometry = inUnit(info.geometry, usual);
  if (calibration.ours) info.geometry = *calibration.ours;
  info.metadata.inSpace = calibration.inSpace;
  info.metadata.frames = static_cast<int>(series.frames);
  info.metadata.frameSeconds = calibration.frameSeconds;
  const std::int64_t channels = info.shape.components / series.frames;
  if ((series.channels > 1 && samples == 1) ||
      (samples > 1 && calibration.channels.size() == static_cast<std::size_t>(samples)) ||
      (channels == 1 && calibration.channels.size() == 1 && !calibration.channels.front().empty())) {
    info.metadata.channels = calibration.channels;
    info.metadata.channels.resize(static_cast<std::size_t>(channels));
  }
  info.metadata.valueUnit = calibration.valueUnit;
  info.metadata.labels = calibration.labels;
  info.metadata.fields = calibration.kept;
  takeProvenance(calibration.provenance, info);
  info.format = "TIFF";
  if (series.groups() > 1) info.notices.push_back(heldText(series));
  info.notices.insert(info.notices.end(), calibration.notices.begin(), calibration.notices.end());
  if (page.photometric == PHOTOMETRIC_SEPARATED) info.notices.emplace_back("the components are inks (CMYK)");
  if (page.photometric == PHOTOMETRIC_CIELAB) info.notices.emplace_back("the components are CIE L*a*b* as stored");
  if (page.photometric == PHOTOMETRIC_MINISWHITE)
    info.notices.emplace_back("small values mean white in this file; values are kept as stored");
  repairGeometry(info);
  return info;
}

// Palette entries have 16 bits; 8 of them are meant.
void expandPalette(TIFF* file, std::span<const std::byte> indices, std::byte* out, const TiffPage& page) {
  std::uint16_t *red = nullptr, *green = nullptr, *blue = nullptr;
  if (TIFFGetField(file, TIFFTAG_COLORMAP, &red, &green, &blue) != 1) return;
  const std::size_t entries = std::size_t{1} << page.bits;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const std::size_t index = std::min(static_cast<std::size_t>(indices[i]), entries - 1);
    out[3 * i] = static_cast<std::byte>(red[index] >> 8);
    out[3 * i + 1] = static_cast<std::byte>(green[index] >> 8);
    out[3 * i + 2] = static_cast<std::byte>(blue[index] >> 8);
  }
}

// Where the pixels of the current page begin, if they follow each other from there on.
std::optional<std::int64_t> startOfPage(TIFF* file, std::int64_t bytes) {
  const tstrip_t strips = TIFFNumberOfStrips(file);
  const std::uint64_t start = TIFFGetStrileOffset(file, 0);
  const auto whole = static_cast<std::uint64_t>(TIFFStripSize(file));
  std::uint64_t end = start;
  for (tstrip_t strip = 0; strip < strips; ++strip) {
    if (TIFFGetStrileOffset(file, strip) != end) return std::nullopt;
    const std::uint64_t count = TIFFGetStrileByteCount(file, strip);
    if (strip + 1 < strips && count != whole) return std::nullopt;  // padded: its rows do not follow each other
    end += count;
    constexpr std::uint64_t kFarthest = std::uint64_t{1} << 60;
    if (end > kFarthest) return std::nullopt;
  }
  if (end - start < static_cast<std::uint64_t>(bytes)) return std::nullopt;
  return static_cast<std::int64_t>(start);
}

class SeriesReader {
 public:
  SeriesReader(TIFF* file, const TiffSeries& series, const std::string& path)
      : file_(file),
        series_(series),
        path_(path),
        pixels_(static_cast<std::size_t>(series.page.width) * series.page.height),
        pageBytes_(pixels_ * static_cast<std::size_t>(series.page.samples) * bytesOf(*series.page.stored())) {}

  // Slices begin..end-1 of `components` values of `type`; 64-bit integers stay as they are stored.
  void read(ElementType type, std::int64_t components, std::int64_t begin, std::int64_t end, std::byte* out,
            const Control& control) {
    const auto groups = static_cast<std::size_t>(series_.groups());
    const Stored stored = *series_.page.stored();
    const std::size_t bytes = isWide(stored) ? io::bytesOf(stored) : bytesOf(type),
                      group = static_cast<std::size_t>(components) / groups * bytes,
                      sliceBytes = pixels_ * groups * group;
    const TiffPage& page = series_.page;
    const Scale& scale = series_.calibration.scale;
    const bool asStored = !page.palette() && scale.trivial() && (isWide(stored) || sameElementType(stored) == type);
    const bool direct = groups == 1 && asStored;
    std::vector<std::byte> converted(direct ? 0 : pixels_ * group);
    if (!direct) raw_.resize(pageBytes_);
    if (!series_.complete()) std::memset(out, 0, static_cast<std::size_t>(end - begin) * sliceBytes);
    const auto before = [](const TiffPlane& plane, std::int64_t slice) { return plane.slice < slice; };
    const auto first = std::lower_bound(series_.planes.begin(), series_.planes.end(), begin, before),
               last = std::lower_bound(first, series_.planes.end(), end, before);
    for (auto plane = first; plane != last; ++plane) {
      control.check();
      std::byte* slice = out + static_cast<std::size_t>(plane->slice - begin) * sliceBytes;
      if (direct) {
        decode(*plane, {slice, pageBytes_});
      } else {
        decode(*plane, raw_);
        if (page.palette()) {
          expandPalette(file_, raw_, converted.data(), page);
        } else if (!asStored) {
          convert(stored, raw_, type, converted.data(), scale);
        }
        const std::byte* const values = asStored ? raw_.data() : converted.data();
        const auto component = static_cast<std::size_t>(plane->component);
        for (std::size_t v = 0; v < pixels_; ++v)
          std::memcpy(slice + (v * groups + component) * group, values + v * group, group);
      }
      control.report(static_cast<double>(plane + 1 - first) / static_cast<double>(last - first), "reading");
    }
  }

  // Where the pixels of a plane begin, if they are stored as they are used.
  std::optional<std::int64_t> placeOf(const TiffPlane& plane) {
    if (!series_.page.plain() || (plane.within > 0 && !series_.behindEachOther) || !goTo(file_, plane.directory))
      return std::nullopt;
    const auto start = startOfPage(file_, static_cast<std::int64_t>(pageBytes_));
    if (!start) return std::nullopt;
    return *start + plane.within * static_cast<std::int64_t>(pageBytes_);
  }

  [[nodiscard]] std::size_t pageBytes() const { return pageBytes_; }

 private:
  void decode(const TiffPlane& plane, std::span<std::byte> out) {
    if (series_.behindEachOther) {
      const auto place = placeOf(plane);
      if (!place)
        throw cannotRead(ErrorKind::Unsupported, path_, "its planes lie in pages in a way that is not supported",
                         "save it uncompressed, a page for each slice");
      readChunked(path_, path_, *place, out, {});
      if (TIFFIsByteSwapped(file_) != 0) swapBytes(out, bytesOf(*series_.page.stored()));
      return;
    }
    if (!goTo(file_, plane.directory) ||
        !decodePage(file_, series_.page, static_cast<std::uint32_t>(plane.within), out))
      throw damaged(path_, "the pixels of a page (slice " + std::to_string(plane.slice) + ", component " +
                               std::to_string(plane.component) + ") are damaged or cut off");
  }

  TIFF* file_;
  const TiffSeries& series_;
  const std::string& path_;
  std::size_t pixels_, pageBytes_;
  std::vector<std::byte> raw_;  // one page, where it is not decoded to its place
};

// An open file with one of its series.
struct OpenTiff {
  TiffFile file;
  TiffSeries series;
  VolumeInfo info;
};

TiffFile openPages(const std::string& path) {
  TIFFSetErrorHandler(nullptr);
  TIFFSetWarningHandler(hearTiffWarning);
  TiffTags(path).requireChain();
  TiffFile file(TIFFOpen(path.c_str(), "r"), &TIFFClose);
  if (!file) throw damaged(path, "its TIFF directory is damaged");
  return file;
}

OpenTiff openTiff(const Selection& choice) {
  const std::string& path = choice.path;
  TiffFile file = openPages(path);
  std::vector<TiffSeries> all = tiffSeriesOf(file.get(), path);
  std::vector<std::string> notices;
  TiffSeries& series = all[choosePart({path, "the file holds", "series"}, partsOfSeries(all), choice.part(), notices)];
  requireDecodable(series.page, path);
  if (!choice.correction.axes.empty()) series.flatten();
  VolumeInfo info = describe(series, path);
  info.notices.insert(info.notices.begin(), notices.begin(), notices.end());
  requireMemory(path, claimedBytes(info), 0);
  return {std::move(file), std::move(series), std::move(info)};
}

// Uncompressed pixels cannot be more than the file.
void requirePixels(OpenTiff& tiff, const std::string& path) {
  const TiffPage& page = tiff.series.page;
  if (page.compression != COMPRESSION_NONE) return;
  const double pageBytes = static_cast<double>(page.width) * page.height * page.samples * page.bits / 8;
  double bytes = pageBytes * static_cast<double>(tiff.series.planes.size());
  if (tiff.series.behindEachOther)
    bytes += static_cast<double>(
        SeriesReader(tiff.file.get(), tiff.series, path).placeOf(tiff.series.planes.front()).value_or(0));
  const auto fileBytes = static_cast<double>(sizeOfFile(path, path));
  if (bytes > fileBytes)
    throw damaged(
        path, "it is cut off: it claims " + bytesText(bytes) + " of pixels and the file has " + bytesText(fileBytes));
}

}  // namespace

std::vector<FilePart> partsOfTiff(const std::string& path) {
  const TiffFile file = openPages(path);
  return partsOfSeries(tiffSeriesOf(file.get(), path));
}

namespace {

// The file with all that is needed to decode slices of it later.
struct TiffDecoder {
  explicit TiffDecoder(const Selection& chosen)
      : path(chosen.path), tiff(openTiff(chosen)), reader(tiff.file.get(), tiff.series, path) {}
  std::string path;
  OpenTiff tiff;
  SeriesReader reader;
};

// Takes the places of the pages; false where they are not stored as they are used, at equal distances.
bool takePlaces(TiffDecoder& decoder, LocatedVolume& located) {
  const TiffSeries& series = decoder.tiff.series;
  if (series.groups() > 1 || !series.complete()) return false;
  StoredVoxels voxels;
  voxels.file = decoder.path;
  voxels.swapped = TIFFIsByteSwapped(decoder.tiff.file.get()) != 0;
  voxels.scale = series.calibration.scale;
  voxels.runBytes = static_cast<std::int64_t>(decoder.reader.pageBytes());
  for (std::size_t p = 0; p < series.planes.size(); ++p) {
    const auto start = decoder.reader.placeOf(series.planes[p]);
    if (start && p == 0) voxels.offset = *start;
    if (start && p == 1) voxels.gapBytes = *start - voxels.offset - voxels.runBytes;
    if (!start || voxels.gapBytes < 0 ||
        *start != voxels.offset + static_cast<std::int64_t>(p) * (voxels.runBytes + voxels.gapBytes))
      return false;
  }
  const ElementType type = located.info.type;
  located.voxels = voxels;
  takeStored(located, *series.page.stored(), located.info.shape.components);
  if (!voxels.scale.trivial()) located.info.type = type;
  return true;
}

}  // namespace

LocatedVolume locateTiff(const Selection& selection) {
  const auto decoder = std::make_shared<TiffDecoder>(selection);
  const VolumeInfo info = decoder->tiff.info;
  const Stored stored = *decoder->tiff.series.page.stored();
  requirePixels(decoder->tiff, decoder->path);
  LocatedVolume located = decodedVolume(
      selection.path, info, isWide(stored) ? stored : storedAs(info.type),
      [decoder, info](std::int64_t begin, std::int64_t end, std::span<std::byte> out, const Control& control) {
        const bool slices = info.shape.nz > 1;  // else all rows of a single one
        decoder->reader.read(info.type, info.shape.components, slices ? begin : 0, slices ? end : 1, out.data(),
                             control);
      });
  if (takePlaces(*decoder, located)) {
    located.decode = nullptr;
  } else if (info.shape.nz < 2) {
    located.onlyWhole = "it is a single page that has to be decoded";
  }
  return located;
}

}  // namespace sscope::io
