// Someone who presses everything: clicks, keys, drags, menus, resizes and rooms at random. The window must live through
// it, its event loop must turn, and nothing may go on when all is canceled.
//
// SSCOPE_MONKEY=SEED:ACTIONS for more than the few actions of every test run.

#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QDir>
#include <QDrag>
#include <QElapsedTimer>
#include <QMenu>
#include <QPointer>
#include <QProgressBar>
#include <QTimer>
#include <QWheelEvent>
#include <array>
#include <cstdlib>
#include <iostream>
#include <random>
#include <sstream>

#include "tests/support/catch.h"
#include "tests/ui/stall_monitor.h"
#include "tests/ui/test_window.h"
#include "ui/rooms/ladder/ladder_room.h"
#include "ui/rooms/lattice/lattice_page.h"
#include "ui/rooms/lattice/lattice_room.h"
#include "ui/rooms/lattice/solve_panel.h"
#include "ui/rooms/wavelet/wavelet_room.h"
#include "ui/window/bars.h"

using namespace sscope;
using namespace sscope::test;

namespace {

constexpr std::array<const char*, 4> kRooms{"filter", "wavelet", "lattice", "ladders"};

// Generous for every test run, which shares the machine; the long runs ask for what people notice.
constexpr double kMostStallMilliseconds = 10000, kMostStallAlone = 2000;
constexpr int kPopupMilliseconds = 150;

class Monkey : public QObject {
 public:
  Monkey(TestWindow& test, unsigned seed) : test_(test), random_(seed) {
    // Menus, questions and drags keep an event loop of their own until something ends them.
    connect(&closing_, &QTimer::timeout, this, [this] { closePopup(); });
    closing_.start(kPopupMilliseconds);
    monitor_.restart();
  }

  void act() {
    if (!test_.window->isVisible()) test_.window->show();  // it was closed
    monitor_.restart();
    switch (below(12)) {
      case 0:
      case 1:
      case 2: click(); break;
      case 3: drag(); break;
      case 4: wheel(); break;
      case 5:
      case 6:
      case 7: key(); break;
      case 8: type(); break;
      case 9: menu(); break;
      case 10: test_.window->enterRoom(kRooms[static_cast<std::size_t>(below(4))]); break;
      default: test_.window->resize(700 + below(900), 450 + below(550));
    }
    for (int i = 0; i < 3; ++i) QTest::qWait(5);
    if (monitor_.largestGapMilliseconds() > stall_) {
      stall_ = monitor_.largestGapMilliseconds();
      stalledBy_ = last_;
    }
  }
  [[nodiscard]] double stall() const { return stall_; }
  [[nodiscard]] const std::string& stalledBy() const { return stalledBy_; }
  [[nodiscard]] const std::string& last() const { return last_; }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  template <class T>
  T pick(std::initializer_list<T> from) {
    return *(from.begin() + below(static_cast<int>(from.size())));
  }
  QPoint pointIn(const QWidget& widget) {
    return {below(std::max(1, widget.width())), below(std::max(1, widget.height()))};
  }
  void note(const char* what, const QObject* where, const QString& detail = {}) {
    std::ostringstream text;
    text << what << ' ' << where->metaObject()->className() << ' ' << where->objectName().toStdString() << ' '
         << detail.toStdString();
    last_ = text.str();
  }
  // Anything that is seen and can be used, of the window or of what lies over it.
  QWidget* anything() {
    QWidget* top = QApplication::activeModalWidget();
    if (!top && below(6) == 0)
      for (QWidget* each : QApplication::topLevelWidgets())
        if (qobject_cast<QDialog*>(each) && each->isVisible()) top = each;
    if (!top) top = test_.window.get();
    QList<QWidget*> seen;
    for (QWidget* each : top->findChildren<QWidget*>())
      if (each->isVisible() && each->isEnabled() && !each->visibleRegion().isEmpty()) seen << each;
    return seen.isEmpty() ? top : seen.at(below(static_cast<int>(seen.size())));
  }
  void click() {
    QWidget* widget = anything();
    const auto button = below(8) == 0 ? Qt::RightButton : Qt::LeftButton;
    note("click", widget);
    const QPoint at = pointIn(*widget);
    if (button == Qt::RightButton) {
      QContextMenuEvent event(QContextMenuEvent::Mouse, at, widget->mapToGlobal(at));
      QApplication::sendEvent(widget, &event);
    } else if (below(6) == 0) {
      QTest::mouseDClick(widget, button, {}, at);
    } else {
      QTest::mouseClick(widget, button, {}, at);
    }
  }
  void drag() {
    const QPointer<QWidget> widget = anything();
    note("drag", widget);
    const auto button = pick({Qt::LeftButton, Qt::RightButton, Qt::MiddleButton});
    QTest::mousePress(widget, button, {}, pointIn(*widget));
    for (int i = 0; i < 6 && widget; ++i) QTest::mouseMove(widget, pointIn(*widget));
    if (widget) QTest::mouseRelease(widget, button, {}, pointIn(*widget));
  }
  void wheel() {
    QWidget* widget = anything();
    note("wheel", widget);
    const QPointF at = pointIn(*widget);
    QWheelEvent event(at, widget->mapToGlobal(at), {}, {0, pick({-360, -120, 120, 360})}, Qt::NoButton, {},
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(widget, &event);
  }
  QWidget* keyboard() { return QApplication::focusWidget() ? QApplication::focusWidget() : test_.window.get(); }
  void key() {
    const auto key = pick({Qt::Key_0,      Qt::Key_1,       Qt::Key_2,      Qt::Key_3,      Qt::Key_4,
                           Qt::Key_Space,  Qt::Key_Up,      Qt::Key_Down,   Qt::Key_Left,   Qt::Key_Right,
                           Qt::Key_Tab,    Qt::Key_Backtab, Qt::Key_Escape, Qt::Key_F5,     Qt::Key_F2,
                           Qt::Key_Return, Qt::Key_Home,    Qt::Key_End,    Qt::Key_PageUp, Qt::Key_PageDown,
                           Qt::Key_Delete, Qt::Key_Z,       Qt::Key_D,      Qt::Key_R,      Qt::Key_Backspace});
    const auto modifier = pick<Qt::KeyboardModifier>(
        {Qt::NoModifier, Qt::NoModifier, Qt::ControlModifier, Qt::ShiftModifier, Qt::AltModifier});
    note("key", keyboard(), QKeySequence(key | modifier).toString());
    QTest::keyClick(keyboard(), key, modifier);
  }
  void type() {
    const QString words =
        pick<QString>({"1.5"_q, "-3"_q, "1e9"_q, "0"_q, "nan"_q, "0,8 mm"_q, "ab"_q, "999999999999999999999"_q});
    note("type", keyboard(), words);
    QTest::keyClicks(keyboard(), words);
    QTest::keyClick(keyboard(), Qt::Key_Return);
  }
  void menu() {
    QList<QAction*> actions;
    for (QAction* each : test_.window->findChildren<QAction*>())
      if (each->isEnabled() && !each->menu() && !each->isSeparator()) actions << each;
    if (actions.isEmpty()) return;
    QAction* action = actions.at(below(static_cast<int>(actions.size())));
    note("menu", action, action->text());
    action->trigger();
  }
  // The menu that is open, or sometimes a dialog.
  void closePopup() {
    QDrag::cancel();  // it waits for a real mouse
    if (QWidget* popup = QApplication::activePopupWidget()) {
      popup->close();
      return;
    }
    if (closings_() % 10 != 0) return;
    for (QWidget* each : QApplication::topLevelWidgets())
      if (auto* dialog = qobject_cast<QDialog*>(each); dialog && dialog->isVisible()) dialog->reject();
  }

  TestWindow& test_;
  std::mt19937 random_, closings_;  // the second is asked by a clock, and must not change what the first says
  QTimer closing_;
  StallMonitor monitor_;
  double stall_ = 0;
  std::string last_, stalledBy_;
};

// SEED:ACTIONS
std::pair<unsigned, int> seedAndActions(bool& alone) {
  const char* text = std::getenv("SSCOPE_MONKEY");
  alone = text != nullptr;
  unsigned seed = 1;
  int actions = 150;
  char colon = 0;
  if (text) std::istringstream(text) >> seed >> colon >> actions;
  return {seed, actions};
}

}  // namespace

TEST_CASE("the window lives through clicks, keys, drags and resizes at random", "[timing]") {
  bool alone = false;
  const auto [seed, actions] = seedAndActions(alone);
  // What is written goes where it harms nobody.
  const TemporaryFolder folder;
  const QString before = QDir::currentPath();
  QDir::setCurrent(QString::fromStdString(folder.path().string()));
  {
    TestWindow test;
    QSettings().setValue(kOpenFolderKey, QString::fromStdString(folder.path().string()));
    test.setBank({"gaussian:sigma=1", "sobel"});
    REQUIRE(test.openSample("gyroid", 20));
    Monkey monkey(test, seed);
    for (int i = 0; i < actions; ++i) {
      INFO("seed " << seed << ", action " << i << ", after " << monkey.last());
      monkey.act();
    }
    CAPTURE(seed, actions, monkey.stalledBy(), monkey.last());
    std::cout << "monkey: seed " << seed << ", " << actions << " actions, longest stall of the event loop "
              << monkey.stall() << " ms after " << monkey.stalledBy() << "\n";
    CHECK(monkey.stall() < (alone ? kMostStallAlone : kMostStallMilliseconds));

    for (QWidget* each : QApplication::topLevelWidgets())
      if (qobject_cast<QDialog*>(each)) each->close();
    test.window->show();
    QElapsedTimer canceling;
    canceling.start();
    test.window->cancelAll();
    const auto idle = [&] {
      return !test.window->loader().busy() && !test.window->live().busy() && !test.window->live().comparing() &&
             !test.window->roomOf<WaveletRoom>().controller().busy() &&
             !test.window->roomOf<WaveletRoom>().controller().comparing() &&
             !test.window->roomOf<LatticeRoom>().controller().busy() &&
             !test.window->roomOf<LadderRoom>().model().busy() &&
             !test.window->roomOf<LatticeRoom>().latticePage().solve().controller().busy();
    };
    CHECK(wait([&] {
      if (!idle()) test.window->cancelAll();  // what stood in line begins when the one before it has ended
      return idle();
    }));
    std::cout << "monkey: idle " << canceling.elapsed() << " ms after cancel\n";
    // Nothing that seems to go on: bars that count, with nobody behind them.
    for (const char* room : kRooms) {
      test.window->enterRoom(room);
      test.window->cancelAll();
      REQUIRE(wait([&] {
        if (!idle()) test.window->cancelAll();
        return idle();
      }));
      QTest::qWait(20);
      for (const QProgressBar* bar : test.window->findChildren<QProgressBar*>()) {
        INFO("room " << room << ", " << bar->parent()->metaObject()->className() << " "
                     << bar->accessibleName().toStdString());
        CHECK_FALSE((bar->isVisible() && bar->maximum() == 0));
      }
      CHECK_FALSE(test.window->statusLine().findChild<QProgressBar*>()->isVisible());
    }
  }
  QDir::setCurrent(before);
}
