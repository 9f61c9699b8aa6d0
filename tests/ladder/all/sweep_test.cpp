#include <algorithm>
#include <cstdlib>
#include <set>

#include "core/base/error.h"
#include "core/engine/tuning_store.h"
#include "core/ladder/ladder.h"
#include "core/workload/catalog.h"
#include "tests/measure/fake_engine.h"
#include "tests/support/catch.h"
#include "tests/support/environment.h"
#include "tests/support/support.h"

using namespace sscope;
using namespace sscope::test;

namespace {

// Plans of the real workloads that compute with their reference.
class ReferencePlan : public Plan {
 public:
  ReferencePlan(const Workload& workload, std::function<void()> onRun)
      : workload_(workload), onRun_(std::move(onRun)) {}
  RunReport run(const Inputs& inputs, std::span<const ArrayView> outputs, const Control& control) override {
    control.check();
    if (onRun_) onRun_();
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const ArrayView& out = outputs[i];
      std::vector<double> values(static_cast<std::size_t>(out.elements()));
      workload_.reference(inputs.arrays, i, {{0, 0, 0}, {out.extent[0], out.extent[1], out.extent[2]}}, values,
                          control);
      for (std::size_t v = 0; v < values.size(); ++v) {
        if (out.type == ElementType::u8) out.as<std::uint8_t>()[v] = static_cast<std::uint8_t>(values[v]);
        if (out.type == ElementType::f32) out.as<float>()[v] = static_cast<float>(values[v]);
      }
    }
    RunReport report;
    report.variant = "reference";
    report.phases.kernel = 0.001;
    return report;
  }
  [[nodiscard]] std::int64_t scratchBytes() const override { return 0; }
  [[nodiscard]] std::string description() const override { return "reference"; }

 private:
  const Workload& workload_;
  std::function<void()> onRun_;
};

struct Scene {
  Scene() {
    engines.add(std::make_unique<FakeEngine>("cpu:a", EngineKind::Cpu, log));
    engines.add(std::make_unique<FakeEngine>("opencl:0", EngineKind::OpenCl, log));
    EngineInfo absent;
    absent.id = "cuda:0";
    absent.kind = EngineKind::Cuda;
    absent.absentReason = "libcuda.so.1 not found";
    engines.addAbsent(absent);
    add("bank", "naive", EngineKind::Cpu);
    add("bank", "naive-array", EngineKind::OpenCl);
    add("bank", "unrolled", EngineKind::OpenCl,
        {integerOption("unroll", "Unroll", 16, 1, 40, ""), integerOption("group_x", "Group", 16, 1, 1024, ""),
         integerOption("group_y", "Group", 16, 1, 1024, "")});
    add("conv2d", "naive", EngineKind::Cpu);
    add("soup", "naive", EngineKind::Cpu);
    add("soup", "shared-coalesced", EngineKind::OpenCl,
        {choiceOption("block", "Block", {"16x16", "16x8"}, ""),
         choiceOption("pitch", "Pitch", {"aligned", "odd"}, "")});
  }
  void add(const std::string& workload, const std::string& name, EngineKind kind, std::vector<Option> options = {}) {
    Variant row;
    row.workload = workload;
    row.name = name;
    row.kind = kind;
    row.options = std::move(options);
    row.prepare = [this](Engine&, const Workload& of, const PrepareOptions&, const Control&) {
      return std::make_unique<ReferencePlan>(of, onRun);
    };
    variants.add(std::move(row));
  }
  Sweep sweep(const std::string& workload, SweepRequest request = {}) {
    const std::vector<std::string> ids{"cpu:a", "opencl:0", "cuda:0"};
    request.workload = workload;
    if (request.rows.empty()) request.rows = ladderRows(engines, variants, workload, ids);
    return makeSweep(engines, variants, request);
  }
  SweepOutcome run(const Sweep& what, const Control& control = {},
                   const std::function<void(const Measurement&)>& finished = {}) {
    BenchOptions options;
    options.seconds = 0;
    options.batchSeconds = 0;
    options.emptyCaches = false;
    return runSweep(engines, variants, what, options, control, finished);
  }

  PrivateCache cache;
  FakeLog log;
  EngineSet engines;
  VariantTable variants;
  std::function<void()> onRun;
};

}  // namespace

TEST_CASE("the bank's sweep: every N for all variants, the unroll at N = 8 for three groups") {
  Scene scene;
  const Sweep sweep = scene.sweep("bank", {.everyPoint = true});
  CHECK(sweep.shape == std::array<std::int64_t, 3>{256, 256, 256});
  REQUIRE(sweep.points.size() == 7 + 40);
  CHECK(sweep.rowCount() == 7 * 4 + 40 * 3);
  for (std::size_t i = 0; i < 7; ++i) {
    CHECK(sweep.points[i].values.at("filters") == OptionValue(std::vector<std::int64_t>{1, 2, 3, 4, 8, 16, 32}[i]));
    REQUIRE(sweep.points[i].rows.size() == 4);
    CHECK(sweep.points[i].rows[3] == BenchRow{"cuda:0", "", {}});
  }
  std::set<std::int64_t> unrolls;
  for (std::size_t i = 7; i < sweep.points.size(); ++i) {
    CHECK(sweep.points[i].values.at("filters") == OptionValue(std::int64_t{8}));
    REQUIRE(sweep.points[i].rows.size() == 3);
    for (const BenchRow& row : sweep.points[i].rows) CHECK(row.variant == "unrolled");
    unrolls.insert(std::get<std::int64_t>(sweep.points[i].rows[0].values.at("unroll")));
  }
  CHECK(unrolls.size() == 40);
  CHECK(scene.sweep("bank").points.size() < sweep.points.size());
}

TEST_CASE("conv2d's sweep covers the map, soup's every block and pitch") {
  Scene scene;
  CHECK(scene.sweep("conv2d", {.everyPoint = true}).points.size() == 13 * 13);
  const Sweep coarse = scene.sweep("conv2d");
  CHECK(coarse.points.size() == 25);
  CHECK(coarse.points.back().values.at("width") == OptionValue(std::int64_t{27}));
  const Sweep soup = scene.sweep("soup");
  REQUIRE(soup.points.size() == 1);
  CHECK(soup.points[0].rows.size() == 1 + 3 + 1);  // naive; the usual one, 16x8, odd pitch; the absent engine
  CHECK_THROWS_AS(scene.sweep("filter"), Error);
  const std::vector<std::string> unknown{"cpu:z"};
  CHECK_THROWS_AS(ladderRows(scene.engines, scene.variants, "bank", unknown), Error);
}

TEST_CASE("every workload that can be swept has points") {
  Scene scene;
  for (const WorkloadKind& kind : workloadCatalog()) {
    INFO(kind.name);
    CHECK_FALSE(scene.sweep(kind.name).points.empty());
  }
}

TEST_CASE("what is given is not swept") {
  Scene scene;
  const Sweep one = scene.sweep("bank", {.values = {{"filters", std::int64_t{4}}}});
  REQUIRE(!one.points.empty());
  for (const SweepPoint& point : one.points) CHECK(point.values.at("filters") == OptionValue(std::int64_t{4}));
  CHECK(std::count_if(one.points.begin(), one.points.end(),
                      [](const SweepPoint& p) { return p.rows.front().engine == "cpu:a"; }) == 1);
  const Sweep held = scene.sweep("bank", {.rows = {{"opencl:0", "unrolled", {{"unroll", std::int64_t{2}}}}}});
  CHECK(held.points.size() == 7 + 1);  // all N; three groups at N = 8
  CHECK_THROWS_AS(scene.sweep("bank", {.values = {{"filters", std::int64_t{-1}}}}), Error);
  CHECK_THROWS_AS(scene.sweep("bank", {.values = {{"nonsense", std::int64_t{1}}}}), Error);
  CHECK(scene.sweep("bank", {.shape = {8, 8, 8}}).shape == std::array<std::int64_t, 3>{8, 8, 8});
}

TEST_CASE("a sweep measures every row, hands each on as its point ends, and says why others are skipped") {
  Scene scene;
  const Sweep sweep = scene.sweep("bank", {.values = {{"size", std::int64_t{3}}}, .shape = {8, 6, 5}});
  std::vector<std::string> order;
  double last = 0;
  bool backwards = false;
  const Control control{{}, [&](double fraction, std::string_view) {
                          backwards = backwards || fraction < last - 1e-9;
                          last = fraction;
                        }};
  const SweepOutcome outcome = scene.run(sweep, control, [&](const Measurement& m) { order.push_back(m.engine); });
  CHECK(!outcome.canceled);
  REQUIRE(outcome.results.size() == sweep.rowCount());
  CHECK(order.size() == sweep.rowCount());
  CHECK(!backwards);
  for (const Measurement& m : outcome.results) {
    INFO(m.engine << " " << m.variant << " " << m.failed);
    if (m.engine == "cuda:0") {
      CHECK(m.skipped == "libcuda.so.1 not found");
    } else {
      CHECK(m.hasFigures());
      CHECK(m.verification.verified);
    }
  }
  CHECK(!figuresOf("bank", outcome.results, publishedValues()).empty());
}

TEST_CASE("a sweep that is stopped keeps the points it has finished") {
  Scene scene;
  const Sweep sweep = scene.sweep("bank", {.values = {{"size", std::int64_t{3}}}, .shape = {8, 6, 5}});
  std::stop_source stop;
  int runs = 0, after = 0;
  scene.onRun = [&] {
    if (stop.stop_requested()) ++after;
    if (++runs == 40) stop.request_stop();  // 3 rows of 8 runs a point: in the second
  };
  const SweepOutcome outcome = scene.run(sweep, {stop.get_token(), {}});
  CHECK(outcome.canceled);
  CHECK(outcome.results.size() == sweep.points[0].rows.size());
  CHECK(after == 0);
  CHECK(runs == 40);
}

TEST_CASE("a point that does not fit into memory becomes skipped rows") {
  Scene scene;
  const std::int64_t edge = std::int64_t{1} << 20;
  const Sweep sweep = scene.sweep("soup", {.rows = {{"cpu:a", "naive"}}, .shape = {edge, edge, 1}});
  const SweepOutcome outcome = scene.run(sweep);
  REQUIRE(outcome.results.size() == 1);
  CHECK(!outcome.results[0].skipped.empty());
  CHECK(!outcome.results[0].hasFigures());
}

TEST_CASE("the size follows the time that the sweep would take") {
  Scene scene;
  Sweep sweep = scene.sweep("soup", {.rows = {{"cpu:a", "naive"}}});
  const BenchOptions options;
  chooseSize(scene.engines, scene.variants, sweep, options, 1e9, {});
  CHECK(sweep.shape == std::array<std::int64_t, 3>{2048, 2048, 1});
  CHECK(sweep.sizeReason == "the paper's size");
  chooseSize(scene.engines, scene.variants, sweep, options, 1e-9, {});
  CHECK(sweep.shape == std::array<std::int64_t, 3>{512, 512, 1});
  CHECK(sweep.sizeReason.find("2048 x 2048") != std::string::npos);
  std::stop_source stop;
  stop.request_stop();
  CHECK_THROWS_AS(chooseSize(scene.engines, scene.variants, sweep, options, 1, {stop.get_token(), {}}), Canceled);
}

TEST_CASE("rows that no search has tuned are tuned before their point is timed, once") {
  Scene scene;
  scene.add("bank", "tuned", EngineKind::OpenCl, {integerOption("tile", "Tile", 0, 0, 3, "")});
  Variant row = scene.variants.rows().back();
  row.name = "tuned-tiles";
  row.candidates = [](const EngineInfo&, const Workload&) {
    return std::vector<OptionValues>{{}, {{"tile", std::int64_t{1}}}, {{"tile", std::int64_t{2}}}};
  };
  scene.variants.add(row);
  const SweepRequest request{.rows = {{"cpu:a", "naive"},
                                      {"opencl:0", "tuned"},
                                      {"opencl:0", "tuned-tiles"},
                                      {"opencl:0", "tuned-tiles", {{"tile", std::int64_t{1}}}},
                                      {"cuda:0", ""}},
                             .values = {{"size", std::int64_t{3}}, {"filters", std::int64_t{2}}},
                             .shape = {8, 6, 5}};
  Sweep sweep = scene.sweep("bank", request);
  REQUIRE(sweep.points.size() == 1);
  const auto remembered = [&] {
    const auto workload = findWorkloadKind("bank")->make(
        {ElementType::u8, {8, 6, 5, 1}}, completeOptions(findWorkloadKind("bank")->options, sweep.points[0].values));
    return rememberedTiles(row, scene.engines.at("opencl:0").info(), *workload);
  };
  CHECK(scene.run(sweep).searches.empty());  // nobody asked for it
  CHECK(!remembered());

  sweep.tuneFirst = TuneOptions{60};
  std::vector<std::string> stages;
  double last = 0;
  bool backwards = false;
  const Control control{{}, [&](double fraction, std::string_view stage) {
                          backwards = backwards || fraction < last - 1e-9;
                          last = fraction;
                          stages.emplace_back(stage);
                        }};
  const auto reported = [&](const std::string& what) {
    return std::any_of(stages.begin(), stages.end(),
                       [&](const std::string& stage) { return stage.find(what) != std::string::npos; });
  };
  std::stop_source stop;
  const Control stopped{stop.get_token(), [&](double, std::string_view stage) {
                          if (stage.find("candidate 2 of 3") != std::string_view::npos) stop.request_stop();
                        }};
  const SweepOutcome canceled = scene.run(sweep, stopped);
  CHECK(canceled.canceled);
  CHECK(canceled.results.empty());
  CHECK(!remembered());

  const SweepOutcome first = scene.run(sweep, control);
  REQUIRE(first.searches.size() == 1);
  CHECK(first.searches[0].skipped.empty());
  CHECK(first.searches[0].variant == "tuned-tiles");
  CHECK(first.searches[0].tried == 3);
  CHECK(reported("filters=2, size=3: tuning tuned-tiles on opencl:0, candidate 3 of 3"));
  CHECK(reported("tuning tuned-tiles on opencl:0, timing 3 candidates"));
  CHECK(!backwards);
  CHECK(remembered());
  for (const Measurement& m : first.results) CHECK(m.hasFigures() == (m.engine != "cuda:0"));

  stages.clear();
  last = 0;
  CHECK(scene.run(sweep, control).searches.empty());
  CHECK(!reported("tuning"));
}
