// Tables as pictures, and strips over time: fills, keys, what is told.

#include <QApplication>
#include <QKeyEvent>
#include <QSignalSpy>
#include <cmath>

#include "tests/support/catch.h"
#include "tests/views/views_support.h"
#include "ui/charts/color_scale.h"
#include "ui/charts/grid_chart.h"
#include "ui/charts/strip_chart.h"

using namespace sscope;
using namespace sscope::test;

namespace {

const QColor kGreen(0, 160, 60), kRed(200, 0, 0);

GridPlot twoByTwo() {
  GridPlot plot;
  plot.title = "Cells"_q;
  plot.stem = "cells"_q;
  plot.across = {"a"_q, "b"_q};
  plot.down = {"one"_q, "two"_q};
  plot.cells.resize(4);
  plot.cells[0] = {"yes"_q, {}, kGreen, GridCell::Fill::Solid, "first cell"_q};
  plot.cells[1] = {"no"_q, {}, kRed, GridCell::Fill::Hatched, "second cell"_q};
  plot.cells[3].words = "last cell"_q;
  plot.csv = "a,b\n";
  return plot;
}

// Pixels of the cell that are not the color of what is behind it.
double covered(const GridChart& chart, std::size_t cell) {
  const QImage picture = chart.picture(1).copy(chart.cellArea(cell).toRect().adjusted(20, 3, -3, -3));
  return 1 - countOf(picture, chart.palette().color(QPalette::Base)) /
                 static_cast<double>(picture.width() * picture.height());
}

}  // namespace

TEST_CASE("cells of a grid are filled, hatched or empty, in both looks") {
  for (const bool dark : {false, true}) {
    GridChart chart;
    usePalette(chart, dark);
    chart.resize(500, 300);
    chart.setPlot(twoByTwo());
    keepPicture(chart.picture(1), dark ? "grid-dark"_q : "grid"_q);
    CHECK(covered(chart, 0) > 0.95);
    CHECK(covered(chart, 1) > 0.05);
    CHECK(covered(chart, 1) < 0.8);
    CHECK(countOf(chart.picture(1), kGreen) > 50);  // the stripe has the pure color
    CHECK(countOf(chart.picture(1), kRed) > 50);
    CHECK_THAT(chart.svg(), ContainsSubstring("<svg"));
    CHECK(chart.csv() == "a,b\n");
  }
}

TEST_CASE("keys choose the cells of a grid, and Enter activates one") {
  GridChart chart;
  chart.resize(500, 300);
  QSignalSpy activated(&chart, &GridChart::cellActivated);
  sendKey(chart, Qt::Key_Down);  // there are no cells
  CHECK_FALSE(chart.chosen());
  chart.setPlot(twoByTwo());
  sendKey(chart, Qt::Key_Return);
  CHECK(activated.isEmpty());
  sendKey(chart, Qt::Key_Right);
  CHECK(chart.chosen() == std::size_t{0});
  sendKey(chart, Qt::Key_Right);
  CHECK(chart.accessibleDescription() == "second cell"_q);
  sendKey(chart, Qt::Key_Right);
  CHECK(chart.chosen() == std::size_t{1});
  sendKey(chart, Qt::Key_Down);
  CHECK(chart.accessibleDescription() == "last cell"_q);
  sendKey(chart, Qt::Key_Space);
  REQUIRE(activated.size() == 1);
  CHECK(activated.front() == QList<QVariant>{1, 1});
  sendKey(chart, Qt::Key_Home);
  CHECK(chart.chosen() == std::size_t{0});
  GridPlot fewer = twoByTwo();
  fewer.cells.clear();
  chart.setPlot(fewer);
  CHECK_FALSE(chart.chosen());
}

TEST_CASE("strips show lines, dots and rows, and reasons where there are no figures") {
  const double kNaN = std::nan("");
  StripPlot plot;
  plot.title = "Strips"_q;
  plot.stem = "strips"_q;
  plot.strips = {{"cores"_q, "%"_q, Strip::Kind::Rows, 100, {{"core 0"_q, {}, {{-40, 0}, {-20, 100}, {0, 0}}}}, {}},
                 {"memory"_q, "GiB"_q, Strip::Kind::Lines, 0, {{{}, kRed, {{-30, 1}, {-20, kNaN}, {-10, 3}}}}, {}},
                 {"runs"_q, "GB/s"_q, Strip::Kind::Dots, 0, {{"cpu:avx2"_q, kGreen, {{-5, 12}}}}, {}},
                 {"watts"_q, "W"_q, Strip::Kind::Lines, 0, {}, "no RAPL"_q}};
  StripChart chart;
  usePalette(chart, false);
  chart.resize(700, 400);
  chart.setPlot(plot);
  const QImage picture = chart.picture(1);
  keepPicture(picture, "strips"_q);
  CHECK(countOf(picture, magnitudeColor(1)) > 500);
  CHECK(countOf(picture, kGreen) > 5);
  const QString reading = chart.reading(-10);
  CHECK(reading.contains("memory"_q));
  CHECK(reading.contains("3"_q));
  CHECK_FALSE(reading.contains("watts"_q));
  CHECK(chart.csv() ==
        "strip,unit,series,seconds,value\ncores,%,core 0,-40,0\ncores,%,core 0,-20,100\ncores,%,core 0,0,0\n"
        "memory,GiB,,-30,1\nmemory,GiB,,-10,3\nruns,GB/s,cpu:avx2,-5,12\nwatts,W,unavailable: no RAPL,,\n");
  sendKey(chart, Qt::Key_Left);
  CHECK(chart.accessibleDescription().contains("1 s ago"_q));
}
