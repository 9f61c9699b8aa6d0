// How charts write numbers, and the colors of engines.

#include <string>
#include <utility>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/qstring.h"
#include "ui/charts/chart_format.h"
#include "ui/charts/engine_colors.h"

using namespace sscope;
using namespace sscope::test;

TEST_CASE("every engine has its color") {
  std::vector<EngineInfo> infos;
  for (const auto& [id, kind] :
       std::initializer_list<std::pair<const char*, EngineKind>>{{"cpu:portable", EngineKind::Cpu},
                                                                 {"cpu:sse2", EngineKind::Cpu},
                                                                 {"cpu:avx2", EngineKind::Cpu},
                                                                 {"cpu:avx512", EngineKind::Cpu},
                                                                 {"opencl:0", EngineKind::OpenCl},
                                                                 {"opencl:1", EngineKind::OpenCl},
                                                                 {"cuda:0", EngineKind::Cuda},
                                                                 {"cuda:0+cuda:1", EngineKind::Cuda},
                                                                 {"peer:opencv", EngineKind::Peer}}) {
    infos.emplace_back().id = id;
    infos.back().kind = kind;
  }
  giveEngineColors(infos);
  CHECK(engineColor("cpu:avx512").rgb() == qRgb(0x00, 0x9E, 0x73));  // shades are rounded beyond 8 bits
  CHECK(engineColor("opencl:0") != engineColor("opencl:1"));
  CHECK(engineColor("cuda:0") != engineColor("opencl:0"));
  // A joined engine is one more of its kind.
  CHECK(engineColor("cuda:0+cuda:1") != engineColor("cuda:0"));
  CHECK(engineColor("cuda:0+cuda:1").hslHue() == engineColor("cuda:0").hslHue());
  CHECK(engineColor("of another machine") == engineColor("peer:opencv"));
  CHECK(phaseColor("cpu:avx2", Phase::Kernel) == engineColor("cpu:avx2"));
  for (const Phase phase : {Phase::Compile, Phase::Upload, Phase::Download})
    CHECK(phaseColor("cpu:avx2", phase) != engineColor("cpu:avx2"));
}

TEST_CASE("a range has its decimals on both sides") {
  CHECK(formatRange(5, 246) == "5 … 246"_q);
  CHECK(formatRange(-1024, 3071) == "-1024 … 3071"_q);
  CHECK(formatRange(0, 0) == "0 … 0"_q);
  CHECK(formatRange(0.26, 246) == "0.3 … 246.0"_q);
  CHECK(formatRange(-0.0001, 1.5) == "0.000 … 1.500"_q);
  CHECK(formatRange(-0.25, 0.5) == "-0.2500 … 0.5000"_q);
  CHECK(formatRange(1e9 - 0.004, 1e9 + 0.004) == "999999999.996 … 1000000000.004"_q);
  CHECK(formatRange(0.3, 0.3) == "0.3000 … 0.3000"_q);
  CHECK(formatRange(0.5, 2.5e7) == "0.500 … 2.5e+07"_q);
}

TEST_CASE("a prediction is told with its error") {
  CHECK(formatPrediction(0.0031, 0.0026) == "predicted 3.10\u202Fms, took 2.60\u202Fms: 16 % less"_q);
  CHECK(formatPrediction(0.002, 0.003) == "predicted 2.00\u202Fms, took 3.00\u202Fms: 50 % more"_q);
  CHECK(formatPrediction(0.002, 0.002) == "predicted 2.00\u202Fms, took 2.00\u202Fms"_q);
}

TEST_CASE("numbers, units and axes") {
  CHECK(formatSeconds(0.0124) == "12.4\u202Fms"_q);
  CHECK(formatSeconds(1.2) == "1.20\u202Fs"_q);
  CHECK(formatSeconds(0.00083) == "830\u202Fµs"_q);
  CHECK(formatNumber(0) == "0");
  CHECK(zeroBasedTicks(9.3, 5) == std::vector<double>{0, 2, 4, 6, 8, 10});
  CHECK(zeroBasedTicks(0.00025, 5).front() == 0);
  CHECK(zeroBasedTicks(10, 5).back() == Approx(10));
  const Spread q = spreadOf(std::vector<double>{4, 1, 3, 2, 5});
  CHECK(q.firstQuartile == 2);
  CHECK(q.median == 3);
  CHECK(q.thirdQuartile == 4);
  CHECK(csvCell("a \"b\", c") == "\"a \"\"b\"\", c\"");
  CHECK(std::stod(csvNumber(0.1)) == 0.1);
}
