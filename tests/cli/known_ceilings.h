#pragma once
// Ceilings of this machine that nobody has to measure: what `sscope bench` and `sscope compare` spend most of their
// time with where data are small. Those that are measured have tests of their own ("--remeasure", and an empty cache).

#include <string>

#include "app/setup/setup.h"
#include "core/measure/ceilings.h"
#include "tests/cli/program.h"

namespace sscope::test {

// Puts them into the cache of the programs that are started from now on, once. They are beyond what any row reaches and
// newer than any process, both of which would have them measured again.
inline void useKnownCeilings() {
  static const bool stored = [] {
    useTestCache();
    const Workshop workshop = makeWorkshop();
    const auto store = [](const EngineInfo& engine) {
      for (const int threads : {0, 1, 2}) {
        // Memory is never the limit.
        constexpr double kMuch = 1e6, kMore = 1e9;
        storeCeilings(engine, threads,
                      {kMuch, kMuch, kMore, threads, "2999-01-01T00:00:00Z", kMuch, kMuch, kMore, kMore});
      }
    };
    for (const Engine* engine : workshop.engines.available()) store(engine->info());
    store(workshop.engines.at("cpu:scalar+cpu:sse4").info());
    return true;
  }();
  static_cast<void>(stored);
}

}  // namespace sscope::test
