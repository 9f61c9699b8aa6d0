#include "core/filter/formula/formula_lexer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <vector>

#include "core/base/words.h"
#include "core/filter/formula/formula.h"

namespace sscope {

namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }
bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

constexpr std::array<std::string_view, 19> kSigns{"<=", ">=", "==", "!=", "..", "<", ">", "+", "-", "*",
                                                  "/",  "^",  "(",  ")",  "[",  "]", ",", "@", "="};

}  // namespace

std::string FormulaWord::words() const {
  if (kind == FormulaToken::End) return "the end";
  return "\"" + shortened(inOneLine(text), 40) + "\"";
}

void FormulaLexer::skip(std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i)
    if ((static_cast<unsigned char>(text_[at_++]) & 0xC0) != 0x80) ++column_;  // at the beginning of a UTF-8 character
}

FormulaWord FormulaLexer::next() {
  while (at_ < text_.size() && space(text_[at_])) skip(1);
  FormulaWord word;
  word.column = column_;
  if (at_ == text_.size()) return word;
  const std::string_view rest = text_.substr(at_);
  const char first = rest[0];
  if (digit(first) || (first == '.' && rest.size() > 1 && digit(rest[1]))) return number();
  if (first == '"') return quoted();
  if (letter(first)) {
    const auto end = std::ranges::find_if_not(rest, [](char c) { return letter(c) || digit(c); });
    word.kind = FormulaToken::Name;
    word.text = rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
  } else {
    const auto* sign = std::ranges::find_if(kSigns, [&](std::string_view s) { return rest.starts_with(s); });
    if (sign == kSigns.end()) {
      std::size_t bytes = 1;
      while (bytes < rest.size() && (static_cast<unsigned char>(rest[bytes]) & 0xC0) == 0x80) ++bytes;
      word.text = rest.substr(0, bytes);
      word.kind = FormulaToken::Sign;
      throw FormulaError(column_,
                         word.words() + " is not allowed in formulas; put names with such characters in quotes");
    }
    word.kind = FormulaToken::Sign;
    word.text = *sign;
  }
  skip(word.text.size());
  return word;
}

FormulaWord FormulaLexer::number() {
  FormulaWord word{FormulaToken::Number, {}, 0, column_};
  const std::string_view rest = text_.substr(at_);
  std::size_t end = 0;
  const auto digits = [&] {
    while (end < rest.size() && digit(rest[end])) ++end;
  };
  digits();
  const bool range = rest.substr(end).starts_with("..");  // 0..1
  if (!range && end < rest.size() && rest[end] == '.') {
    ++end;
    digits();
  }
  if (end < rest.size() && (rest[end] == 'e' || rest[end] == 'E')) {
    std::size_t exponent = end + 1;
    if (exponent < rest.size() && (rest[exponent] == '+' || rest[exponent] == '-')) ++exponent;
    if (exponent < rest.size() && digit(rest[exponent])) {
      end = exponent;
      digits();
    }
  }
  word.text = rest.substr(0, end);
  const auto [last, error] = std::from_chars(word.text.data(), word.text.data() + end, word.value);
  if (error != std::errc() || last != word.text.data() + end || !std::isfinite(word.value))
    throw FormulaError(column_, "expected a number that double precision holds, found " + word.words());
  if (end < rest.size() && letter(rest[end]))
    throw FormulaError(column_, "expected an operator between a number and a name");
  skip(end);
  return word;
}

FormulaWord FormulaLexer::quoted() {
  const std::size_t end = text_.find('"', at_ + 1);
  if (end == std::string_view::npos) throw FormulaError(column_, "expected a quote at the end of the name");
  FormulaWord word{FormulaToken::Quoted, text_.substr(at_ + 1, end - at_ - 1), 0, column_};
  if (word.text.empty()) throw FormulaError(column_, "expected a name between the quotes");
  skip(end + 1 - at_);
  return word;
}

namespace {

// Whether a name can be written without quotes.
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
  bool constant = false;  // the name of a constant, which an input may share
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
