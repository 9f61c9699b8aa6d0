#pragma once
// Banks of filters as jobs, and engines for them.

#include <string>
#include <utility>
#include <vector>

#include "core/filter/families/recipe_text.h"
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

// The name of an engine that shares the work with itself: "cpu:avx2+cpu:avx2".
inline std::string repeated(const std::string& id, int times) {
  std::string all = id;
  for (int i = 1; i < times; ++i) all += "+" + id;
  return all;
}

}  // namespace sscope::test
