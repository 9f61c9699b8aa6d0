#include "core/filter/formula/formula.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/filter/formula/formula_lexer.h"
#include "core/filter/formula/formula_node.h"

namespace sscope {

namespace {

// The parser.

struct ParsedFormula {
  FormulaTree tree;
  std::vector<std::string> inputs;
  std::vector<FormulaConstant> constants;
};

using Op = FormulaOp;

using Node = std::uint32_t;

constexpr std::int32_t kHighestWholePower = 64;

struct Binary {
  std::string_view sign;  // or name
  Op op;
  int level;  // higher binds tighter
};

enum Level : int { kOr = 1, kAnd, kNot, kCompare, kSum, kProduct };

constexpr Binary kBinaries[] = {
    {"or", Op::Or, kOr},           {"and", Op::And, kAnd},
    {"<", Op::Less, kCompare},     {"<=", Op::LessEqual, kCompare},
    {">", Op::Greater, kCompare},  {">=", Op::GreaterEqual, kCompare},
    {"==", Op::Equal, kCompare},   {"!=", Op::NotEqual, kCompare},
    {"+", Op::Add, kSum},          {"-", Op::Subtract, kSum},
    {"*", Op::Multiply, kProduct}, {"/", Op::Divide, kProduct},
};

const Binary* binaryOf(const FormulaWord& word) {
  if (word.kind != FormulaToken::Sign && word.kind != FormulaToken::Name) return nullptr;
  const bool name = word.kind == FormulaToken::Name;
  for (const Binary& one : kBinaries)
    if (one.sign == word.text && name == (one.level <= kAnd)) return &one;
  return nullptr;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : lexer_(text), word_(lexer_.next()) {}

  ParsedFormula parse() {
    static_cast<void>(binary(kOr));
    if (word_.kind != FormulaToken::End) fail("expected an operator or the end, found " + word_.words());
    return std::move(result_);
  }

 private:
  // Nested expressions, to keep the stack small.
  struct Nested {
    explicit Nested(Parser& parser) : depth(parser.depth_) {
      if (++depth > kDeepestFormula)
        parser.fail("expected fewer than " + std::to_string(kDeepestFormula) + " expressions inside each other");
    }
    ~Nested() { --depth; }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;
    std::size_t& depth;
  };

  [[noreturn]] void fail(const std::string& what) const { throw FormulaError(word_.column, what); }
  void advance() { word_ = lexer_.next(); }
  bool take(std::string_view sign) {
    if (!word_.is(sign)) return false;
    advance();
    return true;
  }
  void require(std::string_view sign) {
    if (!take(sign)) fail("expected \"" + std::string(sign) + "\", found " + word_.words());
  }

  Node add(FormulaNode node, std::initializer_list<Node> arguments = {}) {
    return add(node, std::span(arguments.begin(), arguments.size()));
  }
  Node add(FormulaNode node, std::span<const Node> arguments) {
    FormulaTree& tree = result_.tree;
    if (tree.nodes.size() >= kMostFormulaNodes)
      fail("expected at most " + std::to_string(kMostFormulaNodes) + " values and operations");
    node.first = static_cast<std::uint32_t>(tree.arguments.size());
    node.count = static_cast<std::uint32_t>(arguments.size());
    tree.arguments.insert(tree.arguments.end(), arguments.begin(), arguments.end());
    tree.nodes.push_back(node);
    return static_cast<Node>(tree.nodes.size() - 1);
  }
  static FormulaNode of(Op op) {
    FormulaNode node;
    node.op = op;
    return node;
  }
  Node number(double value) {
    FormulaNode node = of(Op::Number);
    node.value = value;
    return add(node);
  }

  // The operators of this level and of those that bind tighter.
  Node binary(int level) {
    Node left = level <= kNot && word_.named("not") ? negated() : sign();
    bool compared = false;
    while (const Binary* const found = binaryOf(word_)) {
      if (found->level < level) break;
      if (found->level == kCompare) {
        if (compared) fail("expected \"and\" or \"or\" between two comparisons");
        compared = true;
      } else if (found->level < kCompare) {
        compared = false;
      }
      advance();
      const Nested nested(*this);
      const Node right = binary(found->level + 1);
      left = add(of(found->op), {left, right});
    }
    return left;
  }

  Node negated() {
    const Nested nested(*this);
    advance();
    const Node operand = binary(kNot);
    return add(of(Op::Not), {operand});
  }

  Node sign() {
    const bool minus = word_.is("-");
    if (!minus && !word_.is("+")) return power();
    const Nested nested(*this);
    advance();
    const Node operand = sign();
    return minus ? add(of(Op::Negate), {operand}) : operand;
  }

  Node power() {
    const Node base = value();
    if (!take("^")) return base;
    const Nested nested(*this);
    const Node exponent = sign();  // -a^b is -(a^b), a^-b is a^(-b), a^b^c is a^(b^c)
    return raised(base, exponent);
  }

  // The value of a number with or without a sign.
  [[nodiscard]] std::optional<double> literal(Node node) const {
    const FormulaTree& tree = result_.tree;
    double sign = 1;
    while (tree.nodes[node].op == Op::Negate) {
      sign = -sign;
      node = tree.argumentsOf(tree.nodes[node])[0];
    }
    if (tree.nodes[node].op != Op::Number) return std::nullopt;
    return sign * tree.nodes[node].value;
  }

  Node raised(Node base, Node exponent) {
    const std::optional<double> value = literal(exponent);
    if (!value || *value != std::floor(*value) || std::abs(*value) > kHighestWholePower)
      return add(of(Op::Power), {base, exponent});
    FormulaNode node = of(Op::WholePower);
    node.exponent = static_cast<std::int32_t>(*value);
    return add(node, {base});
  }

  Node value() {
    const FormulaWord word = word_;
    switch (word.kind) {
      case FormulaToken::Number: advance(); return number(word.value);
      case FormulaToken::Quoted: advance(); return read(std::string(word.text));
      case FormulaToken::Name: return named();
      case FormulaToken::Sign:
        if (word.is("@")) return constant();
        if (take("(")) {
          const Nested nested(*this);
          const Node inside = binary(kOr);
          require(")");
          return inside;
        }
        break;
      case FormulaToken::End: break;
    }
    fail("expected a value, found " + word.words());
  }

  Node named() {
    const FormulaWord word = word_;
    for (const std::string_view reserved : {"and", "or", "not"})
      if (word.text == reserved) fail("expected a value, found " + word.words());
    advance();
    if (word_.is("(")) return call(word);
    if (word.text == "if") throw FormulaError(word_.column, "expected \"(\" after \"if\", found " + word_.words());
    if (word.text == "pi") return number(std::numbers::pi);
    if (word.text == "e") return number(std::numbers::e);
    constexpr std::string_view kPlaces[3][3] = {{"x", "y", "z"}, {"xmm", "ymm", "zmm"}, {"nx", "ny", "nz"}};
    constexpr Op kOps[] = {Op::Position, Op::Millimeters, Op::Extent};
    for (std::size_t kind = 0; kind < 3; ++kind)
      for (std::uint8_t axis = 0; axis < 3; ++axis)
        if (word.text == kPlaces[kind][axis]) {
          FormulaNode node = of(kOps[kind]);
          node.axis = axis;
          return add(node);
        }
    return read(std::string(word.text));
  }

  Node call(const FormulaWord& name) {
    const FormulaFunction* const function = formulaFunction(name.text);
    if (function == nullptr) throw FormulaError(name.column, "expected a function before \"(\", found " + name.words());
    const Nested nested(*this);
    advance();
    std::vector<Node> arguments;
    if (!word_.is(")")) {
      do {
        if (function->most > 0 && arguments.size() == function->most) fail(countWords(*function));
        arguments.push_back(binary(kOr));
      } while (take(","));
    }
    if (word_.is(")") && arguments.size() < function->least) fail(countWords(*function));
    if (!word_.is(")")) fail("expected \",\" or \")\", found " + word_.words());
    advance();
    if (function->op == Op::Power) return raised(arguments[0], arguments[1]);
    return add(of(function->op), arguments);
  }

  static std::string countWords(const FormulaFunction& function) {
    std::string words = "expected ";
    if (function.most != function.least) words += "at least ";
    words += std::to_string(function.least) + (function.least == 1 ? " argument of " : " arguments of ");
    return words + std::string(function.name);
  }

  Node read(const std::string& name) {
    const auto found = std::ranges::find(result_.inputs, name);
    FormulaRead one{static_cast<std::size_t>(found - result_.inputs.begin()), {}};
    if (found == result_.inputs.end()) result_.inputs.push_back(name);
    if (take("[")) {
      for (std::size_t axis = 0;; ++axis) {
        one.offset[axis] = offset();
        if (axis >= 1 && take("]")) break;
        if (axis == 2) fail("expected \"]\" after three offsets, found " + word_.words());
        if (!take(","))
          fail(std::string("expected \",\"") + (axis == 1 ? " or \"]\"" : "") + ", found " + word_.words());
      }
    }
    auto& reads = result_.tree.reads;
    const auto place = std::ranges::find(reads, one);
    FormulaNode node = of(Op::Read);
    node.index = static_cast<std::int32_t>(place - reads.begin());
    if (place == reads.end()) reads.push_back(one);
    return add(node);
  }

  // A number with or without a sign.
  double signedNumber(const char* what) {
    const bool minus = word_.is("-");
    if (minus || word_.is("+")) advance();
    if (word_.kind != FormulaToken::Number) fail("expected " + std::string(what) + ", found " + word_.words());
    const double value = word_.value;
    advance();
    return minus ? -value : value;
  }

  std::int64_t offset() {
    const std::size_t column = word_.column;
    const double value = signedNumber("a whole number of voxels");
    if (value != std::floor(value) || std::abs(value) > static_cast<double>(kFarthestNeighbor))
      throw FormulaError(column, "expected a whole number from -" + std::to_string(kFarthestNeighbor) + " to " +
                                     std::to_string(kFarthestNeighbor));
    return static_cast<std::int64_t>(value);
  }

  Node constant() {
    advance();
    if (word_.kind != FormulaToken::Name) fail("expected the name of a constant after \"@\", found " + word_.words());
    const std::string name(word_.text);
    const std::size_t column = word_.column;
    advance();
    auto& constants = result_.constants;
    const auto found = std::ranges::find(constants, name, &FormulaConstant::name);
    FormulaNode node = of(Op::Constant);
    node.index = static_cast<std::int32_t>(found - constants.begin());
    if (word_.is("=")) {
      if (found != constants.end()) fail("expected \"=\" at the first use of @" + name + " only");
      advance();
      constants.push_back(declared(name));
    } else if (found == constants.end()) {
      throw FormulaError(column, "expected \"=\" and a value after @" + name + ", which is used here first");
    }
    return add(node);
  }

  FormulaConstant declared(const std::string& name) {
    const std::size_t column = word_.column;
    FormulaConstant one{name, signedNumber("the value of the constant"), 0, 1};
    if (take("[")) {
      one.minimum = signedNumber("the lowest value of the constant");
      require("..");
      one.maximum = signedNumber("the highest value of the constant");
      require("]");
      if (!(one.minimum <= one.value && one.value <= one.maximum))
        throw FormulaError(column, "expected a value of @" + name + " within its range");
    } else if (one.value != 0) {  // the range is from 0 to twice the value
      one.minimum = std::min(0.0, 2 * one.value);
      one.maximum = std::max(0.0, 2 * one.value);
    }
    if (!std::isfinite(one.maximum - one.minimum))
      throw FormulaError(column, "expected a range of @" + name + " whose length double precision holds");
    return one;
  }

  FormulaLexer lexer_;
  FormulaWord word_;
  ParsedFormula result_;
  std::size_t depth_ = 0;
};

// By precedence climbing: `or`, `and`, `not`, comparisons, sums, products, signs, powers. Throws FormulaError.
ParsedFormula parseFormula(std::string_view text) {
  if (text.size() > kLongestFormula)
    throw FormulaError(kLongestFormula + 1, "expected at most " + std::to_string(kLongestFormula) + " characters");
  return Parser(text).parse();
}

}  // namespace

FormulaError::FormulaError(std::size_t column, const std::string& expected)
    : Error(ErrorKind::Usage, "column " + std::to_string(column) + " of the formula: " + expected), column_(column) {}

Formula Formula::parse(std::string_view text) {
  ParsedFormula parsed = parseFormula(text);
  return of(std::string(text), std::move(parsed.inputs), std::move(parsed.tree), std::move(parsed.constants));
}

Formula Formula::of(std::string text, std::vector<std::string> inputs, FormulaTree tree,
                    std::vector<FormulaConstant> constants) {
  std::vector<FormulaReach> reach(inputs.size());
  std::vector<bool> seen(reach.size());
  Formula formula;
  for (const FormulaRead& read : tree.reads) {
    FormulaReach& one = reach[read.input];
    if (!seen[read.input]) one = {read.offset, read.offset};
    seen[read.input] = true;
    for (std::size_t a = 0; a < 3; ++a) {
      one.low[a] = std::min(one.low[a], read.offset[a]);
      one.high[a] = std::max(one.high[a], read.offset[a]);
      formula.pointwise_ = formula.pointwise_ && read.offset[a] == 0;
    }
  }
  for (const FormulaNode& node : tree.nodes) {
    formula.operations_ += operationsOf(node);
    if (node.op == FormulaOp::Position || node.op == FormulaOp::Millimeters) formula.pointwise_ = false;
  }
  formula.text_ = std::make_shared<const std::string>(std::move(text));
  formula.inputs_ = std::make_shared<const std::vector<std::string>>(std::move(inputs));
  formula.tree_ = std::make_shared<const FormulaTree>(std::move(tree));
  formula.reach_ = std::make_shared<const std::vector<FormulaReach>>(std::move(reach));
  formula.constants_ = std::move(constants);
  return formula;
}

Formula Formula::withConstants(const std::map<std::string, double>& values) const {
  Formula other = *this;
  for (const auto& [name, value] : values) {
    const auto found = std::ranges::find(other.constants_, name, &FormulaConstant::name);
    if (found == other.constants_.end())
      throw Error(ErrorKind::Usage, "the formula has no constant @" + name,
                  "write it as @" + name + "=1 at its first use");
    if (!(value >= found->minimum && value <= found->maximum))
      throw Error(ErrorKind::Usage, "the value of @" + name + " lies outside its range",
                  "widen the range in the formula");
    found->value = value;
  }
  return other;
}

Box readBox(const Formula& formula, std::size_t input, const Box& region, const std::array<std::int64_t, 3>& volume,
            Boundary boundary) {
  const FormulaReach& reach = formula.reach(input);
  Box box;
  for (std::size_t a = 0; a < 3; ++a) {
    const Range range =
        reachOf({region.begin[a], region.end[a]}, reach.high[a] - reach.low[a] + 1, -reach.low[a], volume[a], boundary);
    box.begin[a] = range.begin;
    box.end[a] = range.end;
  }
  return box;
}

}  // namespace sscope
