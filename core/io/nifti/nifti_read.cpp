#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/io/base/chunked_file.h"
#include "core/io/base/convert.h"
#include "core/io/base/file_error.h"
#include "core/io/base/gunzip.h"
#include "core/io/nifti/byte_stream.h"
#include "core/io/nifti/nifti.h"
#include "core/io/nifti/nifti_header.h"
#include "core/volume/meaning.h"
#include "core/volume/provenance.h"
#include "core/volume/selection.h"

namespace sscope::io {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kChunk = std::size_t{1} << 20;

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

std::string withSuffix(const std::string& path, const std::string& from, const std::string& to) {
  return path.substr(0, path.size() - from.size()) + to;
}

// The header and the voxel file of a pair, whichever of them is named, packed or not.
struct Files {
  std::string header, voxels;
};

Files filesOf(const std::string& path) {
  const auto pairOf = [&](const std::string& own, const std::string& other) {
    const std::string plain = withSuffix(path, own, other);
    std::error_code code;
    return fs::exists(plain, code) ? plain : fs::exists(plain + ".gz", code) ? plain + ".gz" : plain;
  };
  for (const std::string gz : {"", ".gz"}) {
    if (path.ends_with(".hdr" + gz)) return {path, pairOf(".hdr" + gz, ".img")};
    if (path.ends_with(".img" + gz)) return {pairOf(".img" + gz, ".hdr"), path};
  }
  return {path, path};
}

struct Plan {
  VolumeInfo info;
  Encoding encoding;
  FrameLayout layout;
  Scale scale;
  bool swapped = false;
  std::string file;
  std::size_t offset = 0;

  [[nodiscard]] std::int64_t elements() const { return layout.voxels * layout.frames * layout.components; }
  [[nodiscard]] double storedBytes() const {
    return static_cast<double>(elements()) * static_cast<double>(bytesOf(encoding.stored));
  }
};

// A slope of zero means "none"; colors are never scaled. Of what is no number, as nifti1_io has it: no scale, or an
// intercept of zero.
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

// Voxels of a single file begin behind the header and what says whether it has extensions. Of a header that says
// otherwise the length of the file decides.
std::size_t startOf(const NiftiHeader& h, const std::string& path, double bytes, VolumeInfo& info) {
  constexpr std::size_t kExtender = 4;
  if (!(h.voxOffset >= 0) || h.voxOffset > 0x1p40)
    throw damaged(path, "its header gives an impossible offset for the voxels");
  const auto given = static_cast<std::size_t>(h.voxOffset);
  if (h.pair || given >= h.bytes + kExtender) return given;
  std::error_code code;
  const double start = static_cast<double>(fs::file_size(path, code)) - bytes;
  for (const std::size_t likely : {h.bytes, h.bytes + kExtender}) {
    if (code || start != static_cast<double>(likely) || isGzip(path)) continue;
    if (likely != given)
      info.notices.push_back("its header states that the voxels begin at byte " + std::to_string(given) +
                             ", inside of it; they are read from byte " + std::to_string(likely) +
                             " on, to the end of the file");
    return likely;
  }
  throw damaged(path, "its header states that the voxels begin at byte " + std::to_string(given) + ", inside of it");
}

// What is only given back when a NIfTI file is written.
void takeKept(const NiftiHeader& h, ByteStream& stream, std::span<const std::byte> head, std::size_t start,
              VolumeInfo& info) {
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
  std::vector<std::byte> bytes(start);
  const std::size_t known = std::min(head.size(), start);
  std::copy_n(head.begin(), known, bytes.begin());
  bytes.resize(known + stream.readSome(std::span(bytes).subspan(known)));
  if (bytes.size() <= h.bytes) return;
  std::string provenance, meaning;
  const std::size_t left =
      takeNiftiExtensions(std::span(bytes).subspan(h.bytes), h.swapped, info.metadata.fields, provenance, meaning);
  takeMeaning(meaning, info);
  takeProvenance(provenance, info);
  if (left > 0)
    info.notices.push_back(std::to_string(left) + (left == 1 ? " header extension is" : " header extensions are") +
                           " too large to be kept");
}

ElementType elementTypeFor(const Plan& plan) {
  const auto same = sameElementType(plan.encoding.stored);
  if (plan.scale.trivial()) return same.value_or(ElementType::f64);
  // 24 bits of fraction hold every scaled 16-bit integer.
  return bytesOf(plan.encoding.stored) <= 2 || same == ElementType::f32 ? ElementType::f32 : ElementType::f64;
}

void takeShape(const NiftiHeader& h, const std::string& path, Plan& plan) {
  const std::int64_t axes = h.dim[0];
  if (axes < 1 || axes > 7) throw damaged(path, "its header gives " + std::to_string(axes) + " axes");
  std::array<double, 4> extent{1, 1, 1, 1};
  for (std::size_t a = 1; a <= static_cast<std::size_t>(axes); ++a) {
    if (h.dim[a] < 1)
      throw damaged(path, "its header gives the size " + std::to_string(h.dim[a]) + " along axis " + std::to_string(a));
    extent[std::min<std::size_t>(a, 4) - 1] *= static_cast<double>(h.dim[a]);
  }
  const double components = extent[3] * plan.encoding.components;
  requireMemory(path,
                extent[0] * extent[1] * extent[2] * components * static_cast<double>(bytesOf(plan.encoding.stored)), 0);
  if (components > 1 << 24) throw damaged(path, "it claims too many components");
  VolumeInfo& info = plan.info;
  info.shape = {static_cast<std::int64_t>(extent[0]), static_cast<std::int64_t>(extent[1]),
                static_cast<std::int64_t>(extent[2]), static_cast<int>(components)};
  plan.layout = {info.shape.voxels(), static_cast<std::int64_t>(extent[3]), plan.encoding.components};
  if (axes > 3) {
    plan.layout.times = h.dim[4];
    info.metadata.frames = static_cast<int>(h.dim[4]);
    info.metadata.frameSeconds = h.dim[4] > 1 ? niftiFrameSeconds(h) : 0;
  }
  if (axes > 3 && h.dim[4] > 1)
    info.notices.push_back(heldAsComponents("the " + std::to_string(h.dim[4]) + " time points"));
  if (plan.encoding.complex)
    info.notices.emplace_back("complex numbers are held as two components, real and imaginary part");
}

Plan planOf(const std::string& path) {
  const Files files = filesOf(path);
  std::vector<std::byte> head(kNiftiHeaderBytes);
  ByteStream stream(files.header, path);
  head.resize(stream.readSome(head));
  const auto header = parseNiftiHeader(head);
  if (!header) throw damaged(path, "it is not a NIfTI file");
  Plan plan;
  const auto encoding = encodingOf(header->datatype);
  if (!encoding)
    throw cannotRead(ErrorKind::Unsupported, path,
                     "its voxels are of the unknown type " + std::to_string(header->datatype),
                     "convert them to integers of at most 64 bits or to floating point");
  plan.encoding = *encoding;
  takeShape(*header, path, plan);
  const int bits = 8 * static_cast<int>(bytesOf(encoding->stored)) * encoding->components;
  if (header->bits != bits && !header->analyze)
    plan.info.notices.push_back("its header gives " + std::to_string(header->bits) +
                                " bits a voxel, where its type has " + std::to_string(bits) + "; the type counts");
  plan.scale = scaleOf(*header, *encoding, plan.info);
  plan.swapped = header->swapped;
  plan.file = header->pair ? files.voxels : files.header;
  if (header->pair && files.voxels == files.header)
    throw damaged(path, "it is only the header of a pair; its voxels are in another file");
  plan.offset = startOf(*header, path, plan.storedBytes(), plan.info);
  plan.info.type = elementTypeFor(plan);
  plan.info.geometry = niftiGeometry(*header);
  plan.info.format = header->analyze ? "Analyze 7.5" : "NIfTI";
  // Of a pair they fill the rest of the header's file.
  std::error_code code;
  takeKept(*header, stream, head, header->pair ? fs::file_size(files.header, code) : plan.offset, plan.info);
  repairGeometry(plan.info);
  return plan;
}

// What the file can hold at most: deflate packs a thousand to one and no better.
void requireBytes(const Plan& plan, const std::string& path) {
  std::error_code code;
  const auto size = static_cast<double>(fs::file_size(plan.file, code));
  if (code)
    throw cannotRead(ErrorKind::NotFound, path,
                     "its data file " + fs::path(plan.file).filename().string() + " is missing",
                     "put it next to the header");
  constexpr double kDensest = 1040;
  const bool packed = isGzip(plan.file);
  if (plan.storedBytes() + static_cast<double>(plan.offset) > (packed ? kDensest * size + 1024 : size))
    throw damaged(path, "it is cut off: its header claims " + bytesText(plan.storedBytes()) +
                            " of voxels and the file has " + bytesText(size));
}

// Calls `use(first element, bytes)` for the whole file in order.
template <class Use>
void forEachChunk(const Plan& plan, const std::string& path, const Control& control, Use use) {
  ByteStream stream(plan.file, path);
  stream.skip(plan.offset, control);
  const std::size_t size = bytesOf(plan.encoding.stored);
  const std::int64_t perChunk = static_cast<std::int64_t>(kChunk / size);
  std::vector<std::byte> buffer(kChunk);
  for (std::int64_t first = 0; first < plan.elements(); first += perChunk) {
    control.check();
    const auto chunk =
        std::span(buffer).first(static_cast<std::size_t>(std::min(perChunk, plan.elements() - first)) * size);
    const std::size_t got = stream.readSome(chunk);
    if (got < chunk.size()) {
      const double there = static_cast<double>(first) * static_cast<double>(size) + static_cast<double>(got);
      throw damaged(path, "it is cut off: " + bytesText(there) + " of " + bytesText(plan.storedBytes()) +
                              " of voxels are there, " + bytesText(plan.storedBytes() - there) + " are missing");
    }
    if (plan.swapped) swapBytes(chunk, size);
    use(first, std::span<const std::byte>(chunk));
    control.report(static_cast<double>(first) / static_cast<double>(plan.elements()), "reading");
  }
  stream.requireChecksum(control);
}

// Of 64-bit integers the values decide the type, so they are read first.
void settleWideType(Plan& plan, const std::string& path, const Control& control) {
  if (sameElementType(plan.encoding.stored) || !plan.scale.trivial()) return;
  requireBytes(plan, path);
  WideRange range;
  forEachChunk(plan, path, control,
               [&](std::int64_t, std::span<const std::byte> chunk) { range.add(plan.encoding.stored, chunk); });
  VolumeInfo& info = plan.info;
  info.notices.push_back(takeNarrowest(range, info.type));
}

}  // namespace

VolumeInfo readNifti(const std::string& path, const AllocateVoxels& allocate, const Control& control) {
  Plan plan = planOf(path);
  VolumeInfo& info = plan.info;
  settleWideType(plan, path, control);
  std::byte* out = allocate(info);
  requireBytes(plan, path);
  if (out == nullptr) return info;
  std::vector<std::byte> converted(kChunk * 8);
  forEachChunk(plan, path, control, [&](std::int64_t first, std::span<const std::byte> chunk) {
    convert(plan.encoding.stored, chunk, info.type, converted.data(), plan.scale);
    const std::size_t count = chunk.size() / bytesOf(plan.encoding.stored);
    scatter(plan.layout, first, std::span<const std::byte>(converted).first(count * bytesOf(info.type)),
            bytesOf(info.type), out);
  });
  return info;
}

LocatedVolume locateNifti(const std::string& path, const Control& control) {
  Plan plan = planOf(path);
  settleWideType(plan, path, control);
  StoredVoxels voxels{.file = plan.file,
                      .type = plan.encoding.stored,
                      .swapped = plan.swapped,
                      .scale = plan.scale,
                      .layout = plan.layout,
                      .chosen = allOf(plan.info.shape)};
  const auto offset = static_cast<std::int64_t>(plan.offset);
  if (isGzip(plan.file)) {
    voxels.packing = Packing::Deflate;
    voxels.skip = offset;
  } else {
    voxels.offset = offset;
  }
  return {std::move(plan.info), std::move(voxels)};
}

}  // namespace sscope::io
