// The laboratory of the Filter room: pages, what follows sliders and rows, exports.

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QToolButton>

#include "core/base/paths.h"
#include "core/filter/laboratory/laboratory_view.h"
#include "tests/support/catch.h"
#include "tests/ui/test_window.h"
#include "ui/charts/curve_chart.h"
#include "ui/charts/heat_chart.h"
#include "ui/rooms/filter/filter_room.h"
#include "ui/rooms/filter/laboratory_panel.h"

using namespace sscope;
using namespace sscope::test;

namespace {

LaboratoryPanel& laboratoryOf(TestWindow& test) {
  auto* panel = test.window->findChild<LaboratoryPanel*>();
  REQUIRE(panel != nullptr);
  return *panel;
}

HeatChart& firstOf(TestWindow& test) { return test.find<HeatChart>("laboratoryFirst"); }

bool laboratoryDone(TestWindow& test) {
  return wait([&] { return !laboratoryOf(test).busy(); });
}

void openLaboratory(TestWindow& test) {
  test.views().setFocus();
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_L);
  REQUIRE(laboratoryOf(test).isVisible());
  REQUIRE(laboratoryDone(test));
}

void turnTo(TestWindow& test, const char* page) {
  LaboratoryView view = test.model().settings<LaboratoryView>();
  view.page = page;
  test.model().edit(view);
  REQUIRE(laboratoryDone(test));
}

void lookAt(TestWindow& test, const char* row) {
  ViewState view = test.model().view();
  view.shownFilter = row;
  test.model().setView(view);
  REQUIRE(laboratoryDone(test));
}

std::string figures(TestWindow& test) { return test.find<QLabel>("laboratoryFigures").text().toStdString(); }

}  // namespace

TEST_CASE("L opens the laboratory, whose pictures follow the slider and the shown filter") {
  TestWindow test({"gaussian:sigma=1,name=g", "sobel:axis=x,name=gx", "median:name=m"}, "zone-plate", 64);
  CHECK_FALSE(laboratoryOf(test).isVisible());
  openLaboratory(test);
  CHECK(test.find<QToolButton>("laboratory").isChecked());
  const HeatPlot& plot = firstOf(test).plot();
  CHECK_THAT(plot.title.toStdString(), ContainsSubstring("g"));
  REQUIRE(plot.values.size() == 128 * 128);
  CHECK(plot.across.at(64) == 0);
  CHECK(plot.values[64 * 128 + 64] == Approx(0).margin(1e-9));  // dB of the gain of constant data
  const double before = plot.values[64 * 128 + 90];
  // A held slider.
  test.model().setHeld(true);
  FilterRecipe recipe = test.model().bank().filters.front();
  for (const double sigma : {1.2, 1.4, 1.6, 2.0}) {
    recipe.parameters["sigma"] = Length{sigma, false};
    test.model().editRecipe(0, recipe, "Change sigma"_q, "drag"_q);
  }
  // exp(-2 pi^2 sigma^2 f^2), for the newest one.
  const double f = 26.0 / 128;
  const double newest = -20 * 2 * 9.8696044 * 4 * f * f / 2.302585;
  REQUIRE_SOON(std::abs(plot.values[64 * 128 + 90] - newest) < 0.1);
  CHECK(plot.values[64 * 128 + 90] < before - 10);
  test.model().setHeld(false);

  lookAt(test, "gx");
  CHECK_THAT(plot.title.toStdString(), ContainsSubstring("gx"));
  const HeatPlot& phase = test.find<HeatChart>("laboratorySecond").plot();
  CHECK(phase.values[64 * 128 + 90] == Approx(90));
  CHECK(phase.values[64 * 128 + 40] == Approx(-90));
  // What is not linear has the spectrum of its answer to a single 1, of which a median leaves nothing.
  lookAt(test, "m");
  CHECK(plot.values.size() == 128 * 128);
  CHECK_THAT(plot.note.toStdString(), ContainsSubstring("rank") && ContainsSubstring("the spectrum is that of") &&
                                          ContainsSubstring("zero everywhere"));

  test.press("laboratoryClose");
  CHECK_FALSE(laboratoryOf(test).isVisible());
  test.model().undoStack().undo();
  CHECK(laboratoryOf(test).isVisible());
  REQUIRE(laboratoryDone(test));
}

TEST_CASE("pages of the laboratory show answers, curves, coverage and correlations") {
  TestWindow test(
      {"gaussian:sigma=1,name=g", "sobel:axis=x,input=g,name=gx", "sobel:axis=y,input=g,name=gy", "median:name=m"},
      "foam", 16);
  openLaboratory(test);
  lookAt(test, "gx");
  turnTo(test, "impulse");
  CHECK(firstOf(test).plot().across.count == 3);
  CHECK_THAT(figures(test), ContainsSubstring("constant data vanish") && ContainsSubstring("3×3×3"));
  auto& from = test.find<QComboBox>("laboratoryFrom");
  from.setCurrentIndex(from.findData("source"_q));
  REQUIRE(laboratoryDone(test));
  CHECK(firstOf(test).plot().across.count == 11);  // a gaussian of 9 taps, then 3
  lookAt(test, "m");
  CHECK(firstOf(test).plot().values == std::vector<double>(9, 0.0));
  CHECK_THAT(firstOf(test).plot().note.toStdString(), ContainsSubstring("reference"));
  CHECK_THAT(figures(test), ContainsSubstring("rank"));

  lookAt(test, "g");
  turnTo(test, "curves");
  const auto& curves = test.find<CurveChart>("laboratoryCurves").plot();
  REQUIRE(curves.curves.size() == 3);
  CHECK(curves.curves[2].x.back() == 0.5);
  auto& unit = test.find<QComboBox>("laboratoryUnit");
  unit.setCurrentIndex(unit.findData("length"_q));
  REQUIRE(laboratoryDone(test));
  const auto spacing = test.model().data().volume->geometry().spacing;
  CHECK(curves.curves[2].x.back() == Approx(0.5 / spacing[2]));
  CHECK_THAT(curves.xLabel.toStdString(), ContainsSubstring("per mm"));

  turnTo(test, "coverage");
  CHECK(firstOf(test).plot().values.size() == 32 * 32);
  CHECK(curves.curves.size() == 3);
  CHECK_THAT(figures(test), ContainsSubstring("32×32×32") && ContainsSubstring("Without m"));
  turnTo(test, "correlation");
  const HeatPlot& matrix = firstOf(test).plot();
  CHECK(matrix.down.names == QStringList{"1 g", "2 gx", "3 gy"});
  CHECK(matrix.values[0] == Approx(1));
  CHECK(matrix.values[5] == Approx(0).margin(1e-12));

  // A bank without linear rows.
  test.setBank({"median"});
  if (!laboratoryOf(test).isVisible()) openLaboratory(test);  // another session
  turnTo(test, "coverage");
  CHECK_THAT(firstOf(test).plot().note.toStdString(), ContainsSubstring("no linear result"));
}

TEST_CASE("what the laboratory shows is exported, and planes of a volume can be chosen") {
  TestWindow test({"gaussian:sigma=1,order_z=1,name=g"}, "foam", 16);
  openLaboratory(test);
  auto& chart = firstOf(test);
  const auto power = [&] { return chart.plot().values[64 * 128 + 64]; };
  CHECK(std::isinf(power()));  // a derivative along z, at frequency 0 along z
  LaboratoryView view = test.model().settings<LaboratoryView>();
  view.frequency = 0.25;
  test.model().edit(view);
  REQUIRE(laboratoryDone(test));
  CHECK(power() > -20);
  CHECK_THAT(chart.plot().note.toStdString(), ContainsSubstring("0.25"));
  auto& across = test.find<QComboBox>("laboratoryAcross");
  REQUIRE(across.isVisible());
  across.setCurrentIndex(0);
  REQUIRE(laboratoryDone(test));
  CHECK_THAT(chart.plot().across.label.toStdString(), ContainsSubstring("along y"));

  int found = 0;
  for (const ExportOffer& offer : test.window->roomOf<FilterRoom>().exportOffers(1)) {
    if (!offer.suffix.startsWith("-spectrum."_q) && !offer.suffix.startsWith("-phase."_q)) continue;
    ++found;
    const auto path = test.folder / ("out" + offer.suffix.toStdString());
    offer.prepare()(path, {});
    if (offer.suffix.endsWith(".png"_q)) {
      CHECK_FALSE(QImage(QString::fromStdString(path.string())).isNull());
      continue;
    }
    const std::string text = readTextFile(path.string());
    if (offer.suffix == "-spectrum.csv"_q) CHECK(text == chart.csv());
    if (offer.suffix.endsWith(".svg"_q)) CHECK_THAT(text, ContainsSubstring("<svg"));
  }
  CHECK(found == 6);
  turnTo(test, "impulse");
  found = 0;
  for (const ExportOffer& offer : test.window->roomOf<FilterRoom>().exportOffers(1))
    found += offer.suffix == "-impulse.csv"_q || offer.suffix == "-laboratory.csv"_q;
  CHECK(found == 2);
}
