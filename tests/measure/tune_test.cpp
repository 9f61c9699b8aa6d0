#include "core/measure/tune.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <stop_token>
#include <thread>

#include <nlohmann/json.hpp>

#include "core/base/json.h"
#include "core/base/paths.h"
#include "core/engine/tuning_store.h"
#include "tests/measure/fake_engine.h"
#include "tests/support/catch.h"
#include "tests/support/environment.h"
#include "tests/support/support.h"

using namespace sscope;
using namespace sscope::test;

namespace {

// A device's plan whose clock says what its tile is worth.
class TilePlan final : public Plan {
 public:
  TilePlan(std::int64_t tile, double seconds, bool right) : tile_(tile), seconds_(seconds), right_(right) {}
  RunReport run(const Inputs& inputs, std::span<const ArrayView> outputs, const Control& control) override {
    control.check();
    copyInput(inputs, outputs);
    if (!right_) outputs[0].as<float>()[3] += 1;
    RunReport report;
    report.variant = "tiles";
    report.why = "tile " + std::to_string(tile_);
    report.phases.kernel = seconds_;
    return report;
  }
  [[nodiscard]] std::int64_t scratchBytes() const override { return 0; }
  [[nodiscard]] std::string description() const override { return "tile " + std::to_string(tile_); }

 private:
  std::int64_t tile_;
  double seconds_;
  bool right_;
};

// One device with a variant of tiles 0 (the model's), 1, 2 and 3, and a private cache folder.
struct TuneScene {
  explicit TuneScene(std::string searchRefused = {}) {
    auto engine = std::make_unique<FakeEngine>("opencl:0", EngineKind::OpenCl, log);
    engine->changeInfo().searchRefused = std::move(searchRefused);
    engines.add(std::move(engine));
    Variant row;
    row.workload = "filter";
    row.name = "tiles";
    row.kind = EngineKind::OpenCl;
    row.options = {integerOption("tile", "Tile", 0, 0, 9, "0: by the model")};
    row.candidates = [this](const EngineInfo&, const Workload&) { return candidates; };
    row.prepare = [this](Engine&, const Workload&, const PrepareOptions& options, const Control&) {
      const auto tile = std::get<std::int64_t>(options.values.at("tile"));
      prepared.push_back(tile);
      return std::make_unique<TilePlan>(tile, seconds.at(static_cast<std::size_t>(tile)), !wrong.contains(tile));
    };
    variants.add(std::move(row));
  }
  TuneResult search(const Control& control = {}, const OptionValues& values = {}) {
    const ConstArrayView view = std::as_const(input).view();
    return tune(engines, variants, workload, {&view, 1}, {"opencl:0", "", values}, {60, 0}, control);
  }
  // The tile that a plan prepared with these values has, and what its report says.
  std::string tileOf(const OptionValues& values = {}) {
    const auto plan = variants.prepare(engines.at("opencl:0"), workload, "", {0, 0, values}, {});
    Volume output({8, 8, 4, 1}, ElementType::f32);
    const ConstArrayView in = std::as_const(input).view();
    const ArrayView out = output.view();
    return plan->run({{&in, 1}, 0}, {&out, 1}, {}).why;
  }
  const Variant& variant() { return variants.rows()[0]; }
  const EngineInfo& info() { return engines.infos()[0]; }

  PrivateCache cache;
  FakeLog log;
  EngineSet engines;
  VariantTable variants;
  std::vector<double> seconds{0.25, 0.5, 0.125, 0.0625};  // of the tiles
  std::set<std::int64_t> wrong;
  std::vector<std::int64_t> prepared;
  std::vector<OptionValues> candidates{
      {}, {{"tile", std::int64_t{1}}}, {{"tile", std::int64_t{2}}}, {{"tile", std::int64_t{3}}}};
  FilterWorkload workload = identityWorkload(8, 8, 4);
  Volume input = randomVolume({8, 8, 4, 1}, ElementType::f32, 1);
};

}  // namespace

TEST_CASE("a search finds the fastest right candidate, remembers it, and plans take it") {
  TuneScene scene;
  CHECK(scene.tileOf() == "tile 0");
  scene.wrong = {3};  // the fastest of all, but wrong
  const TuneResult result = scene.search();
  CHECK(result.skipped.empty());
  CHECK(result.tried == 4);
  CHECK(result.values == scene.candidates[2]);
  CHECK(result.own == 0.25);
  CHECK(result.best == 0.125);
  CHECK(toText(result) == "tuned filter tiles on opencl:0: tile=2, 100 % faster than the model's choice; remembered");
  CHECK(scene.tileOf().rfind("tile 2; tiles as tuned on 20", 0) == 0);
  // What the caller says wins, the default too.
  CHECK(scene.tileOf({{"tile", std::int64_t{1}}}) == "tile 1");
  CHECK(scene.tileOf({{"tile", std::int64_t{0}}}) == "tile 0");
}

TEST_CASE("a benchmark says which tiles it took") {
  TuneScene scene;
  static_cast<void>(scene.search());
  const ConstArrayView view = std::as_const(scene.input).view();
  const auto results = runBench(scene.engines, scene.variants, scene.workload, {&view, 1}, {{"opencl:0", ""}}, {}, {});
  CHECK(results[0].params.at("tile") == 3);
  CHECK(results[0].searched == std::set<std::string>{"tile"});
  CHECK(!givenParameters(results[0]).contains("tile"));
  CHECK(results[0].spread().median == 0.0625);
}

TEST_CASE("a new search starts from the model's choice, not from what was remembered") {
  TuneScene scene;
  static_cast<void>(scene.search());
  scene.prepared.clear();
  CHECK(scene.search().own == 0.25);
  CHECK(std::count(scene.prepared.begin(), scene.prepared.end(), 0) >= 1);
}

TEST_CASE("within the margin the model's choice stays, and that is remembered") {
  TuneScene scene;
  scene.seconds = {0.25, 0.5, 0.245, 0.25};
  const TuneResult result = scene.search();
  CHECK(result.values.empty());
  CHECK(toText(result).find("none of 3 candidates") != std::string::npos);
  const auto remembered = rememberedTiles(scene.variant(), scene.info(), scene.workload);
  REQUIRE(remembered);
  CHECK(remembered->values.empty());
  CHECK(scene.tileOf() == "tile 0");
}

TEST_CASE("what is remembered holds for one device, driver, kernel, shape and set of parameters") {
  TuneScene scene;
  static_cast<void>(scene.search());
  const auto known = [&](const EngineInfo& info, const Workload& workload) {
    return rememberedTiles(scene.variant(), info, workload).has_value();
  };
  CHECK(known(scene.info(), scene.workload));
  CHECK(!known(scene.info(), identityWorkload(8, 8, 5)));
  EngineInfo other = scene.info();
  other.driver = "another";
  CHECK(!known(other, scene.workload));
  other = scene.info();
  other.name = "another";
  CHECK(!known(other, scene.workload));
  Variant changed = scene.variant();
  changed.code = "another text of the kernel";
  CHECK(!rememberedTiles(changed, scene.info(), scene.workload));
}

TEST_CASE("a damaged or outdated store does no harm") {
  TuneScene scene;
  static_cast<void>(scene.search());
  const std::filesystem::path file = cacheDirectory() / "tuning.json";
  const std::string good = readTextFile(file);
  REQUIRE(scene.tileOf() != "tile 0");
  nlohmann::json strange = nlohmann::json::parse(good);
  strange["entries"][0]["values"] = "tile";
  nlohmann::json dateless = nlohmann::json::parse(good);
  dateless["entries"][0]["date"] = 5;
  for (const std::string& text :
       {std::string(), std::string("{"), good.substr(0, good.size() / 2), std::string("[1, 2]"),
        std::string(R"({"schema": "stencilscope.tuning/1", "entries": [1, null, {"key": 2}]})"), strange.dump(),
        dateless.dump()}) {
    INFO(text);
    writeTextFile(file, text);
    CHECK(scene.tileOf() == "tile 0");
  }
  static_cast<void>(scene.search());
  CHECK(scene.tileOf().rfind("tile 3", 0) == 0);
  // A candidate that is none any more.
  scene.candidates.pop_back();
  CHECK(scene.tileOf() == "tile 0");
}

TEST_CASE("a canceled search remembers nothing") {
  TuneScene scene;
  std::stop_source stop;
  const Control control{stop.get_token(), [&](double fraction, std::string_view) {
                          if (fraction > 0.6) stop.request_stop();
                        }};
  CHECK_THROWS_AS(scene.search(control), Canceled);
  CHECK(!scene.prepared.empty());
  CHECK(!rememberedTiles(scene.variant(), scene.info(), scene.workload));
}

TEST_CASE("nothing is compiled for a search where the compiler may end the program") {
  TuneScene scene("its compiler ends programs");
  CHECK(scene.search().skipped == "its compiler ends programs");
  CHECK(scene.prepared.empty());
  CHECK(!isUntuned(scene.engines, scene.variants, scene.workload, {"opencl:0", ""}));
}

TEST_CASE("nothing is searched where there is nothing to choose") {
  TuneScene scene;
  CHECK(scene.search({}, {{"tile", std::int64_t{1}}}).skipped == "its values are given");
  scene.candidates.resize(1);
  CHECK(scene.search().skipped.find("one way") != std::string::npos);
  addFakeVariant(scene.variants, "plain", EngineKind::OpenCl, copyInput, scene.log);
  const ConstArrayView view = std::as_const(scene.input).view();
  CHECK(tune(scene.engines, scene.variants, scene.workload, {&view, 1}, {"opencl:0", "plain"}, {}, {}).skipped ==
        "it has nothing to tune");
}

TEST_CASE("the cache keeps a bounded number of entries, written from several threads") {
  const PrivateCache cache;
  const CacheFile file{"some.json", "some/1", 12};
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < 4; ++thread)
    threads.emplace_back([&, thread] {
      for (int i = 0; i < 3; ++i) storeCacheEntry(file, thread * 3 + i, {{"value", i}});
    });
  threads.clear();
  for (int key = 0; key < 12; ++key) CHECK(cacheEntry(file, key).at("value") == key % 3);
  storeCacheEntry(file, 99, {{"value", 99}});
  CHECK(cacheEntry(file, 99).at("value") == 99);
  const auto entries = nlohmann::json::parse(readTextFile(cacheDirectory() / file.name)).at("entries");
  CHECK(entries.size() == 12);
}
