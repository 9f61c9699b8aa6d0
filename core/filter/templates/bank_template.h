#pragma once
// Templates of banks: what people begin with, as files of resources/banks (docs/manual/templates.md).

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/filter/families/data_shares.h"
#include "core/filter/grid.h"
#include "core/filter/recipe.h"

namespace sscope {

struct BankTemplate {
  // What the data suggest for an option of a row; that of no range leaves it as it is where no noise is found.
  struct RowShare {
    std::string row;
    DataShare share;
  };

  std::string name;   // "gradient": on the command line, and of its file
  std::string label;  // "Gradient"
  std::string help;   // one sentence
  std::string shown;  // the row to look at first
  FilterBank image, volume;
  bool millimeters = false;  // lengths are millimeters where voxels are not cubes
  std::vector<RowShare> shares;

  [[nodiscard]] const FilterBank& form(int dimensions) const { return dimensions == 3 ? volume : image; }
};

// Throws Error(BadData) for what is not a template (schema "stencilscope.template/1").
[[nodiscard]] BankTemplate templateFromJson(const std::string& name, const nlohmann::json& json);

// All of them, in display order.
[[nodiscard]] const std::vector<BankTemplate>& bankTemplates();
// Throws Error(Usage) naming all of them.
[[nodiscard]] const BankTemplate& bankTemplate(std::string_view name);

// The bank for data of this grid. Where voxels are not cubes, have a unit, and the template says so, lengths of so many
// voxels become millimeters by the shortest edge. Options that depend on the scale of the data are set to three digits
// within their range; that of constant data, which is 0, leaves them as in the file.
[[nodiscard]] FilterBank bankFor(const BankTemplate& made, const FilterGrid& grid, const DataScale& scale = {});

// The rows of another bank below those of `bank`, under names that are free; what reads them follows.
[[nodiscard]] FilterBank appended(FilterBank bank, FilterBank rows);

// The files of resources/banks, as the build embeds them.

struct TemplateFile {
  std::string_view name;  // "gradient.json"
  std::string_view text;
};

[[nodiscard]] std::span<const TemplateFile> templateFiles();

}  // namespace sscope
