// The window fits small screens, and nothing in it is pushed about by what comes and goes.

#include <QApplication>
#include <QLabel>
#include <QLayout>
#include <QListWidget>
#include <QScrollArea>
#include <QTabBar>
#include <QToolButton>

#include "core/filter/families/recipe_text.h"
#include "datasets/samples.h"
#include "tests/support/catch.h"
#include "tests/ui/test_window.h"
#include "ui/base/notice.h"
#include "ui/base/text.h"
#include "ui/controls/labels.h"
#include "ui/controls/number_box.h"
#include "ui/controls/value_slider.h"
#include "ui/panels/panel.h"
#include "ui/rooms/filter/filter_room.h"
#include "ui/views/volume_views.h"
#include "ui/window/bars.h"

using namespace sscope;
using namespace sscope::test;

namespace {

// What the window's content needs at least, whatever size it was allowed to have.
QSize needed(const MainWindow& window) { return window.layout()->totalMinimumSize(); }

void settle() {
  for (int i = 0; i < 5; ++i) QApplication::processEvents();
}

QPoint placeOf(const QWidget& widget) { return widget.mapToGlobal(QPoint(0, 0)); }

}  // namespace

TEST_CASE("every room can be used in a window of 1000 x 700 and of 800 x 500") {
  TestWindow test({"gaussian:sigma=1", "sobel"}, "gyroid", 16);
  // As on a screen of 1600 x 1000 at a scale of 1.5 or 2, less the frame.
  const QSize size = GENERATE(QSize(1000, 700), QSize(1060, 640), QSize(790, 470));
  CAPTURE(size.width(), size.height());
  test.window->resize(size);
  settle();
  CHECK(test.window->size() == size);
  for (const char* room : {"filter", "wavelet", "lattice", "ladders", "compare", "filter"}) {
    test.window->enterRoom(room);
    settle();
    CAPTURE(room, needed(*test.window).width(), needed(*test.window).height());
    CHECK(test.window->size() == size);
    CHECK(needed(*test.window).width() <= size.width());
    CHECK(needed(*test.window).height() <= size.height());
    // The status line, its buttons included, is inside the window.
    const StatusLine& status = test.window->statusLine();
    CHECK(test.window->rect().contains(QRect(status.mapTo(test.window.get(), QPoint()), status.size())));
  }
}

TEST_CASE("panels become tabs in a narrow window and go back in a wide one") {
  TestWindow test({"gaussian:sigma=1"}, "gyroid", 16);
  auto& engines = test.find<Panel>("panel-engines");
  auto& data = test.find<Panel>("panel-data");
  CHECK(test.window->dockWidgetArea(&engines) == Qt::RightDockWidgetArea);
  const int wide = test.views().width();
  test.window->resize(900, 650);
  REQUIRE_SOON(test.window->dockWidgetArea(&engines) == Qt::LeftDockWidgetArea);
  CHECK(test.window->tabifiedDockWidgets(&data).contains(&engines));
  settle();
  CHECK(test.views().width() > 450);
  test.window->resize(1400, 900);
  REQUIRE_SOON(test.window->dockWidgetArea(&engines) == Qt::RightDockWidgetArea);
  settle();
  CHECK(test.window->tabifiedDockWidgets(&data).isEmpty());
  CHECK(std::abs(test.views().width() - wide) < 40);
}

TEST_CASE("a long file name does not make the panel wider") {
  TestWindow test({"gaussian:sigma=1"}, "gyroid", 16);
  auto& panel = test.find<Panel>("panel-data");
  const int before = panel.width();
  const std::string name = std::string(180, 'w') + ".nrrd";
  test.workshop.io->write(test.folder / name, makeSample("gyroid", 12, 1, {}), {});
  REQUIRE(test.openFile(test.folder / name));
  settle();
  CHECK(panel.width() == before);
  const auto& label = test.find<ElidedLabel>("dataName");
  CHECK(label.wholeText() == toQt(name));
  CHECK(label.text().size() < label.wholeText().size());
  CHECK(label.toolTip().contains(toQt(name)));
  // Nor does a message about it.
  CHECK_FALSE(test.openFile(test.folder / (std::string(170, 'v') + ".nrrd")));
  settle();
  CHECK(panel.width() == before);
  CHECK(test.find<Notice>("dataNotice").width() <= panel.width());
}

TEST_CASE("a message moves nothing in its panel") {
  TestWindow test({"gaussian:sigma=1"}, "gyroid", 16);
  settle();
  auto& box = test.find<NumberBox>("sigma.box");
  auto& list = test.find<QListWidget>("filters");
  const QPoint boxBefore = placeOf(box), listBefore = placeOf(list);
  typeInto(box, "many"_q);
  settle();
  Notice* told = nullptr;
  for (Notice* each : test.window->findChildren<Notice*>())
    if (each->isVisible() && each->message().contains("many"_q)) told = each;
  REQUIRE(told != nullptr);
  CHECK(placeOf(box) == boxBefore);
  CHECK(placeOf(list) == listBefore);
  // It does not hide what was typed in either.
  CHECK_FALSE(QRect(placeOf(*told), told->size()).intersects(QRect(placeOf(box), box.size())));
  QTest::mouseClick(told->findChild<QToolButton*>(), Qt::LeftButton);
  CHECK_FALSE(told->isVisible());
  CHECK(placeOf(box) == boxBefore);
}

TEST_CASE("the filter list takes the room that is free") {
  TestWindow test;
  test.window->resize(1500, 980);
  FilterBank bank;
  FilterNames names;
  for (int i = 0; i < 14; ++i) {
    FilterRecipe recipe = parseFilterSpec("box:size=3");
    recipe.name = names.take(recipe.name);
    bank.filters.push_back(recipe);
  }
  Session session;
  session.bank = bank;
  test.model().replaceSession(std::move(session));
  settle();
  auto& list = test.find<QListWidget>("filters");
  // Box has few parameters: there is room for more than the eight rows that it has at least.
  CHECK(list.height() > 10 * list.sizeHintForRow(0));
  CHECK(list.height() <= 15 * list.sizeHintForRow(0));
  test.setBank({"box:size=3", "sobel"});
  settle();
  CHECK(list.height() < 4 * list.sizeHintForRow(0));
}

TEST_CASE("a slider has the width of its panel") {
  TestWindow test({"gaussian:sigma=1"}, "gyroid", 16);
  settle();
  const auto& panel = test.find<Panel>("panel-bank");
  CHECK(test.find<ValueSlider>("sigma.slider").width() > 0.8 * panel.width());
}
