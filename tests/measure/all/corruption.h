#pragma once
// Correct outputs of every workload, and ways to corrupt them.

#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "core/measure/verify.h"
#include "core/options/option.h"
#include "core/volume/volume.h"
#include "core/workload/workload.h"

namespace sscope::test {

// A workload with an input and its right outputs: the reference, rounded to the output's type.
struct Scene {
  std::string name;
  std::shared_ptr<const Workload> workload;
  Volume input;
  std::vector<Volume> outputs;

  [[nodiscard]] Verification verdict(const VerifyOptions& options = {1e9, 1}) const;
};

// Outputs that were made by the reference.
[[nodiscard]] Scene makeSceneOf(std::string name, std::shared_ptr<const Workload> workload, Volume input);
// On noise; floats are multiplied by `scale`.
[[nodiscard]] Scene makeScene(std::string name, std::shared_ptr<const Workload> workload, double scale = 1);
// A filter from a spec on noise.
[[nodiscard]] Scene filterScene(const std::string& spec, const VolumeShape& shape, ElementType input,
                                ElementType output, double scale = 1);
// A workload of the catalog ("bank") with these values (the rest are defaults) on noise.
[[nodiscard]] Scene ladderScene(const std::string& workload, const std::array<std::int64_t, 3>& shape,
                                const OptionValues& values, double scale = 1);

// Element type pairs of filters, and every ladder: small ones.
[[nodiscard]] std::vector<Scene> everyScene(double scale = 1);

// A way to corrupt outputs. Returns false, with the outputs unchanged, if it had no effect (as when two equal slices
// are swapped).
struct Corruption {
  std::string name;
  std::function<bool(Scene& scene, std::mt19937_64& random)> apply;
};
[[nodiscard]] const std::vector<Corruption>& corruptions();

}  // namespace sscope::test
