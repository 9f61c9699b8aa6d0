#include "core/io/itk/dicom_stack.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <set>
#include <span>
#include <tuple>

#include "core/io/base/file_error.h"
#include "core/volume/selection.h"

namespace sscope::io {

namespace {

using Vector = std::array<double, 3>;

double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vector minus(const Vector& a, const Vector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
double length(const Vector& a) { return std::sqrt(dot(a, a)); }

std::string number(double value) { return fmt::format("{:.4g}", value + 0.0); }

std::string manyOf(std::size_t count, const std::string& one, const std::string& many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

// The unit normal of the slices: row direction x column direction.
Vector normalOf(const std::array<double, 6>& o) {
  Vector n = {o[1] * o[5] - o[2] * o[4], o[2] * o[3] - o[0] * o[5], o[0] * o[4] - o[1] * o[3]};
  const double size = length(n);
  if (size > 0)
    for (double& value : n) value /= size;
  return n;
}

bool havePlaces(const std::vector<DicomFrame>& frames) {
  return std::all_of(frames.begin(), frames.end(), [](const DicomFrame& f) { return f.position && f.orientation; }) &&
         length(normalOf(*frames.front().orientation)) > 0.5;
}

void leaveCopiesOut(std::vector<DicomFrame>& frames, VolumeInfo& info) {
  std::set<std::tuple<std::string, std::size_t, std::optional<Vector>, double>> seen;
  const std::size_t all = frames.size();
  std::erase_if(frames, [&](const DicomFrame& f) {
    return !f.instance.empty() && !seen.insert({f.instance, f.index, f.position, f.number}).second;
  });
  if (const std::size_t copies = all - frames.size(); copies > 0)
    info.notices.push_back(manyOf(copies, "slice is", "slices are") +
                           " there twice (the same instance) and counted once");
}

struct Difference {
  std::string what = "volumes";
  bool inTime = false;
};

// What tells two frames at one place apart; empty where nothing does.
std::optional<Difference> differenceOf(const DicomFrame& a, const DicomFrame& b) {
  using enum FrameKey;
  const auto differ = [&](std::initializer_list<FrameKey> keys) {
    return std::any_of(keys.begin(), keys.end(), [&](FrameKey k) { return a.key(k) != b.key(k); });
  };
  if (differ({TemporalPosition})) return Difference{"points in time", true};
  if (differ({Echo, EchoTime})) return Difference{"echoes"};
  if (differ({BValue, GradientX, GradientY, GradientZ})) return Difference{"diffusion weightings"};
  if (a.kind != b.kind) return Difference{"kinds of images"};
  if (differ({Acquisition, TriggerTime, Offset, AcquisitionTime, ContentTime}))
    return Difference{"points in time", true};
  return a.keys != b.keys ? std::optional<Difference>(Difference{}) : std::nullopt;
}

// Seconds between frames at one place that are evenly spaced in time; 0 where they are not, or nothing says it.
double secondsBetween(std::span<const DicomFrame> frames) {
  constexpr std::pair<FrameKey, double> kClocks[] = {
      {FrameKey::Offset, 1}, {FrameKey::TriggerTime, 1e-3}, {FrameKey::AcquisitionTime, 1}, {FrameKey::ContentTime, 1}};
  for (const auto& [key, seconds] : kClocks) {
    const double step = (frames.back().key(key) - frames.front().key(key)) / static_cast<double>(frames.size() - 1);
    bool even = step > 0;
    for (std::size_t i = 1; i < frames.size(); ++i)
      even = even && std::abs(frames[i].key(key) - frames[i - 1].key(key) - step) <= 0.01 * step;
    if (even) return step * seconds;
  }
  return 0;
}

// "z = 4 mm" of a place between two others: its coordinate along the axis that the normal is nearest to.
std::string placeText(const DicomFrame& before, const DicomFrame& behind, double share, const Vector& normal) {
  std::size_t axis = 0;
  for (std::size_t a = 1; a < 3; ++a)
    if (std::abs(normal[a]) > std::abs(normal[axis])) axis = a;
  return std::string(1, "xyz"[axis]) + " = " +
         number((*before.position)[axis] + share * ((*behind.position)[axis] - (*before.position)[axis])) + " mm";
}

// The gap between places: their mean where all are alike; where slices are missing that of the others.
double gapOf(const std::vector<DicomFrame>& first, const Vector& normal, VolumeInfo& info) {
  std::vector<double> gaps;
  for (std::size_t i = 1; i < first.size(); ++i)
    gaps.push_back(dot(minus(*first[i].position, *first[i - 1].position), normal));
  std::vector<double> sorted = gaps;
  std::sort(sorted.begin(), sorted.end());
  const double mean =
      dot(minus(*first.back().position, *first.front().position), normal) / static_cast<double>(gaps.size());
  const double usual = sorted[(sorted.size() - 1) / 2];
  constexpr double kTolerance = 1e-3, kNear = 0.02;  // of a gap: coordinates are rounded to about the first
  if (sorted.back() - sorted.front() <= kTolerance * mean) return mean;
  std::size_t missing = 0, regular = 0;
  double sum = 0;
  bool whole = true;
  std::string places;
  constexpr std::size_t kNamed = 8;
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    const double count = std::round(gaps[i] / usual);
    whole = whole && count >= 1 && count < 1e6 && std::abs(gaps[i] - count * usual) <= kNear * usual;
    if (!whole) break;
    if (count == 1) {
      ++regular;
      sum += gaps[i];
    }
    for (std::size_t k = 1; k < static_cast<std::size_t>(count); ++k, ++missing)
      if (missing < kNamed)
        places +=
            (places.empty() ? "" : ", ") + placeText(first[i], first[i + 1], static_cast<double>(k) / count, normal);
  }
  if (!whole || missing == 0 || 2 * regular < gaps.size()) {
    info.notices.push_back("the gaps between the slices vary from " + number(sorted.front()) + " to " +
                           number(sorted.back()) + " mm; their mean, " + number(mean) + " mm, is used");
    return mean;
  }
  const double gap = sum / static_cast<double>(regular);
  info.notices.push_back((missing == 1 ? "a slice is" : std::to_string(missing) + " slices are") + " missing, at " +
                         places + (missing > kNamed ? ", ..." : "") + "; the gap between the others, " + number(gap) +
                         " mm, is used, and the slices behind are nearer than they should be");
  return gap;
}

void place(const std::vector<DicomFrame>& first, VolumeInfo& info) {
  Geometry& g = info.geometry;
  const auto& o = *first.front().orientation;
  const Vector normal = normalOf(o);
  g.origin = *first.front().position;
  for (std::size_t r = 0; r < 3; ++r) {
    g.direction[3 * r] = o[r];
    g.direction[3 * r + 1] = o[3 + r];
    g.direction[3 * r + 2] = normal[r];
  }
  if (first.size() < 2) return;
  g.spacing[2] = gapOf(first, normal, info);
  g.steps[2] = StepSource::Derived;
  const Vector whole = minus(*first.back().position, *first.front().position);
  const double tilt = std::acos(std::clamp(dot(whole, normal) / length(whole), -1.0, 1.0)) * 180 / std::numbers::pi;
  constexpr double kNoticedTilt = 0.1;  // degrees
  if (tilt > kNoticedTilt)
    info.notices.push_back("the slices are shifted against each other (gantry tilt of " + number(tilt) +
                           " degrees); they are stacked along their normal, without correction");
}

// The order at one place.
bool before(const DicomFrame& a, const DicomFrame& b) {
  return std::tie(a.keys, a.kind, a.number) < std::tie(b.keys, b.kind, b.number);
}

// Places where they are. At each there have to be as many frames, which differ in what they say.
DicomStack byPlaces(std::vector<DicomFrame> frames, const std::string& shown, VolumeInfo& info) {
  const Vector normal = normalOf(*frames.front().orientation);
  const auto along = [&](const DicomFrame& f) { return dot(*f.position, normal); };
  std::stable_sort(frames.begin(), frames.end(),
                   [&](const DicomFrame& a, const DicomFrame& b) { return along(a) < along(b); });
  const double pixel = frames.front().spacing ? (*frames.front().spacing)[0] : 1;
  const double same = 0.01 * pixel;  // nearer than this is the same place
  DicomStack stack;
  std::vector<std::size_t> starts = {0};
  for (std::size_t i = 1; i < frames.size(); ++i)
    if (along(frames[i]) - along(frames[starts.back()]) > same) starts.push_back(i);
  stack.places = starts.size();
  stack.times = frames.size() / stack.places;
  for (std::size_t p = 0; p < starts.size(); ++p)
    if (starts[p] != p * stack.times || frames.size() % stack.places != 0)
      throw cannotRead(ErrorKind::Unsupported, shown,
                       "its " + std::to_string(frames.size()) + " slices lie at " + std::to_string(stack.places) +
                           " places, not as many at each, so that they are no whole number of volumes",
                       "put the slices of one volume into a folder of their own");
  std::vector<DicomFrame> first;
  std::optional<Difference> difference;
  for (const std::size_t start : starts) {
    const auto begin = frames.begin() + static_cast<std::ptrdiff_t>(start),
               end = begin + static_cast<std::ptrdiff_t>(stack.times);
    std::sort(begin, end, before);
    for (auto f = begin; f + 1 < end; ++f) {
      difference = differenceOf(*f, *(f + 1));
      if (!difference)
        throw cannotRead(
            ErrorKind::Unsupported, shown,
            "several of its slices have one position, and no attribute distinguishes them (time, acquisition, "
            "echo, trigger, b value)",
            "put the slices of one volume into a folder of their own");
    }
    first.push_back(*begin);
  }
  place(first, info);
  if (stack.times > 1) {
    difference = differenceOf(frames[0], frames[1]);
    info.metadata.frames = static_cast<int>(stack.times);
    if (difference->inTime) info.metadata.frameSeconds = secondsBetween({frames.data(), stack.times});
    info.notices.push_back(heldAsComponents("the " + std::to_string(stack.times) + " " + difference->what));
  }
  stack.frames = std::move(frames);
  return stack;
}

// By their numbers, in time or one behind the other.
DicomStack byNumbers(std::vector<DicomFrame> frames, const std::string& shown, VolumeInfo& info) {
  std::stable_sort(frames.begin(), frames.end(),
                   [](const DicomFrame& a, const DicomFrame& b) { return a.number < b.number; });
  DicomStack stack;
  Geometry& g = info.geometry;
  const DicomFrame& first = frames.front();
  if (first.of > 1 && first.of != frames.size())
    throw cannotRead(ErrorKind::Unsupported, shown, "it holds several multi-frame files", "name one of them");
  if (first.of > 1 && first.position && first.orientation) place({first}, info);
  if (first.inTime) {
    stack.times = frames.size();
    info.metadata.frames = static_cast<int>(stack.times);
    info.metadata.frameSeconds = first.frameSeconds;
    info.notices.push_back(heldAsComponents("the " + std::to_string(stack.times) + " points in time"));
  } else {
    stack.places = frames.size();
    const double gap = first.gap;
    g.spacing[2] = gap > 0 ? gap : 1;
    g.steps[2] = gap > 0 ? StepSource::Given : StepSource::Assumed;
    info.notices.push_back("the slices have no position; they are sorted by their number, at a gap of " +
                           number(g.spacing[2]));
  }
  stack.frames = std::move(frames);
  return stack;
}

}  // namespace

DicomStack stackDicom(std::vector<DicomFrame> frames, const std::string& shown, VolumeInfo& info) {
  leaveCopiesOut(frames, info);
  Geometry& g = info.geometry;
  if (frames.size() == 1) {
    const DicomFrame& only = frames.front();
    if (only.gap > 0) g.spacing[2] = only.gap;
    g.steps[2] = only.gap > 0 ? StepSource::Given : StepSource::Assumed;
    if (havePlaces(frames)) place(frames, info);
    return {std::move(frames), 1, 1};
  }
  DicomStack stack =
      havePlaces(frames) ? byPlaces(std::move(frames), shown, info) : byNumbers(std::move(frames), shown, info);
  info.shape.nz = static_cast<std::int64_t>(stack.places);
  return stack;
}

}  // namespace sscope::io
