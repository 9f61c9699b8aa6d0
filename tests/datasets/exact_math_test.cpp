#include "datasets/exact_math.h"

#include <cmath>
#include <numbers>

#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;

TEST_CASE("exact elementary functions agree with the C library") {
  for (int i = -3000; i <= 3000; ++i) {
    const double turns = i / 997.0;
    CHECK(std::abs(exact::sinTurns(turns) - std::sin(2 * std::numbers::pi * turns)) < 1e-14);
    CHECK(std::abs(exact::cosTurns(turns) - std::cos(2 * std::numbers::pi * turns)) < 1e-14);
    const double decay = std::abs(turns) * 100;
    CHECK(std::abs(exact::expNegative(decay) / std::exp(-decay) - 1) < 1e-13);
  }
}

TEST_CASE("exact elementary functions hit the round values") {
  CHECK(exact::sinTurns(0) == 0);
  CHECK(exact::sinTurns(0.5) == 0);
  CHECK(exact::sinTurns(-7) == 0);
  CHECK(exact::cosTurns(0.25) == 0);
  CHECK(exact::expNegative(0) == 1);
  CHECK(exact::expNegative(1e9) == 0);
  CHECK(exact::smoothStep(1, 3, 0) == 0);
  CHECK(exact::smoothStep(1, 3, 2) == 0.5);
  CHECK(exact::smoothStep(1, 3, 4) == 1);
}
