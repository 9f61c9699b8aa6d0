#include "app/cli/bench/case_options.h"

#include <filesystem>
#include <utility>

#include <nlohmann/json.hpp>

#include "app/cli/program.h"
#include "core/base/error.h"
#include "core/filter/families/filter_files.h"
#include "core/filter/families/recipe_text.h"
#include "core/filter/job/bank_case.h"
#include "core/filter/noise_estimate.h"
#ifndef SSCOPE_WITHOUT_LATTICE
#include "app/cli/lattice/bench_lattice.h"
#endif

namespace sscope::cli {

namespace {

using compare::CaseKind;
using compare::CaseRecipe;
using compare::DataRecipe;

constexpr const char* kFilterKey = "filter";  // of --param; may be repeated
constexpr const char* kDefaultFilter = "gaussian:sigma=2";
constexpr const char* kTime = "time";  // the extent of lattices

// The parameters of the workload filter besides kFilterKey.
const std::vector<Option>& filterParameters() {
  static const std::vector<Option> parameters = [] {
    std::vector<std::string> boundaries{"nearest"}, outputs{"f32", "same"}, inputs{"f32"};
    for (const Boundary boundary : kBoundaries)
      if (boundary != Boundary::nearest) boundaries.emplace_back(toString(boundary));
    for (const ElementType type : kElementTypes) {
      if (type == ElementType::f32) continue;
      outputs.emplace_back(toString(type));
      inputs.emplace_back(toString(type));
    }
    return std::vector<Option>{
        choiceOption("boundary", "Boundary", boundaries, "what lies outside"),
        realOption("constant", "Constant", 0, -1e300, 1e300, "", "the value outside with boundary=constant"),
        choiceOption("output", "Output", outputs, "element type of the results"),
        choiceOption("input", "Input", inputs, "element type of the noise that is filtered"),
        integerOption("seed", "Seed", 1, 0, INT64_MAX, "of the noise"),
    };
  }();
  return parameters;
}

const Option& threadsOption() {
  static const Option option = integerOption("threads", "Threads", 0, 0, 4096, "of CPU engines; 0 for all");
  return option;
}

// The options of this workload's variants, each name once.
std::vector<Option> variantOptions(const VariantTable& variants, std::string_view workload) {
  std::vector<Option> options;
  for (const Variant& row : variants.rows())
    if (row.workload == workload)
      for (const Option& option : row.options)
        if (findOption(options, option.name) == nullptr) options.push_back(option);
  return options;
}

std::string benchName(const CaseKind& kind) { return kind.name == kBankCase ? kFilterWorkload : kind.name; }

const std::vector<Option>& parameterOptions(const CaseKind& kind) {
  return kind.name == kBankCase ? filterParameters() : kind.options;
}

const CaseKind& kindNamed(const std::string& workload) {
  for (const CaseKind& kind : compare::caseKinds())
    if (benchName(kind) == workload) return kind;
  std::string known;
  for (const std::string& name : benchWorkloads()) known += (known.empty() ? "" : ", ") + name;
  throw Error(ErrorKind::Usage, "there is no workload " + workload, "use one of " + known);
}

// What --param gives.
struct GivenParameters {
  OptionValues values, variantValues;  // of the workload and of its variants
  int threads = 0;
  std::vector<std::string> filters;
};

GivenParameters parametersOf(const std::string& workload, const std::vector<Option>& options,
                             const std::vector<std::string>& parameters, const VariantTable& variants) {
  const std::vector<Option> ofVariants = variantOptions(variants, workload);
  const bool filters = workload == kFilterWorkload;
  GivenParameters given;
  for (const std::string& parameter : parameters) {
    const std::size_t equals = parameter.find('=');
    if (equals == std::string::npos)
      throw Error(ErrorKind::Usage, "--param " + parameter + " is not valid", "write --param key=value");
    const std::string key = parameter.substr(0, equals), value = parameter.substr(equals + 1);
    if (filters && key == kFilterKey) {
      given.filters.push_back(value);
    } else if (const Option* option = findOption(options, key)) {
      given.values[key] = parseOption(*option, value);
    } else if (const Option* ofVariant = findOption(ofVariants, key)) {
      given.variantValues[key] = parseOption(*ofVariant, value);
    } else if (key == threadsOption().name) {
      given.threads = static_cast<int>(std::get<std::int64_t>(parseOption(threadsOption(), value)));
    } else {
      std::string known = threadsOption().name;
      if (filters) known += std::string(", ") + kFilterKey;
      for (const Option& one : options) known += ", " + one.name;
      for (const Option& one : ofVariants) known += ", " + one.name;
      throw Error(ErrorKind::Usage, "the workload " + workload + " has no parameter " + key, "use one of " + known);
    }
  }
  return given;
}

// --param of the workload filter as the options that name banks and data. `input` is refused where data are given.
void takeFilterParameters(CaseOptions& options, const GivenParameters& given) {
  const OptionValues values = completeOptions(filterParameters(), given.values);
  BankOptions& bank = options.bank.emplace();
  bank.filters = given.filters;
  bank.boundary = textOf(values, "boundary");
  bank.outputType = textOf(values, "output");
  if (given.values.contains("constant")) {
    if (bank.boundary != toString(Boundary::constant))
      throw Error(ErrorKind::Usage, "constant has no meaning with boundary=" + bank.boundary,
                  "give boundary=constant too");
    bank.constant = realOf(values, "constant");
  }
  if (given.values.contains("input")) options.type = textOf(values, "input");
  options.source.seed = static_cast<std::uint64_t>(integerOf(values, "seed"));
}

// Options with what their parameters say.
struct CaseRequest {
  const CaseKind& kind;
  CaseOptions options;
  GivenParameters given;
};

CaseRequest requestOf(const CaseOptions& options, const VariantTable& variants) {
  const CaseKind& kind = kindNamed(options.workload);
  CaseRequest request{kind, options,
                      parametersOf(options.workload, parameterOptions(kind), options.parameters, variants)};
  if (kind.name == kBankCase && !options.bank) takeFilterParameters(request.options, request.given);
  if (!request.options.type.empty() && !options.source.empty())
    throw Error(ErrorKind::Usage, "the element type " + request.options.type + " applies to noise only",
                "leave it out where data are given");
  if (!options.source.sample.empty()) requireKnownSample(options.source.sample);
  if (auto& bank = request.options.bank;
      kind.name == kBankCase && bank->filters.empty() && bank->bank.empty() && bank->templateName.empty())
    bank->filters = {kDefaultFilter};
  return request;
}

// Where the data come from; the extents of noise.
DataRecipe dataRecipeOf(const CaseRequest& request, const nlohmann::json& parameters) {
  const CaseOptions& options = request.options;
  DataRecipe data;
  if (!options.source.empty()) {
    data.seed = options.source.seed;
    data.size = options.source.size;
    data.from = options.source.path.empty() ? DataRecipe::From::Sample : DataRecipe::From::File;
    data.name = options.source.path.empty() ? options.source.sample
                                            : std::filesystem::path(options.source.path).filename().string();
    return data;
  }
  std::optional<std::array<std::int64_t, 3>> shape;
  if (!options.shape.empty()) shape = shapeOf(options.workload, request.kind.dimensions, options.shape);
  data = request.kind.noise(parameters, shape);
  if (request.kind.name == kBankCase) data.seed = options.source.seed;
  if (!options.type.empty()) data.spec.type = *parseElementType(options.type);
  return data;
}

nlohmann::json catalogValues(const OptionValues& values) {
  nlohmann::json parameters = nlohmann::json::object();
  for (const auto& [name, value] : values) parameters[name] = optionToJson(value);
  return parameters;
}

// Of the bank that `sscope filter` would run on these data.
nlohmann::json bankOnData(const BankOptions& options, const Volume& input, const Control& control) {
  const auto noise = [&] {
    control.report(0, "estimating the noise");
    return estimatedScale(input.view(), control);
  };
  return bankParameters(bankFor(options, input.shape().dimensions(), input.geometry(), noise).bank, input, control);
}

#ifndef SSCOPE_WITHOUT_LATTICE
// On the links of a file, with a noise field.
compare::Case caseOnLinks(CaseRecipe recipe, const WorkloadKind& kind, const CaseRequest& request,
                          const Control& control) {
  const OptionValues values = completeOptions(kind.options, request.given.values);
  WorkloadOnFile made = workloadOnFile(kind, request.options.source.path, request.given.values, values, control);
  compare::Case result;
  recipe.data = {};
  recipe.data.seed = static_cast<std::uint64_t>(integerOf(values, "seed"));
  recipe.data.spec = made.input.spec();
  recipe.workload = made.workload->name();
  recipe.made = made.workload->parameters();
  result.recipe = std::move(recipe);
  result.input = std::make_shared<const Volume>(std::move(made.input));
  result.workload = std::move(made.workload);
  result.origin = std::move(made.origin);
  return result;
}
#endif

compare::Case madeFrom(const CaseRequest& request, VolumeIo& io, const Control& control) {
  const CaseOptions& options = request.options;
  const bool filters = request.kind.name == kBankCase;
  CaseRecipe recipe;
  recipe.computes = request.kind.name;
  if (!filters) recipe.parameters = catalogValues(request.given.values);
  recipe.data = dataRecipeOf(request, recipe.parameters);
#ifndef SSCOPE_WITHOUT_LATTICE
  if (const WorkloadKind* kind = findWorkloadKind(recipe.computes);
      kind != nullptr && takesConfiguration(*kind) && !options.source.path.empty())
    return caseOnLinks(std::move(recipe), *kind, request, control);
#endif
  auto input = std::make_shared<const Volume>(options.source.empty() ? compare::noiseOf(recipe.data, control)
                                                                     : load(io, options.source, control).volume);
  if (filters) recipe.parameters = bankOnData(*options.bank, *input, control);
  return compare::makeCase(std::move(recipe), std::move(input));
}

std::string helpLine(const Option& option) {
  std::string text = "  " + option.name + "=" + formatOption(option.fallback) + "  " + option.help;
  for (const std::string& choice : option.choices) text += (choice == option.choices[0] ? ": " : ", ") + choice;
  return text + "\n";
}

}  // namespace

std::vector<std::string> benchWorkloads() {
  std::vector<std::string> names;
  for (const CaseKind& kind : compare::caseKinds()) names.push_back(benchName(kind));
  return names;
}

CatalogParameters catalogParameters(const WorkloadKind& kind, const std::vector<std::string>& parameters,
                                    const VariantTable& variants) {
  GivenParameters given = parametersOf(kind.name, kind.options, parameters, variants);
  return {std::move(given.values), std::move(given.variantValues), given.threads};
}

std::array<std::int64_t, 3> shapeOf(const std::string& workload, int dimensions,
                                    const std::vector<std::int64_t>& extents) {
  if (dimensions == 2 && extents.size() > 2 && extents[2] != 1)
    throw Error(ErrorKind::Usage, "the workload " + workload + " takes images only", "give --shape X,Y");
  return {extents[0], extents[1], extents.size() > 2 ? extents[2] : 1};
}

compare::Case makeCase(const CaseOptions& options, const VariantTable& variants, VolumeIo& io, const Control& control) {
  const CaseRequest request = requestOf(options, variants);
  compare::Case made = withData(madeFrom(request, io, control), control);
  made.variantValues = request.given.variantValues;
  made.threads = request.given.threads;
  return made;
}

compare::Case outlinedCase(const CaseOptions& options, const VariantTable& variants, std::int64_t times) {
  if (!options.source.empty())
    throw Error(ErrorKind::Usage, "ranks compute on noise, of which each makes its part", "give --shape");
  const CaseRequest request = requestOf(options, variants);
  compare::Case made;
  made.variantValues = request.given.variantValues;
  made.threads = request.given.threads;
  CaseRecipe& recipe = made.recipe;
  recipe.computes = request.kind.name;
  recipe.parameters = request.kind.name == kBankCase ? toJson(banksOf(*request.options.bank).front())
                                                     : catalogValues(request.given.values);
  const OptionValues values = compare::valuesOf(recipe);
  if (values.contains(kTime)) recipe.parameters[kTime] = integerOf(values, kTime) * times;
  recipe.data = dataRecipeOf(request, recipe.parameters);
  auto& extent = recipe.data.spec.extent;
  if (!values.contains(kTime)) (extent[2] > 1 ? extent[2] : extent[1]) *= times;
  return made;
}

std::vector<std::string> filesOf(const CaseOptions& options) {
  std::vector<std::string> files{options.source.path};
  if (options.bank)
    for (std::string& file : filesOf(*options.bank)) files.push_back(std::move(file));
  for (const std::string& parameter : options.parameters) {
    const std::size_t equals = parameter.find('=');
    if (equals == std::string::npos) continue;
    const std::string value = parameter.substr(equals + 1);
    files.push_back(parameter.substr(0, equals) == kFilterKey ? tapsFileOf(value) : value);
  }
  return files;
}

std::string benchParameterHelp(const VariantTable& variants) {
  std::string text =
      "Parameters of the workload filter (--param key=value):\n  filter=SPEC  may be repeated; default " +
      std::string(kDefaultFilter) + "; see `sscope filter --help`\n";
  for (const CaseKind& kind : compare::caseKinds()) {
    if (kind.name != kBankCase) text += "Parameters of the workload " + kind.name + ":\n";
    for (const Option& option : parameterOptions(kind)) text += helpLine(option);
    text += helpLine(threadsOption());
    for (const Option& option : variantOptions(variants, benchName(kind))) text += helpLine(option);
  }
  return text;
}

}  // namespace sscope::cli
