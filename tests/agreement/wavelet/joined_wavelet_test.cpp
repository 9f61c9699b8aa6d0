// The magic filter and wavelet transforms shared by several engines.
#include <algorithm>
#include <utility>

#include "core/engine/joined_parts.h"
#include "core/engine/run_report.h"
#include "core/measure/verify.h"
#include "core/wavelet/workload/dwt_workload.h"
#include "core/wavelet/workload/magic_workload.h"
#include "core/workload/catalog.h"
#include "tests/agreement/machine.h"
#include "tests/agreement/turns.h"
#include "tests/support/catch.h"
#include "tests/support/runs.h"
#include "tests/support/support.h"

using namespace sscope;
using Catch::Matchers::ContainsSubstring;

namespace {

OptionValues magicValues(const OptionValues& values) { return completeOptions(MagicWorkload::options(), values); }
OptionValues dwtValues(const OptionValues& values) { return completeOptions(DwtWorkload::options(), values); }

Volume waveletOutput(Plan& plan, const Workload& workload, const Volume& input, std::uint64_t identity = 0) {
  return std::move(test::runOnce(plan, workload, input, identity).outputs.front());
}

// Every variant, twice and three times: right, and bit for bit where it is promised. `number`: of the workload, with
// which engines and variants take turns.
void requireSharedWavelet(const Workload& workload, const Volume& input, bool bits, std::size_t number) {
  const test::TestMachine machine;
  const test::Turns turns(machine.chosen(), 4, "joined wavelets");
  for (Engine* engine : machine.chosen()) {
    std::size_t turn = number;
    for (const Variant* row : machine.variants.rows(workload.name(), engine->info().kind)) {
      if (!row->belongsTo(engine->info()) || !row->twinOf.empty()) continue;
      if (row->unsupported && !row->unsupported(engine->info(), workload).empty()) continue;
      if (!turns.takes(*engine, turn++, *row)) continue;
      const std::string& id = engine->info().id;
      INFO(id << " " << row->name << " " << input.shape().text() << ", " << test::Sampling::howToRepeat());
      const auto alone = machine.variants.prepare(*engine, workload, row->name, {}, {});
      const Volume expected = waveletOutput(*alone, workload, input);
      for (const std::string& name : {id + "+" + id, id + "+" + id + "+" + id}) {
        const auto plan = machine.variants.prepare(machine.engines.at(name), workload, row->name, {}, {});
        const Volume output = waveletOutput(*plan, workload, input);
        const ConstArrayView in = input.view(), out = output.view();
        const Verification verification = verify(*row, workload, {&in, 1}, {&out, 1}, {}, {});
        CHECK(verification.failure == "");
        CHECK(verification.verified);
        if (bits && plan->grain() != 0) CHECK(test::sameBits(output, expected));
        // Of data that stay on a device each part has its own. Where the machine is busy, parts may be cut anew between
        // runs: whose bits depend on the cut is only right again.
        for (int run = 0; run < 2; ++run) {
          const Volume again = waveletOutput(*plan, workload, input, 5);
          const ConstArrayView repeated = again.view();
          if (plan->grain() != 0)
            CHECK(test::sameBits(again, output));
          else
            CHECK(verify(*row, workload, {&in, 1}, {&repeated, 1}, {}, {}).failure == "");
        }
      }
      if (!engine->info().isDevice() || row->name != "tuned") continue;
      const auto mixed = machine.variants.prepare(machine.engines.at("cpu:scalar+" + id), workload, row->name, {}, {});
      const Volume output = waveletOutput(*mixed, workload, input);
      const ConstArrayView in = input.view(), out = output.view();
      CHECK(verify(*row, workload, {&in, 1}, {&out, 1}, {}, {}).failure == "");
    }
  }
}

}  // namespace

TEST_CASE("engines share the magic filter", "[joined]") {
  const Volume volume = test::randomVolume({21, 18, 40, 1}, ElementType::f64, 3);
  requireSharedWavelet(MagicWorkload(volume.spec(), magicValues({})), volume, true, 0);
  requireSharedWavelet(MagicWorkload(volume.spec(), magicValues({{"direction", std::string("inverse")}})), volume, true,
                       1);
  // Parts that reach as far as there is data.
  const Volume thin = test::randomVolume({19, 20, 5, 1}, ElementType::f64, 4);
  requireSharedWavelet(MagicWorkload(thin.spec(), magicValues({})), thin, true, 2);
  const Volume image = test::randomVolume({30, 41, 1, 1}, ElementType::f64, 5);
  requireSharedWavelet(MagicWorkload(image.spec(), magicValues({})), image, true, 3);
  const Volume lines = test::randomVolume({33, 7, 9, 1}, ElementType::f64, 6);
  requireSharedWavelet(MagicWorkload(lines.spec(), magicValues({{"passes", std::string("lines")}})), lines, true, 4);
}

TEST_CASE("engines share wavelet transforms of slices", "[joined]") {
  for (const std::string direction : {"forward", "inverse"}) {
    const Volume volume = test::randomVolume({24, 20, 9, 1}, ElementType::f32, 7);
    const DwtWorkload workload(
        volume.spec(),
        dwtValues({{"dimensions", std::int64_t{2}}, {"levels", std::int64_t{2}}, {"direction", direction}}));
    requireSharedWavelet(workload, volume, true, direction == "forward" ? 0 : 2);
  }
}

TEST_CASE("devices take the planes of a part from where they are", "[joined]") {
  const test::TestMachine machine;
  if (!test::anyDevice(machine.chosen())) SSCOPE_SKIP(test::kNoDevice);
  const Volume volume = test::randomVolume({18, 20, 33, 1}, ElementType::f64, 8);
  const MagicWorkload whole(volume.spec(), magicValues({}));
  const ConstArrayView in = volume.view();
  for (Engine* engine : machine.chosen()) {
    if (!engine->info().isDevice()) continue;
    // At either end, where it reads planes of the other one, in the middle, and of a single plane.
    for (const auto& [begin, end] : {std::pair{0, 9}, {25, 33}, {12, 16}, {32, 33}}) {
      INFO(engine->info().id << " " << begin << " to " << end);
      const auto part = whole.cutTo({{0, 0, begin}, {18, 20, end}});
      const auto plan = machine.variants.prepare(*engine, *part, "", {}, {});
      CHECK_THAT(plan->description(), ContainsSubstring("from " + std::to_string(end - begin + 15) + " planes"));
      const Volume output = waveletOutput(*plan, *part, volume);
      const ConstArrayView out = output.view();
      const Variant& row = machine.variants.at("magic", engine->info().kind, "");
      CHECK(verify(row, *part, {&in, 1}, {&out, 1}, {}, {}).failure == "");
    }
  }
}

TEST_CASE("engines that share a transform record what each of them does", "[joined]") {
  const test::TestMachine machine;
  const Volume input = test::randomVolume({12, 11, 20, 1}, ElementType::f64, 9);
  const MagicWorkload workload(input.spec(), magicValues({}));
  PrepareOptions options;
  options.trace = std::make_shared<RunTrace>();
  const auto plan = machine.variants.prepare(machine.engines.at("cpu:scalar+cpu:scalar"), workload, "", options, {});
  static_cast<void>(waveletOutput(*plan, workload, input));
  const std::vector<RunSpan> spans = options.trace->take();
  REQUIRE(spans.size() == 2);
  std::vector<std::string> names{spans[0].what, spans[1].what};
  std::ranges::sort(names);
  CHECK(names == std::vector<std::string>{"cpu:scalar (2): tuned", "cpu:scalar: tuned"});
  for (const RunSpan& span : spans) CHECK((span.begin > 0 && span.end > span.begin && span.end < options.trace->now()));
  CHECK(options.trace->take().empty());
}

TEST_CASE("processors record the steps of transforms") {
  const test::TestMachine machine;
  const Volume input = test::randomVolume({16, 16, 16, 1}, ElementType::f64, 9);
  const MagicWorkload magic(input.spec(), magicValues({}));
  const MagicWorkload lines(input.spec(), magicValues({{"passes", std::string("lines")}}));
  const DwtWorkload dwt(input.spec(), dwtValues({{"levels", std::int64_t{2}}}));
  const auto steps = [&](const Workload& workload, const char* variant) {
    PrepareOptions options;
    options.trace = std::make_shared<RunTrace>();
    const auto plan = machine.variants.prepare(machine.engines.at("cpu:scalar"), workload, variant, options, {});
    const Volume output = waveletOutput(*plan, workload, input);
    const ConstArrayView in = input.view(), out = output.view();
    CHECK(verify(machine.variants.at(workload.name(), EngineKind::Cpu, variant), workload, {&in, 1}, {&out, 1}, {}, {})
              .failure == "");
    std::vector<std::string> names;
    double before = 0;
    for (const RunSpan& span : options.trace->take()) {
      names.push_back(span.what);
      CHECK((span.begin >= before && span.end >= span.begin));
      before = span.end;
    }
    return names;
  };
  using Names = std::vector<std::string>;
  CHECK(steps(magic, "simple") == Names{"along x", "along y", "along z"});
  CHECK(steps(lines, "simple") == Names{"along x"});
  CHECK(steps(magic, "tuned") == Names{"tuned"});  // all axes on one walk
  CHECK(steps(dwt, "tuned") == Names{"level 1", "level 2"});
  CHECK(steps(dwt, "simple") == Names{"copy of the input", "level 1 along x", "level 1 along y", "level 1 along z",
                                      "copy between buffers", "level 2 along x", "level 2 along y", "level 2 along z",
                                      "copy between buffers", "copy to the output"});
}

TEST_CASE("transforms whose planes depend on each other are refused by several engines", "[joined]") {
  const test::TestMachine machine;
  Engine& both = machine.engines.at("cpu:scalar+cpu:scalar");
  const auto refused = [&](const Workload& workload) {
    CHECK_THROWS_WITH(machine.variants.prepare(both, workload, "", {}, {}),
                      ContainsSubstring("cannot be cut into parts"));
  };
  const ArraySpec floats{ElementType::f32, {16, 16, 16, 1}}, doubles{ElementType::f64, {24, 24, 24, 1}};
  refused(DwtWorkload(floats, dwtValues({})));
  refused(MagicWorkload(doubles, magicValues({{"boundary", std::string("free")}})));
  refused(MagicWorkload(doubles, magicValues({{"passes", std::string("lines")}, {"transposed", true}})));
}
