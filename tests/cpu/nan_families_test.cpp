// Data of which nothing is known stay so in every family.
#include <algorithm>
#include <cmath>

#include "core/filter/families/family.h"
#include "core/filter/job/filter_job.h"
#include "tests/cpu/cpu_support.h"
#include "tests/support/catch.h"

using namespace sscope;

TEST_CASE("data that are all NaN give NaN alone, in every family", "[families][unit]") {
  const test::CpuMachine machine;
  for (const VolumeShape& shape : {VolumeShape{12, 11, 9, 1}, VolumeShape{14, 13, 1, 1}}) {
    Volume volume(shape, ElementType::f32);
    std::ranges::fill(volume.elements<float>(), std::nanf(""));
    for (const FilterFamily& family : filterFamilies()) {
      if (!family.make) continue;  // taps of one's own
      INFO(family.name << " on " << shape.text());
      FilterRecipe recipe;
      recipe.name = recipe.family = family.name;
      FilterJob job;
      job.bank.filters = {recipe};
      const FilterResult result = runFilter(machine.engines, machine.variants, job, volume, {});
      const auto values = result.outputs.front().elements<float>();
      CHECK(std::ranges::count_if(values, [](float v) { return std::isnan(v); }) == std::ssize(values));
    }
  }
}
