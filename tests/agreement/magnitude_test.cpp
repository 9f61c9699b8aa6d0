// Filters that square and multiply keep the range of their type: data of any magnitude have the results of ordinary
// ones, on every engine, and verification lets nothing pass that is lost below the normal numbers.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/filter/families/family.h"
#include "core/filter/program/data_unit.h"
#include "core/measure/judged_parts.h"
#include "tests/agreement/jobs.h"
#include "tests/agreement/machine.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;

namespace {

// What becomes of its results when the data are multiplied, with options in units of the data left out.
struct Homogeneous {
  const char* spec;
  int degree;
};
constexpr Homogeneous kFilters[] = {
    {"gradient:sigma=1", 1}, {"direction:sigma=1", 0},         {"hessian:eigenvalue=1", 1},
    {"sato:sigma=1", 1},     {"structure:value=coherence", 0}, {"structure:value=orientation", 0},
    {"edges:sigma=1", 1},    {"stddev:radius=2", 1},           {"curvature:steps=2", 1}};

Volume dataTimes(double factor) {
  Volume volume = test::randomVolume({19, 14, 9, 1}, ElementType::f32, 5);
  for (float& value : volume.elements<float>()) value = static_cast<float>(value * factor);
  return volume;
}

float largest(std::span<const float> values) {
  float most = 0;
  for (const float value : values) most = std::max(most, std::abs(value));
  return most;
}

FilterResult ran(const test::TestMachine& machine, FilterJob& job, const Volume& data) {
  job.bank.unit = dataUnitOf(job.bank, data, {});
  return runFilter(machine.engines, machine.variants, job, data, {});
}

}  // namespace

TEST_CASE("results of small and large data have the bits of ordinary ones") {
  const test::TestMachine machine;
  for (const Homogeneous& filter : kFilters)
    for (const Engine* engine : machine.chosen()) {
      FilterJob job = test::jobOf({filter.spec}, engine->info().id);
      const Volume ordinary = dataTimes(1);
      const FilterResult known = ran(machine, job, ordinary);
      CHECK(job.bank.unit == 1);
      for (const int power : {-80, 66}) {
        CAPTURE(filter.spec, engine->info().id, power);
        const Volume data = dataTimes(std::ldexp(1.0, power));
        const FilterResult result = ran(machine, job, data);
        CHECK(job.bank.unit != 1);
        const auto wanted = known.outputs[0].elements<float>(), got = result.outputs[0].elements<float>();
        // A compiler of OpenCL may contract the formula in another way once it has a factor more.
        const float allowed = engine->info().id.starts_with("opencl") ? 1e-6F * largest(wanted) : 0.0F;
        std::size_t others = 0;
        for (std::size_t i = 0; i < wanted.size(); ++i)
          others += std::abs(std::ldexp(got[i], -filter.degree * power) - wanted[i]) <= allowed ? 0 : 1;
        CHECK(others == 0);
        const Verification found = verifyFilter(job, data, result, {}, {});
        CHECK(found.failure == "");
        CHECK(10 * found.unjudged <= found.compared);
      }
    }
}

TEST_CASE("what is lost below the normal numbers is found, or not judged") {
  const test::TestMachine machine;
  const Volume data = dataTimes(std::ldexp(1.0, -80));
  FilterJob job = test::jobOf({"gradient:sigma=1"}, machine.engines.preferred().info().id);
  // With the unit zeros are wrong.
  FilterResult result = ran(machine, job, data);
  std::ranges::fill(result.outputs[0].elements<float>(), 0.0F);
  CHECK_FALSE(verifyFilter(job, data, result, {}, {}).verified);
  CHECK_FALSE(verifyFilter(job, data, result, {}, {}).undecided);
  // Without it the squares vanish, whatever the result: nothing is called right.
  job.bank.unit = 1;
  result = runFilter(machine.engines, machine.variants, job, data, {});
  const Verification lost = verifyFilter(job, data, result, {}, {});
  CHECK_FALSE(lost.verified);
  CHECK(lost.undecided);
  CHECK(lost.unjudged == data.shape().elements());
}

TEST_CASE("sums that leave the range of the type are no engine's fault, and the filter is named") {
  const test::TestMachine machine;
  Volume data({16, 15, 14, 1}, ElementType::f32);
  std::ranges::fill(data.elements<float>(), 3e38F);
  FilterJob job = test::jobOf({"gaussian:sigma=1", "sobel:axis=x"}, machine.engines.preferred().info().id);
  FilterResult result = runFilter(machine.engines, machine.variants, job, data, {});
  const Verification found = verifyFilter(job, data, result, {}, {});
  CHECK(found.undecided);
  CHECK_THROWS_WITH(requireVerified(found, "cpu:x"),
                    Catch::Matchers::StartsWith("the result of cpu:x cannot be compared: of sobel, ") &&
                        Catch::Matchers::ContainsSubstring("leave the range of the type; choose the output type f64"));
  // One NaN where data are not as large is the engine's, and so is a wrong number; the filter is named, too.
  std::ranges::fill(data.elements<float>(), 3e30F);
  result = runFilter(machine.engines, machine.variants, job, data, {});
  CHECK(verifyFilter(job, data, result, {}, {}).verified);
  result.outputs[0].elements<float>()[77] = std::numeric_limits<float>::quiet_NaN();
  CHECK_THROWS_WITH(
      requireVerified(verifyFilter(job, data, result, {}, {}), "cpu:x"),
      Catch::Matchers::StartsWith("the result of cpu:x is wrong: of gaussian, 1 elements are NaN or Inf"));
  // The type that holds them.
  std::ranges::fill(data.elements<float>(), 3e38F);
  job.bank.output = {ElementType::f64};
  result = runFilter(machine.engines, machine.variants, job, data, {});
  CHECK(verifyFilter(job, data, result, {}, {}).verified);
}

TEST_CASE("constant data are verified") {
  const test::TestMachine machine;
  for (const double value : {7.0, 1e6, 4e9})
    for (const ElementType type : {ElementType::u32, ElementType::f32})
      for (const char* spec : {"guided", "guided:radius=1,contrast=1", "variance", "stddev", "gradient", "structure",
                               "structure:value=coherence", "coherence:steps=1", "curvature", "tv:steps=2"}) {
        CAPTURE(value, toString(type), spec);
        Volume data({12, 11, 10, 1}, type);
        dispatch(type, [&](auto tag) {
          std::ranges::fill(data.elements<decltype(tag)>(), static_cast<decltype(tag)>(value));
        });
        FilterJob job = test::jobOf({spec}, machine.engines.preferred().info().id);
        const FilterResult result = ran(machine, job, data);
        CHECK(verifyFilter(job, data, result, {}, {}).failure == "");
      }
}

TEST_CASE("a unit is a power of two, and 1 for ordinary data and filters that need none") {
  CHECK(dataUnit(ElementType::f32, 1) == 1);
  CHECK(dataUnit(ElementType::f32, 1e12) == 1);
  CHECK(dataUnit(ElementType::f32, 0) == 1);
  CHECK(dataUnit(ElementType::i32, 1e20) == 1);
  CHECK(dataUnit(ElementType::f64, 1e20) == 1);
  for (const double largest : {1e-30, 1e-13, 1e13, 1e38}) {
    const double unit = dataUnit(ElementType::f32, largest);
    CHECK(unit != 1);
    CHECK(std::ldexp(1.0, std::ilogb(unit)) == unit);
  }
  CHECK(dataUnitOf(test::jobOf({"gaussian:sigma=1", "median"}, "").bank, dataTimes(std::ldexp(1.0, -80)), {}) == 1);
}
