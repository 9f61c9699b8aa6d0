#pragma once
// The recipes of a filter (family and parameters) and of a bank, as they are edited and saved.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/boundary/boundary.h"
#include "core/filter/stencil.h"
#include "core/options/option.h"
#include "core/volume/element_type.h"

namespace sscope {

struct FilterRecipe {
  std::string name;         // unique within a bank; names the output file
  std::string family;       // "gaussian", "sobel", ... "custom"
  OptionValues parameters;  // default values may be omitted
  DenseTaps taps;           // family "custom" only
  bool flip = false;        // true convolution instead of correlation
  bool enabled = true;
  std::vector<std::string> inputs;  // names of rows above that are read; empty: the data
  bool intermediate = false;        // computed for others to read, not exported
  bool operator==(const FilterRecipe&) const = default;
};

// The type of stored results: chosen by rows and data ("auto"), the input's type ("same"), or a given one.
struct OutputType {
  std::optional<ElementType> type;  // empty: "auto" or "same"
  bool automatic = false;
  bool operator==(const OutputType&) const = default;
};
[[nodiscard]] std::string toString(OutputType output);
[[nodiscard]] std::optional<OutputType> parseOutputType(std::string_view text);

// The name of the data in a recipe's list of inputs. No row that others read may have this name.
inline constexpr const char* kSourceName = "source";

struct FilterBank {
  std::vector<FilterRecipe> filters;
  Boundary boundary = Boundary::nearest;
  double constant = 0;  // the value outside for Boundary::constant
  OutputType output{std::nullopt, true};
  double unit = 1;  // of the data of a run (core/filter/program/data_unit.h); not edited or saved
  bool operator==(const FilterBank&) const = default;

  [[nodiscard]] std::vector<const FilterRecipe*> enabled() const;
  // The type of its results on data of this type. "auto": the data's type if every result holds values of the data, as
  // order statistics do; f64 for results of u32, i32 and f64, which have more digits than f32; else f32.
  [[nodiscard]] ElementType outputType(ElementType input) const;
  // The enabled ones that are not intermediate.
  [[nodiscard]] std::vector<const FilterRecipe*> results() const;
  [[nodiscard]] std::vector<std::string> resultNames() const;
};

// Makes names unique: the wanted name, or the name with the next free number ("gaussian", "gaussian 2"). An existing
// number after a space or hyphen is incremented: "gaussian 2" becomes "gaussian 3". Takes constant time per name.
class FilterNames {
 public:
  FilterNames() = default;
  explicit FilterNames(const FilterBank& bank);
  [[nodiscard]] std::string take(std::string_view wanted);

 private:
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, std::int64_t> next_;  // next number to try, by name without number
};

// A name that no recipe of the bank has, chosen like FilterNames.
[[nodiscard]] std::string uniqueName(const FilterBank& bank, std::string_view wanted);

}  // namespace sscope
