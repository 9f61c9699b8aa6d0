// Filters that reach farther than the data, against the taps that they were made from.
#include "core/filter/families/recipe_text.h"
#include "core/filter/operator.h"

#include <algorithm>
#include <cmath>

#include "core/filter/families/family.h"
#include "core/filter/job/filter_job.h"
#include "core/filter/workload/filter_reference.h"
#include "tests/cpu/cpu_support.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;

namespace {

std::vector<double> referenceOf(const Operator& op, Boundary boundary, const Volume& data, bool magnitude = false) {
  const VolumeShape& shape = data.shape();
  std::vector<double> values(data.elements<double>().size());
  filterReference(op, boundary, 1.5, data.view(), {{0, 0, 0}, {shape.nx, shape.ny, shape.nz}}, magnitude, values, {});
  return values;
}

}  // namespace

TEST_CASE("folded taps give what the taps that they are made of give", "[filter][unit]") {
  const Operator ops[]{test::denseFilter({15, 4, 9}, {14, 1, 2}), test::denseFilter({9, 31, 2}, {0, 20, 1}),
                       test::separableFilter({23, 40, 12}, {11, 3, 9}),
                       makeOperator(parseFilterSpec("dog:sigma=5"), {})};
  for (const VolumeShape& shape : {VolumeShape{5, 3, 2, 1}, VolumeShape{1, 4, 6, 2}, VolumeShape{30, 2, 1, 1}})
    for (const Boundary boundary : kBoundaries)
      for (const Operator& op : ops) {
        INFO(shape.text() << " " << toString(boundary));
        const std::array<std::int64_t, 3> extent{shape.nx, shape.ny, shape.nz};
        const Operator few = foldedOperator(op, extent, boundary);
        for (std::size_t a = 0; a < 3; ++a) CHECK(few.size()[a] <= 2 * extent[a] + 1);
        const Volume data = test::randomVolume(shape, ElementType::f64, 3);
        const std::vector<double> wanted = referenceOf(op, boundary, data), values = referenceOf(few, boundary, data);
        const std::vector<double> sizes = referenceOf(op, boundary, data, true);
        const double largest = std::ranges::max(sizes);
        double differs = 0;
        for (std::size_t i = 0; i < wanted.size(); ++i) {
          differs = std::max(differs, std::abs(wanted[i] - values[i]));
        }
        CHECK(largest > 0);
        CHECK(differs <= 1e-13 * largest);
      }
}

TEST_CASE("taps that do not reach beyond the far end from everywhere stay as they are", "[filter][unit]") {
  const Operator op = test::separableFilter({11, 5, 3}, {5, 4, 0});
  for (const Boundary boundary : kBoundaries) {
    CHECK(sameComputation(foldedOperator(op, {5, 4, 2}, boundary), op));
    CHECK_FALSE(sameComputation(foldedOperator(op, {4, 4, 2}, boundary), op));
  }
  const Operator median = makeOperator(parseFilterSpec("median:size=9"), {});
  CHECK(sameComputation(foldedOperator(median, {2, 2, 2}, Boundary::wrap), median));
}

TEST_CASE("a thousand taps on a few voxels are a few, and agree with the reference", "[filter][unit]") {
  const test::CpuMachine machine;
  const Volume data = test::randomVolume({16, 15, 14, 1}, ElementType::f32, 4);
  for (const Boundary boundary : kBoundaries) {
    INFO(toString(boundary));
    FilterJob job;
    job.bank.filters = {parseFilterSpec("gaussian:sigma=64,truncate=8")};
    job.bank.boundary = boundary;
    const FilterWorkload workload = FilterWorkload::of(job.bank, data);
    CHECK(workload.stencil(0).separableTaps() <= 33 + 31 + 29);
    const FilterResult result = runFilter(machine.engines, machine.variants, job, data, {});
    CHECK(verifyFilter(job, data, result, {}, {}).failure == "");
    // Rows that read others fold, too.
    job.bank.filters.push_back(parseFilterSpec("formula:e=gaussian * 2"));
    const FilterResult program = runFilter(machine.engines, machine.variants, job, data, {});
    CHECK(program.outputs.back().elements<float>()[77] ==
          Approx(2 * result.outputs.front().elements<float>()[77]).epsilon(1e-5));
  }
}
