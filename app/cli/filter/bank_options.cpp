#include "app/cli/filter/bank_options.h"

#include <nlohmann/json.hpp>

#include "app/cli/options.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/paths.h"
#include "core/filter/families/data_shares.h"
#include "core/filter/families/family.h"
#include "core/filter/families/filter_files.h"
#include "core/filter/families/recipe_text.h"
#include "core/filter/templates/bank_template.h"
#include "core/measure/table.h"

namespace sscope::cli {

namespace {

// The bank of a file or template, changed by the other options.
FilterBank completed(FilterBank bank, const BankOptions& options) {
  for (const std::string& spec : options.filters) bank.filters.push_back(parseFilterSpec(spec));
  nameApart(bank);
  if (bank.filters.empty())
    throw Error(ErrorKind::Usage, "there is no filter to run", "give --filter SPEC, --bank FILE or --template NAME");
  if (!options.boundary.empty()) bank.boundary = *parseBoundary(options.boundary);
  if (options.constant) {
    if (bank.boundary != Boundary::constant)
      throw Error(ErrorKind::Usage,
                  "--constant has no effect with the boundary " + std::string(toString(bank.boundary)),
                  "give --boundary constant too");
    bank.constant = *options.constant;
  }
  if (!options.outputType.empty()) bank.output = *parseOutputType(options.outputType);
  return bank;
}

std::vector<std::string> outputTypes() {
  std::vector<std::string> names{"auto", "same"};
  for (const ElementType type : kElementTypes) names.emplace_back(toString(type));
  return names;
}

std::vector<std::string> boundaries() {
  std::vector<std::string> names;
  for (const Boundary boundary : kBoundaries) names.emplace_back(toString(boundary));
  return names;
}

// Ends the parsing, like --help.
void listTemplates() {
  TextRows rows{{"name", "description"}};
  for (const BankTemplate& each : bankTemplates()) rows.push_back({each.name, each.help});
  std::string table = textTable(rows);
  while (table.ends_with('\n')) table.pop_back();
  throw CLI::CallForVersion(table, 0);
}

}  // namespace

bool BankOptions::given() const {
  return !bank.empty() || !templateName.empty() || !boundary.empty() || !outputType.empty() || !filters.empty() ||
         constant.has_value();
}

void addBankOptions(CLI::App& command, BankOptions& options) {
  CLI::Option* filter = command.add_option("--filter", options.filters, "A filter; may be repeated")
                            ->type_name("SPEC")
                            ->take_all()
                            ->expected(1)
                            ->allow_extra_args(false);
  command.add_option("--bank", options.bank, "A bank of filters")->type_name("BANK.json")->excludes(filter);
  command
      .add_option("--template", options.templateName,
                  "A starter bank, adapted to the data; --filter adds to it. See --list-templates")
      ->type_name("NAME")
      ->excludes("--bank");
  command.add_flag_callback("--list-templates", listTemplates, "List the templates");
  command.add_option("--boundary", options.boundary, "The values outside the data (default nearest)")
      ->check(CLI::IsMember(boundaries()));
  command.add_option("--constant", options.constant, "The value outside with --boundary constant (default 0)")
      ->check(finiteNumber());
  command
      .add_option(
          "--output-type", options.outputType,
          "The stored type (default auto: the data's type for order statistics, f64 for u32, i32 and f64, else f32; "
          "the data's type if OUT cannot hold that)")
      ->check(CLI::IsMember(outputTypes()));
}

std::vector<FilterBank> banksOf(const BankOptions& options) {
  if (options.templateName.empty())
    return {completed(options.bank.empty() ? FilterBank{} : readBankFile(options.bank), options)};
  const BankTemplate& chosen = bankTemplate(options.templateName);
  return {completed(chosen.image, options), completed(chosen.volume, options)};
}

bool dependsOnData(const BankOptions& options) {
  return !options.templateName.empty() || std::ranges::any_of(options.filters, [](const std::string& spec) {
    return takesFromData(parseFilterSpec(spec));
  });
}

BankForData bankFor(const BankOptions& options, int dimensions, const Geometry& geometry,
                    const std::function<DataScale()>& scale) {
  std::optional<DataScale> found;
  const auto known = [&]() -> const DataScale& {
    if (!found) found = scale();
    return *found;
  };
  BankForData made;
  if (options.templateName.empty()) {
    made.bank = banksOf(options).front();
  } else {
    const BankTemplate& chosen = bankTemplate(options.templateName);
    made.bank = completed(
        bankFor(chosen, filterGrid(dimensions, geometry), chosen.shares.empty() ? DataScale{} : known()), options);
  }
  // The last rows are those of --filter.
  for (FilterRecipe& recipe : std::span(made.bank.filters).last(options.filters.size()))
    if (takesFromData(recipe))
      for (std::string& notice : takeFromData(recipe, known())) made.notices.push_back(std::move(notice));
  return made;
}

std::vector<std::string> filesOf(const BankOptions& options) {
  std::vector<std::string> files{options.bank};
  for (const std::string& spec : options.filters) files.push_back(tapsFileOf(spec));
  return files;
}

std::string familyHelp() {
  std::string text =
      "A SPEC is family or family:key=value,key=value. Lengths are in voxels, or have a unit (nm um mm cm m): 0.8mm.\n"
      "  Derivatives (gaussian with an order, log) are per voxel, normalized so that they are exact on ramps and\n"
      "  quadratics; sampled derivatives of a gaussian, as in other programs, differ from them at small sigmas.\n";
  for (const FilterFamily& family : filterFamilies()) {
    text += "  " + family.name + ": " + family.help + "\n";
    for (const Option& option : family.options) {
      text += "      " + option.name + "=" + formatOption(option.fallback);
      if (!option.choices.empty()) {
        text += " (";
        for (const std::string& choice : option.choices) text += (choice == option.choices[0] ? "" : "|") + choice;
        text += ")";
      }
      text += "  " + option.help + "\n";
    }
  }
  return text +
         "  Every family takes name=TEXT and flip=true (a true convolution); custom takes file=TAPS.json, or its "
         "taps:\n"
         "  size=[3,1,1],taps=[1,2,1].";
}

}  // namespace sscope::cli
