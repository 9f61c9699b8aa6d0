#include "core/filter/formula/workload/formula_workload.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/words.h"
#include "core/filter/formula/formula_rows.h"

namespace sscope {

namespace {

[[noreturn]] void refuse(const std::string& what, const std::string& remedy) {
  throw Error(ErrorKind::Usage, what, remedy);
}

// Whether single precision holds a number: its range, and all digits of a whole number.
bool singleHolds(double value) {
  const double size = std::abs(value);
  if (!std::isfinite(value) || value == 0) return true;
  if (size > static_cast<double>(std::numeric_limits<float>::max())) return false;
  if (size < static_cast<double>(std::numeric_limits<float>::min())) return false;
  return value != std::floor(value) || static_cast<double>(static_cast<float>(value)) == value;
}

bool needsDouble(const Formula& formula, const FormulaSetting& setting) {
  if (setting.output != ElementType::f32) return true;
  for (const FormulaInput& input : setting.inputs)
    if (const ElementType type = input.spec.type;
        type == ElementType::u32 || type == ElementType::i32 || type == ElementType::f64)
      return true;
  if (setting.boundary == Boundary::constant && !singleHolds(setting.constant)) return true;
  for (std::size_t a = 0; a < 3; ++a)
    if (setting.volume[a] > (1 << 24) || !singleHolds(setting.spacing[a])) return true;
  for (const FormulaNode& node : formula.tree().nodes)
    if (node.op == FormulaOp::Number && !singleHolds(node.value)) return true;
  return std::ranges::any_of(formula.constants(), [](const FormulaConstant& c) { return !singleHolds(c.value); });
}

bool inside(const Box& part, const Box& whole) {
  for (std::size_t a = 0; a < 3; ++a)
    if (part.begin[a] < whole.begin[a] || part.end[a] > whole.end[a]) return false;
  return true;
}

}  // namespace

bool FormulaSetting::operator==(const FormulaSetting& other) const {
  const auto bits = [](double value) { return std::bit_cast<std::uint64_t>(value); };
  return inputs == other.inputs && volume == other.volume && boundary == other.boundary &&
         bits(constant) == bits(other.constant) && region == other.region && spacing == other.spacing &&
         output == other.output && components == other.components;
}

FormulaWorkload::FormulaWorkload(Formula formula, FormulaSetting setting)
    : formula_(std::move(formula)),
      setting_(std::move(setting)),
      components_(std::max<std::int64_t>(setting_.components, 1)) {
  if (const std::size_t read = formula_.inputs().size(); setting_.inputs.size() != read)
    refuse("the formula reads " + counted(static_cast<std::int64_t>(read), "input"), "provide as many");
  const Box volume{{0, 0, 0}, setting_.volume};
  for (std::size_t a = 0; a < 3; ++a) {
    if (setting_.region.begin[a] >= setting_.region.end[a]) refuse("the region has no voxels", "choose a larger one");
    if (!(setting_.spacing[a] > 0) || !std::isfinite(setting_.spacing[a]))
      refuse("the spacing is not a length", "set a spacing in millimeters");
  }
  if (!inside(setting_.region, volume)) refuse("the region lies outside the volume", "choose a region inside");
  for (std::size_t i = 0; i < setting_.inputs.size(); ++i) {
    const auto& [spec, box] = setting_.inputs[i];
    for (std::size_t a = 0; a < 3; ++a)
      if (box.size(static_cast<int>(a)) != spec.extent[a] || spec.extent[a] < 1)
        refuse("the array of " + formula_.inputs()[i] + " does not have the extents of its box",
               "provide an array of that size");
    if (!inside(readBox(formula_, i, setting_.region, setting_.volume, setting_.boundary), box))
      refuse("the formula reads " + formula_.inputs()[i] + " outside the given part", "provide a larger part");
    if (spec.extent[3] < 1 || (spec.extent[3] > 1 && components_ > 1 && spec.extent[3] != components_))
      refuse("the inputs have different numbers of components", "provide the same number for all, or one");
    components_ = std::max(components_, spec.extent[3]);
  }
  precision_ = needsDouble(formula_, setting_) ? Precision::f64 : Precision::f32;
}

nlohmann::json FormulaWorkload::parameters() const {
  nlohmann::json constants = nlohmann::json::object();
  for (const FormulaConstant& constant : formula_.constants()) constants[constant.name] = constant.value;
  return {{"formula", formula_.text()},
          {"constants", constants},
          {"boundary", std::string(toString(setting_.boundary))},
          {"output", std::string(toString(setting_.output))}};
}

std::vector<ArraySpec> FormulaWorkload::inputs() const {
  std::vector<ArraySpec> specs;
  for (const FormulaInput& input : setting_.inputs) specs.push_back(input.spec);
  return specs;
}

std::vector<ArraySpec> FormulaWorkload::outputs() const {
  const Box& region = setting_.region;
  return {{setting_.output, {region.size(0), region.size(1), region.size(2), components_}}};
}

Work FormulaWorkload::work() const {
  const ArraySpec output = outputs()[0];
  Work work{formula_.operations() * static_cast<double>(output.elements()), static_cast<double>(output.bytes())};
  for (const FormulaInput& input : setting_.inputs) work.bytes += static_cast<double>(input.spec.bytes());
  return work;
}

Box FormulaWorkload::reach(const Box& box) const {
  if (setting_.inputs.empty()) return {};
  Box region = box;
  for (std::size_t a = 0; a < 3; ++a) {
    region.begin[a] += setting_.region.begin[a];
    region.end[a] += setting_.region.begin[a];
  }
  Box reach = readBox(formula_, 0, region, setting_.volume, setting_.boundary);
  for (std::size_t a = 0; a < 3; ++a) {
    reach.begin[a] -= setting_.inputs[0].box.begin[a];
    reach.end[a] -= setting_.inputs[0].box.begin[a];
  }
  return reach;
}

std::unique_ptr<Workload> FormulaWorkload::restrictedTo(const Box& region) const {
  FormulaSetting part = setting_;
  for (std::size_t a = 0; a < 3; ++a) {
    if (region.begin[a] < 0 || region.end[a] > setting_.region.size(static_cast<int>(a)) ||
        region.begin[a] >= region.end[a])
      refuse("the region lies outside the data", "choose a region inside");
    part.region.begin[a] = setting_.region.begin[a] + region.begin[a];
    part.region.end[a] = setting_.region.begin[a] + region.end[a];
  }
  return std::make_unique<FormulaWorkload>(formula_, std::move(part));
}

double formulaReferenceSeconds(const Formula& formula) {
  // Each part of the tree is evaluated once in numbers and once in intervals, which take several operations; measured
  // on EPYC.
  constexpr double kPerNode = 12e-9, kPerRead = 12e-9, kPerOperation = 2e-9;
  const std::vector<std::uint32_t> equal = equalNodes(formula.tree());
  double seconds = kPerRead * static_cast<double>(formula.reads().size());
  for (std::uint32_t n = 0; n < equal.size(); ++n)
    if (equal[n] == n) seconds += kPerNode + kPerOperation * operationsOf(formula.tree().nodes[n]);
  return seconds;
}

double FormulaWorkload::referenceSeconds() const {
  return formulaReferenceSeconds(formula_) * static_cast<double>(outputs()[0].elements());
}

bool FormulaWorkload::sameShape(const FormulaWorkload& other) const {
  return formula_.sameText(other.formula_) && setting_ == other.setting_ && precision_ == other.precision_;
}

}  // namespace sscope
