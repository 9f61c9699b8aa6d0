#pragma once
// The options that name a bank of filters, of every command that takes one.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/filter/noise_estimate.h"
#include "core/filter/recipe.h"
#include "core/volume/geometry.h"

namespace CLI {
class App;
}

namespace sscope::cli {

struct BankOptions {
  std::string bank, templateName, boundary, outputType;
  std::vector<std::string> filters;
  std::optional<double> constant;

  // Whether any of them was given.
  [[nodiscard]] bool given() const;
};

// --filter, --bank, --template, --list-templates, --boundary, --constant and --output-type.
void addBankOptions(CLI::App& command, BankOptions& options);

// All banks that the options can mean, before the data are known: one, or a template's for images and its for volumes.
// Throws Error(Usage), and what reading the bank's file throws.
[[nodiscard]] std::vector<FilterBank> banksOf(const BankOptions& options);
struct BankForData {
  FilterBank bank;
  std::vector<std::string> notices;  // which options follow the data
};
// The bank for these data: the form of a template, and filters of --filter whose options follow the data
// (core/filter/families/data_shares.h). `scale` is called if an option does.
[[nodiscard]] BankForData bankFor(const BankOptions& options, int dimensions, const Geometry& geometry,
                                  const std::function<DataScale()>& scale);
// Whether bankFor() calls `scale` or uses dimensions and geometry.
[[nodiscard]] bool dependsOnData(const BankOptions& options);
// The files of the bank and of custom taps, which no output may replace.
[[nodiscard]] std::vector<std::string> filesOf(const BankOptions& options);

// The help for SPEC, family by family.
[[nodiscard]] std::string familyHelp();

}  // namespace sscope::cli
