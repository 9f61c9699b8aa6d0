#pragma once
// What a comparison computes and on which data, as data: enough to make both again on another machine.

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/control.h"
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
  std::string computes;       // a name of CaseKind ("filters") or of a workload in the catalog ("magic")
  nlohmann::json parameters;  // a CaseKind's own; of a catalog's workload the values of its options that were given
  DataRecipe data;
  std::string workload{};  // the name of the workload that they make: "filter"
  nlohmann::json made{};   // and its parameters: another program that makes another one of them says so
};

// The transpose of a linear computation, or why there is none, as half a sentence.
struct Adjoint {
  std::unique_ptr<Workload> workload;
  std::string reason{};
};

// What a subject computes besides the catalog's workloads: the filter banks.
struct CaseKind {
  std::string name;  // "filters"
  // Throws Error(Usage) for data that it does not fit, Error(BadData) for parameters that mean nothing.
  std::function<std::unique_ptr<Workload>(const nlohmann::json& parameters, const ArraySpec& input,
                                          const Geometry& geometry)>
      make;
  std::function<std::string(const nlohmann::json& parameters)> words;  // "gaussian:sigma=2, sobel; boundary nearest"
  // A^T where one output of a workload that make() made is A times its only input: from an array like that output to
  // one like the input. Empty: nobody tells.
  std::function<Adjoint(const Workload& workload, std::size_t output)> adjoint{};
};
// Those of all subjects (core/subjects.cpp).
[[nodiscard]] const std::vector<CaseKind>& caseKinds();
// By the kind of the recipe.
[[nodiscard]] Adjoint adjointOf(const CaseRecipe& recipe, const Workload& workload, std::size_t output);

// Throws Error(NotFound) for what this program cannot compute, Error(BadData) for values that an option does not take,
// and Error(Usage) for data that do not fit.
[[nodiscard]] std::unique_ptr<Workload> makeWorkload(const CaseRecipe& recipe, const ArraySpec& input,
                                                     const Geometry& geometry);
// The recipe with the workload that it makes of these data, and their extents and fingerprint, filled in. Throws as
// makeWorkload, and Canceled.
[[nodiscard]] CaseRecipe completed(CaseRecipe recipe, const Workload& workload, const Volume& input,
                                   const Control& control);
// Whether both compute the same of data that are the same as far as recipes tell, whose voxels nobody looked at.
[[nodiscard]] bool sameJob(const CaseRecipe& one, const CaseRecipe& other);
// "filters: gaussian:sigma=2; boundary nearest, results in f32; 128x128x128 f32 (noise, seed 1)"
[[nodiscard]] std::string titleOf(const CaseRecipe& recipe);

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
