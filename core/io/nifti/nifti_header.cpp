#include "core/io/nifti/nifti_header.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "core/io/nifti/nifti.h"
#include "core/io/nifti/nifti_kept.h"

namespace sscope::io {

namespace {

constexpr int kSize1 = 348, kSize2 = 540;

NiftiHeader version1(const NiftiFields& f) {
  NiftiHeader h;
  f.list<std::int16_t>(40, h.dim);
  h.datatype = f.at<std::int16_t>(70);
  h.bits = f.at<std::int16_t>(72);
  f.list<float>(76, h.pixdim);
  h.voxOffset = f.at<float>(108);
  h.slope = f.at<float>(112);
  h.intercept = f.at<float>(116);
  h.units = f.at<std::uint8_t>(123);
  h.qformCode = f.at<std::int16_t>(252);
  h.sformCode = f.at<std::int16_t>(254);
  f.list<float>(256, h.quaternion);
  f.list<float>(268, h.offset);
  f.list<float>(280, h.affine);
  const std::string_view magic = f.text(344, 4);
  h.pair = !magic.starts_with("n+1");
  h.analyze = !magic.starts_with("n+1") && !magic.starts_with("ni1");
  if (h.analyze) {
    // The same bytes mean other things there.
    h.qformCode = h.sformCode = h.units = 0;
    h.slope = h.intercept = 0;
  }
  return h;
}

NiftiHeader version2(const NiftiFields& f) {
  NiftiHeader h;
  h.pair = f.text(4, 3) == "ni2";
  h.datatype = f.at<std::int16_t>(12);
  h.bits = f.at<std::int16_t>(14);
  f.list<std::int64_t>(16, h.dim);
  f.list<double>(104, h.pixdim);
  h.voxOffset = static_cast<double>(f.at<std::int64_t>(168));
  h.slope = f.at<double>(176);
  h.intercept = f.at<double>(184);
  h.qformCode = f.at<std::int32_t>(344);
  h.sformCode = f.at<std::int32_t>(348);
  f.list<double>(352, h.quaternion);
  f.list<double>(376, h.offset);
  f.list<double>(400, h.affine);
  h.units = f.at<std::int32_t>(500);
  return h;
}

// Columns are index axes, RAS. Near half a turn the first number of the quaternion is lost in the rounding of the other
// three, as nifti1_io and nibabel have it: it is zero then.
std::array<double, 9> rotationOf(const std::array<double, 3>& q, double qfac) {
  auto [b, c, d] = q;
  const bool single = std::all_of(q.begin(), q.end(), [](double v) { return static_cast<float>(v) == v; });
  const double rest = 1 - b * b - c * c - d * d;
  const double rounding = 3 * (single ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon());
  const double a = rest < rounding ? 0 : std::sqrt(rest);
  if (const double length = std::hypot(b, c, d); a == 0 && length > 0) {
    b /= length;
    c /= length;
    d /= length;
  }
  std::array<double, 9> r = {
      a * a + b * b - c * c - d * d, 2 * (b * c - a * d),           2 * (b * d + a * c),
      2 * (b * c + a * d),           a * a + c * c - b * b - d * d, 2 * (c * d - a * b),
      2 * (b * d - a * c),           2 * (c * d + a * b),           a * a + d * d - b * b - c * c};
  for (std::size_t row = 0; row < 3; ++row) r[3 * row + 2] *= qfac < 0 ? -1 : 1;
  return r;
}

std::array<double, 3> quaternionOf(const std::array<double, 9>& r) {
  const double trace = r[0] + r[4] + r[8];
  double a, b, c, d;
  if (trace > 0) {
    a = 0.5 * std::sqrt(1 + trace);
    b = 0.25 * (r[7] - r[5]) / a;
    c = 0.25 * (r[2] - r[6]) / a;
    d = 0.25 * (r[3] - r[1]) / a;
  } else if (r[0] >= r[4] && r[0] >= r[8]) {
    b = 0.5 * std::sqrt(1 + r[0] - r[4] - r[8]);
    a = 0.25 * (r[7] - r[5]) / b;
    c = 0.25 * (r[1] + r[3]) / b;
    d = 0.25 * (r[2] + r[6]) / b;
  } else if (r[4] >= r[8]) {
    c = 0.5 * std::sqrt(1 - r[0] + r[4] - r[8]);
    a = 0.25 * (r[2] - r[6]) / c;
    b = 0.25 * (r[1] + r[3]) / c;
    d = 0.25 * (r[5] + r[7]) / c;
  } else {
    d = 0.5 * std::sqrt(1 - r[0] - r[4] + r[8]);
    a = 0.25 * (r[3] - r[1]) / d;
    b = 0.25 * (r[2] + r[6]) / d;
    c = 0.25 * (r[5] + r[7]) / d;
  }
  if (a < 0) return {-b, -c, -d};
  return {b, c, d};
}

bool isRotation(const std::array<double, 9>& r) {
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      const double dot = r[i] * r[j] + r[3 + i] * r[3 + j] + r[6 + i] * r[6 + j];
      if (!(std::abs(dot - (i == j ? 1 : 0)) <= 1e-5)) return false;
    }
  return true;
}

int datatypeOf(ElementType type) {
  constexpr int kCodes[] = {2, 256, 512, 4, 768, 8, 16, 64};
  return kCodes[static_cast<std::size_t>(type)];
}

int unitCode(const std::string& unit) { return unit == "m" ? 1 : unit == "mm" ? 2 : unit == "um" ? 3 : 0; }

}  // namespace

std::optional<NiftiHeader> parseNiftiHeader(std::span<const std::byte> bytes) {
  if (bytes.size() < kSize1) return std::nullopt;
  for (const bool swapped : {false, true}) {
    const NiftiFields fields(bytes, swapped);
    const int size = fields.at<std::int32_t>(0);
    if (size != kSize1 && !(size == kSize2 && bytes.size() >= kSize2)) continue;
    NiftiHeader header = size == kSize1 ? version1(fields) : version2(fields);
    header.swapped = swapped;
    header.bytes = static_cast<std::size_t>(size);
    if (!header.analyze) header.kept = keptOfNifti(fields, size == kSize2);
    return header;
  }
  return std::nullopt;
}

namespace {

// Columns are the steps along index axes, then the first voxel; RAS, rows x, y, z.
using Affine = std::array<double, 12>;

Affine qformOf(const NiftiHeader& h) {
  const std::array<double, 9> rotation = rotationOf(h.quaternion, h.pixdim[0]);
  Affine affine{};
  for (std::size_t r = 0; r < 3; ++r) {
    for (std::size_t a = 0; a < 3; ++a) {
      const double step = std::abs(h.pixdim[a + 1]);
      affine[4 * r + a] = rotation[3 * r + a] * (step > 0 ? step : 1);
    }
    affine[4 * r + 3] = h.offset[r];
  }
  return affine;
}

bool places(const Affine& m) {
  const double volume =
      m[0] * (m[5] * m[10] - m[6] * m[9]) - m[1] * (m[4] * m[10] - m[6] * m[8]) + m[2] * (m[4] * m[9] - m[5] * m[8]);
  return std::isfinite(volume) && volume != 0;
}

}  // namespace

bool niftiPlacesDiffer(const NiftiHeader& h) {
  if (h.sformCode <= 0 || h.qformCode <= 0) return false;
  const Affine qform = qformOf(h);
  const double voxel = std::max({std::abs(h.pixdim[1]), std::abs(h.pixdim[2]), std::abs(h.pixdim[3])});
  constexpr double kNoticed = 0.01;  // of a voxel, at the far corner
  for (std::size_t r = 0; r < 3; ++r) {
    double apart = std::abs(h.affine[4 * r + 3] - qform[4 * r + 3]);
    for (std::size_t a = 0; a < 3; ++a)
      apart += std::abs(h.affine[4 * r + a] - qform[4 * r + a]) * static_cast<double>(h.dim[a + 1]);
    if (!(apart <= kNoticed * voxel)) return true;
  }
  return false;
}

Geometry niftiGeometry(const NiftiHeader& h) {
  Geometry g;
  const int code = h.units & 7;
  g.unit = code == 1 ? "m" : code == 3 ? "um" : "mm";
  for (std::size_t a = 0; a < 3; ++a) g.spacing[a] = std::abs(h.pixdim[a + 1]);
  const bool sform = h.sformCode > 0 && (places(h.affine) || h.qformCode <= 0);
  if (!sform && h.qformCode <= 0) return g;
  const Affine ras = sform ? h.affine : qformOf(h);
  for (std::size_t a = 0; a < 3; ++a) {
    const double step = std::hypot(ras[a], ras[4 + a], ras[8 + a]);
    if (sform) g.spacing[a] = step;
    for (std::size_t r = 0; r < 3; ++r) {
      const double sign = r < 2 ? -1 : 1;  // RAS to LPS
      g.direction[3 * r + a] = (step > 0 ? sign * ras[4 * r + a] / step : 0) + 0.0;
      g.origin[r] = sign * ras[4 * r + 3] + 0.0;
    }
  }
  return g;
}

double niftiFrameSeconds(const NiftiHeader& h) {
  constexpr int kSeconds = 8, kMilliseconds = 16, kMicroseconds = 24;
  const int code = h.units & 0x38;
  const double seconds = h.pixdim[4] * (code == kMilliseconds           ? 1e-3
                                        : code == kMicroseconds         ? 1e-6
                                        : code == kSeconds || code == 0 ? 1
                                                                        : 0);
  return h.dim[0] >= 4 && std::isfinite(seconds) && seconds > 0 ? seconds : 0;
}

namespace {

struct Codes {
  std::int64_t sform = 1, qform = 1;
};

// The codes claim no more than the data: data without positions get no code, data in no known space are only aligned to
// something.
Codes codesOf(const Metadata& metadata, const Geometry& g, bool proper) {
  constexpr int kAligned = 2;
  const bool placed = g.origin != Geometry{}.origin || g.direction != Geometry{}.direction;
  const std::int64_t otherwise = metadata.inSpace ? 1 : placed ? kAligned : 0;
  Codes codes{keptNumber(metadata, "sform_code", otherwise), keptNumber(metadata, "qform_code", otherwise)};
  if (!proper) codes.qform = 0;
  if (codes.sform <= 0 && codes.qform <= 0 && placed) codes.sform = std::max<std::int64_t>(1, otherwise);
  return codes;
}

// Intents 1004 to 1008 are about vectors and matrices.
std::int64_t intentOf(const Metadata& metadata, int vector) {
  if (metadata.labels && vector == 1) return kNiftiLabels;
  constexpr int kFirst = 1004, kVector = 1007, kLast = 1008;
  const std::int64_t kept = keptNumber(metadata, "intent_code", 0);
  if (vector > 1) return kept > 0 ? kept : kVector;
  return kept >= kFirst && kept <= kLast ? 0 : kept;
}

}  // namespace

std::vector<std::byte> formatNiftiHeader(const VolumeOutline& volume, const Metadata& metadata) {
  const VolumeShape& s = volume.shape;
  const int frames = metadata.frames > 0 && s.components % metadata.frames == 0 ? metadata.frames : 1;
  const int vector = s.components / frames;
  const Geometry& own = volume.geometry;
  const Geometry g = unitCode(own.unit) > 0 ? own : inMillimeters(own);  // the format has no code for other lengths
  const bool large = std::max({s.nx, s.ny, s.nz, static_cast<std::int64_t>(s.components)}) > 32767;
  const int axes = vector > 1 ? 5 : frames > 1 ? 4 : 3;
  const std::array<std::int64_t, 8> dim = {axes, s.nx, s.ny, s.nz, frames, vector, 1, 1};
  constexpr int kSeconds = 8;
  std::array<double, 9> rotation{};
  std::array<double, 12> affine{};
  for (std::size_t r = 0; r < 3; ++r) {
    const double sign = r < 2 ? -1 : 1;
    for (std::size_t a = 0; a < 3; ++a) {
      rotation[3 * r + a] = sign * g.direction[3 * r + a];
      affine[4 * r + a] = rotation[3 * r + a] * g.spacing[a] + 0.0;
    }
    affine[4 * r + 3] = sign * g.origin[r] + 0.0;
  }
  const bool proper = isRotation(rotation);
  const auto& m = rotation;
  const double determinant =
      m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6]);
  const double qfac = determinant < 0 ? -1 : 1;
  for (std::size_t r = 0; r < 3; ++r) rotation[3 * r + 2] *= qfac;
  const Codes codes = codesOf(metadata, g, proper);
  std::array<double, 3> quaternion{}, offset{};
  if (codes.qform > 0) {
    quaternion = quaternionOf(rotation);
    offset = {affine[3], affine[7], affine[11]};
  }
  const std::array<double, 8> pixdim = {qfac, g.spacing[0], g.spacing[1], g.spacing[2], metadata.frameSeconds, 0, 0, 0};
  const int units = unitCode(g.unit) + (metadata.frameSeconds > 0 ? kSeconds : 0);
  const int bits = 8 * static_cast<int>(bytesOf(volume.type));
  const std::int64_t intent = intentOf(metadata, vector);
  const std::vector<std::byte> extensions = formatNiftiExtensions(metadata);
  const std::size_t start = static_cast<std::size_t>(large ? kSize2 : kSize1) + extensions.size();
  const auto all = [&](NiftiWriter& writer) {
    std::vector<std::byte> bytes = writer.take();
    bytes.insert(bytes.end(), extensions.begin(), extensions.end());
    return bytes;
  };

  NiftiWriter w(large ? kSize2 : kSize1);
  putKept(metadata, large, s.nz, w);
  if (large) {
    w.put<std::int32_t>(0, kSize2);
    w.text(4, std::string_view("n+2\0\r\n\032\n", 8));
    w.put<std::int16_t>(12, datatypeOf(volume.type));
    w.put<std::int16_t>(14, bits);
    w.list<std::int64_t>(16, dim);
    w.list<double>(104, pixdim);
    w.put<std::int64_t>(168, start);
    w.put<double>(176, 1);
    w.put<std::int32_t>(344, codes.qform);
    w.put<std::int32_t>(348, codes.sform);
    w.list<double>(352, quaternion);
    w.list<double>(376, offset);
    w.list<double>(400, affine);
    w.put<std::int32_t>(500, units);
    w.put<std::int32_t>(504, intent);
    return all(w);
  }
  w.put<std::int32_t>(0, kSize1);
  w.put<char>(38, 'r');
  w.list<std::int16_t>(40, dim);
  w.put<std::int16_t>(68, intent);
  w.put<std::int16_t>(70, datatypeOf(volume.type));
  w.put<std::int16_t>(72, bits);
  w.list<float>(76, pixdim);
  w.put<float>(108, start);
  w.put<float>(112, 1);
  w.put<std::uint8_t>(123, units);
  w.put<std::int16_t>(252, codes.qform);
  w.put<std::int16_t>(254, codes.sform);
  w.list<float>(256, quaternion);
  w.list<float>(268, offset);
  w.list<float>(280, affine);
  w.text(344, std::string_view("n+1\0", 4));
  return all(w);
}

}  // namespace sscope::io
