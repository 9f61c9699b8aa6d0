// Results that live on a device are judged as the same results in memory are.

#include "core/filter/families/recipe_text.h"
#include "core/filter/recipe.h"
#include "core/filter/workload/filter_workload.h"
#include "core/measure/verify.h"
#include "tests/support/catch.h"
#include "tests/support/posing_array.h"
#include "tests/support/support.h"

using namespace sscope;

namespace {

void requireSame(const Verification& a, const Verification& b) {
  CHECK(a.verified == b.verified);
  CHECK(a.relativeL2 == Approx(b.relativeL2).epsilon(1e-9));
  CHECK(a.maximumUlp == Approx(b.maximumUlp).epsilon(1e-9));
  CHECK(a.compared == b.compared);
  CHECK(a.off == b.off);
  CHECK(a.nonFinite == b.nonFinite);
  CHECK(a.coverage == b.coverage);
  CHECK(a.failure == b.failure);
}

}  // namespace

TEST_CASE("a result on a device is verified by boxes, as one in memory is") {
  const Volume input = test::randomVolume({70, 50, 45, 2}, ElementType::f32, 3);
  FilterBank bank;
  bank.filters = {parseFilterSpec("box:size=3")};
  const FilterWorkload workload = FilterWorkload::of(bank, input);
  const ConstArrayView in = input.view();
  Volume right(input.shape(), ElementType::f32);
  std::vector<double> values(static_cast<std::size_t>(right.shape().elements()));
  workload.reference({&in, 1}, 0, {{0, 0, 0}, {70, 50, 45}}, values, {});
  for (std::size_t i = 0; i < values.size(); ++i) right.elements<float>()[i] = static_cast<float>(values[i]);
  const std::int64_t wrongAt = GENERATE(-1, 0, 123457, 314999);
  if (wrongAt >= 0) right.elements<float>()[static_cast<std::size_t>(wrongAt)] += 3;
  const auto volume = std::make_shared<const Volume>(std::move(right));
  for (const double budget : {0.0, 1e6}) {
    CAPTURE(wrongAt, budget);
    VerifyOptions options;
    options.fullBudgetSeconds = budget;
    const ConstArrayView view = volume->view();
    const Verification expected = verify(workload, {&in, 1}, std::span(&view, 1), options, {});
    CHECK(expected.verified == (wrongAt < 0));
    const auto posing = std::make_shared<test::PosingArray>(volume);
    const std::array<std::shared_ptr<ResidentArray>, 1> arrays{posing};
    requireSame(verify(workload, {&in, 1}, arrays, options, {}), expected);
    CHECK(posing->wholes == 0);
    CHECK(posing->bytesRead > 0);
    const std::array<std::shared_ptr<ResidentArray>, 1> host{hostArray("cpu", volume)};
    requireSame(verify(workload, {&in, 1}, host, options, {}), expected);
  }
}
