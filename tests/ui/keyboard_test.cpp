// The whole window without a mouse: where Tab goes, which keys reach the pictures, menus and lists of keys.

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QSet>
#include <QToolButton>
#include <QTreeWidget>
#include <algorithm>

#include "core/filter/families/recipe_text.h"
#include "tests/support/catch.h"
#include "tests/ui/test_window.h"
#include "ui/base/keyboard.h"
#include "ui/controls/number_box.h"
#include "ui/controls/option_editor.h"
#include "ui/controls/value_slider.h"
#include "ui/panels/panel.h"
#include "ui/rooms/filter/filter_room.h"
#include "ui/views/slice_pane.h"
#include "ui/views/volume_pane.h"
#include "ui/window/bars.h"
#include "ui/window/dialogs.h"

using namespace sscope;
using namespace sscope::test;

namespace {

// What Tab, or Shift+Tab, stops at, beginning with `first`, until it comes round.
QList<QWidget*> tour(QWidget& first, bool next = true) {
  first.setFocus(Qt::TabFocusReason);
  const QWidget& window = *first.window();
  QList<QWidget*> stops{window.focusWidget()};
  for (;;) {
    QWidget* at = window.focusWidget();
    next ? QTest::keyClick(at, Qt::Key_Tab) : QTest::keyClick(at, Qt::Key_Backtab, Qt::ShiftModifier);
    QWidget* now = window.focusWidget();
    if (!now || stops.contains(now)) {
      CHECK(now == stops.front());
      return stops;
    }
    stops << now;
  }
}

std::string namesOf(const QList<QWidget*>& widgets) {
  QStringList names;
  for (const QWidget* each : widgets)
    names << (each->objectName().isEmpty() ? QLatin1String(each->metaObject()->className()) : each->objectName());
  return names.join(u' ').toStdString();
}

// Whatever takes the keys, can be seen and can be used.
QList<QWidget*> controlsOf(QWidget& window) {
  QList<QWidget*> controls;
  for (QWidget* each : window.findChildren<QWidget*>())
    if (each->window() == &window && (each->focusPolicy() & Qt::TabFocus) != 0 && !each->focusProxy() &&
        each->isVisible() && each->isEnabled())
      controls << each;
  return controls;
}

QAction* entry(TestWindow& test, const QString& text) {
  for (QAction* action : test.window->findChildren<QAction*>())
    if (QString(action->text()).remove(QLatin1Char('&')).section(QLatin1Char('\t'), 0, 0) == text) return action;
  return nullptr;
}

std::int64_t sliceOf(TestWindow& test) { return test.model().crosshair()[2]; }

SlicePane& slice(TestWindow& test, int index) { return *test.views().findChildren<SlicePane*>().at(index); }

}  // namespace

TEST_CASE("Tab stays inside a panel that floats") {
  TestWindow test({"gaussian:sigma=1", "sobel"}, "gyroid", 16);
  auto& bank = test.find<Panel>("panel-bank");
  bank.setFloating(true);
  test.find<QListWidget>("filters").setCurrentRow(1);  // its parameters are built anew
  const QList<QWidget*> stops = tour(test.find<QToolButton>("filter-add"));
  const QList<QWidget*> controls = controlsOf(bank);
  CHECK(stops.size() > 3);
  INFO("stops: " << namesOf(stops) << "\nall: " << namesOf(controls));
  CHECK(QSet<QWidget*>(stops.begin(), stops.end()) == QSet<QWidget*>(controls.begin(), controls.end()));
  bank.setFloating(false);
}

TEST_CASE("Tab reaches every control, and Shift+Tab goes the same way back") {
  TestWindow test;
  const auto check = [&](const char* when) {
    QCoreApplication::processEvents();
    QWidget& first = test.find<QToolButton>("open");
    const QList<QWidget*> forth = tour(first);
    QList<QWidget*> back = tour(first, false);
    std::reverse(back.begin() + 1, back.end());
    const QList<QWidget*> controls = controlsOf(*test.window);
    INFO(when << "\nforth: " << namesOf(forth) << "\nback: " << namesOf(back) << "\nall: " << namesOf(controls));
    CHECK(forth == back);
    CHECK(QSet<QWidget*>(forth.begin(), forth.end()) == QSet<QWidget*>(controls.begin(), controls.end()));
  };
  check("nothing is open");
  test.setBank({"gaussian:sigma=1"});
  REQUIRE(test.openSample("gyroid", 16));
  check("data are open");
  FilterBank bank = test.model().bank();
  bank.filters.push_back(parseFilterSpec("formula:e=source * @k=2[0..9],name=twice"));
  test.model().editBank(bank, "Add filter"_q);
  REQUIRE(test.waitIdle());
  check("a filter was added");
  for (const char* room : {"wavelet", "compare", "ladders", "filter"}) {
    test.window->enterRoom(QLatin1String(room));
    if (QLatin1String(room) == "filter"_q) check("back from other rooms");
  }
  test.window->resize(1000, 700);
  REQUIRE_SOON(test.window->width() <= 1000);
  check("1000 x 700");
}

TEST_CASE("every entry and button has a letter, each its own") {
  CHECK(withMnemonics({"Save"_q, "Save &all"_q, "Save as"_q, "Salt && salt\tCtrl+A"_q}) ==
        QStringList{"&Save"_q, "Save &all"_q, "Sa&ve as"_q, "Sa&lt && salt\tCtrl+A"_q});
  CHECK(withMnemonics({"&Open"_q, "&Other"_q}) == QStringList{"&Open"_q, "O&ther"_q});
  TestWindow test({"gaussian:sigma=1"}, "gyroid", 12);
  for (QAction* title : test.window->menuBar()->actions()) {
    QMenu* menu = title->menu();
    menu->popup({0, 0});
    REQUIRE_SOON(menu->isVisible());
    INFO(title->text().toStdString());
    QStringList letters;
    int entries = 0;
    for (const QAction* action : menu->actions()) {
      if (action->isSeparator() || !action->isVisible()) continue;
      ++entries;
      if (const QKeySequence key = QKeySequence::mnemonic(action->text()); !key.isEmpty()) letters << key.toString();
    }
    CHECK(letters.removeDuplicates() == 0);
    constexpr int kEnough = 20;  // of more, some have none of the letters that are left
    CHECK(letters.size() >= std::min(entries, kEnough));
    menu->close();
  }
  test.model().editBank(FilterBank{}, "clear"_q);
  CHECK_FALSE(test.window->close());
  auto& box = test.find<QMessageBox>("unsavedChanges");
  CHECK(box.button(QMessageBox::Discard)->shortcut() == QKeySequence(Qt::ALT | Qt::Key_D));
}

TEST_CASE("Tab goes through the window as one reads it") {
  TestWindow test({"gaussian:sigma=1", "sobel"}, "gyroid", 16);
  const QList<QWidget*> stops = tour(test.find<QToolButton>("open"));
  const auto place = [&](QWidget* widget) {
    INFO(widget->objectName().toStdString());
    const qsizetype at = stops.indexOf(widget);
    CHECK(at >= 0);
    return at;
  };
  const std::vector<qsizetype> places{place(&test.find<QToolButton>("open")),
                                      place(&test.find<QToolButton>("filter-add")),
                                      place(&test.find<QListWidget>("filters")),
                                      place(&test.find<NumberBox>("sigma.box")),
                                      place(&test.find<ValueSlider>("sigma.slider")),
                                      place(&test.find<NumberBox>("truncate.box")),
                                      place(&test.find<QWidget>("flip")),
                                      place(&test.find<QComboBox>("boundary")),
                                      place(&test.find<QComboBox>("output")),
                                      place(&slice(test, 0)),
                                      place(test.views().findChild<VolumePane*>()),
                                      place(&test.find<QComboBox>("variant")),
                                      place(&test.find<QWidget>("measureCeilings"))};
  CAPTURE(places);
  CHECK(std::is_sorted(places.begin(), places.end()));
}

TEST_CASE("keys of the pictures go on after something was chosen with the mouse") {
  TestWindow test({"gaussian:sigma=1", "sobel"}, "gyroid", 16);
  CHECK(test.views().isAncestorOf(QApplication::focusWidget()));
  auto& shown = test.find<QComboBox>("shownFilter");
  QTest::mouseClick(&shown, Qt::LeftButton);
  REQUIRE_SOON(shown.view()->isVisible());
  QTest::keyClick(shown.view(), Qt::Key_Down);
  QTest::keyClick(shown.view(), Qt::Key_Return);
  REQUIRE_SOON(!shown.view()->isVisible());
  REQUIRE_SOON(test.views().isAncestorOf(QApplication::focusWidget()));
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_2);
  CHECK(test.model().view().layout == "coronal");
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_0);
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
  CHECK(test.model().view().show == "source");
  auto& boundary = test.find<QComboBox>("boundary");
  QTest::mouseClick(&boundary, Qt::LeftButton);
  REQUIRE_SOON(boundary.view()->isVisible());
  QTest::keyClick(boundary.view(), Qt::Key_Escape);
  REQUIRE_SOON(!boundary.view()->isVisible());
  CHECK_FALSE(boundary.hasFocus());
  // A number that was entered gives the keys back.
  auto& level = test.find<NumberBox>("windowLevel");
  QTest::mouseClick(&level, Qt::LeftButton);
  CHECK(level.hasFocus());
  QTest::keyClicks(&level, "1"_q);
  QTest::keyClick(&level, Qt::Key_Return);
  CHECK(test.views().isAncestorOf(QApplication::focusWidget()));
  const std::int64_t before = sliceOf(test);
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Up);
  CHECK(sliceOf(test) == before + 1);
}

TEST_CASE("a box that goes does not hand the keys to the next one") {
  TestWindow test({"gaussian:sigma=1"});
  test.workshop.io->write(test.folder / "two.nrrd", Volume({12, 12, 12, 2}, ElementType::f32), {});
  REQUIRE(test.openFile(test.folder / "two.nrrd"));
  auto& component = test.find<QComboBox>("component");
  REQUIRE(component.isVisible());
  component.setFocus();
  REQUIRE(component.hasFocus());
  REQUIRE(test.openSample("gyroid", 16));
  CHECK_FALSE(component.isVisible());
  CHECK(test.views().isAncestorOf(QApplication::focusWidget()));
}

TEST_CASE("slices are stepped from the menu whatever has the keys") {
  TestWindow test({"gaussian:sigma=1"}, "gyroid", 16);
  QAction* next = entry(test, "Next slice"_q);
  QAction* previous = entry(test, "Previous slice"_q);
  REQUIRE(next != nullptr);
  REQUIRE(previous != nullptr);
  const std::int64_t before = sliceOf(test);
  for (QWidget* each :
       std::initializer_list<QWidget*>{test.views().findChild<VolumePane*>(), &test.find<QListWidget>("filters"),
                                       &test.find<NumberBox>("sigma.box")}) {
    CAPTURE(each->metaObject()->className());
    each->setFocus();
    QTest::keyClick(each, Qt::Key_Up, Qt::AltModifier);
    CHECK(sliceOf(test) == before + 1);
    QTest::keyClick(each, Qt::Key_Down, Qt::AltModifier);
    CHECK(sliceOf(test) == before);
  }
  next->trigger();
  CHECK(sliceOf(test) == before + 1);
}

TEST_CASE("Delete removes the filter that the list has chosen") {
  TestWindow test({"gaussian:sigma=1", "sobel"}, "gyroid", 16);
  auto& list = test.find<QListWidget>("filters");
  list.setFocus();
  list.setCurrentRow(1);
  QTest::keyClick(&list, Qt::Key_Delete);
  REQUIRE(test.model().bank().filters.size() == 1);
  // Elsewhere the key means something else.
  auto& box = test.find<NumberBox>("sigma.box");
  box.setFocus();
  box.selectAll();
  QTest::keyClick(&box, Qt::Key_Delete);
  CHECK(test.model().bank().filters.size() == 1);
}

TEST_CASE("pressing why shows the reason until it is read") {
  TestWindow test({"gaussian:sigma=1"}, "gyroid", 16);
  QToolButton* why = nullptr;
  for (QToolButton* each : test.window->statusLine().findChildren<QToolButton*>())
    if (each->text() == "why?"_q) why = each;
  REQUIRE(why != nullptr);
  REQUIRE(why->isVisible());
  QTest::mouseClick(why, Qt::LeftButton);
  auto* text = test.window->statusLine().findChild<QLabel*>("whyText"_q);
  REQUIRE(text != nullptr);
  CHECK(text->isVisible());
  CHECK_FALSE(text->text().isEmpty());
  QTest::qWait(300);
  CHECK(text->isVisible());
  QTest::keyClick(text, Qt::Key_Escape);
  REQUIRE_SOON(!test.window->statusLine().findChild<QLabel*>("whyText"_q));
}

TEST_CASE("pictures and the filter list have menus of their own") {
  TestWindow test({"gaussian:sigma=1", "sobel"}, "gyroid", 16);
  const auto menu = [&](const char* name) { return test.window->findChild<QMenu*>(QLatin1String(name)); };
  const auto close = [&](const char* name) {
    menu(name)->close();
    REQUIRE_SOON(menu(name) == nullptr);
  };
  const auto has = [&](const char* name, const QString& text) {
    for (const QAction* action : menu(name)->actions())
      if (QString(action->text()).remove(QLatin1Char('&')).startsWith(text)) return true;
    return false;
  };
  SlicePane& pane = slice(test, 0);
  QTest::mouseClick(&pane, Qt::RightButton, {}, {60, 60});
  REQUIRE(menu("pictureMenu") != nullptr);
  CHECK(has("pictureMenu", "Automatic window"_q));
  CHECK(has("pictureMenu", "Reset cameras"_q));
  CHECK(has("pictureMenu", "Export"_q));
  close("pictureMenu");
  // Dragging is still windowing.
  QTest::mousePress(&pane, Qt::RightButton, {}, {60, 60});
  QMouseEvent move(QEvent::MouseMove, QPointF(140, 60), pane.mapToGlobal(QPointF(140, 60)), Qt::NoButton,
                   Qt::RightButton, {});
  QApplication::sendEvent(&pane, &move);
  QTest::mouseRelease(&pane, Qt::RightButton, {}, {140, 60});
  CHECK(menu("pictureMenu") == nullptr);
  CHECK(test.model().view().resultWindow.has_value());
  QTest::mouseClick(test.views().findChild<VolumePane*>(), Qt::RightButton, {}, {60, 60});
  REQUIRE(menu("pictureMenu") != nullptr);
  close("pictureMenu");
  auto& list = test.find<QListWidget>("filters");
  list.setCurrentRow(1);
  Q_EMIT list.customContextMenuRequested(list.visualItemRect(list.item(1)).center());
  REQUIRE(menu("filterMenu") != nullptr);
  for (const char* text : {"Add filter", "Rename", "Duplicate", "Remove", "Switch off"})
    CHECK(has("filterMenu", QLatin1String(text)));
  close("filterMenu");
}

TEST_CASE("Help lists every key of the menus, and About what it is and where to read on") {
  TestWindow test;
  const std::vector<ShortcutRow> rows = shortcutsOf(*test.window->menuBar());
  const auto keysOf = [&](const QString& what) {
    for (const ShortcutRow& row : rows)
      if (row.what == what) return row.keys;
    return QString();
  };
  CHECK(keysOf("Open"_q) == "Ctrl+O"_q);
  CHECK(keysOf("Source / result"_q) == "Space"_q);
  CHECK(keysOf("Next slice"_q) == "Alt+Up"_q);
  // No key does two things.
  QStringList all;
  for (const ShortcutRow& row : rows) all << row.keys.split(", "_q);
  CHECK(all.removeDuplicates() == 0);
  QAction* help = entry(test, "Keyboard shortcuts"_q);
  REQUIRE(help != nullptr);
  help->trigger();
  auto* tree = test.window->findChild<QTreeWidget*>("shortcuts"_q);
  REQUIRE(tree != nullptr);
  CHECK(tree->isVisible());
  CHECK_FALSE(tree->findItems("Ctrl+O"_q, Qt::MatchExactly | Qt::MatchRecursive, 1).isEmpty());
  QAction* about = entry(test, "About Stencilscope"_q);
  REQUIRE(about != nullptr);
  about->trigger();
  auto& box = test.find<QMessageBox>("about");
  CHECK(box.text().contains(QStringLiteral(SSCOPE_VERSION)));
  CHECK(box.informativeText().contains("Apache"_q));
  CHECK(box.informativeText().contains("Documentation"_q));
}
