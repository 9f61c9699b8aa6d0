#include "app/cli/bench/bench_case.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "app/cli/program.h"
#include "core/base/error.h"
#include "core/filter/families/recipe_text.h"
#include "core/filter/job/filter_job.h"
#include "core/filter/program/data_unit.h"
#include "core/filter/program/program_workload.h"
#include "core/options/option.h"
#include "core/workload/catalog.h"
#include "core/workload/noise.h"
#ifndef SSCOPE_WITHOUT_LATTICE
#include "app/cli/lattice/bench_lattice.h"
#endif

namespace sscope::cli {

namespace {

constexpr const char* kDefaultFilter = "gaussian:sigma=2";
constexpr std::int64_t kDefaultEdge = 128;

std::vector<std::string> elementTypes() {
  std::vector<std::string> names;
  for (const ElementType type : kElementTypes) names.emplace_back(toString(type));
  return names;
}

// The parameters of workload "filter" besides "filter" itself, which may be repeated.
const std::vector<Option>& filterParameters() {
  static const std::vector<Option> parameters = [] {
    std::vector<std::string> boundaries{"nearest"}, outputs{"f32", "same"}, inputs{"f32"};
    for (const Boundary boundary : kBoundaries)
      if (boundary != Boundary::nearest) boundaries.emplace_back(toString(boundary));
    for (const std::string& type : elementTypes()) {
      if (type == "f32") continue;
      outputs.push_back(type);
      inputs.push_back(type);
    }
    return std::vector<Option>{
        choiceOption("boundary", "Boundary", boundaries, "what lies outside"),
        realOption("constant", "Constant", 0, -1e300, 1e300, "", "the value outside with boundary=constant"),
        choiceOption("output", "Output", outputs, "element type of the results"),
        choiceOption("input", "Input", inputs, "element type of the noise that is filtered"),
        integerOption("seed", "Seed", 1, 0, INT64_MAX, "of the noise"),
        integerOption("threads", "Threads", 0, 0, 4096, "of CPU engines; 0 for all"),
    };
  }();
  return parameters;
}

struct FilterParameters {
  FilterBank bank;
  ElementType input = ElementType::f32;
  bool inputGiven = false;
  std::uint64_t seed = 1;
  int threads = 0;
};

FilterParameters parseFilterParameters(const std::vector<std::string>& parameters) {
  FilterParameters result;
  OptionValues given;
  for (const std::string& parameter : parameters) {
    const std::size_t equals = parameter.find('=');
    if (equals == std::string::npos)
      throw Error(ErrorKind::Usage, "cannot understand --param " + parameter, "write --param key=value");
    const std::string key = parameter.substr(0, equals), value = parameter.substr(equals + 1);
    if (key == "filter") {
      result.bank.filters.push_back(parseFilterSpec(value));
    } else if (const Option* option = findOption(filterParameters(), key)) {
      given[key] = parseOption(*option, value);
    } else {
      std::string known = "filter";
      for (const Option& one : filterParameters()) known += ", " + one.name;
      throw Error(ErrorKind::Usage, "the workload filter has no parameter " + key, "use one of " + known);
    }
  }
  if (result.bank.filters.empty()) result.bank.filters.push_back(parseFilterSpec(kDefaultFilter));
  nameApart(result.bank);
  result.inputGiven = given.contains("input");
  const OptionValues values = completeOptions(filterParameters(), given);
  result.bank.boundary = *parseBoundary(std::get<std::string>(values.at("boundary")));
  result.bank.constant = std::get<double>(values.at("constant"));
  result.bank.output = *parseOutputType(std::get<std::string>(values.at("output")));
  result.input = *parseElementType(std::get<std::string>(values.at("input")));
  result.seed = static_cast<std::uint64_t>(std::get<std::int64_t>(values.at("seed")));
  result.threads = static_cast<int>(std::get<std::int64_t>(values.at("threads")));
  return result;
}

VolumeShape shapeOf(const std::vector<std::int64_t>& extents) {
  if (extents.empty()) return {kDefaultEdge, kDefaultEdge, kDefaultEdge, 1};
  return {extents[0], extents[1], extents.size() > 2 ? extents[2] : 1, 1};
}

Volume filterInput(const BenchCaseOptions& options, const FilterParameters& parameters, VolumeIo& io,
                   const Control& control) {
  if (!options.source.empty() && parameters.inputGiven)
    throw Error(ErrorKind::Usage, "input=" + std::string(toString(parameters.input)) + " is for noise only",
                "leave it out with --input or --sample");
  if (!options.source.sample.empty()) requireKnownSample(options.source.sample);
  if (!options.source.empty()) return load(io, options.source, control).volume;
  return noiseVolume(shapeOf(options.shape), parameters.input, parameters.seed, control);
}

std::string shapeText(const ArraySpec& spec) {
  const auto& [nx, ny, nz, components] = spec.extent;
  return VolumeShape{nx, ny, nz, static_cast<int>(components)}.text();
}

std::string titleOf(const ArraySpec& input, const FilterBank& bank) {
  std::string filters;
  for (const FilterRecipe* recipe : bank.enabled())  // not all their taps
    filters += (filters.empty() ? "" : ", ") + (recipe->family == "custom" ? "custom" : formatFilterSpec(*recipe));
  return filters + "; " + shapeText(input) + " " + std::string(toString(input.type)) + " -> " +
         std::string(toString(bank.outputType(input.type))) + ", boundary " + std::string(toString(bank.boundary));
}

// The catalog's workloads: their options, those of every benchmark, and those of variants.
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

std::string titleOf(const BenchCase& one) {
  std::string text = std::string(one.workload->name()) + ":";
  const nlohmann::json parameters = one.workload->parameters();
  for (const auto& [key, value] : parameters.items())
    text += " " + key + "=" + (value.is_string() ? value.get<std::string>() : value.dump());
  for (const auto& [key, value] : one.origin.items())
    text += " " + key + "=" + (value.is_string() ? value.get<std::string>() : value.dump());
  return text + "; " + one.input.shape().text() + " " + std::string(toString(one.input.type()));
}

Volume noiseFor(const WorkloadKind& kind, const BenchCaseOptions& options, const OptionValues& values,
                const Control& control) {
  const ArraySpec spec =
      kind.inputSpec(options.shape.empty() ? kind.smallShape : catalogShape(kind, options.shape), values);
  const auto& [nx, ny, nz, components] = spec.extent;
  return noiseVolume({nx, ny, nz, static_cast<int>(components)}, spec.type,
                     static_cast<std::uint64_t>(std::get<std::int64_t>(values.at("seed"))), control);
}

BenchCase makeCatalogCase(const WorkloadKind& kind, const BenchCaseOptions& options, const VariantTable& variants,
                          VolumeIo& io, const Control& control) {
  CatalogParameters given = catalogParameters(kind, options.parameters, variants);
  BenchCase result;
  result.threads = given.threads;
  result.variantValues = std::move(given.variantValues);
  const OptionValues values = completeOptions(kind.options, given.values);
  if (!options.source.sample.empty()) requireKnownSample(options.source.sample);
#ifndef SSCOPE_WITHOUT_LATTICE
  if (takesConfiguration(kind) && !options.source.path.empty()) {
    WorkloadOnFile made = workloadOnFile(kind, options.source.path, given.values, values, control);
    result.input = std::move(made.input);
    result.workload = std::move(made.workload);
    result.origin = std::move(made.origin);
  }
#endif
  if (result.workload == nullptr) {
    result.input =
        options.source.empty() ? noiseFor(kind, options, values, control) : load(io, options.source, control).volume;
    result.workload = kind.make(result.input.spec(), values);
  }
  std::int64_t outputs = 0;
  for (const ArraySpec& spec : result.workload->outputs()) outputs += spec.bytes();
  requireMemory(outputs);
  result.title = titleOf(result);
  return result;
}

[[noreturn]] void refuseWorkload(const std::string& name) {
  std::string list;
  for (const std::string& known : benchWorkloads()) list += known + ", ";
  throw Error(ErrorKind::Usage, "there is no workload " + name, "use one of " + list + "job, all");
}

constexpr const char* kTime = "time";  // the extent of lattices

std::string helpLine(const Option& option) {
  std::string text = "  " + option.name + "=" + formatOption(option.fallback) + "  " + option.help;
  for (const std::string& choice : option.choices) text += (choice == option.choices[0] ? ": " : ", ") + choice;
  return text + "\n";
}

}  // namespace

CatalogParameters catalogParameters(const WorkloadKind& kind, const std::vector<std::string>& parameters,
                                    const VariantTable& variants) {
  const std::vector<Option> ofVariants = variantOptions(variants, kind.name);
  CatalogParameters result;
  for (const std::string& parameter : parameters) {
    const std::size_t equals = parameter.find('=');
    if (equals == std::string::npos)
      throw Error(ErrorKind::Usage, "cannot understand --param " + parameter, "write --param key=value");
    const std::string key = parameter.substr(0, equals), value = parameter.substr(equals + 1);
    if (const Option* option = findOption(kind.options, key)) {
      result.values[key] = parseOption(*option, value);
    } else if (const Option* ofVariant = findOption(ofVariants, key)) {
      result.variantValues[key] = parseOption(*ofVariant, value);
    } else if (key == threadsOption().name) {
      result.threads = static_cast<int>(std::get<std::int64_t>(parseOption(threadsOption(), value)));
    } else {
      std::string known = threadsOption().name;
      for (const Option& one : kind.options) known += ", " + one.name;
      for (const Option& one : ofVariants) known += ", " + one.name;
      throw Error(ErrorKind::Usage, "the workload " + kind.name + " has no parameter " + key, "use one of " + known);
    }
  }
  return result;
}

std::array<std::int64_t, 3> catalogShape(const WorkloadKind& kind, const std::vector<std::int64_t>& extents) {
  if (kind.dimensions == 2 && extents.size() > 2 && extents[2] != 1)
    throw Error(ErrorKind::Usage, "the workload " + kind.name + " works on images", "give --shape X,Y");
  return {extents[0], extents[1], extents.size() > 2 ? extents[2] : 1};
}

std::vector<std::string> benchWorkloads() {
  std::vector<std::string> names{"filter"};
  for (const WorkloadKind& kind : workloadCatalog()) names.push_back(kind.name);
  return names;
}

BenchCase makeBenchCase(const BenchCaseOptions& options, const VariantTable& variants, VolumeIo& io,
                        const Control& control) {
  if (const WorkloadKind* kind = findWorkloadKind(options.workload))
    return makeCatalogCase(*kind, options, variants, io, control);
  if (options.workload != "filter") refuseWorkload(options.workload);
  FilterParameters parameters = parseFilterParameters(options.parameters);
  BenchCase result;
  result.input = filterInput(options, parameters, io, control);
  parameters.bank.unit = dataUnitOf(parameters.bank, result.input, control);
  result.workload = bankWorkload(parameters.bank, result.input.spec(), result.input.geometry(), false);
  std::int64_t outputs = 0;
  for (const ArraySpec& spec : result.workload->outputs()) outputs += spec.bytes();
  requireMemory(outputs);
  result.threads = parameters.threads;
  result.title = "filter: " + titleOf(result.input.spec(), parameters.bank);
  return result;
}

BenchOutline benchOutline(const BenchCaseOptions& options, const VariantTable& variants, std::int64_t times) {
  if (!options.source.empty())
    throw Error(ErrorKind::Usage, "ranks time noise, of which each makes its part", "give --shape");
  BenchOutline result;
  result.kind = findWorkloadKind(options.workload);
  if (result.kind == nullptr && options.workload != "filter") refuseWorkload(options.workload);
  if (result.kind == nullptr) {
    const FilterParameters parameters = parseFilterParameters(options.parameters);
    VolumeShape shape = shapeOf(options.shape);
    (shape.nz > 1 ? shape.nz : shape.ny) *= times;
    result.input = {parameters.input, {shape.nx, shape.ny, shape.nz, 1}};
    result.workload = bankWorkload(parameters.bank, result.input, {}, false);
    result.seed = parameters.seed;
    result.threads = parameters.threads;
    result.title = "filter: " + titleOf(result.input, parameters.bank);
    return result;
  }
  const WorkloadKind& kind = *result.kind;
  CatalogParameters given = catalogParameters(kind, options.parameters, variants);
  result.values = completeOptions(kind.options, given.values);
  result.threads = given.threads;
  result.variantValues = std::move(given.variantValues);
  result.seed = static_cast<std::uint64_t>(integerOf(result.values, "seed"));
  std::array<std::int64_t, 3> shape = options.shape.empty() ? kind.smallShape : catalogShape(kind, options.shape);
  if (result.values.contains(kTime)) {
    result.values[kTime] = integerOf(result.values, kTime) * times;
  } else {
    (shape[2] > 1 ? shape[2] : shape[1]) *= times;
  }
  result.input = kind.inputSpec(shape, result.values);
  result.title = kind.name + ":";
  for (const Option& option : kind.options)
    result.title += " " + option.name + "=" + formatOption(result.values.at(option.name));
  result.title += "; " + shapeText(result.input) + " " + std::string(toString(result.input.type));
  return result;
}

SliderBench makeSliderBench(const BenchCaseOptions& options, VolumeIo& io, const Control& control) {
  const FilterParameters parameters = parseFilterParameters(options.parameters);
  SliderBench result;
  Volume input = filterInput(options, parameters, io, control);
  result.title = "slider: " + titleOf(input.spec(), parameters.bank);
  result.what.input = std::make_shared<const Volume>(std::move(input));
  result.what.bank = parameters.bank;
  result.what.threads = parameters.threads;
  return result;
}

std::string benchParameterHelp(const VariantTable& variants) {
  std::string text =
      "Parameters of the workload filter (--param key=value):\n  filter=SPEC  may be repeated; default " +
      std::string(kDefaultFilter) + "; see `sscope filter --help`\n";
  for (const Option& option : filterParameters()) text += helpLine(option);
  for (const WorkloadKind& kind : workloadCatalog()) {
    text += "Parameters of the workload " + kind.name + ":\n";
    for (const Option& option : kind.options) text += helpLine(option);
    text += helpLine(threadsOption());
    for (const Option& option : variantOptions(variants, kind.name)) text += helpLine(option);
  }
  return text;
}

}  // namespace sscope::cli
