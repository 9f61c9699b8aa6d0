#include "core/filter/families/program.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/base/error.h"
#include "core/base/words.h"
#include "core/filter/families/family.h"

namespace sscope {

namespace {

// Rows that are already nodes, by name, and the state of the other names.
class Rows {
 public:
  Rows(const FilterBank& bank) {
    for (const FilterRecipe& recipe : bank.filters) (recipe.enabled ? enabled_ : disabled_)[recipe.name] += 1;
  }

  void add(const std::string& name, std::size_t node) { nodes_[name] = node; }
  void leaveOut(const std::string& name) { leftOut_.insert(name); }

  [[nodiscard]] std::size_t at(const std::string& name, const FilterRecipe& reader) const {
    const auto count = [&](const auto& names) {
      const auto found = names.find(name);
      return found == names.end() ? 0 : found->second;
    };
    const int rows = count(enabled_) + count(disabled_);
    if (name == kSourceName) {
      if (rows > 0)
        throw Error(ErrorKind::Usage, words(reader, name) + "which is the name of both the data and a row",
                    "give that row another name");
      return kSource;
    }
    if (rows > 1)
      throw Error(ErrorKind::Usage, words(reader, name) + "which is the name of " + std::to_string(rows) + " rows",
                  "give each its own name");
    if (const auto node = nodes_.find(name); node != nodes_.end()) return node->second;
    if (name == reader.name)
      throw Error(ErrorKind::Usage, words(reader, name) + "which is itself", "choose a row above it, or source");
    if (leftOut_.contains(name))
      throw Error(ErrorKind::Usage, words(reader, name) + "which cannot be computed", "correct that row first");
    if (count(enabled_) > 0)
      throw Error(ErrorKind::Usage, words(reader, name) + "which is below it", "move that row above it");
    if (count(disabled_) > 0)
      throw Error(ErrorKind::Usage, words(reader, name) + "which is disabled",
                  "enable it, as an intermediate row if its result is not needed");
    throw Error(ErrorKind::Usage, words(reader, name) + "and there is no row of this name",
                "choose a row above it, or source");
  }

 private:
  static std::string words(const FilterRecipe& reader, const std::string& name) {
    constexpr std::size_t kLongest = 80;
    return "the filter " + reader.name + " reads " + inOneLine(shortened(name, kLongest)) + ", ";
  }

  std::unordered_map<std::string, int> enabled_, disabled_;
  std::unordered_map<std::string, std::size_t> nodes_;
  std::unordered_set<std::string> leftOut_;
};

class Nodes {
 public:
  // Adds a part whose inputs are these nodes, and returns the node of its result. Equal operators of several parts,
  // such as the derivatives of one scale, become one node.
  std::size_t add(ProgramPart part, const std::vector<std::size_t>& inputs, const std::string& name) {
    std::vector<std::size_t> places;
    const auto placeOf = [&](std::size_t input) {
      return input < part.nodes.size() ? places.at(input) : inputs.at(ProgramPart::rowInput(0) - input);
    };
    for (ProgramNode& node : part.nodes) {
      for (std::size_t& input : node.inputs) input = placeOf(input);
      if (node.stepOf) node.stepOf = placeOf(*node.stepOf);
      node.op.name = name;
      const bool result = places.size() + 1 == part.nodes.size();
      places.push_back(result ? append(std::move(node)) : share(std::move(node)));
    }
    return places.back();
  }

  [[nodiscard]] std::vector<ProgramNode> take() { return std::move(nodes_); }

 private:
  std::size_t append(ProgramNode node) {
    nodes_.push_back(std::move(node));
    return nodes_.size() - 1;
  }

  std::size_t share(ProgramNode node) {
    for (std::size_t n = 0; n < nodes_.size(); ++n)
      if (nodes_[n].inputs == node.inputs && sameComputation(nodes_[n].op, node.op)) return n;
    return append(std::move(node));
  }

  std::vector<ProgramNode> nodes_;
};

std::size_t addRow(const FilterRecipe& recipe, const FilterGrid& grid, Rows& rows, Nodes& nodes) {
  ProgramPart part = makePart(recipe, grid);  // first, so that errors of a formula name its row
  std::vector<std::size_t> inputs;
  for (const std::string& name : inputsOf(recipe)) inputs.push_back(rows.at(name, recipe));
  const std::size_t node = nodes.add(std::move(part), inputs, recipe.name);
  rows.add(recipe.name, node);
  return node;
}

}  // namespace

bool FilterProgram::plain() const {
  if (outputs.size() != nodes.size()) return false;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (outputs[i].node != i || nodes[i].inputs != std::vector{kSource} || nodes[i].op.formula() != nullptr)
      return false;
  return true;
}

std::vector<std::string> inputsOf(const FilterRecipe& recipe) {
  if (const std::string* text = formulaOf(recipe)) return Formula::parse(*text).inputs();
  std::vector<std::string> inputs = recipe.inputs;
  if (inputs.empty()) inputs.assign(filterFamily(recipe.family).inputs.size(), kSourceName);
  return inputs;
}

std::vector<RowError> rowErrors(const FilterBank& bank, const FilterGrid& grid) {
  Rows rows(bank);
  Nodes nodes;
  std::vector<RowError> errors;
  const auto enabled = bank.enabled();
  for (std::size_t place = 0; place < enabled.size(); ++place) {
    try {
      addRow(*enabled[place], grid, rows, nodes);
    } catch (const Error& error) {
      rows.leaveOut(enabled[place]->name);
      errors.push_back({place, error.what()});
    }
  }
  return errors;
}

FilterProgram makeProgram(const FilterBank& bank, const FilterGrid& of, bool intermediates) {
  FilterGrid grid = of;
  grid.unit = bank.unit;
  Rows rows(bank);
  Nodes nodes;
  FilterProgram program;
  for (const FilterRecipe* recipe : bank.enabled()) {
    const std::size_t node = addRow(*recipe, grid, rows, nodes);
    if (intermediates || !recipe->intermediate) program.outputs.push_back({node, recipe->name});
  }
  program.nodes = nodes.take();
  if (program.nodes.empty()) throw Error(ErrorKind::Usage, "the bank has no enabled filter", "add or enable one");
  if (program.outputs.empty())
    throw Error(ErrorKind::Usage, "all filters of the bank are intermediate, so there is no result",
                "make one of them a result");
  return program;
}

Box neededInput(const Operator& op, std::size_t input, const Box& outputs, const std::array<std::int64_t, 3>& extent,
                Boundary boundary) {
  const OperatorReach reach = op.reach(input);
  Box box;
  for (std::size_t a = 0; a < 3; ++a) {
    const std::int64_t first = outputs.begin[a] + reach.lowest[a], last = outputs.end[a] - 1 + reach.highest[a];
    if (boundary == Boundary::wrap && (first < 0 || last >= extent[a])) {
      box.begin[a] = 0;
      box.end[a] = extent[a];
      continue;
    }
    const Range read = reachOf({outputs.begin[a], outputs.end[a]}, reach.highest[a] - reach.lowest[a] + 1,
                               -reach.lowest[a], extent[a], boundary);
    box.begin[a] = std::min(read.begin, outputs.begin[a]);
    box.end[a] = std::max(read.end, outputs.end[a]);
  }
  return box;
}

ProgramBoxes neededBoxes(const FilterProgram& program, const Box& region, const std::array<std::int64_t, 3>& extent,
                         Boundary boundary, std::span<const Box> atLeast) {
  const Box none{{extent[0], extent[1], extent[2]}, {0, 0, 0}};
  ProgramBoxes boxes{std::vector<Box>(program.nodes.size(), none), none};
  const auto widen = [](Box& box, const Box& by) {
    for (std::size_t a = 0; a < 3; ++a) {
      box.begin[a] = std::min(box.begin[a], by.begin[a]);
      box.end[a] = std::max(box.end[a], by.end[a]);
    }
  };
  if (!atLeast.empty()) boxes.nodes.assign(atLeast.begin(), atLeast.end());
  for (const ProgramOutput& output : program.outputs) widen(boxes.nodes.at(output.node), region);
  for (std::size_t n = program.nodes.size(); n-- > 0;) {
    const ProgramNode& node = program.nodes[n];
    if (isEmpty(boxes.nodes[n])) continue;  // not needed
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      Box& read = node.inputs[i] == kSource ? boxes.source : boxes.nodes.at(node.inputs[i]);
      widen(read, neededInput(node.op, i, boxes.nodes[n], extent, boundary));
    }
  }
  return boxes;
}

}  // namespace sscope
