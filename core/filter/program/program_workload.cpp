#include "core/filter/program/program_workload.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/filter/families/family.h"
#include "core/filter/folded_operator.h"
#include "core/filter/formula/workload/formula_workload.h"
#include "core/filter/program/fused_formulas.h"
#include "core/filter/program/program_reference.h"
#include "core/filter/program/program_stages.h"
#include "core/volume/rounding.h"
#include "core/workload/tolerance.h"

namespace sscope {

namespace {

Box wholeOf(const ArraySpec& spec) { return {{0, 0, 0}, {spec.extent[0], spec.extent[1], spec.extent[2]}}; }

// Whether a number is one of a type.
bool holds(ElementType type, double value) {
  bool same = false;
  dispatch(type, [&](auto tag) {
    bool saturated = false;
    same = static_cast<double>(roundSaturate<decltype(tag)>(value, saturated)) == value && !saturated;
  });
  return same;
}

FilterProgram folded(FilterProgram program, const ArraySpec& input, Boundary boundary) {
  for (ProgramNode& node : program.nodes)
    node.op = foldedOperator(std::move(node.op), {input.extent[0], input.extent[1], input.extent[2]}, boundary);
  return program;
}

}  // namespace

ProgramWorkload::ProgramWorkload(FilterProgram program, Boundary boundary, double constant, ArraySpec input,
                                 std::array<double, 3> spacing, ElementType output)
    : program_(folded(std::move(program), input, boundary)),
      computed_(withFusedFormulas(program_)),
      boundary_(boundary),
      constant_(constant),
      input_(input),
      spacing_(spacing),
      output_(output),
      region_(wholeOf(input)),
      planned_(region_) {
  if (program_.outputs.empty()) throw Error(ErrorKind::Usage, "there is no filter to run", "add one");
  for (const std::int64_t extent : input_.extent)
    if (extent < 1) throw Error(ErrorKind::Usage, "the data has no voxels", "open or generate some");
}

FilterWorkload ProgramWorkload::filtersOf(std::span<const std::size_t> nodes, const ArraySpec& input, const Box& region,
                                          ElementType output) const {
  std::vector<Operator> operators;
  for (const std::size_t node : nodes) operators.push_back(program_.nodes.at(node).op);
  const FilterWorkload whole(std::move(operators), boundary_, constant_, input, output);
  return whole.restricted(region);
}

nlohmann::json ProgramWorkload::parameters() const {
  nlohmann::json rows = nlohmann::json::array();
  for (const ProgramNode& node : program_.nodes) {
    nlohmann::json inputs = nlohmann::json::array();
    for (const std::size_t input : node.inputs)
      inputs.push_back(input == kSource ? nlohmann::json(kSourceName) : nlohmann::json(input));
    rows.push_back({{"name", node.op.name}, {"size", node.op.size()}, {"inputs", inputs}});
  }
  return {{"rows", rows}, {"boundary", std::string(toString(boundary_))}, {"output", std::string(toString(output_))}};
}

std::vector<ArraySpec> ProgramWorkload::outputs() const {
  const ArraySpec one{output_, {region_.size(0), region_.size(1), region_.size(2), input_.extent[3]}};
  return std::vector<ArraySpec>(program_.outputs.size(), one);
}

Work ProgramWorkload::work() const {
  Work work;
  const ProgramBoxes needed = boxes();
  for (std::size_t n = 0; n < program_.nodes.size(); ++n) {
    const Box& box = needed.nodes[n];
    if (isEmpty(box)) continue;
    if (const Formula* formula = program_.nodes[n].op.formula()) {
      work.operations += formula->operations() * static_cast<double>(box.voxels() * input_.extent[3]);
      continue;
    }
    const std::size_t one[]{n};
    work.operations += filtersOf(one, input_, box, output_).work().operations;
  }
  work.bytes = static_cast<double>(input_.bytes());
  for (const ArraySpec& output : outputs()) work.bytes += static_cast<double>(output.bytes());
  return work;
}

Precision ProgramWorkload::precision() const {
  return FilterWorkload({Operator(Stencil())}, boundary_, constant_, input_, output_).precision();
}

std::int64_t ProgramWorkload::termsPerOutput() const {
  std::int64_t terms = 1;
  for (const ProgramNode& node : program_.nodes) terms = std::max(terms, node.op.taps());
  return terms;
}

double ProgramWorkload::referenceSeconds() const {
  // As many pieces as there are, each like one in the middle.
  Box piece{{0, 0, 0}, {1, 1, 1}};
  double pieces = 1;
  for (std::size_t a = 0; a < 3; ++a) {
    const std::int64_t size = region_.size(static_cast<int>(a));
    const std::int64_t count = (size + referencePiece() - 1) / referencePiece();
    pieces *= static_cast<double>(count);
    piece.begin[a] = (size - size / count) / 2;
    piece.end[a] = piece.begin[a] + (size + count - 1) / count;
  }
  double seconds = 0;
  for (std::size_t output = 0; output < program_.outputs.size(); ++output)
    seconds += pieces * referenceCost(output)(piece);
  return seconds;
}

BoxCost ProgramWorkload::referenceCost(std::size_t output) const {
  constexpr double kBounds = 1.5;  // magnitudes are also sums of those before
  const std::int64_t deep = input_.extent[2] > 1 ? 32 : 1;
  const ArraySpec cube{input_.type, {32, 32, deep, 1}};
  std::vector<double> each;
  for (std::size_t n = 0; n < program_.nodes.size(); ++n) {
    if (const Formula* formula = program_.nodes[n].op.formula()) {
      each.push_back(formulaReferenceSeconds(*formula));
      continue;
    }
    const std::size_t node[]{n};
    const FilterWorkload filter = filtersOf(node, cube, wholeOf(cube), ElementType::f32);
    each.push_back(kBounds * filter.referenceSeconds() / static_cast<double>(cube.elements()));
  }
  FilterProgram one = program_;
  one.outputs = {one.outputs.at(output)};
  return [this, one = std::move(one), each = std::move(each)](const Box& box) {
    const ProgramBoxes needed = neededBoxes(one, inInput(box), extent(), boundary_);
    double seconds = 0;
    for (std::size_t n = 0; n < each.size(); ++n)
      if (!isEmpty(needed.nodes[n]))
        seconds += each[n] * static_cast<double>(needed.nodes[n].voxels() * input_.extent[3]);
    return seconds;
  };
}

std::int64_t ProgramWorkload::referencePiece() const {
  constexpr std::int64_t kLeast = 32, kMostInVolumes = 64, kMostInImages = 256, kTimes = 6;
  const std::int64_t far = std::int64_t{1} << 40;
  const Box voxel{{far, far, far}, {far + 1, far + 1, far + 1}};
  std::int64_t around = 0;
  for (const Box& box : neededBoxes(program_, voxel, {2 * far, 2 * far, 2 * far}, boundary_).nodes)
    for (int a = 0; a < 3 && !isEmpty(box); ++a) around = std::max(around, (box.size(a) - 1) / 2);
  return std::clamp(kTimes * around, kLeast, input_.extent[2] > 1 ? kMostInVolumes : kMostInImages);
}

ElementType ProgramWorkload::valueType(std::size_t node) const {
  const ElementType real = precision() == Precision::f32 ? ElementType::f32 : ElementType::f64;
  const ProgramNode& one = program_.nodes.at(node);
  if (one.op.window() == nullptr) return real;
  const std::size_t input = one.inputs.front();
  const ElementType type = input == kSource ? input_.type : valueType(input);
  return boundary_ != Boundary::constant || holds(type, constant_) ? type : real;
}

Box ProgramWorkload::inInput(const Box& box) const {
  Box shifted = box;
  for (std::size_t a = 0; a < 3; ++a) {
    shifted.begin[a] += region_.begin[a];
    shifted.end[a] += region_.begin[a];
  }
  return shifted;
}

Box ProgramWorkload::reach(const Box& box) const {
  const Box source = neededBoxes(program_, inInput(box), extent(), boundary_).source;
  return isEmpty(source) ? inInput(box) : source;
}

std::vector<Range> ProgramWorkload::reachAlong(std::size_t axis, const Box& box) const {
  const Box source = stepsOf(*this, inInput(box)).boxes.source;
  return united({{source.begin[axis], source.end[axis]}});
}

void ProgramWorkload::requireInside(const Box& region) const {
  for (std::size_t a = 0; a < 3; ++a)
    if (region.begin[a] < 0 || region.end[a] > region_.size(static_cast<int>(a)) || region.begin[a] >= region.end[a])
      throw Error(ErrorKind::Usage, "the region lies outside the data", "choose one inside");
}

std::unique_ptr<Workload> ProgramWorkload::restrictedTo(const Box& region) const {
  return std::make_unique<ProgramWorkload>(restricted(region));
}

ProgramWorkload ProgramWorkload::restricted(const Box& region) const {
  requireInside(region);
  ProgramWorkload part = *this;
  part.region_ = part.planned_ = inInput(region);
  return part;
}

std::unique_ptr<Workload> ProgramWorkload::cutTo(const Box& region) const {
  requireInside(region);
  auto part = std::make_unique<ProgramWorkload>(*this);
  part->region_ = inInput(region);
  return part;
}

Judgment ProgramWorkload::judgment(std::size_t output) const {
  bool sums = false;
  std::vector<std::size_t> needed{program_.outputs.at(output).node};
  std::vector<bool> seen(program_.nodes.size());
  while (!needed.empty()) {
    const std::size_t node = needed.back();
    needed.pop_back();
    if (node == kSource || seen[node]) continue;
    seen[node] = true;
    const ProgramNode& one = program_.nodes[node];
    if (one.op.formula() != nullptr) return Judgment::Enclosed;
    sums = sums || one.op.window() == nullptr;
    needed.insert(needed.end(), one.inputs.begin(), one.inputs.end());
  }
  return sums ? Judgment::Bound : Judgment::Equal;
}

double ProgramWorkload::tolerance() const {
  return isInteger(output_) ? acceptedTieError(termsPerOutput()) : acceptedElementError(output_, termsPerOutput());
}

std::unique_ptr<Workload> ProgramWorkload::writtenOut() const {
  auto dense = std::make_unique<ProgramWorkload>(*this);
  bool differs = false;
  for (ProgramNode& node : dense->program_.nodes)
    if (auto* stencil = std::get_if<Stencil>(&node.op.kind); stencil != nullptr && stencil->terms.size() > 1) {
      stencil->dense = stencil->expanded();
      stencil->terms.clear();
      differs = true;
    }
  if (!differs) return {};
  return dense;
}

void ProgramWorkload::reference(std::span<const ConstArrayView> inputs, std::size_t output, const Box& box,
                                std::span<double> values, const Control& control) const {
  programReference(*this, inputs[0], output, inInput(box), values, {}, control);
}

void ProgramWorkload::referenceMagnitude(std::span<const ConstArrayView> inputs, std::size_t output, const Box& box,
                                         std::span<double> magnitudes, const Control& control) const {
  std::vector<double> values(magnitudes.size());
  referenceBoth(inputs, output, box, values, magnitudes, control);
}

void ProgramWorkload::referenceBoth(std::span<const ConstArrayView> inputs, std::size_t output, const Box& box,
                                    std::span<double> values, std::span<double> magnitudes,
                                    const Control& control) const {
  programReference(*this, inputs[0], output, inInput(box), values, magnitudes, control);
}

std::unique_ptr<Workload> bankWorkload(const FilterBank& bank, const ArraySpec& input, const Geometry& geometry,
                                       bool intermediates) {
  const FilterGrid grid = filterGrid(input.extent[2] > 1 ? 3 : 2, geometry);
  FilterProgram program = makeProgram(bank, grid, intermediates);
  if (program.plain()) return std::make_unique<FilterWorkload>(FilterWorkload::of(bank, input, geometry));
  return std::make_unique<ProgramWorkload>(std::move(program), bank.boundary, bank.constant, input, grid.spacing,
                                           bank.outputType(input.type));
}

}  // namespace sscope
