#include "core/io/native/nrrd_header.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <sstream>
#include <vector>

#include "core/io/base/decoder.h"
#include "core/io/base/file_error.h"
#include "core/io/base/header_text.h"
#include "core/volume/geometry.h"
#include "core/volume/selection.h"

namespace sscope::io {

namespace {

constexpr double kNotGiven = std::numeric_limits<double>::quiet_NaN();
using Vector = std::optional<std::vector<double>>;  // empty: "none"

std::optional<double> numberIn(std::string text) {
  text = lowerCased(trimmed(text));
  if (text.starts_with('+')) text.erase(0, 1);
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

Error senseless(const std::string& path, const std::string& field, const std::string& text) {
  return damaged(path, "its header gives \"" + field + ": " + text + "\", which is invalid");
}

// One number an axis; none of them where the field is missing.
std::vector<double> numbersOf(const NrrdHeader& header, const std::string& field, std::size_t axes,
                              const std::string& path) {
  std::vector<double> result;
  for (const std::string& word : wordsIn(header.field(field))) {
    const auto number = numberIn(word);
    if (!number) throw senseless(path, field, header.field(field));
    result.push_back(*number);
  }
  if (!result.empty() && result.size() != axes) throw senseless(path, field, header.field(field));
  result.resize(axes, kNotGiven);
  return result;
}

// "(1,0,0) none ( 0, 1, 0 )".
std::vector<Vector> vectorsOf(const NrrdHeader& header, const std::string& field, const std::string& path) {
  const std::string text = header.field(field);
  std::vector<Vector> result;
  for (std::size_t at = text.find_first_not_of(" \t"); at < text.size(); at = text.find_first_not_of(" \t", at)) {
    const bool given = text[at] == '(';
    const std::size_t end = given ? text.find(')', at) : std::min(text.find_first_of(" \t(", at), text.size());
    if (end == std::string::npos) throw senseless(path, field, text);
    const std::string inside = text.substr(at + (given ? 1 : 0), end - at - (given ? 1 : 0));
    at = end + (given ? 1 : 0);
    if (!given && lowerCased(inside) != "none") throw senseless(path, field, text);
    Vector& vector = result.emplace_back();
    if (!given) continue;
    vector.emplace();
    std::istringstream parts(inside);
    for (std::string part; std::getline(parts, part, ',');) {
      const auto number = numberIn(part);
      if (!number) throw senseless(path, field, text);
      vector->push_back(*number);
    }
    if (std::isnan(vector->empty() ? kNotGiven : vector->front())) vector.reset();  // of older files
  }
  return result;
}

// "mm" "s": what stands between quotation marks.
std::vector<std::string> quotedOf(const std::string& text) {
  std::vector<std::string> result;
  if (text.find('"') == std::string::npos) return wordsIn(text);
  for (std::size_t at = text.find('"'); at != std::string::npos; at = text.find('"', at)) {
    std::string& word = result.emplace_back();
    for (++at; at < text.size() && text[at] != '"'; ++at) {
      if (text[at] == '\\' && at + 1 < text.size()) ++at;
      word += text[at];
    }
    ++at;
  }
  return result;
}

struct Space {
  std::string name;                     // as the header has it, in small letters
  bool patient = false;                 // its axes are those of a body
  std::array<double, 3> sign{1, 1, 1};  // to ours, which are LPS
  std::size_t dimension = 0;            // 0: no space
  bool timed = false;                   // the last of them is time
};

Space spaceOf(const NrrdHeader& header, const std::string& path) {
  Space space;
  space.name = header.field("space");
  std::string name = space.name;
  if (name.empty()) {
    const auto dimension = numberIn(header.field("space dimension"));
    if (dimension && *dimension >= 1 && *dimension <= 3) space.dimension = static_cast<std::size_t>(*dimension);
    return space;
  }
  for (const char* end : {"-time", "t"})
    if (name.ends_with(end) && name.size() > 3 && !space.timed) {
      name.resize(name.size() - std::string(end).size());
      space.timed = true;
    }
  space.dimension = space.timed ? 4 : 3;
  const bool right = name == "right-anterior-superior" || name == "ras";
  const bool anterior = right || name == "left-anterior-superior" || name == "las";
  space.patient = anterior || name == "left-posterior-superior" || name == "lps";
  space.sign = {right ? -1.0 : 1.0, anterior ? -1.0 : 1.0, 1};
  if (!space.patient && name != "scanner-xyz" && name != "3d-right-handed" && name != "3d-left-handed")
    throw cannotRead(ErrorKind::Unsupported, path,
                     "its header gives the space \"" + space.name + "\", which is unknown",
                     "correct it: left-posterior-superior, right-anterior-superior, ... or leave it out");
  return space;
}

enum class Role { Space, Time, Channels };

struct Axis {
  std::int64_t size = 1;
  Role role = Role::Space;
  std::string kind, unit;  // as the header has them
  Vector direction;
  double spacing = kNotGiven, low = kNotGiven, high = kNotGiven;
  bool nodes = false;  // the ends are samples, not those of their cells
};

bool mayBeInSpace(const std::string& kind) {
  return kind.empty() || kind == "domain" || kind == "space" || kind == "???" || kind == "none";
}

std::vector<Axis> axesOf(const NrrdHeader& header, const Space& space, const std::string& path) {
  std::vector<Axis> axes;
  for (const std::string& word : wordsIn(header.field("sizes"))) {
    const auto size = numberIn(word);
    if (!size || !(*size >= 1) || *size != std::floor(*size) || *size > 0x1p40)
      throw damaged(path, "its header gives the size " + word);
    axes.emplace_back().size = static_cast<std::int64_t>(*size);
  }
  const std::size_t count = axes.size();
  if (const std::string given = header.field("dimension");
      !given.empty() && numberIn(given) != static_cast<double>(count))
    throw damaged(path, "its header gives " + std::to_string(count) + " sizes of dimension " + given);
  if (count < 1 || count > 16)
    throw cannotRead(ErrorKind::Unsupported, path, "it has " + std::to_string(count) + " axes",
                     "save it with one to three axes in space, one of points in time and one of components");
  const auto kinds = wordsIn(header.field("kinds")), centers = wordsIn(header.field("centers"));
  const auto units = quotedOf(header.field("units")), spaceUnits = quotedOf(header.field("space units"));
  const auto spacings = numbersOf(header, "spacings", count, path), low = numbersOf(header, "axis mins", count, path),
             high = numbersOf(header, "axis maxs", count, path);
  const auto directions = vectorsOf(header, "space directions", path);
  if ((!kinds.empty() && kinds.size() != count) || (!directions.empty() && directions.size() != count))
    throw damaged(path, "its header gives kinds or directions of another number of axes than " + std::to_string(count));
  for (std::size_t a = 0; a < count; ++a) {
    Axis& axis = axes[a];
    if (a < kinds.size()) axis.kind = kinds[a];
    if (a < units.size()) axis.unit = units[a];
    if (a < directions.size()) axis.direction = directions[a];
    axis.nodes = a < centers.size() && centers[a] == "node";
    axis.spacing = spacings[a];
    axis.low = low[a];
    axis.high = high[a];
    const std::string kind = lowerCased(axis.kind);
    const Vector& v = axis.direction;
    if (v && space.dimension > 0 && v->size() != space.dimension)
      throw senseless(path, "space directions", header.field("space directions"));
    const bool onlyTime = space.timed && v && std::hypot((*v)[0], (*v)[1], (*v)[2]) == 0 && (*v)[3] != 0;
    if (onlyTime) {
      axis.spacing = (*v)[3];
      if (spaceUnits.size() > 3) axis.unit = spaceUnits[3];
    }
    if (kind == "time" || kind == "list" || onlyTime) {
      axis.role = Role::Time;
    } else if (!mayBeInSpace(kind) || (!directions.empty() && !v)) {
      axis.role = Role::Channels;
    }
  }
  return axes;
}

double secondsOfUnit(const std::string& unit) {
  if (unit == "ms" || unit == "msec" || unit.starts_with("millisec")) return 1e-3;
  if (unit == "us" || unit == "usec" || unit.starts_with("microsec")) return 1e-6;
  if (unit == "min" || unit.starts_with("minute")) return 60;
  return 1;
}

std::int64_t product(const std::vector<Axis>& axes, Role role) {
  double count = 1;
  for (const Axis& axis : axes)
    if (axis.role == role) count *= static_cast<double>(axis.size);
  return count < 0x1p62 ? static_cast<std::int64_t>(count) : 0;
}

// Axes of one value are none. What has no role yet is taken for the last that it can be.
void settleRoles(std::vector<Axis>& axes, const std::string& path, std::vector<std::string>& notices) {
  const auto count = [&](Role role) {
    return std::count_if(axes.begin(), axes.end(), [&](const Axis& a) { return a.role == role && a.size > 1; });
  };
  const auto in = [&](Role role) {
    return std::count_if(axes.begin(), axes.end(), [&](const Axis& a) { return a.role == role; });
  };
  if (in(Role::Space) > 3 && axes.back().role == Role::Space) {
    axes.back().role = Role::Time;
    if (axes.back().size > 1)
      notices.emplace_back(
          "the last axis is read as points in time: the file has more than three axes and does not name them");
  }
  // Of two that are lists the slower one is time, as it is read.
  if (count(Role::Time) == 2 && count(Role::Channels) == 0)
    std::find_if(axes.begin(), axes.end(), [](const Axis& a) { return a.role == Role::Time && a.size > 1; })->role =
        Role::Channels;
  if (in(Role::Space) > 3 || count(Role::Time) > 1 || count(Role::Channels) > 1)
    throw cannotRead(ErrorKind::Unsupported, path,
                     "its " + std::to_string(axes.size()) +
                         " axes are not one to three in space, one of points in time and one of components",
                     "give them kinds (domain, time, list, vector), or save a part of it");
}

// Of times and channels those before the axes in space lie within a voxel, those behind them in frames.
FrameLayout layoutOf(const std::vector<Axis>& axes, std::int64_t voxels, const std::string& path) {
  FrameLayout layout{voxels, 1, 1, 1};
  const std::int64_t times = product(axes, Role::Time), channels = product(axes, Role::Channels);
  bool inside = true, behind = false;
  std::vector<Role> before, after;
  for (const Axis& axis : axes) {
    if (axis.size == 1) continue;
    if (axis.role == Role::Space) {
      inside = false;
      if (behind)
        throw cannotRead(ErrorKind::Unsupported, path, "its components lie between its axes in space",
                         "reorder its axes");
      continue;
    }
    behind = !inside;
    (inside ? before : after).push_back(axis.role);
    (inside ? layout.components : layout.frames) *= axis.size;
  }
  // A voxel holds the channels of each time together.
  if (!before.empty() && before.front() == Role::Time && channels > 1)
    throw cannotRead(ErrorKind::Unsupported, path, "its points in time lie closer together than its components",
                     "reorder its axes: components, space, time");
  if (after.size() == 2 && after.front() == Role::Time) layout.times = times;
  return layout;
}

// The third axis of a plane in space is its normal.
void completeDirections(Geometry& g) {
  auto& d = g.direction;
  const std::array<double, 3> n = {d[3] * d[7] - d[6] * d[4], d[6] * d[1] - d[0] * d[7], d[0] * d[4] - d[3] * d[1]};
  const double length = std::hypot(n[0], n[1], n[2]);
  for (std::size_t r = 0; r < 3; ++r) d[3 * r + 2] = length > 0 ? n[r] / length : r == 2 ? 1 : 0;
}

// Each coordinate of space has a unit of its own; all become that of the first which has one. Lengths are given by
// vectors there, without one by the spacing of the axis or by its ends.
Geometry geometryOf(const NrrdHeader& header, const Space& space, const std::vector<Axis>& axes,
                    const std::string& path) {
  Geometry g;
  auto units = quotedOf(header.field("space units"));
  const bool unitsGiven = !units.empty() || !header.field("units").empty();
  units.resize(3);
  for (std::string& unit : units) unit = lengthUnit(unit);
  const auto first =
      std::find_if(units.begin(), units.end(), [](const auto& u) { return millimetersIn(u).has_value(); });
  const std::string common = first == units.end() ? units.front() : *first;
  const auto toCommon = [&](double length, std::size_t coordinate) {
    const std::string& own = units[coordinate];
    return millimetersIn(own) && own != common ? convertLength(length, own, common) : length;
  };
  std::array<AxisStep, 3> steps;
  std::size_t n = 0, directed = 0;
  for (const Axis& axis : axes) {
    if (axis.role != Role::Space) continue;
    AxisStep& step = steps[n];
    const bool ends = std::isfinite(axis.low) && std::isfinite(axis.high);
    const auto cells = static_cast<double>(axis.nodes ? axis.size - 1 : axis.size);
    if (axis.direction) {
      std::array<double, 3> v{};
      for (std::size_t r = 0; r < std::min<std::size_t>(3, axis.direction->size()); ++r)
        v[r] = space.sign[r] * toCommon((*axis.direction)[r], r);
      const double length = std::hypot(v[0], v[1], v[2]);
      step = {length, common};
      for (std::size_t r = 0; r < 3; ++r) g.direction[3 * r + n] = length > 0 ? v[r] / length + 0.0 : 0;
      ++directed;
    } else {
      const std::string& unit = axis.unit.empty() ? units[n] : axis.unit;
      step = {axis.spacing, unit};
      if (std::isnan(axis.spacing) && ends && cells > 0)
        step = {(axis.high - axis.low) / cells, unit, StepSource::Derived};
      if (step.step < 0) {  // the sign belongs to the direction
        step.step = -step.step;
        g.direction[4 * n] = -1;
      }
      const double half = axis.nodes ? 0 : g.direction[4 * n] * step.step / 2;
      if (std::isfinite(axis.low) && std::isfinite(step.step)) g.origin[n] = axis.low + half;
    }
    ++n;
  }
  if (directed == 2 && n == 2 && space.dimension >= 3) completeDirections(g);
  const bool known = std::any_of(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(n),
                                 [](const AxisStep& step) { return step.step > 0; });
  for (; n < 3; ++n) steps[n] = {1, steps[0].unit, StepSource::Assumed};
  // By convention; where no step is given either, nothing is said of lengths.
  if (!unitsGiven && known)
    for (AxisStep& step : steps) step.unit = "mm";
  g.unit = steps[0].unit;
  if (directed == 0) {
    // The ends of an axis are in its own unit.
    for (std::size_t a = 0; a < 3; ++a)
      if (millimetersIn(steps[a].unit) && millimetersIn(steps[0].unit))
        g.origin[a] = convertLength(g.origin[a], lengthUnit(steps[a].unit), lengthUnit(steps[0].unit));
  }
  if (const auto origin = vectorsOf(header, "space origin", path); !origin.empty() && origin.front()) {
    const auto& point = *origin.front();
    if (origin.size() != 1 || (space.dimension > 0 && point.size() != space.dimension))
      throw senseless(path, "space origin", header.field("space origin"));
    for (std::size_t r = 0; r < std::min<std::size_t>(3, point.size()); ++r)
      g.origin[r] = space.sign[r] * toCommon(point[r], r) + 0.0;
  }
  setSteps(g, steps);
  return g;
}

void takeMetadata(const NrrdHeader& header, const Space& space, const std::vector<Axis>& axes, const std::string& path,
                  VolumeInfo& info) {
  Metadata& metadata = info.metadata;
  metadata.fields = header.annotations;
  metadata.inSpace = space.patient;
  std::erase_if(metadata.fields, [&](const auto& field) {
    for (std::size_t a = 0; a < 3 && field.first == kNrrdAssumed; ++a)
      if (field.second.find("xyz"[a]) != std::string::npos) info.geometry.steps[a] = StepSource::Assumed;
    return field.first == kNrrdAssumed;
  });
  if (!space.patient && !space.name.empty()) metadata.fields.emplace_back(kNrrdSpace, space.name);
  if (const auto columns = vectorsOf(header, "measurement frame", path); columns.size() == 3) {
    std::array<double, 9> frame{};
    bool whole = true;
    for (std::size_t a = 0; a < 3; ++a) {
      whole = whole && columns[a] && columns[a]->size() >= 3;
      for (std::size_t r = 0; whole && r < 3; ++r) frame[3 * r + a] = space.sign[r] * (*columns[a])[r];
    }
    if (whole) metadata.measurementFrame = frame;
  }
  metadata.frames = static_cast<int>(product(axes, Role::Time));
  for (const Axis& axis : axes) {
    if (axis.role == Role::Space || axis.size == 1) continue;
    if (metadata.componentKind.empty() && !mayBeInSpace(lowerCased(axis.kind))) metadata.componentKind = axis.kind;
    const double step = axis.spacing * secondsOfUnit(lowerCased(axis.unit));
    if (axis.role == Role::Time && std::isfinite(step) && step > 0) metadata.frameSeconds = step;
  }
  if (const auto unit = quotedOf(header.field("sample units")); !unit.empty()) info.metadata.valueUnit = unit.front();
  if (!header.field("old min").empty() || !header.field("old max").empty())
    info.notices.emplace_back(
        "the file gives the range of its values before they were quantized (old min, old max), "
        "which is not applied");
}

}  // namespace

NrrdAxes nrrdAxes(const NrrdHeader& header, const std::string& path, std::size_t bytes) {
  const Space space = spaceOf(header, path);
  std::vector<Axis> axes = axesOf(header, space, path);
  NrrdAxes result;
  VolumeInfo& info = result.info;
  settleRoles(axes, path, info.notices);
  const auto components =
      static_cast<double>(product(axes, Role::Time)) * static_cast<double>(product(axes, Role::Channels));
  if (!(components >= 1) || components > 1 << 24) throw damaged(path, "it claims too many components");
  std::array<std::int64_t, 3> extent{1, 1, 1};
  std::size_t n = 0;
  double voxels = 1;
  for (const Axis& axis : axes)
    if (axis.role == Role::Space) {
      extent[n++] = axis.size;
      voxels *= static_cast<double>(axis.size);
    }
  requireMemory(path, voxels * components * static_cast<double>(bytes), 0);
  info.shape = {extent[0], extent[1], extent[2], static_cast<int>(components)};
  result.layout = layoutOf(axes, info.shape.voxels(), path);
  info.geometry = geometryOf(header, space, axes, path);
  takeMetadata(header, space, axes, path, info);
  if (info.metadata.frames > 1 && info.metadata.componentKind != "list")
    info.notices.push_back(heldAsComponents("the " + std::to_string(info.metadata.frames) + " time points"));
  repairGeometry(info);
  return result;
}

}  // namespace sscope::io
