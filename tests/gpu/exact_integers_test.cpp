// Integer results of bytes from sums in single precision: the integers of double precision, saturation included.

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>

#include "core/filter/families/family.h"
#include "core/filter/families/recipe_text.h"
#include "core/volume/element_type.h"
#include "tests/gpu/posing_engine.h"
#include "tests/support/catch.h"
#include "tests/support/sampling.h"

namespace sscope::test {

namespace {

Operator productOf(std::array<std::vector<double>, 3> weights) {
  SeparableTerm term;
  for (std::size_t a = 0; a < 3; ++a) {
    term.axis[a].anchor = static_cast<std::int64_t>(weights[a].size()) / 2;
    term.axis[a].weights = std::move(weights[a]);
  }
  Stencil stencil;
  stencil.terms = {term};
  return {"product", stencil};
}

std::vector<double> equalTaps(std::size_t count, double tap) { return std::vector<double>(count, tap); }

// One sum of bytes in twelve lies exactly between two integers, which taps that are no multiples of a power of two
// hide.
Operator evenBox() { return productOf({equalTaps(6, 1.0 / 6), equalTaps(1, 1), equalTaps(6, 1.0 / 6)}); }
// Sums leave the range of bytes.
Operator brightBox() { return productOf({equalTaps(13, 0.115), equalTaps(2, 0.5), equalTaps(1, 1)}); }
// All products and sums are exact in single precision.
Operator binomial() { return productOf({{{0.25, 0.5, 0.25}, {0.25, 0.5, 0.25}, {0.5, 0.5}}}); }
// Too many sums would have to be made again.
Operator sharp() {
  Operator op = productOf({{{0, 5.5, 0}, {1}, {0, 1, 0}}});
  auto& terms = std::get<Stencil>(op.kind).terms;
  terms.push_back(std::get<Stencil>(productOf({{{-0.1, -0.5, -0.1}, {1, 2, 1}, {0.1, 0.3, 1}}}).kind).terms[0]);
  return op;
}
Operator noise() { return {"noise", denseFilter({5, 6, 4}, {2, 5, 0})}; }

// Saturated elements of each output, as the reference has them.
std::vector<std::int64_t> saturatedIn(const FilterWorkload& workload, const Volume& input) {
  std::vector<std::int64_t> counts;
  const ConstArrayView in = input.view();
  const Box all{{0, 0, 0}, {input.shape().nx, input.shape().ny, input.shape().nz}};
  std::vector<double> reference(static_cast<std::size_t>(input.view().elements()));
  for (std::size_t i = 0; i < workload.operators().size(); ++i) {
    workload.reference({&in, 1}, i, all, reference, {});
    counts.push_back(0);
    dispatch(workload.outputType(), [&](auto tag) {
      for (const double value : reference) {
        bool saturated = false;
        static_cast<void>(roundSaturate<decltype(tag)>(value, saturated));
        counts.back() += saturated ? 1 : 0;
      }
    });
  }
  return counts;
}

}  // namespace

TEST_CASE("integers of bytes are those of double precision though sums are in single precision", "[exact]") {
  PosingEngine posing;
  if (!posing.engine) SSCOPE_SKIP("there is no device");
  INFO(Sampling::howToRepeat());
  std::size_t turn = firstTurn(), number = 0;
  const std::array shapes{VolumeShape{72, 37, 12, 1}, VolumeShape{41, 20, 5, 3}, VolumeShape{5, 4, 3, 1},
                          VolumeShape{1, 1, 1, 1}};
  for (const VolumeShape& shape : sampled(shapes, 0, 2))
    for (const char* row : sampled(std::array{"separable", "fused", "dense"}, number++))
      for (const ElementType type : sampled(std::array{ElementType::u8, ElementType::i8}, number)) {
        const auto output =
            std::array{ElementType::u8, ElementType::i16, ElementType::i8, ElementType::u16}[++turn % 4];
        const Boundary boundary = kBoundaries[turn % std::size(kBoundaries)];
        const Volume input = randomVolume(shape, type, turn);
        INFO(shape.text() << " " << toString(type) << " -> " << toString(output) << " " << toString(boundary) << " "
                          << row);
        std::vector<Operator> single{evenBox(), brightBox(), binomial()};
        if (std::string_view(row) == "dense") single = {noise(), brightBox()};
        const FilterWorkload workload(single, boundary, 0.75, input.spec(), output);
        const GpuRun run = runOn(*posing.engine, workload, input, row);
        requireRight(workload, input, run);
        CHECK(run.report.precision == Precision::f32);
        CHECK(run.report.saturated == saturatedIn(workload, input));
      }
}

TEST_CASE("filters in single and in double precision stand side by side for integers", "[exact]") {
  PosingEngine posing;
  if (!posing.engine) SSCOPE_SKIP("there is no device");
  const Volume input = randomVolume({60, 30, 20, 1}, ElementType::u8, 4);
  const Operator other{"noise in double precision", [] {
                         Stencil stencil = denseFilter({5, 6, 4}, {2, 5, 0});
                         for (double& w : stencil.dense.weights) w *= 300;
                         return stencil;
                       }()};
  const FilterWorkload workload({noise(), other, evenBox(), sharp(), makeOperator(parseFilterSpec("median"), {})},
                                Boundary::mirror, 0, input.spec(), ElementType::i16);
  INFO(Sampling::howToRepeat());
  for (const char* row : sampled(std::array{"auto", "dense"}, 0)) {
    const GpuRun run = runOn(*posing.engine, workload, input, row);
    INFO(row);
    requireRight(workload, input, run);
    CHECK_FALSE(run.report.precision.has_value());
    CHECK(run.report.saturated == saturatedIn(workload, input));
    const GpuRun parts = runOn(*posing.engine, workload, input, row, {0, 400000});
    CHECK(parts.report.tiles > 1);
    for (std::size_t i = 0; i < run.outputs.size(); ++i) CHECK(sameBytes(run.outputs[i], parts.outputs[i]));
  }
}

TEST_CASE("integers of 16 bits come from single precision where it is exact", "[exact]") {
  PosingEngine posing;
  if (!posing.engine) SSCOPE_SKIP("there is no device");
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
        const GpuRun run = runOn(*posing.engine, workload, input, row);
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
  PosingEngine posing;
  if (!posing.engine) SSCOPE_SKIP("there is no device");
  const Volume bright = randomVolume({40, 24, 20, 1}, ElementType::u8, 2);
  Volume dark({40, 24, 20, 1}, ElementType::u8);
  std::ranges::fill(dark.elements<std::uint8_t>(), std::uint8_t{20});
  const FilterWorkload workload({evenBox(), brightBox(), noise()}, Boundary::wrap, 0, bright.spec(), ElementType::u8);
  const auto plan = GpuBench::instance().variants().prepare(*posing.engine, workload, "auto", {}, {});
  for (const Volume* input : std::initializer_list<const Volume*>{&dark, &bright, &bright, &dark, &bright}) {
    std::vector<Volume> outputs;
    std::vector<ArrayView> views;
    for (int i = 0; i < 3; ++i) outputs.emplace_back(bright.shape(), ElementType::u8);
    for (Volume& output : outputs) views.push_back(output.view());
    const ConstArrayView in = input->view();
    const RunReport report = plan->run({{&in, 1}, 0}, views, {});
    CHECK(report.saturated == saturatedIn(workload, *input));
    CHECK((report.saturated[1] > 0) == (input == &bright));
  }
}

TEST_CASE("saturated elements are counted though the first of a group are not", "[exact][saturation]") {
  PosingEngine posing;
  if (!posing.engine) SSCOPE_SKIP("there is no device");
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
      const GpuRun run = runOn(*posing.engine, workload, input, row);
      requireRight(workload, input, run);
      CHECK(run.report.saturated == std::vector<std::int64_t>{7 * 3 * shape.nz});
    }
  }
}

TEST_CASE("launches whose time the data decide are as short as the worst of data ask", "[exact][cancel]") {
  PosingEngine posing;
  if (!posing.engine) SSCOPE_SKIP("there is no device");
  const Volume input = randomVolume({64, 64, 64, 1}, ElementType::u8, 4);
  const std::vector<double> wide = equalTaps(32, 1.0 / 32);
  const FilterWorkload workload({productOf({wide, wide, wide})}, Boundary::wrap, 0, input.spec(), ElementType::u8);
  const auto plan = GpuBench::instance().variants().prepare(*posing.engine, workload, "separable", {}, {});
  Volume output(input.shape(), ElementType::u8);
  const ConstArrayView in = input.view();
  const ArrayView out = output.view();
  // Of 2^18 sums none is in doubt, which the first run teaches; all of them made again would be 2^33 products.
  for (int run = 0; run < 2; ++run) {
    posing.counted.launched = 0;
    CHECK(plan->run({{&in, 1}, 0}, {&out, 1}, {}).precision == Precision::f32);
    CHECK(posing.counted.launched >= 3 + (1 << 15) / 3000);
  }
}

TEST_CASE("a kept plan of integers takes other weights, unless too many sums would be in doubt", "[exact]") {
  PosingEngine posing;
  if (!posing.engine) SSCOPE_SKIP("there is no device");
  const Volume input = randomVolume({40, 24, 20, 1}, ElementType::u8, 2);
  const auto workloadOf = [&](double factor) {
    Operator op = brightBox();
    for (double& w : std::get<Stencil>(op.kind).terms[0].axis[0].weights) w *= factor;
    return FilterWorkload({op}, Boundary::wrap, 0, input.spec(), ElementType::u8);
  };
  const auto plan = GpuBench::instance().variants().prepare(*posing.engine, workloadOf(1), "fused", {}, {});
  CHECK_FALSE(plan->adopt(workloadOf(30), {}));
  const auto kept = GpuBench::instance().variants().prepare(*posing.engine, workloadOf(1), "fused", {}, {});
  REQUIRE(kept->adopt(workloadOf(0.7), {}));
  Volume output(input.shape(), ElementType::u8);
  const ConstArrayView in = input.view();
  const ArrayView out = output.view();
  const RunReport report = kept->run({{&in, 1}, 0}, {&out, 1}, {});
  const GpuRun fresh = runOn(*posing.engine, workloadOf(0.7), input, "fused");
  CHECK(sameBytes(output, fresh.outputs[0]));
  CHECK(report.saturated == fresh.report.saturated);
}

}  // namespace sscope::test
