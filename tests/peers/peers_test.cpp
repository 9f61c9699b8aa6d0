// Other libraries' filters compute what ours do, where definitions agree.

#include <cmath>

#include "app/peers/peers.h"
#include "core/filter/families/family.h"
#include "core/filter/families/recipe_text.h"
#include "core/filter/stencil.h"
#include "core/filter/workload/filter_workload.h"
#include "core/measure/bench.h"
#include "core/measure/verify.h"
#include "core/wavelet/workload/magic_workload.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;
using namespace sscope::test;

namespace {

Stencil gaussian(double sigma, int axes) {
  Stencil filter;
  filter.terms.resize(1);
  for (int a = 0; a < axes; ++a) filter.terms[0].axis[static_cast<std::size_t>(a)] = gaussianTaps(sigma, 0, 4);
  filter.lostTailMass = gaussianTailMass(sigma, 4);
  return filter;
}

Stencil dense(std::array<std::int64_t, 3> size) {
  Stencil filter;
  filter.dense = {size, {size[0] / 2, size[1] / 2, size[2] / 2}, {}};
  for (std::int64_t i = 0; i < filter.dense.count(); ++i)
    filter.dense.weights.push_back(std::sin(static_cast<double>(i)));
  return filter;
}

struct Peers {
  EngineSet engines;
  VariantTable variants;
  Peers() {
    addPeerEngines(engines);
    addPeerVariants(variants);
  }
  [[nodiscard]] bool has(const std::string& id) const {
    for (const EngineInfo& info : engines.infos())
      if (info.id == id) return info.available();
    return false;
  }
  [[nodiscard]] Verification run(const std::string& engine, const std::string& variant, const FilterWorkload& workload,
                                 const Volume& input) const {
    const auto plan = variants.prepare(engines.at(engine), workload, variant, {}, {});
    Volume output(input.shape(), workload.outputType());
    const ArrayView out = output.view();
    poison(out);
    const ConstArrayView in = input.view();
    plan->run({{&in, 1}, 0}, {&out, 1}, {});
    const ConstArrayView result = out;
    return verify(workload, {&in, 1}, {&result, 1}, {}, {});
  }
};

}  // namespace

TEST_CASE("ITK's neighborhood operator agrees with the reference") {
  const Volume input = randomVolume({21, 17, 9, 1}, ElementType::f32, 1);
  const FilterWorkload workload({dense({5, 3, 7})}, Boundary::nearest, 0, input.spec(), ElementType::f32);
  CHECK(Peers().run("peer:itk", "neighborhood-operator", workload, input).failure.empty());
}

TEST_CASE("ITK's medians, erosions and dilations agree with the reference") {
  const Volume input = randomVolume({21, 17, 9, 1}, ElementType::u8, 1);
  const auto run = [&](const char* variant, RankWindow window) {
    const FilterWorkload workload({Operator(std::move(window))}, Boundary::nearest, 0, input.spec(), ElementType::u8);
    return Peers().run("peer:itk", variant, workload, input);
  };
  CHECK(run("median", medianWindow(WindowShape::Box, 5, 3)).failure.empty());
  CHECK(run("grayscale-erode", minimumWindow(WindowShape::Box, 7, 3)).failure.empty());
  CHECK(run("grayscale-dilate", maximumWindow(WindowShape::Box, 3, 3)).failure.empty());
  CHECK_THROWS_WITH(run("median", maximumWindow(WindowShape::Box, 3, 3)),
                    Catch::Matchers::ContainsSubstring("medians only"));
  CHECK_THROWS_WITH(run("grayscale-erode", minimumWindow(WindowShape::Ball, 3, 3)),
                    Catch::Matchers::ContainsSubstring("a box"));
  CHECK_THROWS_WITH(run("grayscale-dilate", maximumWindow(WindowShape::Box, 4, 3)),
                    Catch::Matchers::ContainsSubstring("centered"));
}

TEST_CASE("ITK's gaussians are close to the sampled one and not equal to it") {
  const Volume input = randomVolume({40, 40, 40, 1}, ElementType::f32, 1);
  const FilterWorkload workload({gaussian(2, 3)}, Boundary::nearest, 0, input.spec(), ElementType::f32);
  for (const char* variant : {"discrete-gaussian", "recursive-gaussian"}) {
    const Verification verification = Peers().run("peer:itk", variant, workload, input);
    CHECK(verification.relativeL2 < 0.1);
    CHECK(verification.relativeL2 > 0);
  }
}

TEST_CASE("ITK's filters run on as many threads as are asked for, and say so") {
  const Peers peers;
  const Volume input = randomVolume({16, 16, 16, 1}, ElementType::f32, 1);
  const FilterWorkload workload({gaussian(1, 3)}, Boundary::nearest, 0, input.spec(), ElementType::f32);
  for (const char* variant : {"discrete-gaussian", "recursive-gaussian"})
    for (const int threads : {1, 2}) {
      const auto plan =
          peers.variants.prepare(peers.engines.at("peer:itk"), workload, variant, {.threads = threads}, {});
      Volume output(input.shape(), ElementType::f32);
      const ArrayView out = output.view();
      const ConstArrayView in = input.view();
      CHECK(plan->run({{&in, 1}, 0}, {&out, 1}, {}).threads == threads);
    }
}

TEST_CASE("a filter that ITK defines otherwise is timed as another filter, not called wrong") {
  const Peers peers;
  const Volume input = randomVolume({16, 16, 16, 1}, ElementType::f32, 1);
  const FilterWorkload workload({gaussian(1, 3)}, Boundary::nearest, 0, input.spec(), ElementType::f32);
  const ConstArrayView in = input.view();
  const std::vector<Measurement> rows =
      runBench(peers.engines, peers.variants, workload, {&in, 1},
               {{"peer:itk", "discrete-gaussian"}, {"peer:itk", "neighborhood-operator"}},
               {.measureCeilings = false, .verify = {}}, {});
  CHECK(rows[0].hasFigures());
  CHECK(definitionOf(rows[0]) == "another filter");
  CHECK(rows[0].verification.relativeL2 > kPeerDifference);
  CHECK_THAT(toTable(rows), Catch::Matchers::ContainsSubstring("(another filter)"));
  // The dense sum of a separable filter is nobody's contender.
  CHECK_THAT(rows[1].skipped, Catch::Matchers::ContainsSubstring("it sums 729 products a voxel where passes sum 27"));
}

TEST_CASE("ITK's bilateral filter is close to the formula, as far as its table of differences goes") {
  const Volume input = randomVolume({24, 20, 12, 1}, ElementType::f32, 1);
  const auto workloadOf = [&](const char* spec) {
    return FilterWorkload({makeOperator(parseFilterSpec(spec), {})}, Boundary::nearest, 0, input.spec(),
                          ElementType::f32);
  };
  const Verification found =
      Peers().run("peer:itk", "bilateral", workloadOf("bilateral:sigma=1.5,range=0.4,radius=2"), input);
  CHECK(found.relativeL2 < 0.02);
  CHECK(found.relativeL2 > 0);
  CHECK_THROWS_WITH(Peers().run("peer:itk", "bilateral", workloadOf("nlmeans:search=2"), input),
                    Catch::Matchers::ContainsSubstring("not bilateral"));
  CHECK_THROWS_WITH(Peers().run("peer:itk", "neighborhood-operator", workloadOf("bilateral:radius=2"), input),
                    Catch::Matchers::ContainsSubstring("not linear"));
}

TEST_CASE("OpenCV's filters agree with the reference at every boundary they have") {
  const Peers peers;
  if (!peers.has("peer:opencv")) SSCOPE_SKIP("this build has no OpenCV");
  const Volume input = randomVolume({61, 45, 1, 1}, ElementType::f32, 1);
  for (const Boundary boundary : {Boundary::nearest, Boundary::mirror, Boundary::reflect, Boundary::constant}) {
    INFO(toString(boundary));
    const FilterWorkload plain({dense({7, 4, 1})}, boundary, 0, input.spec(), ElementType::f32);
    CHECK(peers.run("peer:opencv", "filter2d", plain, input).failure.empty());
    const FilterWorkload passes({gaussian(1.5, 2)}, boundary, 0, input.spec(), ElementType::f32);
    CHECK(peers.run("peer:opencv", "sep-filter2d", passes, input).failure.empty());
  }
}

TEST_CASE("peers refuse what they cannot do") {
  const Peers peers;
  const Volume input = randomVolume({8, 8, 8, 1}, ElementType::u8, 1);
  const FilterWorkload integers({dense({3, 3, 3})}, Boundary::nearest, 0, input.spec(), ElementType::f32);
  CHECK_THROWS_WITH(peers.run("peer:itk", "neighborhood-operator", integers, input),
                    Catch::Matchers::ContainsSubstring("f32 only"));
  const Volume floats = randomVolume({8, 8, 8, 1}, ElementType::f32, 1);
  const FilterWorkload wrapped({dense({3, 3, 3})}, Boundary::wrap, 0, floats.spec(), ElementType::f32);
  CHECK_THROWS_WITH(peers.run("peer:itk", "neighborhood-operator", wrapped, floats),
                    Catch::Matchers::ContainsSubstring("nearest"));
  CHECK_THROWS_WITH(peers.run("peer:itk", "recursive-gaussian", wrapped, floats),
                    Catch::Matchers::ContainsSubstring("not a plain gaussian"));
}

TEST_CASE("rows refuse the engines of other libraries") {
  const Peers peers;
  if (!peers.has("peer:opencv")) SSCOPE_SKIP("this build has no OpenCV");
  const Volume input = randomVolume({8, 8, 1, 1}, ElementType::f32, 1);
  const FilterWorkload workload({dense({3, 3, 1})}, Boundary::nearest, 0, input.spec(), ElementType::f32);
  CHECK_THROWS_WITH(peers.run("peer:itk", "filter2d", workload, input),
                    Catch::Matchers::ContainsSubstring("written for peer:opencv, not for peer:itk"));
  CHECK_THROWS_WITH(peers.run("peer:opencv", "neighborhood-operator", workload, input),
                    Catch::Matchers::ContainsSubstring("written for peer:itk, not for peer:opencv"));
  CHECK_THROWS_WITH(peers.run("peer:fftw", "", workload, input),
                    Catch::Matchers::ContainsSubstring("peer:fftw has no variant for the workload filter"));
}

TEST_CASE("every library is listed, and one that this build lacks is refused with the package that brings it") {
  const Peers peers;
  CHECK(peers.engines.infos().size() == 3);
  for (const EngineInfo& info : peers.engines.infos()) {
    if (info.available()) continue;
    CHECK_THAT(info.absentReason, Catch::Matchers::ContainsSubstring("Debian: lib"));
    CHECK_THROWS_WITH(peers.engines.at(info.id), Catch::Matchers::ContainsSubstring(info.absentReason));
  }
}

TEST_CASE("FFTW's transforms give the magic filter") {
  const Peers peers;
  if (!peers.has("peer:fftw")) SSCOPE_SKIP("this build has no FFTW");
  for (const char* passes : {"3d", "lines"})
    for (const char* direction : {"forward", "inverse"})
      for (const std::array<std::int64_t, 3>& n : {std::array<std::int64_t, 3>{20, 9, 7}, {5, 1, 16}}) {
        const MagicWorkload workload(
            {ElementType::f64, {n[0], n[1], n[2], 1}},
            completeOptions(MagicWorkload::options(),
                            {{"passes", std::string(passes)}, {"direction", std::string(direction)}}));
        const Volume input = randomVolume({n[0], n[1], n[2], 1}, ElementType::f64, 3);
        Volume output(input.shape(), ElementType::f64);
        const ArrayView out = output.view();
        poison(out);
        const ConstArrayView in = input.view(), result = out;
        peers.variants.prepare(peers.engines.at("peer:fftw"), workload, "fft", {}, {})
            ->run({{&in, 1}, 0}, {&out, 1}, {});
        CHECK(verify(workload, {&in, 1}, {&result, 1}, {}, {}).failure == "");
      }
}
