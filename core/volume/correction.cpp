#include "core/volume/correction.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/volume/geometry.h"
#include "core/volume/selection.h"

namespace sscope {

namespace {

[[noreturn]] void refuse(std::string_view key, const std::string& text, const char* wanted) {
  throw Error(ErrorKind::Usage, "cannot understand the " + std::string(key) + " " + text, wanted);
}

constexpr const char *kSpacingForm = "write one number or one for each axis, with a unit, as 0.1,0.1,0.5um",
                     *kOriginForm = "write three numbers, as 10,-20.5,0mm",
                     *kAxesForm =
                         "write letters of t, c, z and at the end yx, the slowest first, with the extents of all "
                         "but one of the first three: t3zyx";

// Parses "0.1,0.1,0.5um" or "0.1x0.1x0.5um"; every number may have the unit.
std::pair<std::vector<double>, std::string> numbersOf(std::string_view key, const std::string& text, const char* form) {
  std::vector<double> numbers;
  std::string unit;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find_first_of(",x", begin), text.size());
    const auto one = parseNumberWithUnit(std::string_view(text).substr(begin, end - begin));
    if (!one || (!unit.empty() && !one->unit.empty() && lengthUnit(one->unit) != unit)) refuse(key, text, form);
    if (!one->unit.empty()) unit = lengthUnit(one->unit);
    if (!one->unit.empty() && !millimetersIn(unit)) refuse(key, text, form);
    numbers.push_back(one->value);
    begin = end + 1;
  }
  return {std::move(numbers), std::move(unit)};
}

std::string numberText(double value) {
  std::array<char, 32> digits{};
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr};
}

void takeSpacing(Correction& correction, const std::string& text) {
  const auto [numbers, unit] = numbersOf("spacing", text, kSpacingForm);
  if (numbers.size() > 3 || std::ranges::any_of(numbers, [](double n) { return !(n > 0); }))
    refuse("spacing", text, kSpacingForm);
  for (std::size_t a = 0; a < 3; ++a)
    if (numbers.size() == 1 || a < numbers.size()) correction.spacing[a] = numbers[numbers.size() == 1 ? 0 : a];
  correction.spacingUnit = unit;
}

void takeOrigin(Correction& correction, const std::string& text) {
  const auto [numbers, unit] = numbersOf("origin", text, kOriginForm);
  if (numbers.size() != 3) refuse("origin", text, kOriginForm);
  correction.origin = {numbers[0], numbers[1], numbers[2]};
  correction.originUnit = unit;
}

struct PageAxis {
  char letter;
  std::int64_t extent = 0;  // 0: not given
};

// The axes before "yx"; empty for invalid text.
std::optional<std::vector<PageAxis>> axesOf(std::string_view text) {
  if (!text.ends_with("yx")) return std::nullopt;
  text.remove_suffix(2);
  std::vector<PageAxis> axes;
  while (!text.empty()) {
    const char letter = text.front();
    text.remove_prefix(1);
    PageAxis axis{letter};
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), axis.extent);
    if (code == std::errc()) text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    const bool twice = std::ranges::any_of(axes, [&](const PageAxis& other) { return other.letter == letter; });
    if (std::string_view("tcz").find(letter) == std::string_view::npos || twice || axis.extent < 0 ||
        axis.extent > 1 << 24 || (code == std::errc() && axis.extent == 0))
      return std::nullopt;
    axes.push_back(axis);
  }
  return axes;
}

}  // namespace

bool Correction::some() const { return *this != Correction{}; }

std::string Correction::text() const {
  std::string all;
  const auto add = [&all](const std::string& one) { all += (all.empty() ? "" : ",") + one; };
  if (raw) add("raw=" + raw->text());
  if (!axes.empty()) add("axes=" + axes);
  if (!unit.empty()) add("unit=" + unit);
  if (spacing[0]) {
    std::string numbers;
    for (const auto& step : spacing)
      if (step) numbers += (numbers.empty() ? "" : "x") + numberText(*step);
    add("spacing=" + numbers + spacingUnit);
  }
  if (origin) {
    const auto& o = *origin;
    add("origin=" + numberText(o[0]) + "x" + numberText(o[1]) + "x" + numberText(o[2]) + originUnit);
  }
  if (labels) add("labels=yes");
  return all;
}

std::string lengthsText(const std::array<double, 3>& values, const std::string& unit) {
  std::string text;
  for (const double value : values) text += (text.empty() ? "" : ",") + numberText(value);
  return text + (millimetersIn(unit) ? unit : "");
}

void correctOne(Correction& correction, std::string_view key, const std::string& text) {
  Correction only, others = correction;
  if (!text.empty()) static_cast<void>(takeCorrection(only, key, text));
  if (key == "spacing") {
    others.spacing = only.spacing;
    others.spacingUnit = only.spacingUnit;
  } else if (key == "origin") {
    others.origin = only.origin;
    others.originUnit = only.originUnit;
  } else if (key == "unit") {
    others.unit = only.unit;
  } else if (key == "axes") {
    others.axes = only.axes;
  }
  correction = others;
}

bool takeCorrection(Correction& correction, std::string_view key, const std::string& text) {
  const auto once = [&](bool before) {
    if (before) throw Error(ErrorKind::Usage, "the " + std::string(key) + " is given twice", "remove one of them");
  };
  if (key == "raw") {
    once(correction.raw.has_value());
    correction.raw = parseRawLayout(text);
  } else if (key == "spacing") {
    once(correction.spacing[0].has_value());
    takeSpacing(correction, text);
  } else if (key == "unit") {
    once(!correction.unit.empty());
    correction.unit = lengthUnit(text);
    if (!millimetersIn(correction.unit))
      refuse(key, text, "write a unit of length: angstrom, nm, um, mm, cm or m, for example");
  } else if (key == "origin") {
    once(correction.origin.has_value());
    takeOrigin(correction, text);
  } else if (key == "axes") {
    once(!correction.axes.empty());
    const auto axes = axesOf(text);
    if (!axes || std::ranges::count(*axes, 0, &PageAxis::extent) > 1) refuse(key, text, kAxesForm);
    correction.axes = text;
  } else if (key == "labels") {
    once(correction.labels);
    if (text != "yes") refuse(key, text, "write labels=yes, or remove it");
    correction.labels = true;
  } else {
    return false;
  }
  return true;
}

PageOrder pageOrder(const std::string& axes, const std::string& path, const VolumeInfo& info) {
  const std::string what = "cannot take the pages of " + path + " as " + axes + ": ";
  if (info.metadata.frames > 1 || info.metadata.channels.size() > 1)
    throw Error(ErrorKind::Usage, what + "the file names its axes itself", "remove the axes");
  const std::int64_t pages = info.shape.nz;
  PageOrder order;
  std::int64_t known = 1;
  std::int64_t* open = nullptr;
  for (const PageAxis& axis : axesOf(axes).value_or(std::vector<PageAxis>())) {
    order.order += axis.letter;
    std::int64_t& extent = axis.letter == 'z' ? order.slices : axis.letter == 't' ? order.frames : order.channels;
    extent = axis.extent;
    if (axis.extent == 0) open = &extent;
    // Stops here: the product already exceeds the number of pages.
    if (axis.extent > 0 && known <= pages) known *= axis.extent;
  }
  if (open != nullptr) *open = std::max<std::int64_t>(1, pages / known);
  if (known * (open == nullptr ? 1 : *open) != pages)
    throw Error(ErrorKind::Usage, what + "there are " + std::to_string(pages), "give extents with this product");
  constexpr std::int64_t kMostComponents = std::int64_t{1} << 24;
  if (order.frames * order.channels * info.shape.components > kMostComponents)
    throw Error(ErrorKind::Usage, what + "that is too many channels and frames", "choose fewer");
  return order;
}

VolumeInfo arranged(VolumeInfo info, const PageOrder& order) {
  info.metadata.frames = static_cast<int>(order.frames);
  if (order.channels > 1 && info.shape.components == 1)
    info.metadata.channels.assign(static_cast<std::size_t>(order.channels), {});
  info.shape.nz = order.slices;
  info.shape.components *= static_cast<int>(order.frames * order.channels);
  const std::string channels = std::to_string(order.channels) + " channels",
                    frames = std::to_string(order.frames) + " frames";
  const bool both = order.channels > 1 && order.frames > 1;
  if (order.channels > 1 || order.frames > 1)
    info.notices.push_back(heldAsComponents("the " + (both                 ? channels + " of " + frames
                                                      : order.channels > 1 ? channels
                                                                           : frames)));
  return info;
}

void arrange(const VolumeInfo& info, const PageOrder& order, const std::byte* in, std::byte* out,
             const Control& control) {
  const std::size_t samples = static_cast<std::size_t>(info.shape.components) * bytesOf(info.type);
  const auto pixels = static_cast<std::size_t>(info.shape.nx * info.shape.ny);
  const auto groups = static_cast<std::size_t>(order.frames * order.channels);
  for (std::int64_t page = 0; page < info.shape.nz; ++page) {
    control.check();
    std::int64_t rest = page, slice = 0, frame = 0, channel = 0;
    for (std::size_t i = order.order.size(); i-- > 0;) {
      const char letter = order.order[i];
      const std::int64_t extent = letter == 'z' ? order.slices : letter == 't' ? order.frames : order.channels;
      (letter == 'z' ? slice : letter == 't' ? frame : channel) = rest % extent;
      rest /= extent;
    }
    const auto group = static_cast<std::size_t>(frame * order.channels + channel);
    const std::byte* from = in + static_cast<std::size_t>(page) * pixels * samples;
    std::byte* to = out + (static_cast<std::size_t>(slice) * pixels * groups + group) * samples;
    for (std::size_t v = 0; v < pixels; ++v) std::memcpy(to + v * groups * samples, from + v * samples, samples);
  }
}

VolumeInfo corrected(VolumeInfo info, const Correction& correction) {
  if (!correction.some()) return info;
  Geometry& g = info.geometry;
  if (!correction.unit.empty()) g.unit = correction.unit;
  if (correction.spacing[0]) {
    std::array<AxisStep, 3> axes;
    const bool measured = millimetersIn(g.unit).has_value();
    for (std::size_t a = 0; a < 3; ++a) {
      axes[a] = {g.spacing[a], g.steps[a] == StepSource::Assumed ? "" : g.unit, g.steps[a]};
      // Numbers without a unit count in the unit of the file's other numbers.
      if (correction.spacing[a])
        axes[a] = {*correction.spacing[a], correction.spacingUnit.empty() && measured ? g.unit : correction.spacingUnit,
                   StepSource::Given};
    }
    setSteps(g, axes);
  }
  if (correction.origin) {
    g.origin = *correction.origin;
    if (!correction.originUnit.empty() && millimetersIn(g.unit))
      for (double& place : g.origin) place = convertLength(place, correction.originUnit, g.unit);
  }
  info.metadata.labels = info.metadata.labels || correction.labels;
  std::erase_if(info.notices, isAssumedNotice);
  const std::string assumed = assumedNotice(g, {info.shape.nx, info.shape.ny, info.shape.nz});
  if (!assumed.empty()) info.notices.push_back(assumed);
  info.notices.push_back("corrected: " + correction.text());
  return info;
}

}  // namespace sscope
