#pragma once
// A case: what is computed, on which data. Its recipe is data from which another machine makes the same case again.

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/control.h"
#include "core/options/option.h"
#include "core/volume/array_view.h"
#include "core/volume/geometry.h"
#include "core/volume/volume.h"
#include "core/workload/workload.h"

namespace sscope::compare {

// Where the input comes from.
struct DataRecipe {
  enum class From : std::uint8_t { Noise, Sample, File };
  From from = From::Noise;
  std::string name;        // of the sample, or of the file without its folder
  std::int64_t size = 0;   // of the sample; 0: its default
  std::uint64_t seed = 1;  // of noise and samples
  ArraySpec spec;
  std::array<double, 3> spacing{1, 1, 1};  // mm, or the geometry's unit
  std::string fingerprint;                 // of type, extents and voxels (fingerprintOf)

  bool operator==(const DataRecipe&) const = default;
};

struct CaseRecipe {
  std::string computes;       // the name of a CaseKind: "filters", "magic"
  nlohmann::json parameters;  // of filters a bank; of the others the values of options that were given
  DataRecipe data;
  std::string workload{};  // the name of the workload that they make: "filter"
  nlohmann::json made{};   // and its parameters, by which another program notices that it makes another workload
};

struct Case {
  CaseRecipe recipe;                           // the fingerprint of the data is left to completed()
  std::shared_ptr<const Volume> input{};       // null: noise that is not made yet (withData)
  std::shared_ptr<const Workload> workload{};  // null in an outline for ranks, each of which makes its part
  OptionValues variantValues{};                // options of variants that were given with those of the workload
  int threads = 0;                             // of CPU engines; 0: all
  // What a recipe cannot name, for titles and rows: {"configuration": the file's name, "plaquette": its mean}.
  nlohmann::json origin = nlohmann::json::object();
};

// The transpose of a linear computation, or why there is none, as half a sentence.
struct Adjoint {
  std::unique_ptr<Workload> workload;
  std::string reason{};
};

// What can be computed: filter banks, and every workload of the catalog.
struct CaseKind {
  std::string name;  // "filters", or the workload's
  // Whose values the parameters of its recipes are; none: the parameters are a bank.
  std::vector<Option> options{};
  int dimensions = 3;  // 2: images only
  // Throws Error(Usage) for data that it does not fit, Error(BadData) for parameters that mean nothing.
  std::function<std::unique_ptr<Workload>(const nlohmann::json& parameters, const ArraySpec& input,
                                          const Geometry& geometry)>
      make;
  std::function<std::string(const CaseRecipe& recipe)> words;  // "gaussian:sigma=2, sobel; boundary nearest"
  // Noise to compute on: extents x y z; none: small ones.
  std::function<DataRecipe(const nlohmann::json& parameters, const std::optional<std::array<std::int64_t, 3>>& shape)>
      noise;
  // A^T where one output of a workload that make() made is A times its only input: from an array like that output to
  // one like the input. Empty: unknown.
  std::function<Adjoint(const Workload& workload, std::size_t output)> adjoint{};
};
// Those of all subjects (core/subjects.cpp).
[[nodiscard]] const std::vector<CaseKind>& caseKinds();
// Those of the workloads in the catalog.
[[nodiscard]] std::vector<CaseKind> catalogKinds();
// Throws Error(NotFound) that lists the kinds that this program knows.
[[nodiscard]] const CaseKind& caseKind(std::string_view name);
// The options of the recipe's kind; none of filters, and of a kind that this program does not know.
[[nodiscard]] const std::vector<Option>& optionsOf(const CaseRecipe& recipe);
// Their values, with the defaults of those that the recipe leaves out. Throws Error(BadData) for a parameter that is
// no option, or has a value that the option does not take.
[[nodiscard]] OptionValues valuesOf(const CaseRecipe& recipe);
// By the kind of the recipe.
[[nodiscard]] Adjoint adjointOf(const CaseRecipe& recipe, const Workload& workload, std::size_t output);

// Throws Error(NotFound) for what this program cannot compute, Error(BadData) for values that an option does not take,
// and Error(Usage) for data that do not fit.
[[nodiscard]] std::unique_ptr<Workload> makeWorkload(const CaseRecipe& recipe, const ArraySpec& input,
                                                     const Geometry& geometry);
// The one way to make a case: the recipe's workload for these data, or, without data, for noise of the extents and type
// in the recipe. Throws as makeWorkload.
[[nodiscard]] Case makeCase(CaseRecipe recipe, std::shared_ptr<const Volume> input);
// The same case with its noise, where it has no data yet. Throws Error(Memory) where the noise or the outputs do not
// fit, and Canceled.
[[nodiscard]] Case withData(Case made, const Control& control);
// The recipe with the fingerprint of its data. Throws Canceled.
[[nodiscard]] CaseRecipe completed(const Case& made, const Control& control);
// Whether both compute the same on the same data, as far as recipes without fingerprints show.
[[nodiscard]] bool sameJob(const CaseRecipe& one, const CaseRecipe& other);
// "filters: gaussian:sigma=2; boundary nearest, results in f32; 128x128x128 f32 (noise, seed 1)"
[[nodiscard]] std::string titleOf(const CaseRecipe& recipe);
// The same with the origin of a configuration.
[[nodiscard]] std::string titleOf(const Case& made);

// 16 hexadecimal digits, the same on every machine. Throws Canceled.
[[nodiscard]] std::string fingerprintOf(const Volume& volume, const Control& control);

// Noise as the recipe says. Throws Error(Memory), Canceled.
[[nodiscard]] Volume noiseOf(const DataRecipe& recipe, const Control& control);

// Throws Error(BadData) in one sentence unless the volume has the extents, type, spacing and voxels of the recipe, and
// Canceled.
void requireSame(const DataRecipe& recipe, const Volume& volume, const Control& control);
// The same for what is computed: a workload of the recipe's name and parameters.
void requireSame(const CaseRecipe& recipe, const Workload& workload);

}  // namespace sscope::compare
