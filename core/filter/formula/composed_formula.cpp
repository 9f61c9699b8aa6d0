#include "core/filter/formula/composed_formula.h"

#include <algorithm>
#include <string>
#include <utility>

namespace sscope {

namespace {

// The limit keeps values between steps in registers or the nearest cache.
constexpr std::size_t kMostNodes = 400;

class Composer {
 public:
  // The node of its value. `replaced`: nodes in place of inputs; empty: none.
  std::uint32_t add(const BoundFormula& part, std::span<const std::optional<std::uint32_t>> replaced) {
    const FormulaTree& from = part.formula.tree();
    const auto earlier = static_cast<std::int32_t>(constants_.size());
    constants_.insert(constants_.end(), part.formula.constants().begin(), part.formula.constants().end());
    text_ += (text_.empty() ? "" : "; ") + part.formula.text() + " of";
    std::vector<std::uint32_t> places;
    for (FormulaNode node : from.nodes) {
      if (node.op == FormulaOp::Read) {
        const FormulaRead& read = from.reads[static_cast<std::size_t>(node.index)];
        if (!replaced.empty() && replaced[read.input]) {
          places.push_back(*replaced[read.input]);
          continue;
        }
        const FormulaRead moved{place(inputs_, part.inputs.at(read.input)), read.offset};
        node.index = static_cast<std::int32_t>(place(tree_.reads, moved));
      }
      if (node.op == FormulaOp::Constant) node.index += earlier;
      const std::span<const std::uint32_t> arguments = from.argumentsOf(node);
      node.first = static_cast<std::uint32_t>(tree_.arguments.size());
      for (const std::uint32_t argument : arguments) tree_.arguments.push_back(places[argument]);
      places.push_back(static_cast<std::uint32_t>(tree_.nodes.size()));
      tree_.nodes.push_back(node);
    }
    // The choice of inputs is part of the computation, so the text includes it.
    for (std::size_t i = 0; i < part.inputs.size(); ++i)
      text_ += !replaced.empty() && replaced[i] ? " #" + std::to_string(*replaced[i])
                                                : " " + std::to_string(place(inputs_, part.inputs[i]));
    return places.back();
  }

  [[nodiscard]] std::optional<BoundFormula> finish(std::uint32_t last) && {
    if (tree_.nodes.size() > kMostNodes || inputs_.size() > kMostFormulaInputs || last + 1 != tree_.nodes.size())
      return std::nullopt;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < inputs_.size(); ++i) names.push_back("input" + std::to_string(i));
    return BoundFormula{Formula::of(std::move(text_), std::move(names), std::move(tree_), std::move(constants_)),
                        std::move(inputs_)};
  }

 private:
  // Its index in the list, to which it is added if it is missing.
  template <class T>
  static std::size_t place(std::vector<T>& list, const T& what) {
    const auto at = static_cast<std::size_t>(std::ranges::find(list, what) - list.begin());
    if (at == list.size()) list.push_back(what);
    return at;
  }

  FormulaTree tree_;
  std::vector<std::size_t> inputs_;
  std::vector<FormulaConstant> constants_;
  std::string text_;
};

}  // namespace

std::optional<BoundFormula> composed(const BoundFormula& outer, std::span<const std::optional<BoundFormula>> inner) {
  Composer composer;
  std::vector<std::optional<std::uint32_t>> replaced(inner.size());
  for (std::size_t i = 0; i < inner.size(); ++i)
    if (inner[i]) replaced[i] = composer.add(*inner[i], {});
  const std::uint32_t last = composer.add(outer, replaced);
  return std::move(composer).finish(last);
}

bool readsVoxelAlone(const Formula& formula, std::size_t input) {
  const FormulaReach& reach = formula.reach(input);
  const std::array<std::int64_t, 3> here{};
  return reach.low == here && reach.high == here;
}

}  // namespace sscope
