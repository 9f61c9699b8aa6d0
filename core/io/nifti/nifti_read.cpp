#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <optional>

#include "core/io/base/decoder.h"
#include "core/io/base/deflate.h"
#include "core/io/base/file_error.h"
#include "core/io/base/file_names.h"
#include "core/io/nifti/nifti.h"
#include "core/io/nifti/nifti_header.h"
#include "core/volume/meaning.h"
#include "core/volume/provenance.h"

namespace sscope::io {

namespace fs = std::filesystem;

namespace {

struct Encoding {
  Stored stored = Stored::u8;
  int components = 1;
  bool complex = false;
};

std::optional<Encoding> encodingOf(int datatype) {
  switch (datatype) {
    case 2: return Encoding{Stored::u8};
    case 4: return Encoding{Stored::i16};
    case 8: return Encoding{Stored::i32};
    case 16: return Encoding{Stored::f32};
    case 32: return Encoding{Stored::f32, 2, true};
    case 64: return Encoding{Stored::f64};
    case 128: return Encoding{Stored::u8, 3};
    case 256: return Encoding{Stored::i8};
    case 512: return Encoding{Stored::u16};
    case 768: return Encoding{Stored::u32};
    case 1024: return Encoding{Stored::i64};
    case 1280: return Encoding{Stored::u64};
    case 1792: return Encoding{Stored::f64, 2, true};
    case 2304: return Encoding{Stored::u8, 4};
    default: return std::nullopt;
  }
}

// The header and the voxel file of a pair, whichever of them is named, packed or not.
struct Files {
  std::string header, voxels;
};

Files filesOf(const std::string& path) {
  std::string partner = partnerOfPair(path);
  if (partner.empty()) return {path, path};
  std::error_code code;
  if (!fs::exists(partner, code) && fs::exists(partner + ".gz", code)) partner += ".gz";
  return isPairHeader(path) ? Files{path, partner} : Files{partner, path};
}

// A slope of zero means "none"; colors are never scaled. As in nifti1_io, a slope that is no number means no scale, and
// an intercept that is no number means zero.
Scale scaleOf(const NiftiHeader& h, const Encoding& encoding, VolumeInfo& info) {
  if (h.slope == 0 || encoding.components > 2) return {};
  if (!std::isfinite(h.slope)) {
    info.notices.emplace_back(
        "the slope in its header (scl_slope) is no number; the values are taken as they are stored");
    return {};
  }
  if (std::isfinite(h.intercept)) return {h.slope, h.intercept};
  info.notices.emplace_back("the intercept in its header (scl_inter) is no number; 0 is used");
  return {h.slope, 0};
}

// Voxels of a single file begin behind the header and the extension flag. Where the header states otherwise, the length
// of the file decides.
std::size_t startOf(const NiftiHeader& h, const InputFile& file, double bytes, VolumeInfo& info) {
  constexpr std::size_t kExtender = 4;
  const std::string& path = file.shown();
  if (!(h.voxOffset >= 0) || h.voxOffset > 0x1p40)
    throw damaged(path, "its header gives an impossible offset for the voxels");
  const auto given = static_cast<std::size_t>(h.voxOffset);
  if (h.pair || given >= h.bytes + kExtender) return given;
  const double start = static_cast<double>(file.bytes()) - bytes;
  for (const std::size_t likely : {h.bytes, h.bytes + kExtender}) {
    if (start != static_cast<double>(likely) || file.isGzip()) continue;
    if (likely != given)
      info.notices.push_back("its header states that the voxels begin at byte " + std::to_string(given) +
                             ", inside of it; they are read from byte " + std::to_string(likely) +
                             " on, to the end of the file");
    return likely;
  }
  throw damaged(path, "its header states that the voxels begin at byte " + std::to_string(given) + ", inside of it");
}

// Takes what is only written back to NIfTI files; extensions lie between the header and `start`.
void takeKept(const NiftiHeader& h, const InputFile& file, std::size_t start, VolumeInfo& info) {
  info.metadata.fields = h.kept;
  info.metadata.labels = keptNumber(info.metadata, "intent_code", 0) == kNiftiLabels;
  info.metadata.inSpace = h.sformCode > 0 || h.qformCode > 0;
  if (!info.metadata.inSpace)
    info.notices.emplace_back("the file gives no position of its voxels; the axes of the array are used");
  if (niftiPlacesDiffer(h)) {
    std::erase_if(info.metadata.fields, [](const auto& field) { return field.first == "nifti.qform_code"; });
    info.metadata.fields.emplace_back("nifti.qform_code", "0");
    info.notices.emplace_back(
        "the file places its voxels twice, differently; the sform is used and kept, the qform is not");
  }
  constexpr std::size_t kMost = std::size_t{16} << 20;  // extensions are seldom more than some KiB
  if (h.analyze || start <= h.bytes || start > kMost) return;
  const std::string all = unpackedHead(file, start);
  const auto bytes = std::as_bytes(std::span(all));
  if (bytes.size() <= h.bytes) return;
  std::string provenance, meaning;
  const std::size_t left =
      takeNiftiExtensions(bytes.subspan(h.bytes), h.swapped, info.metadata.fields, provenance, meaning);
  takeMeaning(meaning, info);
  takeProvenance(provenance, info);
  if (left > 0)
    info.notices.push_back(std::to_string(left) + (left == 1 ? " header extension is" : " header extensions are") +
                           " too large to be kept");
}

// 24 bits of fraction hold every scaled 16-bit integer.
ElementType scaledType(Stored stored) {
  return bytesOf(stored) <= 2 || stored == Stored::f32 ? ElementType::f32 : ElementType::f64;
}

void takeShape(const NiftiHeader& h, const std::string& path, const Encoding& encoding, LocatedVolume& located) {
  const std::int64_t axes = h.dim[0];
  if (axes < 1 || axes > 7) throw damaged(path, "its header gives " + std::to_string(axes) + " axes");
  std::array<double, 4> extent{1, 1, 1, 1};
  for (std::size_t a = 1; a <= static_cast<std::size_t>(axes); ++a) {
    if (h.dim[a] < 1)
      throw damaged(path, "its header gives the size " + std::to_string(h.dim[a]) + " along axis " + std::to_string(a));
    extent[std::min<std::size_t>(a, 4) - 1] *= static_cast<double>(h.dim[a]);
  }
  const double components = extent[3] * encoding.components;
  requireMemory(path, extent[0] * extent[1] * extent[2] * components * static_cast<double>(bytesOf(encoding.stored)),
                0);
  if (components > 1 << 24) throw damaged(path, "it claims too many components");
  VolumeInfo& info = located.info;
  info.shape = {static_cast<std::int64_t>(extent[0]), static_cast<std::int64_t>(extent[1]),
                static_cast<std::int64_t>(extent[2]), static_cast<int>(components)};
  takeStored(located, encoding.stored, encoding.components);
  if (axes > 3) {
    located.voxels.layout.times = h.dim[4];
    info.metadata.frames = static_cast<int>(h.dim[4]);
    info.metadata.frameSeconds = h.dim[4] > 1 ? niftiFrameSeconds(h) : 0;
  }
  if (axes > 3 && h.dim[4] > 1)
    info.notices.push_back(heldAsComponents("the " + std::to_string(h.dim[4]) + " time points"));
  if (encoding.complex)
    info.notices.emplace_back("complex numbers are held as two components, real and imaginary part");
}

bool isPacked(const std::string& file, const InputFile& header) {
  if (file == header.path()) return header.isGzip();
  std::error_code code;
  return fs::is_regular_file(file, code) && fs::file_size(file, code) > 0 && InputFile(file, header.shown()).isGzip();
}

LocatedVolume locateIn(const InputFile& file, const Files& files) {
  const std::string& path = file.shown();
  const std::string head = unpackedHead(file, kNiftiHeaderBytes);
  const auto header = parseNiftiHeader(std::as_bytes(std::span(head)));
  if (!header) throw damaged(path, "it is not a NIfTI file");
  const auto encoding = encodingOf(header->datatype);
  if (!encoding)
    throw cannotRead(ErrorKind::Unsupported, path,
                     "its voxels are of the unknown type " + std::to_string(header->datatype),
                     "convert them to integers of at most 64 bits or to floating point");
  LocatedVolume located;
  VolumeInfo& info = located.info;
  StoredVoxels& voxels = located.voxels;
  takeShape(*header, path, *encoding, located);
  const int bits = 8 * static_cast<int>(bytesOf(encoding->stored)) * encoding->components;
  if (header->bits != bits && !header->analyze)
    info.notices.push_back("its header gives " + std::to_string(header->bits) + " bits a voxel, where its type has " +
                           std::to_string(bits) + "; the type counts");
  voxels.scale = scaleOf(*header, *encoding, info);
  if (!voxels.scale.trivial()) info.type = scaledType(encoding->stored);
  voxels.swapped = header->swapped;
  voxels.file = header->pair ? files.voxels : files.header;
  if (header->pair && files.voxels == files.header)
    throw damaged(path, "it is only the header of a pair; its voxels are in another file");
  const std::size_t offset = startOf(*header, file, static_cast<double>(voxels.bytes()), info);
  info.geometry = niftiGeometry(*header);
  info.format = header->analyze ? "Analyze 7.5" : "NIfTI";
  // The extensions of a pair fill the rest of the header's file.
  takeKept(*header, file, header->pair ? static_cast<std::size_t>(file.bytes()) : offset, info);
  repairGeometry(info);
  if (isPacked(voxels.file, file)) {
    voxels.packing = Packing::Deflate;
    voxels.skip = static_cast<std::int64_t>(offset);
  } else {
    voxels.offset = static_cast<std::int64_t>(offset);
  }
  return located;
}

}  // namespace

LocatedVolume locateNifti(const InputFile& file) {
  const Files files = filesOf(file.path());
  if (files.header == file.path()) return locateIn(file, files);
  return locateIn(InputFile(files.header, file.path()), files);
}

}  // namespace sscope::io
