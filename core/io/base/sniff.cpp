#include "core/io/base/sniff.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>

#include "core/io/base/deflate.h"
#include "core/io/base/file_error.h"
#include "core/io/base/file_names.h"
#include "core/io/base/header_text.h"
#include "core/io/base/mrc_header.h"

namespace sscope::io {

namespace {

using namespace std::string_view_literals;

// The bytes at the start of a file that the checks below look at.
std::string_view headOf(const InputFile& file) {
  constexpr std::size_t kHead = 2048;
  return file.head().substr(0, kHead);
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

bool isNifti(std::string_view head) {
  if (head.size() < 348) return false;
  std::uint32_t size = 0;
  std::memcpy(&size, head.data(), sizeof size);
  const std::uint32_t swapped = __builtin_bswap32(size);
  const std::string_view magic = head.substr(344, 4), second = head.substr(4, 4);
  if ((size == 540 || swapped == 540) && (second == "n+2\0"sv || second == "ni2\0"sv)) return true;
  return size == 348 || swapped == 348 || magic == "n+1\0"sv || magic == "ni1\0"sv;
}

// DICOM without the preamble starts with a small group number, little-endian, and a small element.
bool isBareDicom(std::string_view head) {
  if (head.size() < 8) return false;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(head[i]); };
  return (byte(0) == 0x02 || byte(0) == 0x08) && byte(1) == 0 && byte(3) == 0;
}

// "NRRD" and four digits, the version.
bool isNrrd(std::string_view head) {
  return head.size() > 8 && head.starts_with("NRRD"sv) &&
         head.substr(4, 4).find_first_not_of("0123456789") == std::string_view::npos;
}

// An archive whose first member is an array of NumPy.
bool isNpzHead(std::string_view head) {
  if (!head.starts_with("PK\x03\x04"sv) || head.size() < 30) return false;
  const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(head[i])); };
  return head.substr(30, byte(26) | byte(27) << 8).ends_with(".npy"sv);
}

std::optional<FormatId> byContent(std::string_view head) {
  // DICOM first: its preamble may be that of another format.
  if (head.size() > 132 && head.substr(128, 4) == "DICM"sv) return FormatId::dicom;
  if (isNrrd(head)) return FormatId::nrrd;
  if (head.starts_with("\x89PNG\r\n\x1a\n"sv)) return FormatId::png;
  if (head.starts_with("\xff\xd8\xff"sv)) return FormatId::jpeg;
  if (head.starts_with("II*\0"sv) || head.starts_with("MM\0*"sv) || head.starts_with("II+\0"sv) ||
      head.starts_with("MM\0+"sv))
    return FormatId::tiff;
  if (head.starts_with("\x89HDF\r\n\x1a\n"sv)) return FormatId::hdf5;
  if (head.starts_with("# vtk DataFile"sv)) return FormatId::vtk;
  if (contains(head, "<VTKFile"sv)) return FormatId::vti;
  if (contains(head, "ElementDataFile"sv) || head.starts_with("ObjectType"sv) || head.starts_with("NDims"sv))
    return FormatId::meta;
  if (head.starts_with(kNpyMagic) || isNpzHead(head)) return FormatId::npy;
  if (isMrc(head)) return FormatId::mrc;
  if (head.starts_with("BM"sv)) return FormatId::bmp;
  if (isNifti(head)) return FormatId::nifti;
  return std::nullopt;
}

// Refuses gauge configurations (links of a lattice). Called last, because their magic numbers of four bytes prove
// little.
void refuseLinks(const std::string& path, std::string_view head) {
  if (head.starts_with("BEGIN_HEADER"sv) || head.starts_with("\x45\x67\x89\xab"sv) ||
      head.starts_with("\x87\x4e\0\0"sv) || head.starts_with("\0\0\x4e\x87"sv))
    throw cannotRead(ErrorKind::Unsupported, path, "it is a gauge configuration and no volume",
                     "read it with `sscope lattice info`, or make a volume of it with `sscope lattice field`");
}

Error wrongContent(const std::string& path, const FormatRow& row) {
  return cannotRead(ErrorKind::BadData, path,
                    std::string("it is not a ") + row.name + " file, although it has that extension",
                    "check where it came from, or give it the right extension");
}

bool isGipl(std::string_view head) {
  constexpr std::size_t kPlace = 252;
  if (head.size() < kPlace + 4) return false;
  const std::string_view magic = head.substr(kPlace, 4);
  return magic == "\xef\xff\xe9\xb0"sv || magic == "\x2a\xe3\x89\xb8"sv;
}

// The name of a microscope vendor's format that Bio-Formats can convert; empty for all other files.
std::string makersFormat(const std::string& path, std::string_view head) {
  struct Maker {
    const char* name;
    std::string_view start, extension;  // first bytes; end of the name, where these are not enough
  };
  constexpr Maker kMakers[] = {
      {"a Zeiss file (CZI)", "ZISRAWFILE"sv, ""},         {"a Zeiss file (ZVI)", "\xd0\xcf\x11\xe0"sv, ".zvi"},
      {"a Leica file (LIF)", "\x70\0\0\0"sv, ".lif"},     {"a Nikon file (ND2)", "\xda\xce\xbe\x0a"sv, ""},
      {"a Nikon file (ND2)", "\0\0\0\x0cjP  "sv, ".nd2"}, {"an Imaris file (IMS)", "\x89HDF\r\n\x1a\n"sv, ".ims"},
      {"an Olympus file (VSI)", "II"sv, ".vsi"},          {"an Olympus file (OIR)", "OLYMPUSRAWFORMAT"sv, ""},
      {"an Olympus file (OIF)", "\xff\xfe"sv, ".oif"},    {"an Olympus file (OIB)", "\xd0\xcf\x11\xe0"sv, ".oib"}};
  const std::string lower = lowerCased(path);
  for (const Maker& maker : kMakers)
    if (head.starts_with(maker.start) && lower.ends_with(maker.extension)) return maker.name;
  return {};
}

void refuseOtherFiles(const std::string& path, std::string_view head) {
  if (const std::string maker = makersFormat(path, head); !maker.empty()) {
    const std::filesystem::path file(path);
    const std::string name = file.filename().string(), made = file.stem().string() + ".ome.tif";
    throw cannotRead(ErrorKind::Unsupported, path, "it is " + maker + ", which is not supported",
                     "convert it with Bio-Formats: `bfconvert " + name + " " + made + "`, which `sscope convert " +
                         name + " -o " + made + " --run-converter` runs where it is installed");
  }
  if (head.starts_with("version https://git-lfs.github.com/"sv))
    throw cannotRead(ErrorKind::BadData, path, "it is a git-lfs pointer, not the data itself",
                     "run `git lfs pull` where it came from");
  if (head.starts_with("PK\x05\x06"sv))
    throw cannotRead(ErrorKind::Empty, path, "it is an archive that holds nothing", "check how it was written");
  if ((head.starts_with("PK\x03\x04"sv) && !isNpzHead(head)) ||
      head.starts_with("\xfd"
                       "7zXZ"sv) ||
      head.starts_with("BZh"sv))
    throw cannotRead(ErrorKind::Unsupported, path, "it is a compressed archive", "unpack it first");
  const std::string convert = "convert it to one of " + readableExtensions();
  const std::string name = lowerCased(path);
  if (head.starts_with("\0\0\0\1"sv) && (name.ends_with(".mgh") || name.ends_with(".mgz")))
    throw cannotRead(
        ErrorKind::Unsupported, path, "it is a FreeSurfer volume (MGH), which is not supported",
        "convert it, with `mri_convert " + std::filesystem::path(path).filename().string() + " x.nii.gz` perhaps");
  if (isGipl(head))
    throw cannotRead(ErrorKind::Unsupported, path, "it is a GIPL file, which is not supported", convert);
  if (head.starts_with("CDF\x01"sv) || head.starts_with("CDF\x02"sv) || head.starts_with("CDF\x05"sv))
    throw cannotRead(ErrorKind::Unsupported, path, "it is a NetCDF or MINC file", convert);
}

// NIfTI may be packed, whatever its name. For others the error says whether unpacking helps.
FormatId sniffPacked(const InputFile& file, const FormatRow* named) {
  const std::string& path = file.path();
  const std::string head = unpackedHead(file, headOf(file).size());
  const auto found = byContent(head);
  if (found == FormatId::nifti || (named != nullptr && named->id == FormatId::nifti)) return FormatId::nifti;
  refuseOtherFiles(path, head);
  if (!found)
    throw cannotRead(ErrorKind::Unsupported, path,
                     "it is compressed with gzip, and what is inside is not in a known format",
                     "use one of " + readableExtensions());
  throw cannotRead(ErrorKind::Unsupported, path,
                   std::string("it is compressed with gzip around a ") + formatRow(*found).name + " file",
                   "unpack it first (gunzip)");
}

}  // namespace

std::string makersFormat(const std::string& path) {
  try {
    const InputFile file(path);
    return makersFormat(path, headOf(file));
  } catch (const Error&) {
    return {};
  }
}

FormatId sniffFormat(const InputFile& file) {
  const std::string& path = file.path();
  const std::string_view head = headOf(file);
  refuseOtherFiles(path, head);
  const FormatRow* named = formatOf(path);
  if (file.isGzip()) return sniffPacked(file, named);
  if (const auto found = byContent(head)) {
    // Raw voxels can look like any format: the name decides.
    if (named != nullptr && named->id == FormatId::rawJson) return named->id;
    return *found;
  }
  if (named != nullptr) {
    if (named->id == FormatId::rawJson) return named->id;
    if (named->id == FormatId::dicom && isBareDicom(head)) return named->id;
    if (named->id == FormatId::mrc && mayBeMrc(head)) return named->id;
    // The .img of a pair holds plain voxels; the header beside it is read.
    if (named->id == FormatId::nifti && !isPairHeader(path) && !partnerOfPair(path).empty()) return named->id;
    refuseLinks(path, head);
    throw wrongContent(path, *named);
  }
  if (isBareDicom(head)) return FormatId::dicom;
  refuseLinks(path, head);
  throw cannotRead(ErrorKind::Unsupported, path, "it is not in a known image format",
                   "use one of " + readableExtensions() +
                       ", or describe the layout of its voxels, with --raw 512x512x300,u16 for example");
}

FormatId sniffFormat(const std::string& path) { return sniffFormat(InputFile(path)); }

}  // namespace sscope::io
