#include "core/compare/case.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <span>

#include "core/base/encoding.h"
#include "core/base/error.h"
#include "core/base/memory.h"
#include "core/base/words.h"
#include "core/workload/catalog.h"
#include "core/workload/noise.h"

namespace sscope::compare {

namespace {

const CaseKind* findCaseKind(std::string_view name) {
  const auto& kinds = caseKinds();
  const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const CaseKind& kind) { return kind.name == name; });
  return found == kinds.end() ? nullptr : &*found;
}

OptionValues givenValues(const std::string& kind, const std::vector<Option>& options,
                         const nlohmann::json& parameters) {
  OptionValues values;
  if (!parameters.is_object() && !parameters.is_null())
    throw Error(ErrorKind::BadData, "the parameters of " + kind + " are no object");
  for (const auto& [name, value] : parameters.items()) {
    const Option* option = findOption(options, name);
    if (option == nullptr) throw Error(ErrorKind::BadData, "the workload " + kind + " has no parameter " + name);
    values[name] = optionFromJson(*option, value);
  }
  return values;
}

VolumeShape shapeOfSpec(const ArraySpec& spec) {
  return {spec.extent[0], spec.extent[1], spec.extent[2], static_cast<int>(spec.extent[3])};
}

std::string originWords(const DataRecipe& data) {
  switch (data.from) {
    case DataRecipe::From::Noise: return "noise, seed " + std::to_string(data.seed);
    case DataRecipe::From::Sample: return "sample " + data.name;
    case DataRecipe::From::File: return data.name;
  }
  return {};
}

// " size=3 taps=a.json" of the members of an object.
std::string membersText(const nlohmann::json& object) {
  std::string text;
  for (const auto& [name, value] : object.items())
    text += " " + name + "=" + (value.is_string() ? value.get<std::string>() : value.dump());
  return text;
}

CaseKind kindOf(const WorkloadKind& workload) {
  const auto values = [&workload](const nlohmann::json& parameters) {
    return completeOptions(workload.options, givenValues(workload.name, workload.options, parameters));
  };
  CaseKind kind;
  kind.name = workload.name;
  kind.options = workload.options;
  kind.dimensions = workload.dimensions;
  kind.make = [&workload, values](const nlohmann::json& parameters, const ArraySpec& input, const Geometry&) {
    return workload.make(input, values(parameters));
  };
  // An outline has no workload, and shows its options.
  kind.words = [&workload, values](const CaseRecipe& recipe) {
    if (recipe.made.is_object()) return recipe.made.empty() ? std::string() : membersText(recipe.made).substr(1);
    std::string text;
    const OptionValues all = values(recipe.parameters);
    for (const Option& option : workload.options)
      text += (text.empty() ? "" : " ") + option.name + "=" + formatOption(all.at(option.name));
    return text;
  };
  kind.noise = [&workload, values](const nlohmann::json& parameters,
                                   const std::optional<std::array<std::int64_t, 3>>& shape) {
    const OptionValues all = values(parameters);
    DataRecipe data;
    data.spec = workload.inputSpec(shape.value_or(workload.smallShape), all);
    if (const auto seed = all.find("seed"); seed != all.end())
      data.seed = static_cast<std::uint64_t>(std::get<std::int64_t>(seed->second));
    return data;
  };
  return kind;
}

std::string titleWith(const CaseRecipe& recipe, const std::string& origin) {
  const CaseKind* kind = findCaseKind(recipe.computes);
  const std::string words = kind != nullptr ? " " + kind->words(recipe) : membersText(recipe.made);
  return recipe.computes + ":" + words + origin + "; " + shapeOfSpec(recipe.data.spec).text() + " " +
         std::string(toString(recipe.data.spec.type)) + " (" + originWords(recipe.data) + ")";
}

}  // namespace

std::vector<CaseKind> catalogKinds() {
  std::vector<CaseKind> kinds;
  for (const WorkloadKind& workload : workloadCatalog()) kinds.push_back(kindOf(workload));
  return kinds;
}

const CaseKind& caseKind(std::string_view name) {
  if (const CaseKind* kind = findCaseKind(name)) return *kind;
  std::string known;
  for (const CaseKind& each : caseKinds()) known += (known.empty() ? "" : ", ") + each.name;
  throw Error(ErrorKind::NotFound, "this program cannot compute " + std::string(name), "it knows " + known);
}

const std::vector<Option>& optionsOf(const CaseRecipe& recipe) {
  static const std::vector<Option> none;
  const CaseKind* kind = findCaseKind(recipe.computes);
  return kind == nullptr ? none : kind->options;
}

OptionValues valuesOf(const CaseRecipe& recipe) {
  const std::vector<Option>& options = optionsOf(recipe);
  if (options.empty()) return {};
  return completeOptions(options, givenValues(recipe.computes, options, recipe.parameters));
}

Adjoint adjointOf(const CaseRecipe& recipe, const Workload& workload, std::size_t output) {
  const CaseKind* kind = findCaseKind(recipe.computes);
  if (kind == nullptr || !kind->adjoint) return {nullptr, "no adjoint is known of " + recipe.computes};
  return kind->adjoint(workload, output);
}

std::unique_ptr<Workload> makeWorkload(const CaseRecipe& recipe, const ArraySpec& input, const Geometry& geometry) {
  return caseKind(recipe.computes).make(recipe.parameters, input, geometry);
}

Case makeCase(CaseRecipe recipe, std::shared_ptr<const Volume> input) {
  Case made;
  made.recipe = std::move(recipe);
  made.input = std::move(input);
  DataRecipe& data = made.recipe.data;
  if (made.input) {
    data.spec = made.input->spec();
    data.spacing = made.input->geometry().spacing;
  }
  made.workload = makeWorkload(made.recipe, data.spec, made.input ? made.input->geometry() : Geometry{});
  made.recipe.workload = made.workload->name();
  made.recipe.made = made.workload->parameters();
  return made;
}

Case withData(Case made, const Control& control) {
  if (!made.input) made.input = std::make_shared<const Volume>(noiseOf(made.recipe.data, control));
  std::int64_t outputs = 0;
  for (const ArraySpec& spec : made.workload->outputs()) outputs += spec.bytes();
  requireMemory(outputs);
  return made;
}

CaseRecipe completed(const Case& made, const Control& control) {
  CaseRecipe recipe = made.recipe;
  recipe.data.fingerprint = fingerprintOf(*made.input, control);
  return recipe;
}

bool sameJob(const CaseRecipe& one, const CaseRecipe& other) {
  return one.computes == other.computes && one.made == other.made && one.data.from == other.data.from &&
         one.data.name == other.data.name && one.data.seed == other.data.seed && one.data.spec == other.data.spec;
}

std::string titleOf(const CaseRecipe& recipe) { return titleWith(recipe, {}); }
std::string titleOf(const Case& made) { return titleWith(made.recipe, membersText(made.origin)); }

std::string fingerprintOf(const Volume& volume, const Control& control) {
  constexpr std::int64_t kPiece = std::int64_t{1} << 20;
  const ArraySpec spec = volume.spec();
  std::uint64_t hash = hashOf(shapeOfSpec(spec).text() + " " + std::string(toString(spec.type)));
  for (std::int64_t at = 0; at < volume.bytes(); at += kPiece) {
    control.check();
    hash = hashOf(std::span(volume.data() + at, static_cast<std::size_t>(std::min(kPiece, volume.bytes() - at))), hash);
  }
  return fmt::format("{:016x}", hash);
}

Volume noiseOf(const DataRecipe& recipe, const Control& control) {
  const VolumeShape shape = shapeOfSpec(recipe.spec);
  if (!fitsInMemory(recipe.spec.bytes()))
    throw Error(ErrorKind::Memory,
                "a volume of " + shape.text() + " " + std::string(toString(recipe.spec.type)) + " needs " +
                    mebibytes(recipe.spec.bytes()) + ", and " + mebibytes(availableMemory()) + " of memory are free",
                "choose a smaller --shape");
  return noiseVolume(shape, recipe.spec.type, recipe.seed, control);
}

void requireSame(const DataRecipe& recipe, const Volume& volume, const Control& control) {
  const auto words = [](const ArraySpec& spec) {
    return shapeOfSpec(spec).text() + " " + std::string(toString(spec.type));
  };
  if (volume.spec() != recipe.spec)
    throw Error(
        ErrorKind::BadData,
        "these data are not those of the capsule: they are " + words(volume.spec()) + ", not " + words(recipe.spec),
        "name the file that it was made with");
  const bool spaced = std::ranges::equal(volume.geometry().spacing, recipe.spacing, [](double a, double b) {
    return std::abs(a - b) <= 1e-6 * std::max(std::abs(a), std::abs(b));
  });
  if (!spaced || fingerprintOf(volume, control) != recipe.fingerprint)
    throw Error(
        ErrorKind::BadData,
        std::string("these data are not those of the capsule: ") + (spaced ? "the voxels" : "the spacings") + " differ",
        "name the file that it was made with");
}

void requireSame(const CaseRecipe& recipe, const Workload& workload) {
  if (workload.name() == recipe.workload && workload.parameters() == recipe.made) return;
  throw Error(ErrorKind::Unsupported,
              "this program computes something else of the capsule's parameters than the one that wrote it",
              "use the same version on both machines");
}

}  // namespace sscope::compare
