#include "app/cli/wavelet/transform_recipe.h"

namespace sscope::cli {

TransformRecipe dwtRecipe(const DwtRecipe& recipe) {
  TransformRecipe made{"dwt " + recipe.direction,
                       {{"wavelet", recipe.wavelet},
                        {"convention", recipe.convention},
                        {"boundary", recipe.boundary},
                        {"levels", recipe.levels}}};
  if (recipe.dimensions > 0) made.options["dimensions"] = recipe.dimensions;
  std::string size;
  for (const std::int64_t extent : recipe.size) size += (size.empty() ? "" : ",") + std::to_string(extent);
  if (!size.empty()) made.options["size"] = size;
  return made;
}

TransformRecipe magicRecipe(const std::string& direction, const std::string& boundary, std::int64_t order,
                            const std::vector<double>& taps, bool kinetic) {
  TransformRecipe made{"magic " + direction, {{"boundary", boundary}}};
  if (taps.empty()) {
    made.options["order"] = order;
  } else {
    made.options["taps"] = taps;
  }
  if (kinetic) made.options["taps"] = "kinetic";
  return made;
}

}  // namespace sscope::cli
