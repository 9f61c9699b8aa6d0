#pragma once
// Optional libraries, opened at run time.

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace sscope {

// Stays open until the process ends, because threads left behind by drivers still need its code.
class SharedLibrary {
 public:
  // Opens the first that loads. If none does, throws Error(NotFound) with the loader's message about the first.
  explicit SharedLibrary(std::span<const std::string> names);

  [[nodiscard]] const std::string& name() const { return name_; }
  // Throws Error(Device) when the library has no such function.
  [[nodiscard]] void* symbol(const char* symbol) const;
  // Null if missing.
  [[nodiscard]] void* find(const char* symbol) const;

 private:
  std::string name_;
  void* handle_ = nullptr;
};

// The name of a function as a template argument.
template <std::size_t N>
struct SymbolName {
  constexpr SymbolName(const char (&given)[N]) { std::copy_n(given, N, text); }
  [[nodiscard]] constexpr std::string_view view() const { return {text, N - 1}; }
  char text[N]{};
};

// A function of a library: its name and its type, found when constructed.
template <SymbolName Name, class Signature>
class LibraryFunction;

template <SymbolName Name, class Result, class... Arguments>
class LibraryFunction<Name, Result(Arguments...)> {
 public:
  using Signature = Result(Arguments...);
  static constexpr std::string_view symbol = Name.view();

  explicit LibraryFunction(const SharedLibrary& library)
      : function_(reinterpret_cast<Signature*>(library.symbol(Name.text))) {}
  Result operator()(Arguments... arguments) const { return function_(arguments...); }

 private:
  Signature* function_;
};

}  // namespace sscope
