#include "core/compare/case_recipe.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <span>

#include "core/base/encoding.h"
#include "core/base/error.h"
#include "core/base/memory.h"
#include "core/workload/catalog.h"
#include "core/workload/noise.h"

namespace sscope::compare {

namespace {

const CaseKind* findCaseKind(std::string_view name) {
  const auto& kinds = caseKinds();
  const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const CaseKind& kind) { return kind.name == name; });
  return found == kinds.end() ? nullptr : &*found;
}

OptionValues valuesOf(const WorkloadKind& kind, const nlohmann::json& parameters) {
  OptionValues values;
  if (!parameters.is_object() && !parameters.is_null())
    throw Error(ErrorKind::BadData, "the parameters of " + kind.name + " are no object");
  for (const auto& [name, value] : parameters.items()) {
    const Option* option = findOption(kind.options, name);
    if (option == nullptr) throw Error(ErrorKind::BadData, "the workload " + kind.name + " has no parameter " + name);
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

}  // namespace

Adjoint adjointOf(const CaseRecipe& recipe, const Workload& workload, std::size_t output) {
  const CaseKind* kind = findCaseKind(recipe.computes);
  if (kind == nullptr || !kind->adjoint) return {nullptr, "no adjoint is known of " + recipe.computes};
  return kind->adjoint(workload, output);
}

std::unique_ptr<Workload> makeWorkload(const CaseRecipe& recipe, const ArraySpec& input, const Geometry& geometry) {
  if (const CaseKind* kind = findCaseKind(recipe.computes)) return kind->make(recipe.parameters, input, geometry);
  const WorkloadKind* kind = findWorkloadKind(recipe.computes);
  if (kind == nullptr) {
    std::string known;
    for (const CaseKind& each : caseKinds()) known += (known.empty() ? "" : ", ") + each.name;
    for (const WorkloadKind& each : workloadCatalog()) known += (known.empty() ? "" : ", ") + each.name;
    throw Error(ErrorKind::NotFound, "this program cannot compute " + recipe.computes, "it knows " + known);
  }
  return kind->make(input, completeOptions(kind->options, valuesOf(*kind, recipe.parameters)));
}

CaseRecipe completed(CaseRecipe recipe, const Workload& workload, const Volume& input, const Control& control) {
  recipe.workload = workload.name();
  recipe.made = workload.parameters();
  recipe.data.spec = input.spec();
  recipe.data.spacing = input.geometry().spacing;
  recipe.data.fingerprint = fingerprintOf(input, control);
  return recipe;
}

bool sameJob(const CaseRecipe& one, const CaseRecipe& other) {
  return one.computes == other.computes && one.made == other.made && one.data.from == other.data.from &&
         one.data.name == other.data.name && one.data.seed == other.data.seed && one.data.spec == other.data.spec;
}

std::string titleOf(const CaseRecipe& recipe) {
  std::string text = recipe.computes + ":";
  if (const CaseKind* kind = findCaseKind(recipe.computes)) {
    text += " " + kind->words(recipe.parameters);
  } else {
    for (const auto& [name, value] : recipe.made.items())
      text += " " + name + "=" + (value.is_string() ? value.get<std::string>() : value.dump());
  }
  return text + "; " + shapeOfSpec(recipe.data.spec).text() + " " + std::string(toString(recipe.data.spec.type)) +
         " (" + originWords(recipe.data) + ")";
}

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
  requireMemory(recipe.spec.bytes());
  return noiseVolume(shapeOfSpec(recipe.spec), recipe.spec.type, recipe.seed, control);
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
