#include "core/io/itk/dicom_series.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <new>
#include <numbers>
#include <utility>

#include "core/io/file_error.h"
#include "core/io/itk/decode.h"
#include "core/io/itk/dicom_scan.h"
#include "core/io/slices.h"

namespace sscope::io {

namespace {

using Vector = std::array<double, 3>;

double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vector minus(const Vector& a, const Vector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
double length(const Vector& a) { return std::sqrt(dot(a, a)); }

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

// The unit normal of the slices: row direction x column direction.
Vector normalOf(const std::array<double, 6>& o) {
  Vector n = {o[1] * o[5] - o[2] * o[4], o[2] * o[3] - o[0] * o[5], o[0] * o[4] - o[1] * o[3]};
  const double size = length(n);
  if (size > 0)
    for (double& value : n) value /= size;
  return n;
}

bool hasPlaces(const std::vector<DicomSlice>& slices) {
  return std::all_of(slices.begin(), slices.end(), [](const DicomSlice& s) { return s.position && s.orientation; }) &&
         length(normalOf(*slices.front().orientation)) > 0.5;
}

void sortSlices(std::vector<DicomSlice>& slices, VolumeInfo& info) {
  if (slices.size() < 2) return;
  if (hasPlaces(slices)) {
    const Vector normal = normalOf(*slices.front().orientation);
    std::stable_sort(slices.begin(), slices.end(), [&](const DicomSlice& a, const DicomSlice& b) {
      return dot(*a.position, normal) < dot(*b.position, normal);
    });
    return;
  }
  std::stable_sort(slices.begin(), slices.end(),
                   [](const DicomSlice& a, const DicomSlice& b) { return a.instance < b.instance; });
  info.notices.emplace_back("the slices do not say where they lie; they are sorted by their number, at a gap of 1");
}

void noteGaps(const std::vector<double>& gaps, double mean, VolumeInfo& info) {
  const auto [low, high] = std::minmax_element(gaps.begin(), gaps.end());
  constexpr double kTolerance = 1e-3;  // of the mean gap: coordinates are rounded to about that
  if (*high - *low > kTolerance * std::abs(mean))
    info.notices.push_back("the gaps between the slices vary from " + number(*low) + " to " + number(*high) +
                           " mm; their mean, " + number(mean) + " mm, is used");
}

// ITK takes the spacing of the pixels from some kinds of objects only.
void takeSpacing(const DicomSlice& slice, Geometry& geometry) {
  if (!slice.spacing || !((*slice.spacing)[0] > 0) || !((*slice.spacing)[1] > 0)) return;
  geometry.spacing[0] = (*slice.spacing)[1];
  geometry.spacing[1] = (*slice.spacing)[0];
}

void takeLook(const DicomSlice& slice, VolumeInfo& info) {
  info.modality = slice.modality;
  info.window = slice.window;
}

// Spacing, origin and direction along z from the places of the sorted slices.
void placeStack(const std::vector<DicomSlice>& slices, VolumeInfo& info) {
  takeSpacing(slices.front(), info.geometry);
  if (slices.size() < 2 || !hasPlaces(slices)) return;
  Geometry& g = info.geometry;
  const Vector normal = normalOf(*slices.front().orientation);
  std::vector<double> gaps;
  for (std::size_t i = 1; i < slices.size(); ++i)
    gaps.push_back(dot(minus(*slices[i].position, *slices[i - 1].position), normal));
  const Vector whole = minus(*slices.back().position, *slices.front().position);
  const double mean = dot(whole, normal) / static_cast<double>(gaps.size());
  if (mean > 0) {
    g.spacing[2] = mean;
    noteGaps(gaps, mean, info);
    const double tilt = std::acos(std::clamp(dot(whole, normal) / length(whole), -1.0, 1.0)) * 180 / std::numbers::pi;
    constexpr double kNoticedTilt = 0.1;  // degrees
    if (tilt > kNoticedTilt)
      info.notices.push_back("the slices are shifted against each other (gantry tilt of " + number(tilt) +
                             " degrees); they are stacked along their normal, without correction");
  } else {
    info.notices.emplace_back("all slices lie at the same place; a gap of 1 is used");
    g.spacing[2] = 1;
  }
  const auto& o = *slices.front().orientation;
  g.origin = *slices.front().position;
  for (std::size_t r = 0; r < 3; ++r) {
    g.direction[3 * r] = o[r];
    g.direction[3 * r + 1] = o[3 + r];
    g.direction[3 * r + 2] = normal[r];
  }
}

std::byte* headerOnly(const VolumeInfo&) { return nullptr; }

// One type for all slices: theirs when they agree, else f64, which holds every rescaled value.
ElementType commonType(const std::vector<DicomSlice>& slices, ElementType first, VolumeInfo& info,
                       const Control& control) {
  const bool alike =
      std::all_of(slices.begin(), slices.end(), [&](const DicomSlice& s) { return s.pixels == slices.front().pixels; });
  if (alike) return first;
  info.notices.emplace_back("the slices are scaled differently; each is held in its own scale");
  for (const DicomSlice& slice : slices)
    if (decodeWithItk(FormatId::dicom, slice.file, headerOnly, control).type != first) return ElementType::f64;
  return first;
}

void copyAs(ElementType from, const std::byte* in, ElementType to, std::byte* out, std::size_t count) {
  dispatch(from, [&](auto source) {
    dispatch(to, [&](auto target) {
      using In = decltype(source);
      using Out = decltype(target);
      const auto* values = reinterpret_cast<const In*>(in);
      std::transform(values, values + count, reinterpret_cast<Out*>(out), [](In v) { return static_cast<Out>(v); });
    });
  });
}

void readSlice(const DicomSlice& slice, const std::string& shown, const VolumeInfo& info, std::byte* out) {
  std::vector<std::byte> other;
  const auto count = static_cast<std::size_t>(info.shape.nx * info.shape.ny * info.shape.components);
  const VolumeInfo read = decodeWithItk(FormatId::dicom, slice.file,
                                        [&](const VolumeInfo& own) -> std::byte* {
                                          if (own.shape.nx != info.shape.nx || own.shape.ny != info.shape.ny ||
                                              own.shape.nz != 1 || own.shape.components != info.shape.components)
                                            throw damaged(shown, "its slices differ in size");
                                          if (own.type == info.type) return out;
                                          other.resize(count * bytesOf(own.type));
                                          return other.data();
                                        },
                                        {});
  if (!other.empty()) copyAs(read.type, other.data(), info.type, out, count);
}

// "1 of 60 slices (axial), 2 of 3 slices".
std::string listOf(const std::vector<DicomSeries>& all) {
  constexpr std::size_t kMost = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(all.size(), kMost); ++i) {
    const std::size_t count = all[i].slices.size();
    text += (i == 0 ? "" : ", ") + std::to_string(i + 1) + " of " + std::to_string(count) +
            (count == 1 ? " slice" : " slices") + (all[i].description.empty() ? "" : " (" + all[i].description + ")");
  }
  return text + (all.size() > kMost ? ", ..." : "");
}

DicomSeries chosen(const DicomInput& input, std::vector<DicomSeries> all, VolumeInfo& info) {
  if (all.empty())
    throw cannotRead(ErrorKind::NotFound, input.shown, input.what + " no DICOM images",
                     "name a file, or a pattern of slices such as slice_*.png");
  const std::size_t number = input.series == 0 ? 1 : static_cast<std::size_t>(input.series);
  if (number > all.size())
    throw Error(ErrorKind::Usage,
                "cannot read series " + std::to_string(number) + " of " + input.shown + ": " + input.what + " " +
                    std::to_string(all.size()),
                "choose one of them: " + listOf(all));
  if (all.size() > 1 && input.series == 0)
    info.notices.push_back(input.what + " " + std::to_string(all.size()) +
                           " series, of which the largest was read; @series=N behind the name chooses: " + listOf(all));
  return std::move(all[number - 1]);
}

// Sorts the slices, and tells of what they are together.
VolumeInfo describeSeries(const DicomInput& input, std::vector<DicomSlice>& slices, VolumeInfo info,
                          const Control& control) {
  sortSlices(slices, info);
  const VolumeInfo first = decodeWithItk(FormatId::dicom, slices.front().file, headerOnly, control);
  if (slices.size() > 1 && first.shape.nz != 1)
    throw cannotRead(ErrorKind::Unsupported, input.shown, "it holds several multi-frame files", "name one of them");
  info.shape = first.shape;
  info.shape.nz = static_cast<std::int64_t>(slices.size());
  info.geometry = first.geometry;
  info.notices.insert(info.notices.end(), first.notices.begin(), first.notices.end());
  info.format = "DICOM series (" + std::to_string(slices.size()) + " slices)";
  info.type = commonType(slices, first.type, info, control);
  placeStack(slices, info);
  repairGeometry(info);
  takeLook(slices[slices.size() / 2], info);  // the one that is seen first
  return info;
}

VolumeInfo readSeries(const DicomInput& input, std::vector<DicomSlice>& slices, VolumeInfo before,
                      const AllocateVoxels& allocate, const Control& control) {
  VolumeInfo info = describeSeries(input, slices, std::move(before), control);
  std::byte* out = allocate(info);
  if (out == nullptr) return info;
  const auto sliceBytes = static_cast<std::size_t>(claimedBytes(info)) / slices.size();
  for (std::size_t z = 0; z < slices.size(); ++z) {
    control.check();
    readSlice(slices[z], input.shown, info, out + z * sliceBytes);
    control.report(static_cast<double>(z + 1) / static_cast<double>(slices.size()), "reading");
  }
  return info;
}

VolumeInfo readSingle(const DicomSlice& slice, const VolumeInfo& before, const AllocateVoxels& allocate,
                      const Control& control) {
  const auto complete = [&](VolumeInfo& info) {
    takeSpacing(slice, info.geometry);
    takeLook(slice, info);
    info.notices.insert(info.notices.begin(), before.notices.begin(), before.notices.end());
  };
  VolumeInfo read = decodeWithItk(
      FormatId::dicom, slice.file,
      [&](const VolumeInfo& claimed) {
        VolumeInfo info = claimed;
        complete(info);
        return allocate(info);
      },
      control);
  complete(read);
  return read;
}

}  // namespace

VolumeInfo readDicom(const DicomInput& input, const AllocateVoxels& allocate, const Control& control) {
  VolumeInfo info;
  DicomSeries series = chosen(input, scanDicom(input.files), info);
  if (series.slices.size() == 1) return readSingle(series.slices.front(), info, allocate, control);
  return readSeries(input, series.slices, std::move(info), allocate, control);
}

DecodedPlanes openDicomPlanes(const DicomInput& input, const Control& control) {
  VolumeInfo before;
  std::vector<DicomSlice> slices = chosen(input, scanDicom(input.files), before).slices;
  if (slices.size() == 1) throw notBySlabs(input.shown, "its series is one file");
  const VolumeInfo info = describeSeries(input, slices, std::move(before), control);
  const auto read = [slices = std::move(slices), shown = input.shown, info](
                        std::int64_t begin, std::int64_t end, std::span<std::byte> out, const Control& stop) {
    const std::size_t bytes = out.size() / static_cast<std::size_t>(end - begin);
    for (std::int64_t z = begin; z < end; ++z) {
      stop.check();
      readSlice(slices.at(static_cast<std::size_t>(z)), shown, info,
                out.data() + static_cast<std::size_t>(z - begin) * bytes);
    }
  };
  return {info, read};
}

DicomInput dicomInputOf(const Selection& selection) {
  std::error_code code;
  if (std::filesystem::is_directory(selection.path, code))
    return {dicomFilesOf(selection.path), selection.path, "the folder holds", selection.series};
  DicomInput input{{}, selection.path, "the pattern matches", selection.series};
  for (const auto& file : filesOfPattern(selection.path)) input.files.push_back(file.string());
  if (!std::all_of(input.files.begin(), input.files.end(), isDicomFile)) input.files.clear();
  return input;
}

VolumeInfo readDicomFile(const std::string& path, const AllocateVoxels& allocate, const Control& control) {
  std::vector<DicomSeries> all;
  try {
    all = scanDicom({path});
  } catch (const std::bad_alloc&) {
    // A damaged length.
  }
  // What cannot be scanned is left to the decoder, which says why.
  if (all.empty()) return decodeWithItk(FormatId::dicom, path, allocate, control);
  return readSingle(all.front().slices.front(), {}, allocate, control);
}

}  // namespace sscope::io
