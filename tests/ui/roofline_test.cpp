// The roofs of the Compare room's roofline.

#include <algorithm>

#include "tests/support/catch.h"
#include "tests/support/qstring.h"
#include "ui/rooms/compare/roofline_chart.h"

using namespace sscope;
using namespace sscope::test;

TEST_CASE("each roof that was measured is drawn, and the mouse finds which it is") {
  RoofDot dot;
  dot.engine = "opencl:0";
  dot.name = "opencl:0"_q;
  dot.intensity = 4;
  dot.gflops = 90;
  dot.roofs.gflopsF32 = 1000;
  dot.roofs.gbs = 100;
  dot.roofs.gbsCache = 300;
  dot.roofs.gbsLocal = 900;
  dot.roofs.gflopsLoaded = 500;
  dot.roofs.gopsInteger = 2000;
  dot.words = "the dot"_q;
  CHECK(dot.allowed() == 400);
  CHECK(roofsOf(dot).size() == 4);  // of floats nobody asks for integers
  dot.integers = true;
  const std::vector<Roof> roofs = roofsOf(dot);
  REQUIRE(roofs.size() == 5);
  CHECK(std::ranges::count_if(roofs, &Roof::bounds) == 1);
  CHECK(roofs.front().bounds);
  RooflineChart chart;
  chart.resize(700, 500);
  chart.add({dot});
  CHECK(chart.wordsAt(chart.place(dot)) == dot.words);
  for (const Roof& roof : roofs) {
    // Those of memory lie apart on their way up, those of multiply-adds at their height.
    const QPolygonF turns = chart.line(roof);
    const bool ofMemory = roof.gbs != dot.roofs.gbs;
    CHECK(chart.wordsAt(ofMemory ? turns[0] + 0.6 * (turns[1] - turns[0]) : turns[1] + 0.9 * (turns[2] - turns[1])) ==
          roof.words);
  }
  CHECK(chart.wordsAt({1, 1}).isEmpty());
  CHECK_THAT(chart.csv(), ContainsSubstring("roof_local_gbs") && ContainsSubstring(",900,500,2000"));
}
