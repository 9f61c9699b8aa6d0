#pragma once
// Filters, shapes and the comparison of one row, for the tests of every row of the variant table.

#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "core/filter/families/family.h"
#include "core/filter/families/recipe_text.h"
#include "core/filter/workload/filter_workload.h"
#include "tests/agreement/machine.h"
#include "tests/support/runs.h"
#include "tests/support/support.h"
#include "tests/support/taps.h"

namespace sscope::test {

// One-voxel, thinner than any kernel, odd, a SIMD width and one more, and an image.
inline constexpr VolumeShape kFilterShapes[] = {{1, 1, 1, 1},  {7, 1, 1, 1},  {1, 5, 3, 1},  {2, 3, 2, 1},
                                                {13, 7, 5, 1}, {17, 9, 1, 1}, {33, 6, 4, 1}, {9, 5, 4, 3}};

inline Stencil oddCustom(int dimensions) {
  Stencil filter;
  filter.dense.size = {4, 3, dimensions == 3 ? 2 : 1};
  filter.dense.anchor = {0, 2, 0};
  filter.dense.weights.clear();
  for (std::int64_t i = 0; i < filter.dense.count(); ++i)
    filter.dense.weights.push_back(std::sin(1.0 + static_cast<double>(i)) * 0.3);
  return filter;
}

// Dense taps that are sums of few terms in single precision.
inline Operator bumps(int dimensions) {
  const std::int64_t z = dimensions == 3 ? 5 : 1;
  return {"bumps", twoBumps({7, 6, z}, {3, 0, z - 1})};
}

// Every family with its defaults and a few that stress sizes and signs, as one bank: each is its own output.
inline std::vector<Operator> allFilters(int dimensions) {
  const FilterGrid grid{dimensions, {1, 1, 1}};
  std::vector<Operator> filters;
  for (const FilterFamily& family : filterFamilies()) {
    if (!family.make) continue;
    FilterRecipe recipe;
    recipe.name = recipe.family = family.name;
    if (isOneOperator(recipe, grid)) filters.push_back(makeOperator(recipe, grid));  // program_agreement_test.cpp
  }
  for (const char* spec : {"gaussian:sigma=0.7,order_x=1,order_y=2",
                           "box:size=4",
                           "sobel:axis=y,flip=true",
                           "median:size=5,shape=ball",
                           "median:size=7,shape=cross",
                           "median:size=9",
                           "median:size=5",
                           "percentile:percent=30,size=5,shape=ball",
                           "percentile:percent=100",
                           "minimum:size=6",
                           "minimum:size=5,shape=ball",
                           "maximum:size=7,shape=cross",
                           "maximum:size=9",
                           "bilateral:sigma=0.9,range=0.6",
                           "bilateral:sigma=1.2,range=30,radius=4",
                           "bilateral:sigma=1,range=9000",
                           "nlmeans:sigma=0.4,search=2,patch=2",
                           "nlmeans:sigma=25,strength=2,search=1,patch=3",
                           "entropy:size=7,shape=ball,bins=20,low=-0.9,high=0.7",
                           "entropy:size=3,shape=cross,bins=2,low=-30000,high=40000",
                           "loggabor:azimuth=20,phase=odd,radius=2",
                           "riesz:order=2,azimuth=40,radius=3",
                           "steerable:filter=g4,azimuth=30,sigma=0.8"})
    filters.push_back(makeOperator(parseFilterSpec(spec), grid));
  filters.push_back(oddCustom(dimensions));
  filters.push_back(bumps(dimensions));
  return filters;
}

inline std::string describe(const Engine& engine, const Variant& row, const FilterWorkload& workload) {
  const auto e = workload.input().extent;
  std::ostringstream text;
  text << engine.info().id << " " << row.name << " " << toString(workload.input().type) << " -> "
       << toString(workload.outputType()) << " " << toString(workload.boundary()) << " " << e[0] << "x" << e[1] << "x"
       << e[2] << "x" << e[3];
  return text.str();
}

// Histograms count bytes.
inline bool takesFloats(const Variant& row) { return row.name != "histogram"; }

// Runs one row and compares every output element with the reference; returns what is wrong.
inline std::string runAndCheck(Engine& engine, const Variant& row, const Workload& workload, const Volume& input) {
  const auto plan = row.prepare(engine, workload, {}, {});
  forgetBuffers(engine);
  return wrongIn(engine.info(), row, workload, input, runOnce(*plan, workload, input));
}

// What devices are tested with: dense taps, taps of even size, one and two separable terms. Fewer than on CPUs,
// because every size is compiled.
inline std::vector<Operator> deviceFilters(int dimensions) {
  const FilterGrid grid{dimensions, {1, 1, 1}};
  return {makeStencil(parseFilterSpec("laplacian"), grid),
          oddCustom(dimensions),
          bumps(dimensions),
          makeStencil(parseFilterSpec("sharpen:sigma=0.3"), grid),
          makeOperator(parseFilterSpec("median"), grid),
          makeOperator(parseFilterSpec("median:size=5,shape=cross"), grid),
          makeOperator(parseFilterSpec("percentile:percent=30,shape=ball"), grid),
          makeOperator(parseFilterSpec("minimum:size=4"), grid),
          makeOperator(parseFilterSpec("maximum:size=5,shape=ball"), grid),
          makeOperator(parseFilterSpec("maximum:size=9"), grid),
          makeOperator(parseFilterSpec("bilateral:sigma=0.9,range=0.6,radius=2"), grid),
          makeOperator(parseFilterSpec("nlmeans:sigma=20,search=2"), grid),
          makeOperator(parseFilterSpec("entropy"), grid),
          makeOperator(parseFilterSpec("entropy:size=3,shape=ball,bins=12,low=-0.9,high=0.7"), grid)};
}

}  // namespace sscope::test
