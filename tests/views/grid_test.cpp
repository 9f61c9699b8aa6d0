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
using Catch::Matchers::ContainsSubstring;

namespace {

const QColor kGreen(0, 160, 60), kRed(200, 0, 0);

GridPlot twoByTwo() {
  GridPlot plot;
  plot.title = QStringLiteral("Cells");
  plot.stem = QStringLiteral("cells");
  plot.across = {QStringLiteral("a"), QStringLiteral("b")};
  plot.down = {QStringLiteral("one"), QStringLiteral("two")};
  plot.cells.resize(4);
  plot.cells[0] = {QStringLiteral("yes"), {}, kGreen, GridCell::Fill::Solid, QStringLiteral("first cell")};
  plot.cells[1] = {QStringLiteral("no"), {}, kRed, GridCell::Fill::Hatched, QStringLiteral("second cell")};
  plot.cells[3].words = QStringLiteral("last cell");
  plot.csv = "a,b\n";
  return plot;
}

void press(QWidget& widget, int key) {
  QKeyEvent event(QEvent::KeyPress, key, Qt::NoModifier);
  QApplication::sendEvent(&widget, &event);
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
    keepPicture(chart.picture(1), dark ? QStringLiteral("grid-dark") : QStringLiteral("grid"));
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
  press(chart, Qt::Key_Down);  // there are no cells
  CHECK_FALSE(chart.chosen());
  chart.setPlot(twoByTwo());
  press(chart, Qt::Key_Return);
  CHECK(activated.isEmpty());
  press(chart, Qt::Key_Right);
  CHECK(chart.chosen() == std::size_t{0});
  press(chart, Qt::Key_Right);
  CHECK(chart.accessibleDescription() == QStringLiteral("second cell"));
  press(chart, Qt::Key_Right);
  CHECK(chart.chosen() == std::size_t{1});
  press(chart, Qt::Key_Down);
  CHECK(chart.accessibleDescription() == QStringLiteral("last cell"));
  press(chart, Qt::Key_Space);
  REQUIRE(activated.size() == 1);
  CHECK(activated.front() == QList<QVariant>{1, 1});
  press(chart, Qt::Key_Home);
  CHECK(chart.chosen() == std::size_t{0});
  GridPlot fewer = twoByTwo();
  fewer.cells.clear();
  chart.setPlot(fewer);
  CHECK_FALSE(chart.chosen());
}

TEST_CASE("strips show lines, dots and rows, and reasons where there are no figures") {
  const double kNaN = std::nan("");
  StripPlot plot;
  plot.title = QStringLiteral("Strips");
  plot.stem = QStringLiteral("strips");
  plot.strips = {{QStringLiteral("cores"),
                  QStringLiteral("%"),
                  Strip::Kind::Rows,
                  100,
                  {{QStringLiteral("core 0"), {}, {{-40, 0}, {-20, 100}, {0, 0}}}},
                  {}},
                 {QStringLiteral("memory"),
                  QStringLiteral("GiB"),
                  Strip::Kind::Lines,
                  0,
                  {{{}, kRed, {{-30, 1}, {-20, kNaN}, {-10, 3}}}},
                  {}},
                 {QStringLiteral("runs"),
                  QStringLiteral("GB/s"),
                  Strip::Kind::Dots,
                  0,
                  {{QStringLiteral("cpu:avx2"), kGreen, {{-5, 12}}}},
                  {}},
                 {QStringLiteral("watts"), QStringLiteral("W"), Strip::Kind::Lines, 0, {}, QStringLiteral("no RAPL")}};
  StripChart chart;
  usePalette(chart, false);
  chart.resize(700, 400);
  chart.setPlot(plot);
  const QImage picture = chart.picture(1);
  keepPicture(picture, QStringLiteral("strips"));
  CHECK(countOf(picture, magnitudeColor(1)) > 500);
  CHECK(countOf(picture, kGreen) > 5);
  const QString reading = chart.reading(-10);
  CHECK(reading.contains(QStringLiteral("memory")));
  CHECK(reading.contains(QStringLiteral("3")));
  CHECK_FALSE(reading.contains(QStringLiteral("watts")));
  CHECK(chart.csv() ==
        "strip,unit,series,seconds,value\ncores,%,core 0,-40,0\ncores,%,core 0,-20,100\ncores,%,core 0,0,0\n"
        "memory,GiB,,-30,1\nmemory,GiB,,-10,3\nruns,GB/s,cpu:avx2,-5,12\nwatts,W,unavailable: no RAPL,,\n");
  press(chart, Qt::Key_Left);
  CHECK(chart.accessibleDescription().contains(QStringLiteral("1 s ago")));
}
