// Verification of data without any information: 0 for 0 and NaN for NaN are right, whatever roundings could have done.
#include <algorithm>
#include <limits>

#include "core/filter/families/family.h"
#include "core/filter/families/recipe_text.h"
#include "core/filter/job/filter_job.h"
#include "tests/cpu/cpu_support.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;

namespace {

void expectVerified(const char* spec, float everywhere) {
  INFO(spec << " of " << everywhere);
  const test::CpuMachine machine;
  Volume volume({11, 9, 7, 1}, ElementType::f32);
  std::ranges::fill(volume.elements<float>(), everywhere);
  FilterJob job;
  job.bank.filters = {parseFilterSpec(spec)};
  const FilterResult result = runFilter(machine.engines, machine.variants, job, volume, {});
  const Verification verification = verifyFilter(job, volume, result, {}, {});
  CHECK(verification.failure == "");
  CHECK_FALSE(verification.undecided);
  CHECK(verification.compared == 693);
  CHECK(verification.unjudged == 0);
}

}  // namespace

TEST_CASE("results of zeros are verified", "[verify][unit]") {
  for (const char* spec : {"stddev", "variance", "normalize", "direction", "frangi", "sato", "edges"})
    expectVerified(spec, 0);
}

TEST_CASE("results of nothing but NaN are verified", "[verify][unit]") {
  for (const char* spec : {"variance", "stddev", "direction", "hessian", "frangi", "sato", "structure", "edges"})
    expectVerified(spec, std::numeric_limits<float>::quiet_NaN());
}
