// The clock of rows of a benchmark, and what is said of one that fell.

#include <cstdlib>

#include "core/cpu/run/ceilings.h"
#include "core/measure/bench.h"
#include "tests/measure/fake_engine.h"
#include "tests/support/catch.h"
#include "tests/support/environment.h"
#include "tests/support/support.h"

using namespace sscope;
using namespace sscope::test;

namespace {

// Its clock falls after so many readings.
class SlowingEngine final : public FakeEngine {
 public:
  SlowingEngine(FakeLog& log, int fast) : FakeEngine("cuda:0", EngineKind::Cuda, log), fast_(fast) {}
  [[nodiscard]] std::optional<ClockReading> readClock() override {
    if (fast_ < 0) return {};
    if (++readings_ <= fast_) return ClockReading{1980, 2619, {}};
    return ClockReading{1410, 2619, {"power cap"}};
  }

 private:
  int fast_, readings_ = 0;
};

Measurement measuredWith(int fast) {
  const PrivateCache cache;
  FakeLog log;
  EngineSet engines;
  engines.add(std::make_unique<SlowingEngine>(log, fast));
  VariantTable variants;
  addFakeVariant(variants, "copy", EngineKind::Cuda, copyInput, log);
  const Volume input = randomVolume({8, 8, 4, 1}, ElementType::f32, 1);
  const ConstArrayView view = input.view();
  BenchOptions options;
  options.seconds = 0;
  return runBench(engines, variants, identityWorkload(8, 8, 4), {&view, 1}, {{"cuda:0", "copy"}}, options, {})[0];
}

}  // namespace

TEST_CASE("a row tells its clock, and one whose clock fell is marked") {
  const Measurement steady = measuredWith(1000), slowed = measuredWith(kMinimumRepetitions - 2);
  REQUIRE(steady.clock);
  CHECK_FALSE(steady.clock->fell());
  CHECK(toJson(steady).at("clock") == nlohmann::json{{"first_mhz", 1980.0},
                                                     {"last_mhz", 1980.0},
                                                     {"lowest_mhz", 1980.0},
                                                     {"highest_mhz", 1980.0},
                                                     {"memory_mhz", 2619.0}});
  CHECK(toTable({steady}).find(" ~") == std::string::npos);
  REQUIRE(slowed.clock);
  CHECK(slowed.clock->fell());
  const nlohmann::json row = toJson(slowed).at("clock");
  CHECK(row.at("first_mhz") == 1980.0);
  CHECK(row.at("last_mhz") == 1410.0);
  CHECK(row.at("limits") == nlohmann::json{"power cap"});
  CHECK(row.at("fell") == true);
  CHECK(toTable({slowed}).find("250 ~") != std::string::npos);
}

TEST_CASE("where nobody tells the clock there is no figure") {
  const Measurement unknown = measuredWith(-1);
  CHECK(unknown.hasFigures());
  CHECK_FALSE(unknown.clock);
  CHECK_FALSE(toJson(unknown).contains("clock"));
}

#if defined(__x86_64__)
TEST_CASE("the chain that tells the processor's clock gives one that processors have") {
  const double megahertz = cpu::serialMegahertz();
  CHECK(megahertz > 200);
  CHECK(megahertz < 10000);
}
#endif
