#include "core/volume/geometry.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

#include "core/base/words.h"

namespace sscope {

namespace {

struct Spelling {
  std::string_view word;  // in lower case
  std::string_view unit;
};
// The micro sign and the Greek letter are different characters, and so are the letter with a ring and the angstrom
// sign.
constexpr Spelling kSpellings[] = {
    {"pm", "pm"},
    {"picometer", "pm"},
    {"picometre", "pm"},
    {"\xc3\x85", "angstrom"},
    {"\xe2\x84\xab", "angstrom"},
    {"\xc3\xa5", "angstrom"},
    {"a", "angstrom"},
    {"angstrom", "angstrom"},
    {"\xc3\x85ngstr\xc3\xb6m", "angstrom"},
    {"nm", "nm"},
    {"nanometer", "nm"},
    {"nanometre", "nm"},
    {"um", "um"},
    {"\xc2\xb5m", "um"},
    {"\xce\xbcm", "um"},
    {"\xb5m", "um"},
    {"\\u00b5m", "um"},
    {"micron", "um"},
    {"micrometer", "um"},
    {"micrometre", "um"},
    {"mm", "mm"},
    {"millimeter", "mm"},
    {"millimetre", "mm"},
    {"cm", "cm"},
    {"centimeter", "cm"},
    {"centimetre", "cm"},
    {"dm", "dm"},
    {"decimeter", "dm"},
    {"decimetre", "dm"},
    {"meter", "m"},
    {"metre", "m"},
    {"km", "km"},
    {"kilometer", "km"},
    {"kilometre", "km"},
    {"in", "inch"},
    {"inch", "inch"},
    {"inches", "inch"},
    {"\"", "inch"},
    {"pixel", ""},
    {"voxel", ""},
    {"px", ""},
    {"none", ""},
    {"unknown", ""},
    {"arbitrary", ""},
    {"null", ""},
    {"???", ""},
    {"reference frame", ""},
};

// One unit is 10^exponent millimeters, or `millimeters`.
struct Size {
  std::string_view unit;
  int exponent;
  double factor = 1;
};
constexpr Size kSizes[] = {{"pm", -9}, {"angstrom", -7}, {"nm", -6}, {"um", -3}, {"mm", 0},
                           {"cm", 1},  {"dm", 2},        {"m", 3},   {"km", 6},  {"inch", 0, 25.4}};

const Size* sizeOf(std::string_view word) {
  const std::string unit = lengthUnit(word);
  const auto* const found =
      std::find_if(std::begin(kSizes), std::end(kSizes), [&](const Size& s) { return s.unit == unit; });
  return found == std::end(kSizes) ? nullptr : found;
}

// Powers of ten of this size are exact, and a division by one is correctly rounded.
double timesPowerOfTen(double value, int exponent) {
  const double power = std::pow(10.0, std::abs(exponent));
  return exponent < 0 ? value / power : value * power;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks(" \t\r\n\0", 5);
  const std::size_t first = text.find_first_not_of(kBlanks);
  return first == std::string_view::npos ? std::string_view{}
                                         : text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

}  // namespace

std::string lengthUnit(std::string_view word) {
  const std::string_view given = trimmed(word);
  // Capital letters mean other units: Mm, NM.
  std::string small(given);
  if (given.size() > 2)
    std::transform(small.begin(), small.end(), small.begin(),
                   [](unsigned char c) { return static_cast<char>(c < 0x80 ? std::tolower(c) : c); });
  if (given == "A") small = "a";
  const auto known = [](std::string_view text) {
    return std::find_if(std::begin(kSpellings), std::end(kSpellings),
                        [&](const Spelling& s) { return s.word == text; });
  };
  const Spelling* found = given == "m" || given == "a" ? std::end(kSpellings) : known(small);
  if (found == std::end(kSpellings) && small.size() > 3 && small.ends_with('s'))
    found = known(std::string_view(small).substr(0, small.size() - 1));
  return std::string(found == std::end(kSpellings) ? given : found->unit);
}

std::optional<double> millimetersIn(std::string_view unit) {
  const Size* const size = sizeOf(unit);
  if (size == nullptr) return std::nullopt;
  return timesPowerOfTen(size->factor, size->exponent);
}

double convertLength(double value, std::string_view from, std::string_view to) {
  const Size* const source = sizeOf(from);
  const Size* const target = sizeOf(to);
  if (source == nullptr || target == nullptr) throw std::bad_optional_access();
  if (source == target) return value;
  return timesPowerOfTen(value * source->factor, source->exponent - target->exponent) / target->factor;
}

double secondsOf(double number, std::string_view unit) {
  constexpr std::pair<std::string_view, double> kUnits[] = {{"", 1},
                                                            {"s", 1},
                                                            {"sec", 1},
                                                            {"ms", 1e-3},
                                                            {"\xc2\xb5s", 1e-6},
                                                            {"us", 1e-6},
                                                            {"ns", 1e-9},
                                                            {"\xce\xbcs", 1e-6},
                                                            {"min", 60},
                                                            {"h", 3600},
                                                            {"d", 86400},
                                                            {"second", 1},
                                                            {"millisecond", 1e-3},
                                                            {"microsecond", 1e-6},
                                                            {"nanosecond", 1e-9},
                                                            {"minute", 60},
                                                            {"hour", 3600},
                                                            {"day", 86400}};
  for (const auto& [word, seconds] : kUnits)
    if (unit == word || (word.size() > 3 && unit.ends_with('s') && unit.substr(0, unit.size() - 1) == word))
      return number * seconds;
  return 0;
}

std::optional<NumberWithUnit> parseNumberWithUnit(std::string_view text) {
  text = trimmed(text);
  NumberWithUnit result;
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result.value);
  if (error != std::errc() || !std::isfinite(result.value)) return std::nullopt;
  result.unit = trimmed(text.substr(static_cast<std::size_t>(end - text.data())));
  return result;
}

std::string_view toString(StepSource source) {
  switch (source) {
    case StepSource::Given: return "given";
    case StepSource::Derived: return "derived";
    case StepSource::Assumed: return "assumed";
  }
  return {};
}

bool Geometry::hasLength(std::size_t axis) const {
  return steps[axis] != StepSource::Assumed && millimetersIn(unit).has_value();
}

Geometry inUnit(Geometry geometry, const std::string& unit) {
  if (!millimetersIn(geometry.unit)) return geometry;
  for (std::size_t a = 0; a < 3; ++a) {
    geometry.spacing[a] = convertLength(geometry.spacing[a], geometry.unit, unit);
    geometry.origin[a] = convertLength(geometry.origin[a], geometry.unit, unit);
  }
  geometry.unit = unit;
  return geometry;
}

Geometry inMillimeters(Geometry geometry) { return inUnit(std::move(geometry), "mm"); }

namespace {

constexpr std::string_view kRemedy = " are refused: give it with --spacing (in the window: Correct...)";
constexpr const char* kAxisNames[] = {"x", "y", "z"};

}  // namespace

void setSteps(Geometry& geometry, const std::array<AxisStep, 3>& axes) {
  std::array<std::string, 3> units;
  for (std::size_t a = 0; a < 3; ++a) units[a] = lengthUnit(axes[a].unit);
  const auto* const length =
      std::find_if(units.begin(), units.end(), [](const std::string& u) { return millimetersIn(u).has_value(); });
  const bool some = length != units.end();
  const bool alike = units[0] == units[1] && (units[1] == units[2] || units[2].empty());
  const std::string unit = some ? *length : alike ? units[0] : std::string();
  if (some && millimetersIn(geometry.unit)) geometry = inUnit(std::move(geometry), unit);
  geometry.unit = unit;
  for (std::size_t a = 0; a < 3; ++a) {
    const AxisStep& axis = axes[a];
    const bool known = std::isfinite(axis.step) && axis.step > 0;
    const bool convertible = !some || millimetersIn(units[a]).has_value();
    geometry.steps[a] = known && convertible ? axis.source : StepSource::Assumed;
    geometry.spacing[a] = !known ? 1 : some && convertible ? convertLength(axis.step, units[a], unit) : axis.step;
  }
}

std::string assumedNotice(const Geometry& geometry, const std::array<std::int64_t, 3>& extent) {
  if (!millimetersIn(geometry.unit)) return {};
  std::vector<std::string> assumed;
  for (std::size_t a = 0; a < 3; ++a)
    if (geometry.steps[a] == StepSource::Assumed && extent[a] > 1) assumed.emplace_back(kAxisNames[a]);
  const std::string axes = listed(assumed);
  if (axes.empty()) return {};
  const std::string what =
      axes == "z" ? "the file gives no gap between slices" : "the file gives no step along " + axes;
  return what + "; 1 is assumed there, and lengths along " + axes + std::string(kRemedy);
}

bool isAssumedNotice(const std::string& notice) { return notice.ends_with(kRemedy); }

}  // namespace sscope
