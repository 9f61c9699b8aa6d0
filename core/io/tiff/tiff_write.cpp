#include "core/io/tiff/tiff.h"

#include <tiff.h>

#include <algorithm>
#include <cstring>
#include <locale>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "core/base/encoding.h"
#include "core/base/paths.h"
#include "core/io/base/chunked_file.h"
#include "core/io/base/deflate.h"
#include "core/io/base/file_error.h"
#include "core/io/tiff/imagej_kept.h"
#include "core/io/tiff/ome.h"
#include "core/io/tiff/tiff_calibration.h"
#include "core/io/tiff/tiff_directory.h"
#include "core/volume/geometry.h"
#include "core/volume/provenance.h"

namespace sscope::io {

using nlohmann::json;

namespace {

// `names`: of channels, too.
std::string geometryJson(const Geometry& g, const Metadata& metadata, bool names) {
  json object = {{"spacing", g.spacing}, {"origin", g.origin}, {"direction", g.direction}, {"unit", g.unit}};
  std::string assumed;
  for (std::size_t a = 0; a < 3; ++a)
    if (g.steps[a] == StepSource::Assumed) assumed += "xyz"[a];
  if (!assumed.empty()) object["assumed"] = assumed;
  if (!metadata.valueUnit.empty()) object["value_unit"] = metadata.valueUnit;
  if (metadata.labels) object["labels"] = true;
  if (metadata.inSpace) object["space"] = "LPS";
  if (names && !metadata.channels.empty()) object["channels"] = metadata.channels;
  return object.dump(-1, ' ', true, json::error_handler_t::replace);
}

// In OME's spelling.
std::string omeUnit(const std::string& unit) {
  if (unit == "um") return "\xc2\xb5m";
  if (unit == "angstrom") return "\xc3\x85";
  if (unit == "inch") return "in";
  return millimetersIn(unit) ? unit : "pixel";
}

std::string nameOf(const Metadata& metadata, std::int64_t channel) {
  const auto at = static_cast<std::size_t>(channel);
  if (at >= metadata.channels.size() || metadata.channels[at].empty()) return {};
  return " Name=\"" + escaped(metadata.channels[at]) + "\"";
}

}  // namespace

std::string formatImageJDescription(const VolumeOutline& volume, const Metadata& metadata, const TiffLayout& layout) {
  const Geometry& g = volume.geometry;
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text.precision(17);
  text << "ImageJ=1.53t\n";
  // Who reads this number takes the pages from where the first one begins, without a look at the others' places.
  if (layout.contiguous) text << "images=" << layout.pages() << "\n";
  if (layout.channels > 1) text << "channels=" << layout.channels << "\n";
  text << "slices=" << layout.slices << "\n";
  if (layout.frames > 1) text << "frames=" << layout.frames << "\n";
  if (layout.channels * layout.frames > 1) text << "hyperstack=true\nmode=grayscale\n";
  if (metadata.frameSeconds > 0) text << "finterval=" << metadata.frameSeconds << "\n";
  text << "unit=" << (g.unit == "um" ? "micron" : g.unit.empty() ? "pixel" : g.unit) << "\n";
  if (g.steps[2] != StepSource::Assumed) text << "spacing=" << g.spacing[2] << "\n";
  text << imageJLines(metadata) << "loop=false\n" << kOurTiffKey << "=" << geometryJson(g, metadata, true) << "\n";
  if (!metadata.provenance.empty()) text << kProvenanceKey << "=" << metadata.provenance << "\n";
  return text.str();
}

std::string formatOmeDescription(const VolumeOutline& volume, const Metadata& metadata, const TiffLayout& layout) {
  constexpr const char* kTypes[] = {"uint8", "int8", "uint16", "int16", "uint32", "int32", "float", "double"};
  const Geometry& g = volume.geometry;
  const std::string unit = omeUnit(g.unit);
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text.precision(17);
  text << R"( DimensionOrder="XYCZT" Type=")" << kTypes[static_cast<std::size_t>(volume.type)] << R"(" SizeX=")"
       << volume.shape.nx << R"(" SizeY=")" << volume.shape.ny << R"(" SizeC=")" << layout.channels * layout.samples
       << R"(" SizeZ=")" << layout.slices << R"(" SizeT=")" << layout.frames << '"';
  const char* const axes = "XYZ";
  for (std::size_t a = 0; a < 3; ++a)
    if (g.steps[a] != StepSource::Assumed)
      text << " PhysicalSize" << axes[a] << "=\"" << g.spacing[a] << "\" PhysicalSize" << axes[a] << "Unit=\"" << unit
           << '"';
  if (metadata.frameSeconds > 0) text << " TimeIncrement=\"" << metadata.frameSeconds << '"';
  OmePixels pixels;
  pixels.attributes = text.str();
  pixels.channelCount = static_cast<std::size_t>(layout.channels);
  for (std::int64_t c = 0; c < layout.channels; ++c)
    pixels.channels += "<Channel ID=\"Channel:0:" + std::to_string(c) + "\" SamplesPerPixel=\"" +
                       std::to_string(layout.samples) + '"' + nameOf(metadata, c) + "/>";
  pixels.planes = "<TiffData IFD=\"0\" PlaneCount=\"" + std::to_string(layout.pages()) + "\"/>";
  pixels.annotations = R"(<CommentAnnotation ID="Annotation:Stencilscope" Namespace=")" + std::string(kOurTiffKey) +
                       R"("><Value>)" + escaped(geometryJson(g, metadata, false)) + "</Value></CommentAnnotation>";
  if (!metadata.provenance.empty())  // which holds nothing to escape
    pixels.annotations += R"(<CommentAnnotation ID="Annotation:Provenance" Namespace=")" + std::string(kProvenanceKey) +
                          R"("><Value>)" + metadata.provenance + "</Value></CommentAnnotation>";
  for (const auto& [key, value] : metadata.fields)
    if (key == kOmeField)
      if (std::string kept = omeGivenBack(value, pixels); !kept.empty()) return kept;
  return R"(<?xml version="1.0" encoding="UTF-8"?><OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06" )"
         R"(xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" )"
         R"(xsi:schemaLocation="http://www.openmicroscopy.org/Schemas/OME/2016-06 )"
         R"(http://www.openmicroscopy.org/Schemas/OME/2016-06/ome.xsd" Creator="Stencilscope">)"
         R"(<Image ID="Image:0"><Pixels ID="Pixels:0")" +
         pixels.attributes + ">" + pixels.channels + pixels.planes + "</Pixels></Image><StructuredAnnotations>" +
         pixels.annotations + "</StructuredAnnotations></OME>";
}

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kClassicLimit = std::int64_t{4000} << 20;  // offsets have 32 bits
constexpr std::int64_t kMostPages = std::int64_t{1} << 20;        // that libtiff reads

std::uint16_t sampleFormat(ElementType type) {
  if (!isInteger(type)) return SAMPLEFORMAT_IEEEFP;
  return lowestOf(type) < 0 ? SAMPLEFORMAT_INT : SAMPLEFORMAT_UINT;
}

// The colors that all programs open: 8 or 16 bits of red, green and blue, 8 bits with a fourth component. All other
// components become pages of their own, as ImageJ requires for channels, and so do points in time and known channels.
bool looksLikeColor(const VolumeOutline& volume, const Metadata& metadata) {
  const int components = volume.shape.components;
  if (metadata.separate()) return false;
  return (components == 3 && (volume.type == ElementType::u8 || volume.type == ElementType::u16)) ||
         (components == 4 && volume.type == ElementType::u8);
}

TiffLayout tiffLayoutOf(const VolumeOutline& volume, const Metadata& metadata, bool compress) {
  const VolumeShape& s = volume.shape;
  TiffLayout layout;
  layout.contiguous = !compress;
  layout.slices = s.nz;
  if (looksLikeColor(volume, metadata)) {
    layout.samples = s.components;
  } else {
    layout.frames = metadata.frames > 0 && s.components % metadata.frames == 0 ? metadata.frames : 1;
    layout.channels = s.components / layout.frames;
  }
  return layout;
}

struct Strip {
  std::uint64_t offset = 0, bytes = 0;
};

// Compressed pages of a stack, one strip each.
class StackWriter {
 public:
  StackWriter(ChunkedWriter& file, const Volume& volume, const TiffLayout& layout)
      : file_(file), volume_(volume), layout_(layout) {}

  std::vector<Strip> run(std::uint64_t offset, const Control& control) {
    std::vector<Strip> strips;
    const std::int64_t pages = layout_.pages();
    for (std::int64_t p = 0; p < pages; ++p) {
      // A page may be the whole of a large picture: its own progress is a part of the whole.
      const Control part{control.stop, [&](double fraction, std::string_view stage) {
                           control.report((static_cast<double>(p) + fraction) / static_cast<double>(pages), stage);
                         }};
      Deflater deflater(Deflater::Wrap::Zlib, [&](std::span<const std::byte> packed) { file_.write(packed, {}); });
      deflater.write(pageOf(p), part);
      deflater.finish();
      const auto bytes = static_cast<std::uint64_t>(deflater.packedBytes());
      strips.push_back({offset, bytes});
      offset += bytes;
    }
    return strips;
  }

 private:
  std::span<const std::byte> pageOf(std::int64_t page) {
    const VolumeShape& s = volume_.shape();
    const std::size_t bytes = bytesOf(volume_.type());
    const auto pixels = static_cast<std::size_t>(s.nx * s.ny), components = static_cast<std::size_t>(s.components);
    const std::int64_t planes = page / layout_.channels;
    const std::byte* slice =
        volume_.data() + static_cast<std::size_t>(planes % layout_.slices) * pixels * components * bytes;
    if (layout_.samples == s.components) return {slice, pixels * components * bytes};
    plane_.resize(pixels * bytes);
    const std::int64_t component = planes / layout_.slices * layout_.channels + page % layout_.channels;
    const std::byte* first = slice + static_cast<std::size_t>(component) * bytes;
    for (std::size_t v = 0; v < pixels; ++v)
      std::memcpy(plane_.data() + v * bytes, first + v * components * bytes, bytes);
    return plane_;
  }

  ChunkedWriter& file_;
  const Volume& volume_;
  const TiffLayout& layout_;
  std::vector<std::byte> plane_;
};

// Entries of the first page alone.
struct FirstPage {
  std::string description;
  ImageJTags imageJ;
};

TiffDirectory directoryOf(const VolumeOutline& volume, const TiffLayout& layout, const Strip& strip, bool compress,
                          const FirstPage& first) {
  const VolumeShape& s = volume.shape;
  const auto samples = static_cast<std::size_t>(layout.samples);
  const bool color = samples >= 3;
  const auto same = [&](int value) { return std::vector<std::uint16_t>(samples, static_cast<std::uint16_t>(value)); };
  TiffDirectory d;
  d.number(TIFFTAG_IMAGEWIDTH, static_cast<std::uint64_t>(s.nx));
  d.number(TIFFTAG_IMAGELENGTH, static_cast<std::uint64_t>(s.ny));
  d.shorts(TIFFTAG_BITSPERSAMPLE, same(static_cast<int>(8 * bytesOf(volume.type))));
  d.shorts(TIFFTAG_COMPRESSION, {static_cast<std::uint16_t>(compress ? COMPRESSION_ADOBE_DEFLATE : COMPRESSION_NONE)});
  d.shorts(TIFFTAG_PHOTOMETRIC, {static_cast<std::uint16_t>(color ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK)});
  if (!first.description.empty()) d.text(TIFFTAG_IMAGEDESCRIPTION, first.description);
  d.number(TIFFTAG_STRIPOFFSETS, strip.offset);
  d.shorts(TIFFTAG_ORIENTATION, {ORIENTATION_TOPLEFT});
  d.shorts(TIFFTAG_SAMPLESPERPIXEL, {static_cast<std::uint16_t>(samples)});
  d.number(TIFFTAG_ROWSPERSTRIP, static_cast<std::uint64_t>(s.ny));
  d.number(TIFFTAG_STRIPBYTECOUNTS, strip.bytes);
  const Geometry& g = volume.geometry;
  if (g.steps[0] != StepSource::Assumed) d.fraction(TIFFTAG_XRESOLUTION, tiffFraction(1 / g.spacing[0]));
  if (g.steps[1] != StepSource::Assumed) d.fraction(TIFFTAG_YRESOLUTION, tiffFraction(1 / g.spacing[1]));
  d.shorts(TIFFTAG_PLANARCONFIG, {PLANARCONFIG_CONTIG});
  d.shorts(TIFFTAG_RESOLUTIONUNIT, {RESUNIT_NONE});
  if (samples == 4) d.shorts(TIFFTAG_EXTRASAMPLES, {EXTRASAMPLE_UNSPECIFIED});
  d.shorts(TIFFTAG_SAMPLEFORMAT, same(sampleFormat(volume.type)));
  if (!first.imageJ.counts.empty()) {
    d.longs(kImageJCounts, first.imageJ.counts);
    d.bytes(kImageJData, first.imageJ.data);
  }
  return d;
}

bool isOme(const fs::path& path) {
  std::string name = path.filename().string();
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  return name.ends_with(".ome.tif") || name.ends_with(".ome.tiff");
}

FirstPage firstPageOf(const fs::path& path, const VolumeOutline& volume, const Metadata& metadata,
                      const TiffLayout& layout) {
  if (isOme(path)) return {formatOmeDescription(volume, metadata, layout), {}};
  return {formatImageJDescription(volume, metadata, layout), imageJTags(metadata, layout.pages(), layout.channels)};
}

void requireReadable(const fs::path& path, const TiffLayout& layout) {
  if (layout.pages() > kMostPages)
    throw cannotWrite(ErrorKind::Unsupported, path,
                      "TIFF files of " + std::to_string(layout.pages()) + " pages cannot be read by any program",
                      "use .nrrd or .nii.gz");
}

// Directories take a few hundred bytes a page.
bool isBig(const VolumeOutline& volume, const TiffLayout& layout) {
  return volume.bytes() + 512 * layout.pages() > kClassicLimit;
}

// All directories, to be written at `offset` (even).
std::vector<std::byte> directoriesOf(const VolumeOutline& volume, const TiffLayout& layout,
                                     const std::vector<Strip>& strips, bool compress, const FirstPage& first,
                                     std::uint64_t offset) {
  std::vector<std::byte> all;
  for (std::size_t p = 0; p < strips.size(); ++p) {
    const TiffDirectory directory = directoryOf(volume, layout, strips[p], compress, p == 0 ? first : FirstPage());
    const std::vector<std::byte> bytes =
        directory.bytes(offset + all.size(), isBig(volume, layout), p + 1 < strips.size());
    all.insert(all.end(), bytes.begin(), bytes.end());
  }
  return all;
}

}  // namespace

TiffFrame formatTiff(const fs::path& path, const VolumeOutline& volume, const Metadata& metadata) {
  const TiffLayout layout = tiffLayoutOf(volume, metadata, false);
  requireReadable(path, layout);
  const bool big = isBig(volume, layout);
  TiffFrame frame;
  std::uint64_t at = tiffStart(0, big).size();
  std::vector<Strip> strips;
  const auto page = static_cast<std::uint64_t>(volume.bytes() / layout.pages());
  for (std::int64_t p = 0; p < layout.pages(); ++p, at += page) strips.push_back({at, page});
  if (at % 2 != 0) frame.end.push_back(std::byte{0});
  at += at % 2;
  frame.start = tiffStart(at, big);
  const auto directories =
      directoriesOf(volume, layout, strips, false, firstPageOf(path, volume, metadata, layout), at);
  frame.end.insert(frame.end.end(), directories.begin(), directories.end());
  frame.colors = layout.samples == volume.shape.components;
  return frame;
}

void writePackedTiff(const fs::path& path, const Volume& volume, const WriteOptions& options, const Control& control) {
  const VolumeOutline outline = outlineOf(volume);
  const TiffLayout layout = tiffLayoutOf(outline, options.metadata, true);
  requireReadable(path, layout);
  const FirstPage first = firstPageOf(path, outline, options.metadata, layout);
  const bool big = isBig(outline, layout);
  writeAtomically(
      path,
      [&](const fs::path& part) {
        ChunkedWriter file(part, path);
        const std::string start = tiffStart(0, big);
        file.write(start);
        const std::vector<Strip> strips = StackWriter(file, volume, layout).run(start.size(), control);
        std::uint64_t at = strips.back().offset + strips.back().bytes;
        if (at % 2 != 0) {
          file.write(std::string_view("\0", 1));
          ++at;
        }
        const auto directories = directoriesOf(outline, layout, strips, true, first, at);
        file.write(std::span<const std::byte>(directories), {});
        file.patch(0, tiffStart(at, big));
        file.finish();
      },
      options.names);
}

}  // namespace sscope::io
