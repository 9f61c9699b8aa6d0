#pragma once
// Recipes and banks as text: specs of the command line, JSON, and the names by which rows read each other.

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/filter/recipe.h"

namespace sscope {

// "gaussian:sigma=1.5,order_x=1", "sobel:axis=x,input=smooth,name=gx", "custom:file=taps.json",
// "custom:size=[3,1,1],taps=[1,2,1]" (with anchor= if it is not the middle); every family takes flip=true, name=,
// input= (inputs=a;b of several) and intermediate=true. Commas within parentheses, brackets and quotes do not separate,
// and names with such characters are in quotes. Throws Error(Usage) naming the unknown family, parameter or value and
// the accepted ones.
[[nodiscard]] FilterRecipe parseFilterSpec(std::string_view spec);
// The inverse, without defaults, the name and whether it is enabled.
[[nodiscard]] std::string formatFilterSpec(const FilterRecipe& recipe);
// The inverse with the name. Throws Error(Unsupported) for a recipe that no spec gives, such as one whose name has
// quotes.
[[nodiscard]] std::string wholeFilterSpec(const FilterRecipe& recipe);

// schema "stencilscope.bank/1", see docs/manual/file-formats.md. Throws Error(BadData) with the position and the
// remedy.
[[nodiscard]] nlohmann::json toJson(const FilterBank& bank);
[[nodiscard]] FilterBank bankFromJson(const nlohmann::json& json);
[[nodiscard]] nlohmann::json toJson(const FilterRecipe& recipe);
[[nodiscard]] FilterRecipe recipeFromJson(const nlohmann::json& json);
// "size", "taps" and "anchor" (the middle if it is missing) of an object; other members are ignored.
[[nodiscard]] DenseTaps tapsFromJson(const nlohmann::json& json);

// Numbers rows with equal names (FilterNames). Throws Error(Usage) if another row reads such a name.
void nameApart(FilterBank& bank);
// Makes every row that reads the row `from` read `to` instead, as after a renaming.
void renameInputs(FilterBank& bank, const std::string& from, const std::string& to);

}  // namespace sscope
