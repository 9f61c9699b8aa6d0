#include "core/filter/formula/formula_rows.h"

#include <bit>
#include <map>
#include <utility>

#include "core/filter/formula/formula_interval.h"
#include "core/filter/formula/interval.h"

namespace sscope {

namespace {

using Op = FormulaOp;

// out[i] = f(a[i], b[i]) for rows that begin at these addresses.
template <class Value, class F>
void forRow(std::vector<Value>& rows, std::size_t out, std::size_t a, std::size_t b, std::size_t count, F&& f) {
  for (std::size_t i = 0; i < count; ++i) rows[out + i] = f(rows[a + i], rows[b + i]);
}

}  // namespace

std::vector<std::uint32_t> equalNodes(const FormulaTree& tree) {
  std::vector<std::uint32_t> equal(tree.nodes.size());
  std::map<std::vector<std::uint64_t>, std::uint32_t> seen;
  for (std::uint32_t n = 0; n < equal.size(); ++n) {
    const FormulaNode& node = tree.nodes[n];
    std::vector<std::uint64_t> key{static_cast<std::uint64_t>(node.op), node.axis,
                                   static_cast<std::uint64_t>(static_cast<std::int64_t>(node.index)),
                                   static_cast<std::uint64_t>(static_cast<std::int64_t>(node.exponent)),
                                   std::bit_cast<std::uint64_t>(node.value)};
    for (const std::uint32_t argument : tree.argumentsOf(node)) key.push_back(equal[argument]);
    equal[n] = seen.try_emplace(std::move(key), n).first->second;
  }
  return equal;
}

FormulaRows::FormulaRows(const Formula& formula, const IntervalRounding& rounding)
    : formula_(formula), rounding_(rounding), equal_(equalNodes(formula.tree())) {}

std::size_t FormulaRows::rowOf(const FormulaNode& node, std::size_t argument) const {
  return equal_[formula_.tree().arguments[node.first + argument]] * kMost;
}

template <class Value, class Meaning>
void FormulaRows::others(const FormulaNode& node, std::vector<Value>& rows, std::size_t result, std::size_t count,
                         Meaning&& meaning) {
  std::vector<Value> arguments(node.count);
  std::vector<std::size_t> from(node.count);
  for (std::size_t a = 0; a < node.count; ++a) from[a] = rowOf(node, a);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t a = 0; a < node.count; ++a) arguments[a] = rows[from[a] + i];
    rows[result + i] = meaning(std::span<const Value>(arguments));
  }
}

std::span<const double> FormulaRows::values(std::span<const double> reads, const FormulaPlace& place,
                                            std::size_t count) {
  const FormulaTree& tree = formula_.tree();
  values_.resize(tree.nodes.size() * kMost);
  std::vector<double>& rows = values_;
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    if (equal_[n] != n) continue;
    const FormulaNode& node = tree.nodes[n];
    const auto index = static_cast<std::size_t>(node.index);
    const std::size_t out = n * kMost;
    const auto fill = [&](auto&& f) {
      for (std::size_t i = 0; i < count; ++i) rows[out + i] = f(i);
    };
    const auto position = [&](std::size_t i) {
      return static_cast<double>(place.voxel[node.axis] + (node.axis == 0 ? static_cast<std::int64_t>(i) : 0));
    };
    const auto both = [&](auto&& f) { forRow(rows, out, rowOf(node, 0), rowOf(node, 1), count, f); };
    switch (node.op) {
      case Op::Number: fill([&](auto) { return node.value; }); break;
      case Op::Constant: fill([&](auto) { return formula_.constants()[index].value; }); break;
      case Op::Read: fill([&](std::size_t i) { return reads[index * kMost + i]; }); break;
      case Op::Position: fill(position); break;
      case Op::Millimeters: fill([&](std::size_t i) { return position(i) * place.spacing[node.axis]; }); break;
      case Op::Extent: fill([&](auto) { return static_cast<double>(place.volume[node.axis]); }); break;
      case Op::Add: both([](double a, double b) { return a + b; }); break;
      case Op::Subtract: both([](double a, double b) { return a - b; }); break;
      case Op::Multiply: both([](double a, double b) { return a * b; }); break;
      case Op::Divide: both([](double a, double b) { return a / b; }); break;
      default: others(node, rows, out, count, [&](std::span<const double> a) { return formulaValue(node, a); });
    }
  }
  return std::span(rows).subspan((tree.nodes.empty() ? 0 : equal_.back()) * kMost, count);
}

std::span<const Interval> FormulaRows::intervals(std::span<const Interval> reads, const FormulaPlace& place,
                                                 std::size_t count) {
  const FormulaTree& tree = formula_.tree();
  intervals_.resize(tree.nodes.size() * kMost);
  std::vector<Interval>& rows = intervals_;
  const IntervalArithmetic arithmetic(rounding_);
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    if (equal_[n] != n) continue;
    const FormulaNode& node = tree.nodes[n];
    const std::size_t out = n * kMost;
    // No number of these operands is one of the result.
    const auto both = [&](auto&& f) {
      forRow(rows, out, rowOf(node, 0), rowOf(node, 1), count, [&](const Interval& a, const Interval& b) {
        return a.empty() || b.empty() ? Interval::nothingButNan() : f(a, b);
      });
    };
    switch (node.op) {
      case Op::Read:
        for (std::size_t i = 0; i < count; ++i) rows[out + i] = reads[static_cast<std::size_t>(node.index) * kMost + i];
        break;
      case Op::Number:
      case Op::Constant:
      case Op::Position:
      case Op::Millimeters:
      case Op::Extent: {
        FormulaPlace at = place;
        for (std::size_t i = 0; i < count; ++i, ++at.voxel[0])
          rows[out + i] = leafInterval(formula_, node, at, rounding_);
        break;
      }
      case Op::Add: both([&](const Interval& a, const Interval& b) { return arithmetic.sum(a, b); }); break;
      case Op::Subtract:
        both([&](const Interval& a, const Interval& b) { return arithmetic.sum(a, IntervalArithmetic::negated(b)); });
        break;
      case Op::Multiply: both([&](const Interval& a, const Interval& b) { return arithmetic.product(a, b); }); break;
      case Op::Divide: both([&](const Interval& a, const Interval& b) { return arithmetic.quotient(a, b); }); break;
      default:
        others(node, rows, out, count,
               [&](std::span<const Interval> a) { return formulaInterval(node, a, rounding_); });
    }
  }
  return std::span(rows).subspan((tree.nodes.empty() ? 0 : equal_.back()) * kMost, count);
}

}  // namespace sscope
