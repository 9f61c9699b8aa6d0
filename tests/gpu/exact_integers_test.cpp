// Integer results of bytes from sums in single precision: the integers of double precision, saturation included.

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>

#include "core/filter/families/family.h"
#include "core/filter/families/recipe_text.h"
#include "tests/gpu/posing_engine.h"
#include "tests/support/catch.h"
#include "tests/support/sampling.h"

namespace sscope::test {

namespace {

Operator noise() { return {"noise", faintFilter({5, 6, 4}, {2, 5, 0})}; }

}  // namespace

TEST_CASE("filters in single and in double precision stand side by side for integers", "[exact]") {
  SSCOPE_POSING_ENGINE(posing);
  const Volume input = randomVolume({60, 30, 20, 1}, ElementType::u8, 4);
  const Operator other{"noise in double precision", [] {
                         Stencil stencil = faintFilter({5, 6, 4}, {2, 5, 0});
                         for (double& w : stencil.dense.weights) w *= 300;
                         return stencil;
                       }()};
  const FilterWorkload workload({noise(), other, evenBox(), sharp(), makeOperator(parseFilterSpec("median"), {})},
                                Boundary::mirror, 0, input.spec(), ElementType::i16);
  INFO(Sampling::howToRepeat());
  for (const char* row : sampled(std::array{"auto", "dense"}, 0)) {
    const PlanRun run = runOn(*posing.engine, workload, input, row);
    INFO(row);
    requireRight(workload, input, run);
    CHECK_FALSE(run.report.precision.has_value());
    CHECK(run.report.saturated == saturatedIn(workload, input));
    const PlanRun parts = runOn(*posing.engine, workload, input, row, {0, 400000});
    CHECK(parts.report.tiles > 1);
    for (std::size_t i = 0; i < run.outputs.size(); ++i) CHECK(sameBits(run.outputs[i], parts.outputs[i]));
  }
}

TEST_CASE("integers of 16 bits come from single precision where it is exact", "[exact]") {
  SSCOPE_POSING_ENGINE(posing);
  INFO(Sampling::howToRepeat());
  std::size_t number = firstTurn();
  constexpr std::array kTypes{ElementType::u16, ElementType::u32, ElementType::i16, ElementType::f32};
  for (const ElementType type : sampled(kTypes, 0, 2)) {
    const Volume input = randomVolume({40, 21, 12, 1}, type, 4);
    const ElementType output = type == ElementType::u16 ? ElementType::u8 : ElementType::i16;
    for (const char* row : sampled(std::array{"separable", "fused", "dense"}, number++)) {
      INFO(toString(type) << " " << row);

      const auto ran = [&](const Operator& op, Boundary boundary, double constant) {
        INFO(toString(boundary) << " " << constant << " " << op.name);
        const FilterWorkload workload({op}, boundary, constant, input.spec(), output);
        const PlanRun run = runOn(*posing.engine, workload, input, row);
        requireRight(workload, input, run);
        CHECK(run.report.saturated == saturatedIn(workload, input));
        return run.report.precision;
      };
      const bool narrow = isInteger(type) && bytesOf(type) == 2;
      const std::optional<Precision> single = narrow ? std::optional(Precision::f32) : std::nullopt;
      CHECK(ran(binomial(), Boundary::mirror, 0) == single);
      CHECK(ran(binomial(), Boundary::constant, 65535) == single);
      // What lies outside has digits that the bound does not know of; other taps leave too many sums in doubt.
      CHECK(ran(binomial(), Boundary::constant, 0.1) == std::nullopt);
      CHECK(ran(evenBox(), Boundary::mirror, 0) == std::nullopt);
    }
  }
}

TEST_CASE("each run counts its own saturated elements", "[exact][saturation]") {
  SSCOPE_POSING_ENGINE(posing);
  const Volume bright = randomVolume({40, 24, 20, 1}, ElementType::u8, 2);
  Volume dark({40, 24, 20, 1}, ElementType::u8);
  std::ranges::fill(dark.elements<std::uint8_t>(), std::uint8_t{20});
  const FilterWorkload workload({evenBox(), brightBox(), noise()}, Boundary::wrap, 0, bright.spec(), ElementType::u8);
  const auto plan = GpuBench::instance().variants().prepare(*posing.engine, workload, "auto", {}, {});
  for (const Volume* input : std::initializer_list<const Volume*>{&dark, &bright, &bright, &dark, &bright}) {
    const RunReport report = runOnce(*plan, workload, *input).report;
    CHECK(report.saturated == saturatedIn(workload, *input));
    CHECK((report.saturated[1] > 0) == (input == &bright));
  }
}

TEST_CASE("saturated elements are counted though the first of a group are not", "[exact][saturation]") {
  SSCOPE_POSING_ENGINE(posing);
  INFO(Sampling::howToRepeat());
  for (const VolumeShape& shape : {VolumeShape{17, 9, 1, 1}, VolumeShape{40, 21, 6, 1}}) {
    Volume input(shape, ElementType::u32);
    std::ranges::fill(input.elements<std::uint32_t>(), 20U);
    for (std::int64_t z = 0; z < shape.nz; ++z)
      for (std::int64_t x = 9; x < 14; ++x)
        input.elements<std::uint32_t>()[static_cast<std::size_t>(input.view().offset(x, 5, z))] = 9000;
    const Operator op = productOf({{{0.25, 0.5, 0.25}, {0.25, 0.5, 0.25}, {1}}});
    const FilterWorkload workload({op}, Boundary::nearest, 0, input.spec(), ElementType::u8);
    for (const char* row : sampled(std::array{"separable", "fused", "dense"}, static_cast<std::size_t>(shape.nz))) {
      INFO(shape.text() << " " << row);
      const PlanRun run = runOn(*posing.engine, workload, input, row);
      requireRight(workload, input, run);
      CHECK(run.report.saturated == std::vector<std::int64_t>{7 * 3 * shape.nz});
    }
  }
}

TEST_CASE("launches whose time the data decide are as short as the worst of data ask", "[exact][cancel]") {
  SSCOPE_POSING_ENGINE(posing);
  const Volume input = randomVolume({64, 64, 64, 1}, ElementType::u8, 4);
  const std::vector<double> wide = std::vector<double>(32, 1.0 / 32);
  const FilterWorkload workload({productOf({wide, wide, wide})}, Boundary::wrap, 0, input.spec(), ElementType::u8);
  const auto plan = GpuBench::instance().variants().prepare(*posing.engine, workload, "separable", {}, {});
  // Of 2^18 sums none is in doubt, which the first run teaches; all of them made again would be 2^33 products.
  for (int run = 0; run < 2; ++run) {
    posing.counted.launched = 0;
    CHECK(runOnce(*plan, workload, input).report.precision == Precision::f32);
    CHECK(posing.counted.launched >= 3 + (1 << 15) / 3000);
  }
}

}  // namespace sscope::test
