// Banks whose rows read each other, on every engine, against the reference and against rows run one by one.
#include <cmath>
#include <random>

#include "core/filter/families/family.h"
#include "core/filter/families/recipe_text.h"
#include "core/filter/job/filter_job.h"
#include "core/filter/job/kept_filter.h"
#include "core/filter/program/program_plan.h"
#include "core/filter/program/program_workload.h"
#include "tests/agreement/judged.h"
#include "tests/agreement/machine.h"
#include "tests/agreement/turns.h"
#include "tests/support/catch.h"
#include "tests/support/runs.h"
#include "tests/support/sampling.h"
#include "tests/support/support.h"

using namespace sscope;
using test::sameBits;
using test::Sampling;

namespace {

FilterBank programBank(const std::vector<std::string>& specs, Boundary boundary = Boundary::nearest,
                       OutputType output = {ElementType::f32}) {
  FilterBank bank;
  for (const std::string& spec : specs) bank.filters.push_back(parseFilterSpec(spec));
  bank.boundary = boundary;
  bank.constant = boundary == Boundary::constant ? 2.5 : 0;
  bank.output = output;
  return bank;
}

// Chains, forks, order statistics of sums and sums of order statistics, a row that is result and input.
const std::vector<std::vector<std::string>>& programs() {
  static const std::vector<std::vector<std::string>> all{
      {"gaussian:sigma=1,name=s,intermediate=true", "sobel:axis=x,input=s,name=gx", "sobel:axis=y,input=s,name=gy"},
      {"box:size=3,name=a", "box:size=5,input=a,name=b", "laplacian:input=b,name=c", "median:input=a,name=m"},
      {"sobel:axis=x,name=gx,intermediate=true", "sobel:axis=y,name=gy,intermediate=true",
       "formula:e=sqrt(gx^2 + gy^2),name=g", "box:input=g,name=b", "formula:e=max(g[1,0,0],b)*source"},
      {"median:size=3,name=m,intermediate=true", "median:size=3,shape=cross,input=m,name=mm", "log:sigma=1,input=m"},
      {"gaussian:sigma=1,name=s,intermediate=true", "entropy:input=s,size=3,bins=9,low=-0.7,high=0.8,name=e",
       "entropy:input=s,shape=ball,name=f", "box:input=e,name=b", "structure:value=orientation"},
      {"formula:e=abs(source) + @k=0.3[0..1],name=a,intermediate=true", "gaussian:sigma=1,name=g,intermediate=true",
       "formula:e=a * @k=2[0..4] - g[0,0,1],name=d,intermediate=true",
       "formula:e=if(d > 0, sqrt(d), source * d),name=r", "formula:e=r + 1"},
      // Together they read more than a kernel of a formula can.
      {"frangi:sigma=1,name=a,intermediate=true", "frangi:sigma=1.5,name=b,intermediate=true",
       "frangi:sigma=2,name=c,intermediate=true", "formula:e=max(a, b, c)"},
  };
  return all;
}

FilterJob programJob(FilterBank bank, const Engine& engine) {
  FilterJob job;
  job.bank = std::move(bank);
  job.engine = engine.info().id;
  return job;
}

// What is wrong with a whole run; empty: nothing.
std::string wrongInProgram(const test::TestMachine& machine, const FilterJob& job, const Volume& input) {
  const FilterResult result = runFilter(machine.engines, machine.variants, job, input, {});
  return verifyFilter(job, input, result, test::kEverywhere, {}).failure;
}

}  // namespace

// Volumes, lines and single voxels, colors.
TEST_CASE("programs of filters agree with the reference on every engine") {
  const test::TestMachine machine;
  const test::Turns turns(machine.chosen(), 12, "programs");
  const VolumeShape shapes[] = {{13, 11, 7, 1}, {9, 1, 1, 1}, {1, 9, 4, 1}, {1, 1, 1, 1}, {12, 9, 1, 3}, {2, 2, 2, 1}};
  const ElementType types[] = {ElementType::f32, ElementType::u8, ElementType::i16, ElementType::f64};
  const OutputType outputs[] = {OutputType{ElementType::f32}, OutputType{std::nullopt}};
  std::size_t number = 0;
  // Thin data and colors by the second program.
  const auto takes = [](const test::Combination& any) { return any[4] == 0 || any[0] == 1; };
  for (const auto& one :
       test::coveringArray({programs().size(), std::size(types), std::size(kBoundaries), 2, std::size(shapes)},
                           turns.sampling(), takes)) {
    const ElementType type = types[one[1]];
    const Boundary boundary = kBoundaries[one[2]];
    const Volume input = test::randomVolume(shapes[one[4]], type, 5);
    for (const Engine* engine : turns.of(number++)) {
      INFO(engine->info().id << " " << input.shape().text() << " " << toString(type) << " " << toString(boundary) << " "
                             << toString(outputs[one[3]]) << ", " << Sampling::howToRepeat());
      const FilterBank bank = programBank(programs()[one[0]], boundary, outputs[one[3]]);
      CHECK(wrongInProgram(machine, programJob(bank, *engine), input) == "");
    }
  }
}

TEST_CASE("formulas that read much together run on every engine") {
  const test::TestMachine machine;
  const Volume input = test::randomVolume({11, 9, 7, 1}, ElementType::f32, 5);
  for (const Engine* engine : machine.chosen()) {
    INFO(engine->info().id);
    CHECK(wrongInProgram(machine, programJob(programBank(programs().back()), *engine), input) == "");
  }
}

TEST_CASE("families that are programs agree with the reference on every engine") {
  const test::TestMachine machine;
  const test::Turns turns(machine.chosen(), 25, "families");
  std::vector<FilterRecipe> recipes;
  for (const FilterFamily& family : filterFamilies()) {
    FilterRecipe recipe;
    recipe.name = recipe.family = family.name;
    // The bound of what steps round grows with each of them; soon it exceeds the noise of integers, and judges nothing.
    if (findOption(family.options, "steps") != nullptr) recipe.parameters["steps"] = std::int64_t{2};
    if (family.make && !isOneOperator(recipe, {})) recipes.push_back(recipe);
  }
  const VolumeShape shapes[] = {{9, 7, 6, 1}, {11, 8, 1, 2}};
  const ElementType types[] = {ElementType::f32, ElementType::u8, ElementType::i16};
  test::Judged judged;
  std::size_t number = 0;
  for (const auto& one :
       test::coveringArray({recipes.size(), 2, std::size(types), std::size(kBoundaries)}, turns.pairs()))
    for (const Engine* engine : turns.of(number++)) {
      FilterJob job = programJob({}, *engine);
      job.bank.filters = {recipes[one[0]]};
      job.bank.boundary = kBoundaries[one[3]];
      INFO(engine->info().id << " " << recipes[one[0]].family << " " << shapes[one[1]].text() << " "
                             << toString(types[one[2]]) << " " << toString(job.bank.boundary) << ", "
                             << Sampling::howToRepeat());
      judged.check(wrongInProgram(machine, job, test::randomVolume(shapes[one[1]], types[one[2]], 11)));
    }
  judged.requireMost();
}

TEST_CASE("NaN stays NaN where vessels, edges and angles reach it, on every engine") {
  const test::TestMachine machine;
  struct Reach {
    const char* spec;
    std::int64_t sure, possible;  // voxels around a NaN
  };
  constexpr std::array kReaches{
      Reach{"frangi:sigma=0.5,truncate=2", 1, 1},
      Reach{"frangi:sigma=0.5,to=0.8,scales=2,truncate=2,polarity=dark", 2, 2},
      Reach{"sato:sigma=0.5,truncate=2", 1, 1},
      Reach{"hessian:sigma=0.5,truncate=2", 1, 1},
      Reach{"direction:sigma=0.5,truncate=2", 1, 1},
      Reach{"structure:sigma=0.5,rho=0.5,truncate=2,value=coherence", 2, 2},
      Reach{"structure:sigma=0.5,rho=0.5,truncate=2,value=orientation", 2, 2},
      Reach{"edges:sigma=0.5,truncate=2", 1, 2},
      Reach{"edges:sigma=0.5,truncate=2,threshold=0.1,high=0.3,growth=3", 1, 2},
  };
  const test::Turns turns(machine.chosen(), 9, "NaN");
  std::size_t number = 0;
  for (const VolumeShape& shape : {VolumeShape{13, 11, 9, 1}, VolumeShape{19, 12, 1, 1}})
    for (const Reach& reach : kReaches)
      for (const Engine* engine : turns.of(number++)) {
        INFO(engine->info().id << " " << reach.spec << " " << shape.text() << ", " << Sampling::howToRepeat());
        const FilterJob job = programJob(programBank({reach.spec}), *engine);
        const std::array<std::int64_t, 3> hole{6, 5, shape.nz / 2};
        Volume volume = test::randomVolume(shape, ElementType::f32, 7);
        volume.elements<float>()[static_cast<std::size_t>(volume.view().offset(hole[0], hole[1], hole[2]))] =
            std::nanf("");
        CHECK(wrongInProgram(machine, job, volume) == "");
        const FilterResult result = runFilter(machine.engines, machine.variants, job, volume, {});
        const auto values = result.outputs.front().elements<float>();
        std::size_t lost = 0, spread = 0, at = 0;
        for (std::int64_t z = 0; z < shape.nz; ++z)
          for (std::int64_t y = 0; y < shape.ny; ++y)
            for (std::int64_t x = 0; x < shape.nx; ++x, ++at) {
              const std::int64_t distance =
                  std::max({std::abs(x - hole[0]), std::abs(y - hole[1]), std::abs(z - hole[2])});
              lost += distance <= reach.sure && !std::isnan(values[at]) ? 1 : 0;
              spread += distance > reach.possible && std::isnan(values[at]) ? 1 : 0;
            }
        CHECK(lost == 0);
        CHECK(spread == 0);
        std::ranges::fill(volume.elements<float>(), std::nanf(""));
        CHECK(wrongInProgram(machine, job, volume) == "");
        const FilterResult nothing = runFilter(machine.engines, machine.variants, job, volume, {});
        CHECK(std::ranges::all_of(nothing.outputs.front().elements<float>(), [](float v) { return std::isnan(v); }));
      }
}

TEST_CASE("constant data have no direction, orientation, coherence or edge: 0, on every engine") {
  const test::TestMachine machine;
  const test::Turns turns(machine.chosen(), 12, "constant data");
  std::size_t number = 0;
  for (const VolumeShape& shape : {VolumeShape{9, 8, 7, 1}, VolumeShape{21, 18, 1, 1}})
    for (const char* spec : {"direction:sigma=0.7", "direction:sigma=3.3,per=mm", "structure:value=orientation",
                             "structure:value=coherence,sigma=2.1", "edges", "edges:sigma=1.7,high=0.01"})
      for (const Engine* engine : turns.of(number++))
        for (const float constant : {0.0F, 100.1F, -31234.567F, 3e-7F}) {
          INFO(engine->info().id << " " << spec << " " << shape.text() << " " << constant << ", "
                                 << Sampling::howToRepeat());
          Volume volume(shape, ElementType::f32);
          std::ranges::fill(volume.elements<float>(), constant);
          const FilterJob job = programJob(programBank({spec}), *engine);
          const FilterResult result = runFilter(machine.engines, machine.variants, job, volume, {});
          CHECK(std::ranges::all_of(result.outputs.front().elements<float>(), [](float v) { return v == 0; }));
          CHECK(verifyFilter(job, volume, result, test::kEverywhere, {}).failure == "");
        }
}

TEST_CASE("local statistics keep their digits where the data lie far from zero") {
  const test::TestMachine machine;
  const Volume noise = test::randomVolume({14, 12, 7, 1}, ElementType::f64, 12);
  Volume data(noise.shape(), ElementType::u16);
  for (std::size_t i = 0; i < data.elements<std::uint16_t>().size(); ++i)
    data.elements<std::uint16_t>()[i] = static_cast<std::uint16_t>(30000 + 100 * noise.elements<double>()[i]);
  // The largest error of the last row of a bank, relative to values above 1.
  const auto worstOf = [&](const Engine& engine, const std::vector<std::string>& specs) {
    const FilterJob job = programJob(programBank(specs, Boundary::nearest, OutputType{ElementType::f32}), engine);
    CHECK(wrongInProgram(machine, job, data) == "");
    const FilterResult result = runFilter(machine.engines, machine.variants, job, data, {});
    const auto workload = bankWorkload(job.bank, data.spec(), data.geometry(), false);
    const auto values = result.outputs.back().elements<float>();
    std::vector<double> wanted(values.size());
    const ConstArrayView in = data.view();
    workload->reference({&in, 1}, result.outputs.size() - 1, {{0, 0, 0}, {14, 12, 7}}, wanted, {});
    double worst = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i)
      worst = std::max(worst, std::abs(values[i] - wanted[i]) / std::max(1.0, std::abs(wanted[i])));
    return worst;
  };
  for (const Engine* engine : machine.chosen()) {
    INFO(engine->info().id);
    const std::vector<const char*> specs{"stddev:radius=3", "normalize", "guided:contrast=50"};
    const auto sampling = Sampling::ofRun().named("statistics");
    for (const char* spec : engine->info().isDevice() ? test::sampleOf(1, specs, sampling) : specs)
      CHECK(worstOf(*engine, {spec}) < 1e-3);
    const double worst = worstOf(*engine, {"variance"});
    CHECK(worst < 1e-4);
    CHECK(20 * worst < worstOf(*engine, {"formula:e=source^2,name=squares,intermediate=true",
                                         "box:size=5,input=squares,name=second,intermediate=true",
                                         "box:size=5,name=mean,intermediate=true", "formula:e=second-mean^2,name=v"}));
  }
}

TEST_CASE("many steps, and two inputs of a family, agree with the reference") {
  const test::TestMachine machine;
  const Volume input = test::randomVolume({10, 9, 6, 1}, ElementType::f32, 13);
  const test::Turns turns(machine.chosen(), 4, "steps");
  std::size_t number = 0;
  for (const std::vector<std::string>& specs :
       {std::vector<std::string>{"peronamalik:steps=20,kappa=0.5,conductance=quadratic"},
        std::vector<std::string>{"tv:steps=10"}, std::vector<std::string>{"curvature:steps=10"},
        std::vector<std::string>{"median:name=m,intermediate=true", "guided:contrast=0.2,inputs=source;m"}})
    for (const Engine* engine : turns.of(number++)) {
      INFO(engine->info().id << " " << specs.back() << ", " << Sampling::howToRepeat());
      CHECK(wrongInProgram(machine, programJob(programBank(specs), *engine), input) == "");
    }
}

TEST_CASE("a chain gives what its rows give one by one") {
  const test::TestMachine machine;
  const Volume input = test::randomVolume({17, 9, 8, 1}, ElementType::f32, 7);
  for (const Engine* engine : machine.chosen()) {
    INFO(engine->info().id);
    const FilterResult first =
        runFilter(machine.engines, machine.variants, programJob(programBank({"box:size=3"}), *engine), input, {});
    const FilterResult second = runFilter(machine.engines, machine.variants,
                                          programJob(programBank({"median"}), *engine), first.outputs.front(), {});
    const FilterResult both =
        runFilter(machine.engines, machine.variants,
                  programJob(programBank({"box:size=3,name=b", "median:input=b"}), *engine), input, {});
    REQUIRE(both.outputs.size() == 2);
    CHECK(sameBits(both.outputs[0], first.outputs.front()));
    CHECK(sameBits(both.outputs[1], second.outputs.front()));
  }
}

// As "fused-bank" devices compute formulas in the kernel of their sums (030), as "fused" never.
TEST_CASE("formulas in kernels of sums give what they give by themselves") {
  const test::TestMachine machine;
  if (!test::anyDevice(machine.chosen())) SSCOPE_SKIP(test::kNoDevice);
  const std::vector<std::vector<std::string>> banks{
      {"gradient:sigma=0.6"},
      {"sobel:axis=x,name=gx", "sobel:axis=y,name=gy,intermediate=true", "sobel:axis=z,name=gz,intermediate=true",
       "formula:e=sqrt(gx^2 + gy^2 + gz^2),name=g", "box:input=g,name=b", "formula:e=source - @k=0.3[0..1] * gy"},
      {"structure:sigma=0.5,rho=0.6"},
      {"gaussian:sigma=0.6,name=s,intermediate=true", "formula:e=source + 0.7 * (source - s)"},
      {"median:name=m,intermediate=true", "sobel:axis=x,input=m,name=a,intermediate=true",
       "formula:e=if(a > 0, a, m)"}};
  const ElementType types[] = {ElementType::f32, ElementType::u8, ElementType::f64, ElementType::i16};
  const OutputType outputTypes[] = {OutputType{std::nullopt}, OutputType{ElementType::f32}};
  for (const Engine* engine : machine.chosen()) {
    if (!engine->info().isDevice()) continue;
    const auto sampling = Sampling::ofRun().named("formulas in kernels");
    const auto each = test::eachValue({banks.size(), std::size(types), std::size(kBoundaries), 2}, sampling,
                                      [](const test::Combination& any) { return any[1] != 1 || any[3] == 0; });
    for (const auto& one : test::sampleOf(2, each, sampling)) {
      const auto& specs = banks[one[0]];
      const ElementType type = types[one[1]];
      const Boundary boundary = kBoundaries[one[2]];
      const OutputType output = outputTypes[one[3]];
      INFO(engine->info().id << " " << specs.back() << " " << toString(type) << " " << toString(boundary) << " "
                             << toString(output) << ", " << Sampling::howToRepeat());
      const Volume input = test::randomVolume({21, 11, 9, 1}, type, one[0]);
      FilterJob job = programJob(programBank(specs, boundary, output), *engine);
      job.variant = "fused-bank";
      CHECK(wrongInProgram(machine, job, input) == "");
      const FilterResult together = runFilter(machine.engines, machine.variants, job, input, {});
      const bool ended = together.report.why.find("in the same kernel") != std::string::npos;
      // Of integers, a sum that is a result as well has another type than the formula.
      if (job.bank.outputType(type) == ElementType::f32) CHECK(ended);
      job.variant = "fused";
      const FilterResult apart = runFilter(machine.engines, machine.variants, job, input, {});
      CHECK(apart.report.why.find("in the same kernel") == std::string::npos);
      for (std::size_t o = 0; o < apart.outputs.size(); ++o) {
        INFO("row " << o);
        CHECK(sameBits(together.outputs[o], apart.outputs[o]));
      }
      // A slice, where the data are read in part.
      job.variant = "fused-bank";
      job.region = Box{{0, 0, 4}, {21, 11, 5}};
      job.asWhole = true;
      const FilterResult slice = runFilter(machine.engines, machine.variants, job, input, {});
      for (std::size_t o = 0; o < apart.outputs.size(); ++o)
        CHECK(slice.outputs[o].value(20, 10, 0) == apart.outputs[o].value(20, 10, 4));
    }
  }
}

TEST_CASE("slabs and regions of a program are parts of the whole") {
  const test::TestMachine machine;
  const Volume input = test::randomVolume({40, 9, 150, 1}, ElementType::f32, 8);
  for (const Boundary boundary : {Boundary::mirror, Boundary::wrap, Boundary::constant})
    for (const auto& specs : programs()) {
      const FilterBank bank = programBank(specs, boundary);
      const auto made = bankWorkload(bank, input.spec(), input.geometry(), false);
      const auto& workload = dynamic_cast<const ProgramWorkload&>(*made);
      Engine& engine = machine.engines.preferred();
      const auto prepare = [&](const Workload& stage) { return machine.variants.prepare(engine, stage, "", {}, {}); };
      const auto whole = makeProgramPlan(engine.info(), workload, prepare);
      const auto slabs = makeProgramPlan(engine.info(), workload, prepare, 0, 1 << 16);
      // Where all rows are results, nothing else lies between them; around the end, the whole has to. Of wide filters
      // the volume is thinner than one slab is to be.
      // What the last formula reads of other rows it reads voxel by voxel, and the data are there as a whole.
      const bool pointwise = &specs == &programs()[6];
      const bool apart =
          pointwise || (boundary != Boundary::wrap && &specs != &programs()[1] && &specs != &programs()[4]);
      INFO("program " << &specs - programs().data() << ", " << toString(boundary));
      CHECK((slabs->description().find("slabs") != std::string::npos) == apart);
      CHECK(whole->description().find("slabs") == std::string::npos);
      const test::PlanRun a = test::runOnce(*whole, workload, input);
      CHECK(sameBits(a, test::runOnce(*slabs, workload, input)));
      // A slice of each view.
      for (const Box& slice :
           {Box{{0, 0, 30}, {40, 9, 31}}, Box{{0, 8, 0}, {40, 9, 150}}, Box{{0, 0, 0}, {1, 9, 150}}}) {
        FilterJob job = programJob(bank, engine);
        job.region = slice;
        const FilterResult part = runFilter(machine.engines, machine.variants, job, input, {});
        for (std::size_t o = 0; o < a.outputs.size(); ++o)
          for (const std::array<std::int64_t, 3>& at :
               {slice.begin, {slice.end[0] - 1, slice.end[1] - 1, slice.end[2] - 1}})
            CHECK(part.outputs[o].value(at[0] - slice.begin[0], at[1] - slice.begin[1], at[2] - slice.begin[2]) ==
                  Approx(a.outputs[o].value(at[0], at[1], at[2])).margin(1e-5));
      }
    }
}

TEST_CASE("a kept program takes new weights and nothing else changes") {
  const test::TestMachine machine;
  const Volume input = test::randomVolume({19, 14, 9, 1}, ElementType::f32, 9);
  for (const Engine* engine : machine.chosen()) {
    KeptFilter kept(machine.engines, machine.variants);
    for (const char* sigma : {"1.3", "1.31", "1.32", "2.5", "1.3"}) {
      INFO(engine->info().id << " " << sigma);
      const FilterJob job = programJob(
          programBank({"gaussian:sigma=" + std::string(sigma) + ",name=s", "sobel:input=s", "median:input=s"}),
          *engine);
      const FilterResult a = kept.run(job, input, {});
      const FilterResult b = runFilter(machine.engines, machine.variants, job, input, {});
      for (std::size_t o = 0; o < 3; ++o) CHECK(sameBits(a.outputs[o], b.outputs[o]));
    }
  }
}

TEST_CASE("a wrong voxel of a program's result is found") {
  const test::TestMachine machine;
  const Volume input = test::randomVolume({13, 11, 7, 1}, ElementType::f32, 10);
  const FilterJob job = programJob(programBank(programs()[0]), machine.engines.preferred());
  FilterResult result = runFilter(machine.engines, machine.variants, job, input, {});
  REQUIRE(verifyFilter(job, input, result, {}, {}).verified);
  result.outputs[1].elements<float>()[500] += 0.01F;
  CHECK_FALSE(verifyFilter(job, input, result, {}, {}).verified);
}

TEST_CASE("programs tell how far the last of their steps went") {
  const test::TestMachine machine;
  const Volume input = test::randomVolume({30, 9, 40, 1}, ElementType::f32, 14);
  const auto relative = [](const Volume& before, const Volume& after) {
    double change = 0, size = 0;
    for (std::size_t i = 0; i < after.elements<float>().size(); ++i) {
      const double now = after.elements<float>()[i], then = before.elements<float>()[i];
      change += (now - then) * (now - then);
      size += now * now;
    }
    return std::sqrt(change / size);
  };
  for (const Engine* engine : test::Turns(machine.chosen(), 3, "last steps").of(0)) {
    INFO(engine->info().id << ", " << Sampling::howToRepeat());
    FilterJob job =
        programJob(programBank({"peronamalik:kappa=0.5,steps=4", "median", "tv:steps=1", "tv:steps=3"}), *engine);
    job.lastSteps = true;
    const FilterResult result = runFilter(machine.engines, machine.variants, job, input, {});
    REQUIRE(result.lastSteps.size() == 4);
    const auto alone = [&](const char* spec) {
      const FilterJob one = programJob(programBank({spec}), *engine);
      return std::move(runFilter(machine.engines, machine.variants, one, input, {}).outputs.front());
    };
    const Volume third = alone("peronamalik:kappa=0.5,steps=3"), second = alone("tv:steps=2");
    CHECK(result.lastSteps[0].relative().value_or(0) == Approx(relative(third, result.outputs[0])).epsilon(1e-5));
    CHECK_FALSE(result.lastSteps[1].relative());
    CHECK(result.lastSteps[2].relative().value_or(0) == Approx(relative(input, result.outputs[2])).epsilon(1e-5));
    CHECK(result.lastSteps[3].relative().value_or(0) == Approx(relative(second, result.outputs[3])).epsilon(1e-4));
    // Parts are those of the whole, and integers have none.
    job.region = Box{{0, 0, 0}, {30, 9, 11}};
    StepNorms sum = runFilter(machine.engines, machine.variants, job, input, {}).lastSteps[0];
    job.region = Box{{0, 0, 11}, {30, 9, 40}};
    const StepNorms rest = runFilter(machine.engines, machine.variants, job, input, {}).lastSteps[0];
    sum = {sum.change + rest.change, sum.size + rest.size};
    CHECK(sum.relative().value_or(0) == Approx(result.lastSteps[0].relative().value_or(1)).epsilon(1e-5));
    job.region.reset();
    job.bank.output = OutputType{ElementType::u8};
    CHECK_FALSE(runFilter(machine.engines, machine.variants, job, input, {}).lastSteps[0].relative());
  }
}

TEST_CASE("diffusion along structures, hysteresis and wavelets agree with the reference in all their forms") {
  const test::TestMachine machine;
  const std::array types{ElementType::f32, ElementType::u8, ElementType::i16, ElementType::f64, ElementType::u32};
  const test::Turns turns(machine.chosen(), 12, "forms");
  test::Judged judged;
  std::size_t turn = turns.sampling().seed % 15, number = 0;
  for (const char* spec :
       {"coherence:contrast=0.3,steps=2,sigma=0.5,rho=0.6", "coherence:contrast=5,steps=1,alpha=0.1",
        "edges:threshold=0.05,high=0.3,growth=5", "edges:threshold=1,high=20,growth=3",
        "waveletdenoise:sigma=0.2,mode=hard,wavelet=db2,levels=2", "waveletdenoise:sigma=0.1,wavelet=haar,levels=1"})
    for (const VolumeShape& shape : {VolumeShape{9, 8, 7, 1}, VolumeShape{14, 11, 1, 2}}) {
      const ElementType type = types[turn % types.size()];
      const Boundary boundary = kBoundaries[turn / 3 % std::size(kBoundaries)];
      ++turn;
      for (const Engine* engine : turns.of(number++)) {
        INFO(engine->info().id << " " << spec << " " << shape.text() << " " << toString(type) << " "
                               << toString(boundary) << ", " << Sampling::howToRepeat());
        judged.check(wrongInProgram(machine, programJob(programBank({spec}, boundary), *engine),
                                    test::randomVolume(shape, type, 15)));
      }
    }
  judged.requireMost();
}
