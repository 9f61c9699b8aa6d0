// The workloads of the ladders: counted work, taps, and soup's own rounding.
#include <cmath>

#include "core/base/error.h"
#include "core/filter/workload/ladder_workloads.h"
#include "core/workload/catalog.h"
#include "core/workload/noise.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;

TEST_CASE("a bank counts every tap of every kernel densely") {
  const ArraySpec input{ElementType::u8, {10, 11, 12, 1}};
  const OptionValues values = completeOptions(BankWorkload::options(), {{"filters", std::int64_t{3}}});
  const BankWorkload bank(input, values);
  CHECK(bank.work().operations == 2.0 * 343 * 3 * 1320);
  CHECK(bank.outputs().size() == 3);
  CHECK(bank.stencil(0).dense.anchor == std::array<std::int64_t, 3>{3, 3, 3});
  CHECK(bank.stencil(0).dense.weights != bank.stencil(1).dense.weights);
}

TEST_CASE("conv2d takes one image of f32 only") {
  const OptionValues values = completeOptions(Conv2dWorkload::options(), {{"width", std::int64_t{4}}});
  const Conv2dWorkload conv({ElementType::f32, {20, 30, 1, 1}}, values);
  CHECK(conv.work().operations == 2.0 * 28 * 600);
  CHECK(conv.taps().anchor == std::array<std::int64_t, 3>{2, 3, 0});
  CHECK_THROWS_AS(Conv2dWorkload({ElementType::u8, {20, 30, 1, 1}}, values), Error);
  CHECK_THROWS_AS(Conv2dWorkload({ElementType::f32, {20, 30, 2, 1}}, values), Error);
}

TEST_CASE("soup rounds one float product to the nearest even and clamps") {
  const OptionValues values = completeOptions(SoupWorkload::options(), {});
  const SoupWorkload soup({ElementType::u8, {9, 7, 1, 1}}, values);
  const Volume input = noiseVolume({9, 7, 1, 1}, ElementType::u8, 3, {});
  const ConstArrayView view = input.view();
  std::vector<double> got(63);
  soup.reference({&view, 1}, 0, {{0, 0, 0}, {9, 7, 1}}, got, {});
  const auto pixels = input.elements<std::uint8_t>();
  const auto taps = soup.taps();
  for (int y = 0; y < 7; ++y)
    for (int x = 0; x < 9; ++x) {
      int sum = 0;
      for (int j = 0; j < 5; ++j)
        for (int i = 0; i < 5; ++i) {
          const int px = std::clamp(x + i - 2, 0, 8), py = std::clamp(y + j - 2, 0, 6);
          sum += taps[static_cast<std::size_t>(j * 5 + i)] * pixels[static_cast<std::size_t>(py * 9 + px)];
        }
      const double wanted = std::clamp(std::nearbyint(static_cast<float>(sum) * soup.scale()), 0.0F, 255.0F);
      CHECK(got[static_cast<std::size_t>(y * 9 + x)] == wanted);
    }
}

TEST_CASE("the catalog makes every workload from its defaults") {
  for (const WorkloadKind& kind : workloadCatalog()) {
    const OptionValues values = completeOptions(kind.options, {});
    const ArraySpec input = kind.inputSpec(kind.smallShape, values);
    const auto workload = kind.make(input, values);
    CHECK(workload->name() == kind.name);
    CHECK(workload->work().operations > 0);
    CHECK(findWorkloadKind(kind.name) == &kind);
  }
  CHECK(findWorkloadKind("nothing") == nullptr);
}
