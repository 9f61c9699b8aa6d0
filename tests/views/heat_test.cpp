// Heat charts: colors, readings by mouse and keys, numbers, pictures.

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <limits>

#include "tests/support/catch.h"
#include "tests/views/views_support.h"
#include "ui/charts/heat_chart.h"

using namespace sscope;
using namespace sscope::test;

namespace {

HeatPlot fourByTwo() {
  HeatPlot plot;
  plot.title = "Cells"_q;
  plot.stem = "cells"_q;
  plot.across = {"fx"_q, -0.5, 0.25, 4};
  plot.down = {"fy"_q, -1, 0.25, 2};
  plot.values = {0, 1, 2, 3, 4, 5, 6, std::numeric_limits<double>::quiet_NaN()};
  plot.colors = {ColorMap::Magnitude};
  plot.high = 6;
  plot.valueName = "power"_q;
  plot.unit = "dB"_q;
  return plot;
}

}  // namespace

TEST_CASE("cells of a heat chart have the colors of their values, as pictures and as text") {
  HeatChart chart;
  chart.setPlot(fourByTwo());
  chart.resize(600, 400);
  const QImage picture = chart.picture(1);
  CHECK(countOf(picture, mapColor(ColorMap::Magnitude, 0)) > 1000);
  CHECK(countOf(picture, mapColor(ColorMap::Magnitude, 1)) > 1000);
  CHECK(countOf(picture, chart.palette().color(QPalette::Mid)) > 1000);  // there is no value
  CHECK(countOf(picture, mapColor(ColorMap::Magnitude, 0.5)) > 1000);
  CHECK(chart.csv() ==
        "fx,fy,\"power, dB\"\n-0.5,-1,0\n-0.25,-1,1\n0,-1,2\n0.25,-1,3\n-0.5,-0.75,4\n-0.25,-0.75,5\n0,-0.75,6\n"
        "0.25,-0.75,nan\n");
  CHECK_THAT(chart.svg(), ContainsSubstring("<svg") && ContainsSubstring("Cells"));
  // Without values it says why.
  HeatPlot none;
  none.title = "Cells"_q;
  none.note = "A median has no spectrum."_q;
  chart.setPlot(none);
  CHECK(countOf(chart.picture(1), mapColor(ColorMap::Magnitude, 1)) == 0);
  CHECK_THAT(chart.svg(), ContainsSubstring("median"));
  sendKey(chart, Qt::Key_Right);  // there is nothing to go to
}

TEST_CASE("a heat chart is read with the keys, and keeps the place in a plot of the same kind") {
  HeatChart chart;
  chart.setPlot(fourByTwo());
  showAt(chart, {600, 400});
  CHECK_THAT(chart.reading(1, 1).toStdString(),
             ContainsSubstring("fx -0.25") && ContainsSubstring("fy -0.75") && ContainsSubstring("<b>5 dB</b>"));
  CHECK_THAT(chart.reading(3, 1).toStdString(), ContainsSubstring("none"));
  sendKey(chart, Qt::Key_Right);  // begins in the middle
  CHECK(chart.accessibleDescription() == chart.reading(2, 1));
  sendKey(chart, Qt::Key_Left);
  sendKey(chart, Qt::Key_Up);
  CHECK(chart.accessibleDescription() == chart.reading(1, 0));
  for (int i = 0; i < 9; ++i) sendKey(chart, Qt::Key_Left);
  CHECK(chart.accessibleDescription() == chart.reading(0, 0));
  HeatPlot other = fourByTwo();
  other.values[1] = 7;
  chart.setPlot(other);
  sendKey(chart, Qt::Key_Right);
  CHECK(chart.accessibleDescription() == chart.reading(1, 0));
  CHECK_THAT(chart.reading(1, 0).toStdString(), ContainsSubstring("<b>7 dB</b>"));
}

TEST_CASE("rows of a heat chart can have names") {
  HeatPlot plot = fourByTwo();
  plot.across.names = {"1"_q, "2"_q, "3"_q, "4"_q};
  plot.down.names = {"1 gx"_q, "2 g<y>"_q};
  plot.unit.clear();
  plot.numbers = true;
  HeatChart chart;
  chart.setPlot(plot);
  chart.resize(600, 400);
  CHECK_THAT(chart.reading(0, 1).toStdString(), ContainsSubstring("2 g&lt;y&gt;") && ContainsSubstring("<b>4</b>"));
  CHECK_THAT(chart.svg(), ContainsSubstring("1 gx"));
  CHECK_THAT(chart.csv(), ContainsSubstring("\n4,2 g<y>,nan\n"));
}
