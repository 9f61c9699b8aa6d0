#pragma once
// Banks of filters as jobs.

#include <string>
#include <utility>
#include <vector>

#include "core/filter/job/filter_job.h"
#include "core/filter/recipe.h"

namespace sscope::test {

// Filters without a name of their own get one that is not taken yet, as on the command line.
inline FilterJob jobOf(const std::vector<std::string>& specs, const std::string& engine) {
  FilterJob job;
  for (const std::string& spec : specs) {
    FilterRecipe recipe = parseFilterSpec(spec);
    if (recipe.name == recipe.family) recipe.name = uniqueName(job.bank, recipe.name);
    job.bank.filters.push_back(std::move(recipe));
  }
  job.engine = engine;
  return job;
}

}  // namespace sscope::test
