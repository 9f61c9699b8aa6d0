// What a slider's tick takes in the filter job, afresh and kept, in turns. benches "[tick]"

#include <cstdio>
#include <string>
#include <vector>

#include "core/base/statistics.h"
#include "core/base/stopwatch.h"
#include "core/filter/families/recipe_text.h"
#include "core/filter/job/kept_filter.h"
#include "tests/agreement/machine.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;

TEST_CASE_METHOD(test::TestMachine, "the time of a slider's tick, afresh and kept", "[tick]") {
  for (const std::int64_t edge : {64, 128, 256}) {
    const Volume input = test::randomVolume({edge, edge, edge, 1}, ElementType::f32, 1);
    for (const char* id : {"cpu:avx512", "opencl:0"})
      for (const bool slice : {true, false}) {
        if (engines.find(id) == nullptr || !engines.find(id)->available()) continue;
        KeptFilter kept(engines, variants);
        std::vector<double> fresh, again;
        for (int i = 0; i < 25; ++i) {
          FilterJob job;
          job.engine = id;
          job.inputIdentity = static_cast<std::uint64_t>(100 + edge);
          job.bank.filters = {parseFilterSpec("gaussian:sigma=" + std::to_string(1.3 + 0.005 * i))};
          if (slice) job.region = Box{{0, 0, edge / 2}, {edge, edge, edge / 2 + 1}};
          Stopwatch first;
          static_cast<void>(runFilter(engines, variants, job, input, {}));
          fresh.push_back(first.seconds());
          Stopwatch second;
          const FilterResult result = kept.run(job, input, {});
          again.push_back(second.seconds());
          if (i == 24)
            std::printf("%s %lld^3 %s: fresh %.3f ms, kept %.3f ms, ratio %.2f; kernel %.3f ms, predicted %.3f ms\n",
                        id, static_cast<long long>(edge), slice ? "slice" : "whole", 1e3 * medianOf(fresh),
                        1e3 * medianOf(again), medianOf(fresh) / medianOf(again), 1e3 * result.report.phases.kernel,
                        1e3 * result.report.predictedSeconds);
        }
        CHECK(again.size() == fresh.size());
      }
  }
}
