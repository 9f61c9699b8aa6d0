#pragma once
// Templates of banks: what people begin with, as files of resources/banks (docs/templates.md).

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/filter/grid.h"
#include "core/filter/recipe.h"

namespace sscope {

struct BankTemplate {
  // An option that suits so many times the noise of the data. Where no noise is found: that share of the range of the
  // values; 0 leaves the option as it is.
  struct NoiseShare {
    std::string row, option;
    double factor = 1;
    double ofRange = 0;
  };

  std::string name;   // "gradient": on the command line, and of its file
  std::string label;  // "Gradient"
  std::string help;   // one sentence
  std::string shown;  // the row to look at first
  FilterBank image, volume;
  bool millimeters = false;  // lengths are millimeters where voxels are not cubes
  std::vector<NoiseShare> noise;

  [[nodiscard]] const FilterBank& form(int dimensions) const { return dimensions == 3 ? volume : image; }
};

// Throws Error(BadData) for what is not a template (schema "stencilscope.template/1").
[[nodiscard]] BankTemplate templateFromJson(const std::string& name, const nlohmann::json& json);

// All of them, in display order.
[[nodiscard]] const std::vector<BankTemplate>& bankTemplates();
// Throws Error(Usage) naming all of them.
[[nodiscard]] const BankTemplate& bankTemplate(std::string_view name);

// The bank for data of this grid. Where voxels are not cubes, have a unit, and the template says so, lengths of so many
// voxels become millimeters by the shortest edge. noise: of the data (core/filter/noise_estimate.h), in their units;
// options that depend on it are set to three digits within their range. 0: they follow `range`, the largest less the
// smallest value, where the template says how, and stay as in the file if that is 0, too.
[[nodiscard]] FilterBank bankFor(const BankTemplate& made, const FilterGrid& grid, double noise, double range = 0);

// The rows of another bank below those of `bank`, under names that are free; what reads them follows.
[[nodiscard]] FilterBank appended(FilterBank bank, FilterBank rows);

}  // namespace sscope
