#include <algorithm>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "core/io/convert.h"
#include "core/io/file_error.h"
#include "core/io/tiff/tiff.h"
#include "core/io/tiff/tiff_calibration.h"
#include "core/io/tiff/tiff_chain.h"
#include "core/io/tiff/tiff_page.h"
#include "core/volume/selection.h"

namespace sscope::io {

namespace {

using TiffFile = std::unique_ptr<TIFF, decltype(&TIFFClose)>;

struct Stack {
  TiffPage page;                           // of each slice
  std::vector<std::uint64_t> directories;  // where those of the slices begin, in the file's order
  TiffCalibration calibration;
  std::size_t skipped = 0;
};

double resolution(TIFF* file, ttag_t tag) {
  float value = 0;
  return TIFFGetField(file, tag, &value) == 1 && value > 0 ? static_cast<double>(value) : 0.0;
}

TiffCalibration calibrationOf(TIFF* file) {
  char* description = nullptr;
  std::uint16_t unit = RESUNIT_INCH;
  const bool described = TIFFGetField(file, TIFFTAG_IMAGEDESCRIPTION, &description) == 1 && description != nullptr;
  // Without the tag the resolution means nothing.
  if (TIFFGetField(file, TIFFTAG_RESOLUTIONUNIT, &unit) != 1) unit = RESUNIT_NONE;
  return parseTiffCalibration(described ? description : "", resolution(file, TIFFTAG_XRESOLUTION),
                              resolution(file, TIFFTAG_YRESOLUTION), unit);
}

void requireDecodable(const TiffPage& page, const std::string& path) {
  if (page.width < 1 || page.height < 1 || page.samples < 1) throw damaged(path, "its first page has no pixels");
  if (TIFFIsCODECConfigured(static_cast<std::uint16_t>(page.compression)) == 0)
    throw cannotRead(
        ErrorKind::Unsupported, path,
        "its pixels are compressed with scheme " + std::to_string(page.compression) + ", which is not supported here",
        "save it uncompressed");
  if (!page.stored() || (page.photometric == PHOTOMETRIC_YCBCR && page.compression != COMPRESSION_JPEG) ||
      page.photometric == PHOTOMETRIC_LOGL || page.photometric == PHOTOMETRIC_LOGLUV)
    throw cannotRead(ErrorKind::Unsupported, path,
                     "its samples (" + std::to_string(page.bits) + " bits, format " + std::to_string(page.format) +
                         ", color space " + std::to_string(page.photometric) + ") are not supported",
                     "save it as gray or RGB with 8, 16 or 32 bits");
}

Stack scan(TIFF* file, const std::string& path) {
  Stack stack;
  stack.page = pageOf(file);
  stack.calibration = calibrationOf(file);
  requireDecodable(stack.page, path);
  do {
    const TiffPage page = pageOf(file);
    if (!stack.directories.empty() && (page.thumbnail || !page.sameKind(stack.page))) {
      ++stack.skipped;
    } else {
      stack.directories.push_back(TIFFCurrentDirOffset(file));
    }
  } while (TIFFReadDirectory(file) == 1);
  return stack;
}

// By its place: by its number libtiff would follow the chain from the first one on.
bool goTo(TIFF* file, std::uint64_t directory) { return TIFFSetSubDirectory(file, directory) == 1; }

// As the description says, where that goes with the number of pages; else every page is a slice.
TiffOrder orderOf(const Stack& stack) {
  const auto pages = static_cast<std::int64_t>(stack.directories.size());
  TiffOrder order = stack.calibration.order;
  // Samples of one pixel are channels of OME.
  if (order.slices > 0 && order.channels % stack.page.samples == 0 && order.pages() == pages * stack.page.samples)
    order.channels /= stack.page.samples;
  if (order.slices > 0 && order.pages() == pages) return order;
  if (order.channels > pages || order.frames > pages || pages % (order.channels * order.frames) != 0)
    return {"CZT", 1, pages, 1};
  order.slices = pages / (order.channels * order.frames);
  return order;
}

std::string heldText(const TiffOrder& order) {
  std::string text = "the ";
  if (order.channels > 1) text += std::to_string(order.channels) + " channels";
  if (order.channels > 1 && order.frames > 1) text += " of ";
  if (order.frames > 1) text += std::to_string(order.frames) + " frames";
  return heldAsComponents(text);
}

VolumeInfo describe(const Stack& stack, const TiffOrder& order, const std::string& path) {
  const TiffPage& page = stack.page;
  VolumeInfo info;
  const int samples = page.palette() ? 3 : page.samples;
  const std::int64_t components = samples * order.channels * order.frames;
  if (components > 1 << 24) throw damaged(path, "it claims too many components");
  info.shape = {page.width, page.height, order.slices, static_cast<int>(components)};
  const Stored stored = *page.stored();
  info.type = page.palette()
                  ? ElementType::u8
                  : sameElementType(stored).value_or(stored == Stored::f16 ? ElementType::f32 : ElementType::f64);
  info.geometry = stack.calibration.geometry;
  info.metadata.frames = static_cast<int>(order.frames);
  info.metadata.frameSeconds = stack.calibration.frameSeconds;
  if (order.channels > 1 && samples == 1) {
    info.metadata.channels = stack.calibration.channels;
    info.metadata.channels.resize(static_cast<std::size_t>(order.channels));
  }
  info.format = "TIFF";
  if (order.channels * order.frames > 1) info.notices.push_back(heldText(order));
  if (stack.skipped > 0)
    info.notices.push_back(std::to_string(stack.skipped) +
                           " pages of another size or type than the first were left out");
  if (page.photometric == PHOTOMETRIC_SEPARATED) info.notices.emplace_back("the components are inks (CMYK)");
  if (page.photometric == PHOTOMETRIC_CIELAB) info.notices.emplace_back("the components are CIE L*a*b* as stored");
  if (page.photometric == PHOTOMETRIC_MINISWHITE)
    info.notices.emplace_back("small values mean white in this file; values are kept as stored");
  if (stack.calibration.images > static_cast<std::int64_t>(stack.directories.size()))
    throw cannotRead(ErrorKind::Unsupported, path, "it holds its slices in a way only ImageJ understands",
                     "save it from ImageJ as NRRD");
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

class StackReader {
 public:
  StackReader(TIFF* file, const Stack& stack, const TiffOrder& order, const std::string& path)
      : file_(file),
        stack_(stack),
        order_(order),
        path_(path),
        pixels_(static_cast<std::size_t>(stack.page.width) * stack.page.height),
        pageBytes_(pixels_ * static_cast<std::size_t>(stack.page.samples) * bytesOf(*stack.page.stored())) {}

  WideRange range(const Control& control) {
    WideRange range;
    raw_.resize(pageBytes_);
    for (std::size_t p = 0; p < stack_.directories.size(); ++p) {
      control.check();
      decode(p, raw_);
      range.add(*stack_.page.stored(), raw_);
    }
    return range;
  }

  void readAll(const VolumeInfo& info, std::byte* out, const Control& control) {
    read(info, 0, stack_.directories.size(), out, control);
  }

  // Pages begin..end-1, which are slices of their own where they are not all. `out` begins with the first slice.
  void read(const VolumeInfo& info, std::size_t begin, std::size_t end, std::byte* out, const Control& control) {
    const std::size_t samples =
        static_cast<std::size_t>(info.shape.components) / static_cast<std::size_t>(order_.channels * order_.frames);
    const std::size_t bytes = bytesOf(info.type);
    const std::size_t groups = static_cast<std::size_t>(order_.channels * order_.frames);
    const bool direct = groups == 1 && !stack_.page.palette() && sameElementType(*stack_.page.stored()).has_value();
    std::vector<std::byte> converted(direct ? 0 : pixels_ * samples * bytes);
    if (!direct) raw_.resize(pageBytes_);
    const std::int64_t first = order_.slice(static_cast<std::int64_t>(begin));
    for (std::size_t p = begin; p < end; ++p) {
      control.check();
      const auto page = static_cast<std::int64_t>(p);
      std::byte* slice =
          out + static_cast<std::size_t>(order_.slice(page) - first) * pixels_ * samples * groups * bytes;
      if (direct) {
        decode(p, {slice, pageBytes_});
      } else {
        decode(p, raw_);
        if (stack_.page.palette()) {
          expandPalette(file_, raw_, converted.data(), stack_.page);
        } else {
          convert(*stack_.page.stored(), raw_, info.type, converted.data());
        }
        const std::size_t group = samples * bytes, component = static_cast<std::size_t>(order_.component(page));
        for (std::size_t v = 0; v < pixels_; ++v)
          std::memcpy(slice + (v * groups + component) * group, converted.data() + v * group, group);
      }
      control.report(static_cast<double>(p + 1 - begin) / static_cast<double>(end - begin), "reading");
    }
  }

 private:
  void decode(std::size_t page, std::span<std::byte> out) {
    if (!goTo(file_, stack_.directories[page]) || !decodePage(file_, stack_.page, out))
      throw damaged(path_, "the pixels of page " + std::to_string(page + 1) + " are damaged or cut off");
  }

  TIFF* file_;
  const Stack& stack_;
  const TiffOrder& order_;
  const std::string& path_;
  std::size_t pixels_, pageBytes_;
  std::vector<std::byte> raw_;  // one page, where it is not decoded to its place
};

}  // namespace

namespace {

// An open file, with all that is known of its pages.
struct OpenTiff {
  TiffFile file;
  Stack stack;
  TiffOrder order;
  VolumeInfo info;

  [[nodiscard]] bool wide() const { return *stack.page.stored() == Stored::i64 || *stack.page.stored() == Stored::u64; }
};

OpenTiff openTiff(const std::string& path) {
  TIFFSetErrorHandler(nullptr);
  TIFFSetWarningHandler(hearTiffWarning);
  requireTiffChain(path);
  TiffFile file(TIFFOpen(path.c_str(), "r"), &TIFFClose);
  if (!file) throw damaged(path, "its TIFF directory is damaged");
  Stack stack = scan(file.get(), path);
  const TiffOrder order = orderOf(stack);
  VolumeInfo info = describe(stack, order, path);
  requireMemory(path, claimedBytes(info), 0);
  return {std::move(file), std::move(stack), order, std::move(info)};
}

// Uncompressed pixels cannot be more than the file.
void requirePixels(const OpenTiff& tiff, const std::string& path) {
  const TiffPage& page = tiff.stack.page;
  const double pageBytes = static_cast<double>(page.width) * page.height * page.samples * page.bits / 8;
  const double bytes = pageBytes * static_cast<double>(tiff.stack.directories.size());
  const auto fileBytes = static_cast<double>(sizeOfFile(path, path));
  if (page.compression == COMPRESSION_NONE && bytes > fileBytes)
    throw damaged(
        path, "it is cut off: it claims " + bytesText(bytes) + " of pixels and the file has " + bytesText(fileBytes));
}

}  // namespace

VolumeInfo readTiff(const std::string& path, const AllocateVoxels& allocate, const Control& control) {
  const OpenTiff tiff = openTiff(path);
  VolumeInfo info = tiff.info;
  const auto reader = [&] { return StackReader(tiff.file.get(), tiff.stack, tiff.order, path); };
  if (tiff.wide()) {
    requirePixels(tiff, path);
    info.type = reader().range(control).narrowest();
    info.notices.push_back("64-bit integers were converted to " + std::string(toString(info.type)));
  }
  std::byte* out = allocate(info);
  requirePixels(tiff, path);
  if (out != nullptr) reader().readAll(info, out, control);
  return info;
}

DecodedPlanes openTiffPlanes(const std::string& path) {
  struct Opened {
    std::string path;
    OpenTiff tiff;
    StackReader reader;
    explicit Opened(const std::string& name)
        : path(name), tiff(openTiff(path)), reader(tiff.file.get(), tiff.stack, tiff.order, path) {}
  };
  const auto opened = std::make_shared<Opened>(path);
  const OpenTiff& tiff = opened->tiff;
  if (tiff.wide()) throw notBySlabs(path, "its pixels are 64-bit integers");
  if (tiff.order.channels * tiff.order.frames > 1) throw notBySlabs(path, "its pages are channels or frames");
  if (tiff.stack.directories.size() < 2) throw notBySlabs(path, "it is a single page that has to be decoded");
  requirePixels(tiff, path);
  const auto read = [opened](std::int64_t begin, std::int64_t end, std::span<std::byte> out, const Control& control) {
    opened->reader.read(opened->tiff.info, static_cast<std::size_t>(begin), static_cast<std::size_t>(end), out.data(),
                        control);
  };
  return {tiff.info, read};
}

namespace {

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

// Whether the pixels of a page are stored as they are used.
bool isPlain(const OpenTiff& tiff) {
  const TiffPage& page = tiff.stack.page;
  std::uint16_t fillOrder = FILLORDER_MSB2LSB;
  TIFFGetFieldDefaulted(tiff.file.get(), TIFFTAG_FILLORDER, &fillOrder);
  return page.compression == COMPRESSION_NONE && !page.tiled && !page.planar && !page.palette() && !tiff.wide() &&
         fillOrder == FILLORDER_MSB2LSB && page.bits == static_cast<int>(8 * bytesOf(*page.stored())) &&
         tiff.order.channels * tiff.order.frames == 1;
}

}  // namespace

std::optional<LocatedVolume> locateTiff(const std::string& path) {
  const OpenTiff tiff = openTiff(path);
  const Stack& stack = tiff.stack;
  TIFF* const file = tiff.file.get();
  if (!isPlain(tiff)) return {};
  LocatedVolume located{tiff.info, {}};
  StoredVoxels& voxels = located.voxels;
  voxels.file = path;
  voxels.type = *stack.page.stored();
  voxels.swapped = TIFFIsByteSwapped(file) != 0;
  voxels.layout = framesOf(located.info.shape, located.info.shape.components);
  voxels.chosen = allOf(located.info.shape);
  const auto pages = static_cast<std::int64_t>(stack.directories.size());
  voxels.runBytes = voxels.bytes() / pages;
  for (std::int64_t page = 0; page < pages; ++page) {
    std::optional<std::int64_t> start;
    if (goTo(file, stack.directories[static_cast<std::size_t>(page)])) start = startOfPage(file, voxels.runBytes);
    if (start && page == 0) voxels.offset = *start;
    if (start && page == 1) voxels.gapBytes = *start - voxels.offset - voxels.runBytes;
    if (!start || voxels.gapBytes < 0 || *start != voxels.offset + page * (voxels.runBytes + voxels.gapBytes))
      return {};
  }
  return located;
}

}  // namespace sscope::io
