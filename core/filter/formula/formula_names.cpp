#include "core/filter/formula/formula_names.h"

#include <algorithm>
#include <vector>

#include "core/filter/formula/formula.h"
#include "core/filter/formula/formula_lexer.h"

namespace sscope {

namespace {

// Whether a name stands for an input without quotes.
bool isWord(const std::string& name) {
  try {
    return Formula::parse(name).inputs() == std::vector{name};
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

std::string renamedInput(std::string_view text, std::string_view from, std::string_view to) {
  std::vector<std::string> inputs;
  try {
    inputs = Formula::parse(text).inputs();
  } catch (const Error&) {
    return std::string(text);
  }
  if (std::ranges::find(inputs, from) == inputs.end()) return std::string(text);
  const std::string name = isWord(std::string(to)) ? std::string(to) : '"' + std::string(to) + '"';
  std::string renamed;
  std::size_t copied = 0;
  FormulaLexer lexer(text);
  bool constant = false;  // the name of a constant, which may be that of an input as well
  for (FormulaWord word = lexer.next(); word.kind != FormulaToken::End; word = lexer.next()) {
    const bool isName = word.kind == FormulaToken::Name || word.kind == FormulaToken::Quoted;
    if (isName && !constant && word.text == from) {
      const std::size_t quote = word.kind == FormulaToken::Quoted ? 1 : 0;
      const auto begin = static_cast<std::size_t>(word.text.data() - text.data()) - quote;
      renamed += text.substr(copied, begin - copied);
      renamed += name;
      copied = begin + word.text.size() + 2 * quote;
    }
    constant = word.is("@");
  }
  return renamed + std::string(text.substr(copied));
}

}  // namespace sscope
