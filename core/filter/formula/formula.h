#pragma once
// An expression over images or volumes, one value for each voxel (docs/manual/formulas.md).

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/boundary/boundary.h"
#include "core/filter/formula/formula_node.h"
#include "core/volume/array_view.h"

namespace sscope {

// Limits of formulas: characters, nodes, nesting, and the distance of neighbors.
inline constexpr std::size_t kLongestFormula = 10'000, kMostFormulaNodes = 5'000, kDeepestFormula = 200;
inline constexpr std::int64_t kFarthestNeighbor = 15;

// An error of the text at a column, which the message names, too.
class FormulaError : public Error {
 public:
  // `expected`: a half sentence. column: in characters, from 1.
  FormulaError(std::size_t column, const std::string& expected);
  [[nodiscard]] std::size_t column() const noexcept { return column_; }

 private:
  std::size_t column_;
};

// A number with a slider: @k=0.5[0..1].
struct FormulaConstant {
  std::string name;
  double value = 0, minimum = 0, maximum = 1;
  bool operator==(const FormulaConstant&) const = default;
};

// The reach of an input along each axis, in voxels from the computed one: offsets low..high, both included.
struct FormulaReach {
  std::array<std::int64_t, 3> low{}, high{};
  bool operator==(const FormulaReach&) const = default;
};

// Immutable; copies share the tree.
class Formula {
 public:
  // Throws FormulaError (ErrorKind::Usage).
  [[nodiscard]] static Formula parse(std::string_view text);
  // Makes a formula from a tree; `text` identifies it and need not be a valid formula.
  [[nodiscard]] static Formula of(std::string text, std::vector<std::string> inputs, FormulaTree tree,
                                  std::vector<FormulaConstant> constants);

  // The parsed text; it has the original values of constants even after withConstants.
  [[nodiscard]] const std::string& text() const { return *text_; }
  // The names that it reads, in order of first appearance. "source" means the data.
  [[nodiscard]] const std::vector<std::string>& inputs() const { return *inputs_; }
  [[nodiscard]] const std::vector<FormulaConstant>& constants() const { return constants_; }
  // With other values for some constants. Throws Error(Usage) for a name that it does not have, and for a value outside
  // its range.
  [[nodiscard]] Formula withConstants(const std::map<std::string, double>& values) const;
  [[nodiscard]] const FormulaTree& tree() const { return *tree_; }
  [[nodiscard]] const std::vector<FormulaRead>& reads() const { return tree_->reads; }
  [[nodiscard]] const FormulaReach& reach(std::size_t input) const { return reach_->at(input); }
  // Whether it reads no neighbors and no positions.
  [[nodiscard]] bool pointwise() const { return pointwise_; }
  // Counted per value (operationsOf).
  [[nodiscard]] double operations() const { return operations_; }

  // The same text and values.
  bool operator==(const Formula& other) const { return *text_ == *other.text_ && constants_ == other.constants_; }
  // The same except for the values of constants.
  [[nodiscard]] bool sameText(const Formula& other) const { return *text_ == *other.text_; }

 private:
  Formula() = default;

  std::shared_ptr<const std::string> text_;
  std::shared_ptr<const std::vector<std::string>> inputs_;
  std::shared_ptr<const FormulaTree> tree_;
  std::shared_ptr<const std::vector<FormulaReach>> reach_;
  std::vector<FormulaConstant> constants_;
  bool pointwise_ = true;
  double operations_ = 0;
};

// The box of an input, within the volume, from which the values in `region` are computed.
[[nodiscard]] Box readBox(const Formula& formula, std::size_t input, const Box& region,
                          const std::array<std::int64_t, 3>& volume, Boundary boundary);

}  // namespace sscope
