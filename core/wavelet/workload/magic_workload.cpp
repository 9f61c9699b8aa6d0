#include "core/wavelet/workload/magic_workload.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/boundary/boundary.h"
#include "core/wavelet/magic_taps.h"
#include "core/workload/catalog.h"

namespace sscope {

namespace {

constexpr std::int64_t kPublishedOrder = 8;

[[noreturn]] void badTaps(const std::string& path, const std::string& what) {
  throw Error(ErrorKind::BadData, "cannot read taps from " + path + ": " + what,
              "write " + std::to_string(MagicWorkload::kFewestTaps) + " to " +
                  std::to_string(MagicWorkload::kMostTaps) + " numbers, as a JSON array or as plain text");
}

std::vector<double> parseJson(const std::string& path, const std::string& text) {
  std::vector<double> taps;
  const nlohmann::json list = nlohmann::json::parse(text, nullptr, false);
  if (!list.is_array()) badTaps(path, "it is not a JSON array");
  for (const nlohmann::json& entry : list) {
    if (!entry.is_number()) badTaps(path, entry.dump() + " is not a number");
    taps.push_back(entry.get<double>());
  }
  return taps;
}

std::vector<double> parsePlain(const std::string& path, const std::string& text) {
  std::vector<double> taps;
  const auto separates = [](char c) { return c == ',' || c == ';' || std::isspace(static_cast<unsigned char>(c)); };
  for (const char *at = text.data(), *end = at + text.size();;) {
    while (at != end && separates(*at)) ++at;
    if (at == end) return taps;
    const char* stop = std::find_if(at, end, separates);
    if (*at == '+') ++at;
    const auto [rest, code] = std::from_chars(at, stop, taps.emplace_back());
    if (code != std::errc{} || rest != stop) badTaps(path, "\"" + std::string(at, stop) + "\" is not a number");
    at = stop;
  }
}

// A hash of the taps, which distinguishes files in reports and in keys of tuned launches.
std::string fingerprint(std::span<const double> taps) {
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (const double tap : taps) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &tap, sizeof bits);
    for (int byte = 0; byte < 8; ++byte) hash = (hash ^ (bits >> (8 * byte) & 0xff)) * 0x100000001b3;
  }
  char text[17];
  const auto [end, code] = std::to_chars(text, text + sizeof text, hash, 16);
  static_cast<void>(code);
  return {text, end};
}

}  // namespace

std::vector<double> readTaps(const std::string& path) {
  const std::string text = readTextFile(path);
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  const bool json = begin != std::string::npos && (text[begin] == '[' || text[begin] == '{');
  const std::vector<double> taps = json ? parseJson(path, text) : parsePlain(path, text);
  if (taps.size() < MagicWorkload::kFewestTaps || taps.size() > MagicWorkload::kMostTaps)
    badTaps(path, "it holds " + std::to_string(taps.size()) + " numbers");
  for (const double tap : taps)
    if (!std::isfinite(tap)) badTaps(path, "a number is not finite");
  return taps;
}

const std::vector<Option>& MagicWorkload::options() {
  static const std::vector<Option> options{
      choiceOption("direction", "Direction", {"forward", "inverse"},
                   "the filter, or its adjoint, which is an approximate inverse"),
      choiceOption("passes", "Passes", {"3d", "lines"}, "along all axes, or along x only"),
      booleanOption("transposed", "Transposed", false, "with passes=lines: write the lines as columns"),
      choiceOption("boundary", "Boundary", {"periodic", "free"},
                   "the data again outside; or zeros, and forward grows the array, inverse shrinks it"),
      integerOption("order", "Order", kPublishedOrder, 1, kMagicMaximumOrder, "of the wavelet: twice as many taps"),
      textOption("taps", "Taps",
                 "file with 2 to 64 numbers to use instead, the middle one at the output; or kinetic, with "
                 "passes=lines: -1/2 of the second derivative"),
      integerOption("seed", "Seed", 1, 0, INT64_MAX, "of the noise")};
  return options;
}

MagicWorkload::MagicWorkload(const ArraySpec& input, const OptionValues& values)
    : input_(input),
      inverse_(textOf(values, "direction") == "inverse"),
      lines_(textOf(values, "passes") == "lines"),
      transposed_(std::get<bool>(values.find("transposed")->second)),
      free_(textOf(values, "boundary") == toString(DataBoundary::Free)),
      order_(integerOf(values, "order")),
      file_(textOf(values, "taps")) {
  if (input_.type != ElementType::f64 || input_.extent[3] != 1)
    throw Error(ErrorKind::Usage, "magic works on one component of f64, not on " + std::string(toString(input_.type)),
                "convert the data to f64");
  for (const std::int64_t extent : input_.extent)
    if (extent < 1) throw Error(ErrorKind::Usage, "the data has no voxels", "open or generate some");
  if (transposed_ && !lines_) throw Error(ErrorKind::Usage, "transposed=true is for lines only", "add passes=lines");
  if (file_ == kKineticTaps && !lines_)
    throw Error(ErrorKind::Usage, "the kinetic filter acts along one axis at a time",
                "choose passes=lines, or `sscope magic --taps kinetic`, which adds up the axes");
  taps_ = file_.empty()           ? magicTaps(static_cast<int>(order_))
          : file_ == kKineticTaps ? kineticTaps(static_cast<int>(order_))
                                  : readTaps(file_);
  const int count = static_cast<int>(taps_.size());
  first_ = -(count / 2);
  if (inverse_) {
    std::reverse(taps_.begin(), taps_.end());
    first_ = -last();
  }
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (outputExtent(axis) < 1)
      throw Error(ErrorKind::Usage,
                  "free boundaries leave nothing of " + std::to_string(input_.extent[axis]) +
                      " samples where there are " + std::to_string(count) + " taps",
                  "give at least " + std::to_string(count) + " along each axis");
}

std::int64_t MagicWorkload::outputExtent(std::size_t axis) const {
  const std::int64_t reach = std::ssize(taps_) - 1;
  return input_.extent[axis] + (!freeAlong(axis) ? 0 : inverse_ ? -reach : reach);
}

nlohmann::json MagicWorkload::parameters() const {
  nlohmann::json parameters{{"direction", inverse_ ? "inverse" : "forward"}, {"passes", lines_ ? "lines" : "3d"}};
  if (lines_) parameters["transposed"] = transposed_;
  if (free_) parameters["boundary"] = toString(DataBoundary::Free);
  if (file_.empty() || file_ == kKineticTaps) {
    parameters["order"] = order_;
    if (!file_.empty()) parameters["taps"] = file_;
  } else {
    parameters["taps"] = std::to_string(taps_.size()) + " of their own (" + fingerprint(taps_) + ")";
  }
  return parameters;
}

std::vector<ArraySpec> MagicWorkload::outputs() const {
  ArraySpec output = input_;
  for (std::size_t axis = 0; axis < 3; ++axis) output.extent[axis] = outputExtent(axis);
  if (transposed_) output.extent = {output.extent[1] * output.extent[2], output.extent[0], 1, 1};
  if (part_) output.extent[part_->axis] = part_->count();
  return {output};
}

Work MagicWorkload::work() const {
  const auto taps = static_cast<double>(taps_.size());
  double terms = 0;
  std::array<std::int64_t, 4> extent = input_.extent;
  for (std::size_t axis = 0; axis < (lines_ ? 1U : 3U); ++axis) {
    const std::int64_t before = extent[axis], after = outputExtent(axis);
    extent[axis] = std::min(before, after);
    terms += taps * static_cast<double>(extent[0] * extent[1] * extent[2]);
    extent[axis] = after;
  }
  if (part_) terms *= static_cast<double>(part_->count()) / static_cast<double>(part_->whole);
  return {2 * terms, 8 * static_cast<double>(input_.elements() + outputs()[0].elements()) + 8 * taps};
}

std::int64_t MagicWorkload::termsPerOutput() const {
  const std::int64_t taps = std::ssize(taps_);
  return lines_ ? taps : taps * taps * taps;
}

std::array<MagicAxis, 3> MagicWorkload::axes() const {
  std::array<MagicAxis, 3> axes;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const bool free = freeAlong(axis);
    axes[axis] = {filtered(axis), free, !free ? first_ : inverse_ ? 0 : 1 - std::ssize(taps_)};
  }
  return axes;
}

Box MagicWorkload::reach(const Box& box) const {
  // In the order of the input's axes, which changes where lines become columns.
  Box outputs = inWhole(part_, box);
  if (transposed_) {
    const std::int64_t ny = input_.extent[1], first = box.begin[0] / ny, last = (box.end[0] - 1) / ny;
    const bool one = first == last;
    outputs = {{box.begin[1], one ? box.begin[0] % ny : 0, first},
               {box.end[1], one ? (box.end[0] - 1) % ny + 1 : ny, last + 1}};
  }
  const std::array<MagicAxis, 3> axes = this->axes();
  Box reach = outputs;
  for (std::size_t a = 0; a < 3; ++a) {
    if (!axes[a].filtered) continue;
    const Range range = reachOf({outputs.begin[a], outputs.end[a]}, std::ssize(taps_), -axes[a].first, input_.extent[a],
                                axes[a].free ? Boundary::constant : Boundary::wrap);
    reach.begin[a] = range.begin;
    reach.end[a] = range.end;
  }
  return reach;
}

void MagicWorkload::sums(std::span<const ConstArrayView> inputs, const Box& box, std::span<double> values,
                         bool magnitude, const Control& control) const {
  const std::array<MagicAxis, 3> axes = this->axes();
  if (!transposed_) {
    magicReference(taps_, axes, inputs[0], inWhole(part_, box), magnitude, values, control);
    return;
  }
  // Line by line, with the axes in the order of the output.
  const std::int64_t length = box.size(1), lines = box.size(0);
  std::vector<double> line(static_cast<std::size_t>(length));
  for (std::int64_t l = 0; l < lines; ++l) {
    const std::int64_t y = (box.begin[0] + l) % input_.extent[1], z = (box.begin[0] + l) / input_.extent[1];
    const Box one{{box.begin[1], y, z}, {box.end[1], y + 1, z + 1}};
    magicReference(taps_, axes, inputs[0], one, magnitude, line, control);
    for (std::int64_t i = 0; i < length; ++i)
      values[static_cast<std::size_t>(i * lines + l)] = line[static_cast<std::size_t>(i)];
  }
}

void MagicWorkload::reference(std::span<const ConstArrayView> inputs, std::size_t, const Box& box,
                              std::span<double> values, const Control& control) const {
  sums(inputs, box, values, false, control);
}

void MagicWorkload::referenceMagnitude(std::span<const ConstArrayView> inputs, std::size_t, const Box& box,
                                       std::span<double> values, const Control& control) const {
  sums(inputs, box, values, true, control);
}

std::unique_ptr<Workload> MagicWorkload::cutTo(const Box& region) const {
  bool several = false;
  const auto axis = cutAxis(outputs()[0].extent, region, several);
  if (free_ || transposed_ || several || axis == std::size_t{0} || (axis && part_ && part_->axis != *axis))
    return nullptr;
  auto part = std::make_unique<MagicWorkload>(*this);
  if (!axis) return part;
  const std::int64_t before = part_ ? part_->begin : 0;
  const bool sums = filtered(*axis);
  part->part_ = {*axis,
                 before + region.begin[*axis],
                 before + region.end[*axis],
                 input_.extent[*axis],
                 sums ? first_ : 0,
                 sums ? std::ssize(taps_) : 1};
  return part;
}

std::unique_ptr<Workload> MagicWorkload::periodic() const {
  if (part_) {
    auto smaller = std::make_unique<MagicWorkload>(*this);
    smaller->part_.reset();
    smaller->input_.extent[part_->axis] = part_->period();
    if (part_->axis == 2) {
      const std::int64_t first = part_->output().front();
      smaller->wanted_ = Range{first, first + part_->count()};
    }
    return smaller;
  }
  if (!free_) return nullptr;
  auto larger = std::make_unique<MagicWorkload>(*this);
  larger->free_ = false;
  for (std::size_t axis = 0; axis < 3; ++axis)
    larger->input_.extent[axis] = std::max(input_.extent[axis], outputExtent(axis));
  return larger;
}

Range MagicWorkload::wantedPlanes() const { return wanted_.value_or(Range{0, input_.extent[2]}); }

// Forward, the periodic sum at i - last() is the first that reaches the input's first element, which lies at 0;
// inverse, the one at -first() reads nothing that wraps around.
Embedding MagicWorkload::embedding() const {
  Embedding embedding;
  std::array<AxisMap, 3> output;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::int64_t in = input_.extent[axis], out = outputExtent(axis), period = std::max(in, out);
    const std::int64_t shift = !freeAlong(axis) ? 0 : inverse_ ? -first_ : period - last();
    for (std::int64_t i = 0; i < in; ++i) embedding.input[axis].push_back(i);
    for (std::int64_t i = 0; i < out; ++i) output[axis].push_back((i + shift) % period);
  }
  if (!transposed_) {
    embedding.output = std::move(output);
    if (part_) {
      embedding.input[part_->axis] = part_->input();
      embedding.output[part_->axis] = part_->output();
    }
    return embedding;
  }
  for (std::int64_t i = 0; i < input_.extent[1] * input_.extent[2]; ++i) embedding.output[0].push_back(i);
  embedding.output[1] = std::move(output[0]);
  embedding.output[2] = {0};
  return embedding;
}

std::array<std::int64_t, 3> MagicWorkload::outputOrigin() const {
  std::array<std::int64_t, 3> origin{};
  for (std::size_t axis = 0; axis < 3 && !transposed_; ++axis)
    if (freeAlong(axis)) origin[axis] = inverse_ ? -first_ : -last();
  return origin;
}

}  // namespace sscope
