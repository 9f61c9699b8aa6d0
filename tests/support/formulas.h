#pragma once
// Formulas on volumes, and numbers that have rules of their own.

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/filter/formula/workload/formula_workload.h"
#include "core/volume/volume.h"
#include "tests/support/support.h"

namespace sscope::test {

// Of inputs of the same extents, which are the whole volume.
[[nodiscard]] inline FormulaWorkload formulaOn(const std::string& text, const std::vector<const Volume*>& inputs,
                                               Boundary boundary, ElementType output, double constant = 0.75) {
  const ArraySpec first = inputs[0]->spec();
  FormulaSetting setting;
  setting.volume = {first.extent[0], first.extent[1], first.extent[2]};
  setting.region = {{0, 0, 0}, setting.volume};
  for (const Volume* input : inputs) setting.inputs.push_back({input->spec(), setting.region});
  setting.boundary = boundary;
  setting.constant = constant;
  setting.spacing = {0.5, 0.25, 3};
  setting.output = output;
  return {Formula::parse(text), setting};
}

// What a formula of "a" and others reads.
[[nodiscard]] inline std::vector<const Volume*> inputsOf(const std::string& text, const Volume& a, const Volume& b) {
  std::vector<const Volume*> inputs;
  const Formula formula = Formula::parse(text);
  for (const std::string& name : formula.inputs()) inputs.push_back(name == "a" ? &a : &b);
  return inputs;
}

[[nodiscard]] inline std::vector<ConstArrayView> viewsOf(const std::vector<const Volume*>& volumes) {
  std::vector<ConstArrayView> views;
  for (const Volume* volume : volumes) views.push_back(volume->view());
  return views;
}

// Noise in which every third real has rules of its own. `scaled`: and the next one lies anywhere in the range.
[[nodiscard]] inline Volume wildVolume(const VolumeShape& shape, ElementType type, std::uint64_t seed, bool scaled) {
  Volume volume = randomVolume(shape, type, seed);
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  const double special[] = {0,
                            -0.0,
                            1,
                            -1,
                            std::numeric_limits<double>::quiet_NaN(),
                            kInfinite,
                            -kInfinite,
                            static_cast<double>(std::numeric_limits<float>::denorm_min()) * 77,
                            static_cast<double>(std::numeric_limits<float>::max()),
                            1e30,
                            -1e30,
                            3e-39,
                            88.5,
                            -104.5,
                            12345.678,
                            1e9};
  // Each of them meets each of the others in two volumes.
  const std::size_t turn = seed % 2 == 0 ? 1 : std::size(special) - 1;
  dispatch(type, [&](auto tag) {
    using T = decltype(tag);
    if constexpr (std::is_floating_point_v<T>) {
      auto* data = volume.view().as<T>();
      const std::int64_t count = volume.view().elements();
      for (std::int64_t i = 0; i < count; ++i) {
        const auto third = static_cast<std::size_t>(i / 3);
        if (i % 3 == 0) data[i] = static_cast<T>(special[third / turn % std::size(special)]);
        if (i % 3 == 1 && scaled) data[i] *= static_cast<T>(std::exp(static_cast<double>(i * 7 % 40 - 20)));
      }
    }
  });
  return volume;
}

}  // namespace sscope::test
