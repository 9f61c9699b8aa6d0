#pragma once
// Starter banks for tasks, from the files of resources/banks (docs/manual/templates.md).

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
  // The value that the data suggest for an option of a row; without a share of the range it is unchanged if no noise is
  // found.
  struct RowShare {
    std::string row;
    DataShare share;
  };

  std::string name;   // "gradient": on the command line, and of its file
  std::string label;  // "Gradient"
  std::string help;   // one sentence
  std::string shown;  // the row to show first
  FilterBank image, volume;
  bool millimeters = false;  // lengths are millimeters if voxels are not cubes
  std::vector<RowShare> shares;

  [[nodiscard]] const FilterBank& form(int dimensions) const { return dimensions == 3 ? volume : image; }
};

// Throws Error(BadData) for an invalid template (schema "stencilscope.template/1").
[[nodiscard]] BankTemplate templateFromJson(const std::string& name, const nlohmann::json& json);

// All templates, in display order.
[[nodiscard]] const std::vector<BankTemplate>& bankTemplates();
// Throws Error(Usage) that names all templates.
[[nodiscard]] const BankTemplate& bankTemplate(std::string_view name);

// The bank for data of this grid. If voxels are not cubes and have a unit, and the template requests it, lengths in
// voxels become millimeters by the shortest edge. Options that depend on the scale of the data are set to three digits
// within their range; for constant data, with the scale 0, they are unchanged.
[[nodiscard]] FilterBank bankFor(const BankTemplate& made, const FilterGrid& grid, const DataScale& scale = {});

// Appends the rows of another bank to `bank` under unused names; their readers follow.
[[nodiscard]] FilterBank appended(FilterBank bank, FilterBank rows);

struct TemplateFile {
  std::string_view name;  // "gradient.json"
  std::string_view text;
};

[[nodiscard]] std::span<const TemplateFile> templateFiles();

}  // namespace sscope
