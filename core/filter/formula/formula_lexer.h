#pragma once
// The words of a formula's text.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sscope {

enum class FormulaToken : std::uint8_t {
  End,
  Number,  // value
  Name,    // letters, digits and underscores
  Quoted,  // any characters between quotes: the name of an input
  Sign,    // + - * / ^ ( ) [ ] , @ = .. < <= > >= == !=
};

struct FormulaWord {
  FormulaToken kind = FormulaToken::End;
  std::string_view text;   // of a quoted name without its quotes
  double value = 0;        // of a number
  std::size_t column = 1;  // in characters, from 1

  [[nodiscard]] bool is(std::string_view sign) const { return kind == FormulaToken::Sign && text == sign; }
  [[nodiscard]] bool named(std::string_view name) const { return kind == FormulaToken::Name && text == name; }
  // For messages: 'the end', or the word in quotes.
  [[nodiscard]] std::string words() const;
};

// Returns one word after the other. The text must outlive it.
class FormulaLexer {
 public:
  explicit FormulaLexer(std::string_view text) : text_(text) {}
  // The next word; End at the end, repeatedly. Throws FormulaError for invalid characters, numbers out of range and
  // unclosed quotes.
  [[nodiscard]] FormulaWord next();

 private:
  void skip(std::size_t bytes);
  [[nodiscard]] FormulaWord number();
  [[nodiscard]] FormulaWord quoted();

  std::string_view text_;
  std::size_t at_ = 0, column_ = 1;
};

// The text with every input `from` renamed to `to`, in quotes if `to` is not a word; an invalid formula is returned
// unchanged.
[[nodiscard]] std::string renamedInput(std::string_view text, std::string_view from, std::string_view to);

}  // namespace sscope
