#include "core/filter/workload/filter_workload.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/overloaded.h"
#include "core/filter/families/family.h"
#include "core/filter/folded_operator.h"
#include "core/filter/workload/filter_reference.h"

namespace sscope {

FilterWorkload::FilterWorkload(std::vector<Operator> operators, Boundary boundary, double constant, ArraySpec input,
                               ElementType output)
    : operators_(std::move(operators)),
      boundary_(boundary),
      constant_(constant),
      input_(input),
      output_(output),
      region_{{0, 0, 0}, {input.extent[0], input.extent[1], input.extent[2]}},
      planned_(region_.end) {
  if (operators_.empty()) throw Error(ErrorKind::Usage, "there is no filter to run", "add one");
  for (const std::int64_t extent : input_.extent)
    if (extent < 1) throw Error(ErrorKind::Usage, "the data has no voxels", "open or generate some");
}

FilterWorkload FilterWorkload::of(const FilterBank& bank, const ArraySpec& input, const Geometry& geometry) {
  const FilterGrid grid = filterGrid(input.extent[2] > 1 ? 3 : 2, geometry);
  std::vector<Operator> operators;
  for (Operator& op : makeOperators(bank, grid))
    operators.push_back(
        foldedOperator(std::move(op), {input.extent[0], input.extent[1], input.extent[2]}, bank.boundary));
  return {std::move(operators), bank.boundary, bank.constant, input, bank.outputType(input.type)};
}

FilterWorkload FilterWorkload::of(const FilterBank& bank, const Volume& volume) {
  return of(bank, volume.spec(), volume.geometry());
}

Box FilterWorkload::inInput(const Box& box) const {
  Box shifted = box;
  for (std::size_t a = 0; a < 3; ++a) {
    shifted.begin[a] += region_.begin[a];
    shifted.end[a] += region_.begin[a];
  }
  return shifted;
}

Box FilterWorkload::reach(const Box& box) const {
  const Box outputs = inInput(box);
  Box reach;
  for (std::size_t a = 0; a < 3; ++a) {
    Range all{input_.extent[a], 0};
    for (const Operator& op : operators_) {
      const Range one =
          reachOf({outputs.begin[a], outputs.end[a]}, op.size()[a], op.anchor()[a], input_.extent[a], boundary_);
      all = {std::min(all.begin, one.begin), std::max(all.end, one.end)};
    }
    reach.begin[a] = all.begin;
    reach.end[a] = all.end;
  }
  return reach;
}

std::vector<Range> FilterWorkload::reachAlong(std::size_t axis, const Box& box) const {
  const Box outputs = inInput(box);
  std::vector<Range> places;
  for (const Operator& op : operators_)
    for (const Range& range : placesRead({outputs.begin[axis], outputs.end[axis]}, op.size()[axis], op.anchor()[axis],
                                         input_.extent[axis], boundary_))
      places.push_back(range);
  return united(std::move(places));
}

void FilterWorkload::requireInside(const Box& region) const {
  for (std::size_t a = 0; a < 3; ++a)
    if (region.begin[a] < 0 || region.end[a] > region_.size(static_cast<int>(a)) || region.begin[a] >= region.end[a])
      throw Error(ErrorKind::Usage, "the region lies outside the data", "choose one inside");
}

FilterWorkload FilterWorkload::restricted(const Box& region) const {
  return cut(region).plannedAs({region.size(0), region.size(1), region.size(2)});
}

FilterWorkload FilterWorkload::cut(const Box& region) const {
  requireInside(region);
  FilterWorkload part = *this;
  part.region_ = inInput(region);
  return part;
}

std::unique_ptr<Workload> FilterWorkload::restrictedTo(const Box& region) const {
  return std::make_unique<FilterWorkload>(restricted(region));
}

std::unique_ptr<Workload> FilterWorkload::cutTo(const Box& region) const {
  return std::make_unique<FilterWorkload>(cut(region));
}

FilterWorkload FilterWorkload::plannedAs(const std::array<std::int64_t, 3>& extent) const {
  FilterWorkload other = *this;
  other.planned_ = extent;
  return other;
}

nlohmann::json FilterWorkload::parameters() const {
  nlohmann::json filters = nlohmann::json::array();
  for (const Operator& op : operators_) {
    nlohmann::json one{{"name", op.name}, {"size", op.size()}};
    std::visit(
        Overloaded{
            [&](const Stencil& stencil) { one["terms"] = stencil.terms.size(); },
            [&](const RankWindow& window) {
              one.update({{"members", window.count()}, {"rank", window.rank}});
            },
            [&](const RangeWindow& window) {
              one.update({{"values", window.count()}, {"patch", window.patchCount()}, {"range", window.range}});
            },
            [](const Formula&) {},
            [&](const EntropyWindow& window) {
              one.update(
                  {{"members", window.count()}, {"bins", window.bins}, {"low", window.low}, {"high", window.high}});
            }},
        op.kind);
    filters.push_back(std::move(one));
  }
  return {
      {"filters", filters}, {"boundary", std::string(toString(boundary_))}, {"output", std::string(toString(output_))}};
}

std::vector<ArraySpec> FilterWorkload::outputs() const {
  const ArraySpec one{output_, {region_.size(0), region_.size(1), region_.size(2), input_.extent[3]}};
  return std::vector<ArraySpec>(operators_.size(), one);
}

namespace {

// Operations per output of an operator whose sums of products, if it is one, have so many taps.
double operationsOf(const Operator& op, std::int64_t taps) {
  const auto values = static_cast<double>(op.taps());
  return std::visit(Overloaded{[&](const Stencil&) { return 2.0 * static_cast<double>(taps); },
                               [&](const RankWindow&) { return values; },
                               [&](const RangeWindow& window) { return operationsPerWeight(window) * values; },
                               [&](const Formula&) { return values; }, [&](const EntropyWindow&) { return values; }},
                    op.kind);
}

}  // namespace

Work FilterWorkload::workAs(bool dense) const {
  Work work;
  const double outputs = static_cast<double>(region_.voxels() * input_.extent[3]);
  work.bytes = static_cast<double>(input_.bytes());
  for (const Operator& op : operators_) {
    work.bytes += outputs * static_cast<double>(bytesOf(output_));
    const Stencil* stencil = op.stencil();
    const std::int64_t taps = stencil == nullptr               ? 0
                              : dense || !stencil->separable() ? stencil->denseTaps()
                                                               : stencil->separableTaps();
    work.operations += operationsOf(op, taps) * outputs;
    work.bytes += static_cast<double>(taps) * (precision() == Precision::f32 ? 4.0 : 8.0);
  }
  return work;
}

Work FilterWorkload::work() const {
  Work work = workAs(false);
  work.operations = 0;
  const double outputs = static_cast<double>(region_.voxels() * input_.extent[3]);
  for (const Operator& op : operators_) {
    const Stencil* stencil = op.stencil();
    const bool separable = stencil != nullptr && stencil->separable();
    work.operations +=
        operationsOf(op, separable ? std::min(op.taps(), stencil->separableTaps()) : op.taps()) * outputs;
  }
  return work;
}

Precision FilterWorkload::precision() const {
  const bool wideInput =
      input_.type == ElementType::f64 || input_.type == ElementType::u32 || input_.type == ElementType::i32;
  const bool wideOutside = boundary_ == Boundary::constant && std::isfinite(constant_) &&
                           std::abs(constant_) > static_cast<double>(std::numeric_limits<float>::max());
  return wideInput || wideOutside || output_ != ElementType::f32 ? Precision::f64 : Precision::f32;
}

ElementType FilterWorkload::orderedAs() const {
  const double outside = boundary_ == Boundary::constant ? constant_ : 0;
  const bool whole = std::isfinite(outside) && std::floor(outside) == outside;
  if (isInteger(input_.type) && whole && outside >= lowestOf(input_.type) && outside <= highestOf(input_.type))
    return input_.type;
  const bool single = static_cast<double>(static_cast<float>(outside)) == outside;
  const bool binned = std::ranges::any_of(operators_, [](const Operator& op) { return op.entropy() != nullptr; });
  // Rounding the constant keeps the order, but may reach a bin's edge.
  if (precision() == Precision::f32 && (single || !binned)) return ElementType::f32;
  const bool wide =
      input_.type == ElementType::f64 || input_.type == ElementType::u32 || input_.type == ElementType::i32;
  return wide || !single ? ElementType::f64 : ElementType::f32;
}

namespace {

// Operations per output of the reference, which computes boxes of the edge kPiece with halos of their own.
double referenceOperations(const Stencil& stencil) {
  constexpr double kPiece = 32;
  double operations = stencil.separable() ? 0 : 2.0 * static_cast<double>(stencil.denseTaps());
  for (const SeparableTerm& term : stencil.terms) {
    const double y = 1 + static_cast<double>(term.axis[1].size() - 1) / kPiece;
    const double z = 1 + static_cast<double>(term.axis[2].size() - 1) / kPiece;
    operations += 2.0 * (static_cast<double>(term.axis[0].size()) * y * z +
                         static_cast<double>(term.axis[1].size()) * z + static_cast<double>(term.axis[2].size()));
  }
  return operations;
}

}  // namespace

double FilterWorkload::referenceSeconds() const {
  constexpr double kRate = 2e9;   // operations a second
  constexpr double kSearch = 20;  // for each value of a window: it is gathered, and one of them is found
  double operations = 0;
  for (const Operator& op : operators_) {
    const auto values = static_cast<double>(op.taps());
    operations +=
        std::visit(Overloaded{[](const Stencil& stencil) { return referenceOperations(stencil); },
                              [&](const RankWindow&) { return kSearch * values; },
                              // as much again for exponentials and memory
                              [&](const RangeWindow& window) { return 4.0 * operationsPerWeight(window) * values; },
                              [&](const Formula&) { return kSearch * values; },
                              [&](const EntropyWindow&) { return kSearch * values; }},
                   op.kind);
  }
  const double once = isInteger(output_) ? 1 : 2;  // magnitudes are for outputs that round
  return once * operations * static_cast<double>(region_.voxels() * input_.extent[3]) / kRate;
}

std::int64_t FilterWorkload::termsPerOutput() const {
  std::int64_t terms = 1;
  for (const Operator& op : operators_) terms = std::max(terms, op.taps());
  return terms;
}

Judgment FilterWorkload::judgment(std::size_t output) const {
  return operators_.at(output).window() != nullptr ? Judgment::Equal : Judgment::Bound;
}

bool FilterWorkload::denseMayDiffer(const Stencil& stencil) const {
  const bool finite = isInteger(input_.type) && std::isfinite(constant_);
  return stencil.terms.size() > 1 && !finite;
}

std::unique_ptr<Workload> FilterWorkload::writtenOut() const {
  const auto differs = [this](const Operator& op) { return op.stencil() != nullptr && denseMayDiffer(*op.stencil()); };
  if (std::none_of(operators_.begin(), operators_.end(), differs)) return {};
  auto dense = std::make_unique<FilterWorkload>(*this);
  for (Operator& op : dense->operators_)
    if (auto* stencil = std::get_if<Stencil>(&op.kind)) {
      stencil->dense = stencil->expanded();
      stencil->terms.clear();
    }
  return dense;
}

void FilterWorkload::reference(std::span<const ConstArrayView> inputs, std::size_t output, const Box& box,
                               std::span<double> values, const Control& control) const {
  filterReference(operators_.at(output), boundary_, constant_, inputs[0], inInput(box), false, values, control);
}

void FilterWorkload::referenceMagnitude(std::span<const ConstArrayView> inputs, std::size_t output, const Box& box,
                                        std::span<double> values, const Control& control) const {
  filterReference(operators_.at(output), boundary_, constant_, inputs[0], inInput(box), true, values, control);
}

std::string denseRestriction(const FilterWorkload& workload, bool all) {
  for (const Operator& op : workload.operators())
    if (op.stencil() != nullptr && (all || !op.stencil()->separable()) && op.taps() > kMostDenseTaps)
      return op.name + " has " + std::to_string(op.taps()) + " taps when written out; more than " +
             std::to_string(kMostDenseTaps) + " are not run densely";
  return {};
}

std::string linearRestriction(const FilterWorkload& workload) {
  for (const Operator& op : workload.operators())
    if (op.stencil() == nullptr) return op.name + " is not linear";
  return {};
}

}  // namespace sscope
