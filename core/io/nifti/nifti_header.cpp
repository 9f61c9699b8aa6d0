#include "core/io/nifti/nifti_header.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>

namespace sscope::io {

namespace {

constexpr int kSize1 = 348, kSize2 = 540;

// Reads fields at the offsets of the published layouts.
class Fields {
 public:
  Fields(std::span<const std::byte> bytes, bool swapped) : bytes_(bytes), swapped_(swapped) {}

  template <class T>
  [[nodiscard]] T at(std::size_t offset) const {
    std::array<std::byte, sizeof(T)> raw{};
    std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(offset), sizeof(T), raw.begin());
    if (swapped_) std::reverse(raw.begin(), raw.end());
    T value;
    std::memcpy(&value, raw.data(), sizeof value);
    return value;
  }
  template <class T, class Out, std::size_t N>
  void list(std::size_t offset, std::array<Out, N>& out) const {
    for (std::size_t i = 0; i < N; ++i) out[i] = static_cast<Out>(at<T>(offset + i * sizeof(T)));
  }
  [[nodiscard]] std::string_view text(std::size_t offset, std::size_t size) const {
    return {reinterpret_cast<const char*>(bytes_.data()) + offset, size};
  }

 private:
  std::span<const std::byte> bytes_;
  bool swapped_;
};

NiftiHeader version1(const Fields& f) {
  NiftiHeader h;
  f.list<std::int16_t>(40, h.dim);
  h.datatype = f.at<std::int16_t>(70);
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

NiftiHeader version2(const Fields& f) {
  NiftiHeader h;
  h.pair = f.text(4, 3) == "ni2";
  h.datatype = f.at<std::int16_t>(12);
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

// Columns are index axes, RAS.
std::array<double, 9> rotationOf(const std::array<double, 3>& q, double qfac) {
  const auto [b, c, d] = q;
  const double a = std::sqrt(std::max(0.0, 1 - b * b - c * c - d * d));
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

// Writes fields of either version.
class Writer {
 public:
  explicit Writer(std::size_t size) : bytes_(size) {}
  template <class T, class V>
  void put(std::size_t offset, V value) {
    const T stored = static_cast<T>(value);
    std::memcpy(bytes_.data() + offset, &stored, sizeof stored);
  }
  template <class T, class List>
  void list(std::size_t offset, const List& values) {
    for (std::size_t i = 0; i < values.size(); ++i) put<T>(offset + i * sizeof(T), values[i]);
  }
  void text(std::size_t offset, std::string_view value) {
    std::memcpy(bytes_.data() + offset, value.data(), value.size());
  }
  [[nodiscard]] std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

}  // namespace

std::optional<NiftiHeader> parseNiftiHeader(std::span<const std::byte> bytes) {
  if (bytes.size() < kSize1) return std::nullopt;
  for (const bool swapped : {false, true}) {
    const Fields fields(bytes, swapped);
    const int size = fields.at<std::int32_t>(0);
    if (size != kSize1 && !(size == kSize2 && bytes.size() >= kSize2)) continue;
    NiftiHeader header = size == kSize1 ? version1(fields) : version2(fields);
    header.swapped = swapped;
    return header;
  }
  return std::nullopt;
}

Geometry niftiGeometry(const NiftiHeader& h) {
  Geometry g;
  const int code = h.units & 7;
  g.unit = code == 1 ? "m" : code == 3 ? "um" : "mm";
  for (std::size_t a = 0; a < 3; ++a) g.spacing[a] = std::abs(h.pixdim[a + 1]);
  std::array<double, 9> ras = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  std::array<double, 3> origin{0, 0, 0};
  if (h.sformCode > 0) {
    for (std::size_t a = 0; a < 3; ++a) {
      g.spacing[a] = std::hypot(h.affine[a], h.affine[4 + a], h.affine[8 + a]);
      for (std::size_t r = 0; r < 3; ++r) ras[3 * r + a] = g.spacing[a] > 0 ? h.affine[4 * r + a] / g.spacing[a] : 0;
    }
    origin = {h.affine[3], h.affine[7], h.affine[11]};
  } else if (h.qformCode > 0) {
    ras = rotationOf(h.quaternion, h.pixdim[0]);
    origin = h.offset;
  } else {
    return g;
  }
  for (std::size_t r = 0; r < 3; ++r) {
    const double sign = r < 2 ? -1 : 1;  // RAS to LPS
    g.origin[r] = sign * origin[r] + 0.0;
    for (std::size_t a = 0; a < 3; ++a) g.direction[3 * r + a] = sign * ras[3 * r + a] + 0.0;
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
      affine[4 * r + a] = rotation[3 * r + a] * g.spacing[a];
    }
    affine[4 * r + 3] = sign * g.origin[r];
  }
  const std::array<double, 3> offset = {affine[3], affine[7], affine[11]};
  const bool proper = isRotation(rotation);
  const auto& m = rotation;
  const double determinant =
      m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6]);
  const double qfac = determinant < 0 ? -1 : 1;
  for (std::size_t r = 0; r < 3; ++r) rotation[3 * r + 2] *= qfac;
  const std::array<double, 3> quaternion = proper ? quaternionOf(rotation) : std::array<double, 3>{0, 0, 0};
  const std::array<double, 8> pixdim = {qfac, g.spacing[0], g.spacing[1], g.spacing[2], metadata.frameSeconds, 0, 0, 0};
  const int units = unitCode(g.unit) + (metadata.frameSeconds > 0 ? kSeconds : 0);
  const int bits = 8 * static_cast<int>(bytesOf(volume.type));
  const int intent = vector > 1 ? 1007 : 0;  // NIFTI_INTENT_VECTOR

  Writer w(static_cast<std::size_t>(large ? kSize2 : kSize1) + 4);
  if (large) {
    w.put<std::int32_t>(0, kSize2);
    w.text(4, std::string_view("n+2\0\r\n\032\n", 8));
    w.put<std::int16_t>(12, datatypeOf(volume.type));
    w.put<std::int16_t>(14, bits);
    w.list<std::int64_t>(16, dim);
    w.list<double>(104, pixdim);
    w.put<std::int64_t>(168, kSize2 + 4);
    w.put<double>(176, 1);
    w.put<std::int32_t>(344, proper ? 1 : 0);
    w.put<std::int32_t>(348, 1);
    w.list<double>(352, quaternion);
    w.list<double>(376, offset);
    w.list<double>(400, affine);
    w.put<std::int32_t>(500, units);
    w.put<std::int32_t>(504, intent);
    return w.take();
  }
  w.put<std::int32_t>(0, kSize1);
  w.put<char>(38, 'r');
  w.list<std::int16_t>(40, dim);
  w.put<std::int16_t>(68, intent);
  w.put<std::int16_t>(70, datatypeOf(volume.type));
  w.put<std::int16_t>(72, bits);
  w.list<float>(76, pixdim);
  w.put<float>(108, kSize1 + 4);
  w.put<float>(112, 1);
  w.put<std::uint8_t>(123, units);
  w.put<std::int16_t>(252, proper ? 1 : 0);
  w.put<std::int16_t>(254, 1);
  w.list<float>(256, quaternion);
  w.list<float>(268, offset);
  w.list<float>(280, affine);
  w.text(344, std::string_view("n+1\0", 4));
  return w.take();
}

}  // namespace sscope::io
