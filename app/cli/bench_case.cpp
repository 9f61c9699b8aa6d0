#include "app/cli/bench_case.h"

#include <algorithm>
#include <random>

#include "app/cli/program.h"
#include "core/base/error.h"
#include "core/job/filter_job.h"
#include "core/options/option.h"
#include "core/workload/filter_workload.h"

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
      FilterRecipe recipe = parseFilterSpec(value);
      recipe.name = uniqueName(result.bank, recipe.name);
      result.bank.filters.push_back(std::move(recipe));
    } else if (const Option* option = findOption(filterParameters(), key)) {
      given[key] = parseOption(*option, value);
    } else {
      std::string known = "filter";
      for (const Option& one : filterParameters()) known += ", " + one.name;
      throw Error(ErrorKind::Usage, "the workload filter has no parameter " + key, "use one of " + known);
    }
  }
  if (result.bank.filters.empty()) result.bank.filters.push_back(parseFilterSpec(kDefaultFilter));
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

// Even noise over 0..1 for floats and the type's whole range for integers, up to 24 bits.
Volume noise(const VolumeShape& shape, ElementType type, std::uint64_t seed, const Control& control) {
  Volume volume(shape, type);
  requireMemory(volume.bytes());  // the pages are not there yet
  std::mt19937 random(static_cast<std::uint32_t>(seed ^ (seed >> 32)));
  dispatch(type, [&](auto tag) {
    using T = decltype(tag);
    const double low = std::is_floating_point_v<T> ? 0 : std::max(lowestOf(type), -0x1p24);
    const double high = std::is_floating_point_v<T> ? 1 : std::min(highestOf(type), 0x1p24);
    std::size_t count = 0;
    for (T& element : volume.elements<T>()) {
      if ((++count & 0xFFFFF) == 0) control.check();
      element = static_cast<T>(low + (high - low) * static_cast<double>(random()) * 0x1p-32);
    }
  });
  return volume;
}

VolumeShape shapeOf(const std::vector<std::int64_t>& extents) {
  if (extents.empty()) return {kDefaultEdge, kDefaultEdge, kDefaultEdge, 1};
  return {extents[0], extents[1], extents.size() > 2 ? extents[2] : 1, 1};
}

std::string titleOf(const BenchCase& one, const FilterBank& bank) {
  std::string filters;
  for (const FilterRecipe* recipe : bank.enabled())
    filters += (filters.empty() ? "" : ", ") + formatFilterSpec(*recipe);
  return "filter: " + filters + "; " + one.input.shape().text() + " " + std::string(toString(one.input.type())) +
         " -> " + std::string(toString(bank.output.resolve(one.input.type()))) + ", boundary " +
         std::string(toString(bank.boundary));
}

}  // namespace

std::vector<std::string> benchWorkloads() { return {"filter"}; }

BenchCase makeBenchCase(const BenchCaseOptions& options, VolumeIo& io, const Control& control) {
  const std::vector<std::string> known = benchWorkloads();
  if (std::find(known.begin(), known.end(), options.workload) == known.end()) {
    std::string list;
    for (const std::string& name : known) list += name + ", ";
    throw Error(ErrorKind::Usage, "there is no workload " + options.workload, "use one of " + list + "all");
  }
  const FilterParameters parameters = parseFilterParameters(options.parameters);
  if (!options.source.empty() && parameters.inputGiven)
    throw Error(ErrorKind::Usage, "input=" + std::string(toString(parameters.input)) + " is for noise only",
                "leave it out with --input or --sample");
  if (!options.source.sample.empty()) requireKnownSample(options.source.sample);
  BenchCase result;
  result.input = options.source.empty() ? noise(shapeOf(options.shape), parameters.input, parameters.seed, control)
                                        : load(io, options.source, control).volume;
  result.workload = std::make_unique<FilterWorkload>(FilterWorkload::of(parameters.bank, result.input));
  std::int64_t outputs = 0;
  for (const ArraySpec& spec : result.workload->outputs()) outputs += spec.bytes();
  requireMemory(outputs);
  result.threads = parameters.threads;
  result.title = titleOf(result, parameters.bank);
  return result;
}

std::string benchParameterHelp() {
  std::string text =
      "Parameters of the workload filter (--param key=value):\n  filter=SPEC  may be repeated; default " +
      std::string(kDefaultFilter) + "; see `sscope filter --help`\n";
  for (const Option& option : filterParameters()) {
    text += "  " + option.name + "=" + formatOption(option.fallback) + "  " + option.help;
    for (const std::string& choice : option.choices) text += (choice == option.choices[0] ? ": " : ", ") + choice;
    text += "\n";
  }
  return text;
}

}  // namespace sscope::cli
