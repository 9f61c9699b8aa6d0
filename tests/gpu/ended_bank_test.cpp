// Formulas in the kernels of the sums that they read, on any device: the reference's values, and the bits of sums and
// formulas one after the other.

#include <array>
#include <cstring>

#include "core/filter/formula/workload/formula_workload.h"
#include "core/filter/program/ended_filters.h"
#include "core/volume/volume.h"
#include "tests/gpu/posing_engine.h"
#include "tests/support/catch.h"
#include "tests/support/sampling.h"
#include "tests/support/taps.h"

namespace sscope::test {

namespace {

using Ending = EndedFilters::Ending;

// Sums that are complete with different planes, of one term and of several.
std::vector<Operator> uneven() {
  Stencil several;
  several.terms = {{{wave(3, 1, 0), wave(4, 3, 1), wave(2, 1, 2)}}, {{wave(5, 2, 1), AxisTaps(), wave(5, 0, 0)}}};
  return {product("long", wave(9, 1, 0), wave(2, 0, 0), wave(7, 6, 0)), Operator("several", several),
          product("flat", wave(4, 2, 1), wave(5, 2, 1), AxisTaps())};
}

struct EndedCase {
  VolumeShape shape;
  std::vector<Operator> bank;
  std::vector<std::size_t> kept;
  std::vector<Ending> endings;
};

Ending ending(const char* formula, std::vector<std::size_t> reads) {
  return {Formula::parse(formula), std::move(reads)};
}

// Magnitudes, products that share sums, sums that are results as well, the data beside a sum, constants with sliders.
std::vector<EndedCase> cases() {
  const Ending magnitude = ending("sqrt(x1^2 + y1^2 + z1^2)", {0, 1, 2});
  return {{{72, 37, 21, 1}, gradient(3), {}, {magnitude}},
          {{33, 9, 4, 3}, gradient(5), {1}, {magnitude}},
          {{64, 64, 1, 1}, {gradient(7)[0], gradient(7)[1]}, {}, {ending("atan2(b, a) * (180 / pi)", {0, 1})}},
          {{41, 20, 9, 1},
           uneven(),
           {0, 2},
           {ending("if(a > @t=0.1[0..1], a * b - c, abs(c) / (b^2 + @k=0.3[0..1]))", {0, 1, 2}),
            ending("min(a, b) * 3", {2, 0})}},
          {{130, 40, 6, 1},
           gradient(3),
           {},
           {ending("a^2", {0}), ending("a * b", {0, 1}), ending("a * b", {0, 2}), ending("a^2", {1}),
            ending("a * b", {1, 2}), ending("a^2", {2})}},
          {{50, 21, 12, 2}, {gradient(9)[2]}, {}, {ending("d + @k=0.7[0..2] * (d - s)", {kSource, 0})}},
          {{5, 4, 3, 1}, gradient(13), {}, {magnitude}},
          {{1, 1, 1, 1}, gradient(3), {}, {magnitude}}};
}

// By sums in arrays and kernels of formulas.
std::vector<Volume> apart(Engine& engine, const EndedFilters& ended, const Volume& input) {
  PlanRun sums = runOn(engine, ended.filters(), input, ended.filters().operators().size() > 1 ? "fused-bank" : "fused");
  std::vector<Volume> outputs;
  const FilterWorkload& filters = ended.filters();
  for (const std::size_t f : ended.kept()) {
    outputs.emplace_back(sums.outputs[f].shape(), sums.outputs[f].type());
    std::memcpy(outputs.back().data(), sums.outputs[f].data(), static_cast<std::size_t>(outputs.back().bytes()));
  }
  for (const Ending& one : ended.endings()) {
    FormulaSetting setting;
    setting.volume = {input.shape().nx, input.shape().ny, input.shape().nz};
    setting.region = filters.region();
    setting.boundary = filters.boundary();
    setting.constant = filters.constant();
    setting.output = ended.outputType();
    std::vector<ConstArrayView> read;
    for (const std::size_t f : one.reads) {
      const Volume& from = f == kSource ? input : sums.outputs[f];
      const Box whole{{0, 0, 0}, setting.volume};
      setting.inputs.push_back({from.spec(), f == kSource ? whole : setting.region});
      read.push_back(from.view());
    }
    const FormulaWorkload formula(one.formula, setting);
    REQUIRE(formula.precision() == filters.precision());
    const auto plan = GpuBench::instance().variants().prepare(engine, formula, "", {}, {});
    outputs.emplace_back(sums.outputs[0].shape(), ended.outputType());
    const ArrayView out = outputs.back().view();
    static_cast<void>(plan->run({read, 0}, {&out, 1}, {}));
  }
  return outputs;
}

EndedFilters endedOf(const EndedCase& c, Boundary boundary, const ArraySpec& input, ElementType output) {
  const bool wide = output != ElementType::f32 || input.type == ElementType::f64 || input.type == ElementType::i32;
  FilterWorkload filters(c.bank, boundary, 0.75, input, wide ? ElementType::f64 : ElementType::f32);
  // What leaves a kernel has one type.
  return {std::move(filters), c.kept, c.endings, wide && !c.kept.empty() ? ElementType::f64 : output};
}

}  // namespace

TEST_CASE("formulas in the kernels of their sums are the reference's, and the bits of both apart", "[ended-bank]") {
  SSCOPE_POSING_ENGINE(posing);
  INFO(Sampling::howToRepeat());
  constexpr std::array kOthers{ElementType::u8, ElementType::f64, ElementType::i16, ElementType::i32};
  std::size_t turn = firstTurn(), number = 0;
  for (const EndedCase& c : sampled(cases(), 0, 3)) {
    const std::array types{ElementType::f32, kOthers[(firstTurn() + number / 2) % kOthers.size()]};
    for (const ElementType type : sampled(types, number++)) {
      const Volume input = randomVolume(c.shape, type, ++turn);
      const Boundary boundary = kBoundaries[turn % std::size(kBoundaries)];
      const ElementType out = turn % 3 == 0 ? type : type == ElementType::i32 ? ElementType::f64 : ElementType::f32;
      const EndedFilters ended = endedOf(c, boundary, input.spec(), out);
      INFO(c.shape.text() << " " << toString(type) << " -> " << toString(ended.outputType()) << " "
                          << toString(boundary) << " " << c.endings[0].formula.text());
      posing.counted.launched = 0;
      const PlanRun run = runOn(*posing.engine, ended, input, "fused-bank");
      const int launched = posing.counted.launched;
      requireRight(ended, input, run);
      posing.counted.launched = 0;
      const std::vector<Volume> two = apart(*posing.engine, ended, input);
      CHECK(launched < posing.counted.launched);
      REQUIRE(run.outputs.size() == two.size());
      for (std::size_t o = 0; o < two.size(); ++o) {
        INFO("output " << o);
        CHECK(sameBits(run.outputs[o], two[o]));
      }
    }
  }
}

TEST_CASE("NaN and Inf reach the formulas in a kernel of sums as they are", "[ended-bank]") {
  SSCOPE_POSING_ENGINE(posing);
  INFO(Sampling::howToRepeat());
  for (const Boundary boundary : sampled(kBoundaries, 0, 2)) {
    INFO(toString(boundary));
    const Volume input = noiseWithNanAndInf();
    const EndedCase c{input.shape(),
                      uneven(),
                      {},
                      {ending("max(a, b) + c", {0, 1, 2}), ending("if(isnan(a), s, a * b)", {0, kSource, 2})}};
    const EndedFilters ended = endedOf(c, boundary, input.spec(), ElementType::f32);
    const PlanRun run = runOn(*posing.engine, ended, input, "fused-bank");
    requireRight(ended, input, run);
    const std::vector<Volume> two = apart(*posing.engine, ended, input);
    for (std::size_t o = 0; o < two.size(); ++o) CHECK(sameBits(run.outputs[o], two[o]));
  }
}

TEST_CASE("parts of formulas in a kernel of sums are the same bits as the whole", "[ended-bank]") {
  SSCOPE_POSING_ENGINE(posing);
  const Volume input = randomVolume({96, 72, 80, 1}, ElementType::f32, 12);  // two slabs
  const EndedCase c{input.shape(),
                    gradient(5),
                    {2},
                    {ending("sqrt(a^2 + b^2 + c^2) - s", {0, 1, 2, kSource}), ending("a * b", {0, 1})}};
  const EndedFilters ended = endedOf(c, Boundary::mirror, input.spec(), ElementType::f32);
  const PlanRun whole = runOn(*posing.engine, ended, input, "fused-bank");
  requireRight(ended, input, whole);
  const PlanRun tiles = runOn(*posing.engine, ended, input, "fused-bank", {0, 3 << 20});
  CHECK(tiles.report.tiles > 1);
  VolumePool memory;
  const auto plan = GpuBench::instance().variants().prepare(*posing.engine, ended, "fused-bank", {}, {});
  const ConstArrayView in = input.view();
  const ResidentRun stays = plan->runResident({{&in, 1}, 0}, ended.outputs(), memory, {});
  REQUIRE(stays.outputs.size() == 3);
  for (std::size_t o = 0; o < 3; ++o) {
    CHECK(sameBits(whole.outputs[o], tiles.outputs[o]));
    Volume output(input.shape(), ElementType::f32);
    stays.outputs[o]->copyTo(output.view(), {});
    CHECK(sameBits(whole.outputs[o], output));
  }
  for (const Box& box : {Box{{0, 0, 8}, {96, 72, 9}}, Box{{0, 18, 0}, {96, 19, 80}}, Box{{3, 0, 0}, {4, 72, 80}}}) {
    const auto part = ended.filters().restrictedTo(box);
    const EndedFilters less(dynamic_cast<const FilterWorkload&>(*part), c.kept, c.endings, ElementType::f32);
    const PlanRun run = runOn(*posing.engine, less, input, "fused-bank");
    for (std::size_t o = 0; o < 3; ++o) CHECK(differentElements(run.outputs[o], whole.outputs[o], box) == 0);
  }
}

TEST_CASE("a kept plan of sums and formulas takes other weights and constants, but no other formula", "[ended-bank]") {
  SSCOPE_POSING_ENGINE(posing);
  const Volume input = randomVolume({40, 24, 20, 1}, ElementType::f32, 2);
  const auto with = [&](double factor, double k, const char* text) {
    std::vector<Operator> bank = gradient(5);
    for (Operator& op : bank)
      for (AxisTaps& axis : std::get<Stencil>(op.kind).terms[0].axis)
        for (double& w : axis.weights) w *= factor;
    const EndedCase c{input.shape(), bank, {}, {{Formula::parse(text).withConstants({{"k", k}}), {0, 1, 2}}}};
    return endedOf(c, Boundary::wrap, input.spec(), ElementType::f32);
  };
  const char* text = "@k=0.5[0..1] * (a + b * c)";
  const auto plan = GpuBench::instance().variants().prepare(*posing.engine, with(1, 0.5, text), "fused-bank", {}, {});
  REQUIRE(plan->adopt(with(1.25, 0.8, text), {}));
  const PlanRun adopted = runOnce(*plan, with(1.25, 0.8, text), input);
  const PlanRun fresh = runOn(*posing.engine, with(1.25, 0.8, text), input, "fused-bank");
  CHECK(sameBits(adopted, fresh));
  CHECK_FALSE(plan->adopt(with(1.25, 0.8, "@k=0.5[0..1] * (a - b * c)"), {}));
  CHECK_FALSE(plan->adopt(with(1.25, 0.8, text).filters(), {}));
}

TEST_CASE("formulas stay by themselves where a kernel cannot compute them with their sums", "[ended-bank]") {
  SSCOPE_POSING_ENGINE(posing);
  const ArraySpec input{ElementType::f32, {32, 16, 8, 1}};
  const auto rows = GpuBench::instance().variants().rows("filter", posing.engine->info().kind);
  const auto refused = [&](const EndedCase& c, const char* name) {
    const EndedFilters ended = endedOf(c, Boundary::nearest, input, ElementType::f32);
    for (const Variant* row : rows)
      if (row->name == name) return row->unsupported(posing.engine->info(), ended);
    return std::string("no such row");
  };
  const Ending magnitude = ending("sqrt(a^2 + b^2 + c^2)", {0, 1, 2});
  CHECK(refused({{}, gradient(3), {}, {magnitude}}, "fused-bank").empty());
  CHECK_FALSE(refused({{}, gradient(3), {}, {magnitude}}, "separable").empty());
  CHECK_FALSE(refused({{}, gradient(3), {}, {magnitude}}, "dense").empty());
  // The sums of so many taps take too many registers for one kernel.
  std::vector<Operator> longOnes = gradient(25);
  longOnes.push_back(product("w", wave(3, 1, 0), wave(3, 1, 0), wave(25, 12, 0)));
  CHECK_FALSE(refused({{}, longOnes, {}, {ending("a + b + c + d", {0, 1, 2, 3})}}, "fused-bank").empty());
  CHECK_FALSE(refused({{}, {Operator("d", faintFilter({3, 3, 3}, {1, 1, 1}))}, {}, {ending("a^2", {0})}}, "fused-bank")
                  .empty());
  const Ending eigenvalue = ending("eig1(a, b, c, a, b, c)", {0, 1, 2});
  CHECK_THAT(refused({{}, gradient(3), {}, {eigenvalue}}, "fused-bank"), Catch::Matchers::ContainsSubstring("formula"));
  const std::vector<Ending> nine(9, ending("a^2", {0}));
  CHECK_THAT(refused({{}, gradient(3), {1, 2}, nine}, "fused-bank"), Catch::Matchers::ContainsSubstring("outputs"));
}

}  // namespace sscope::test
