#pragma once
// A window with the real engines and readers, and waiting without sleeping.

#include <QSettings>
#include <QSignalSpy>
#include <QTest>
#include <functional>
#include <memory>

#include "app/setup/setup.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"
#include "ui/window/export_dialog.h"
#include "ui/window/main_window.h"

namespace sscope::test {

inline constexpr int kPatienceMilliseconds = 60000;

// Turns the event loop until the condition holds; false when it never does.
inline bool wait(const std::function<bool()>& condition) { return QTest::qWaitFor(condition, kPatienceMilliseconds); }

class TestWindow {
 public:
  // `memory`: bytes that data and results may take; 0: as always.
  explicit TestWindow(std::int64_t memory = 0);

  // Opens a generated sample and waits until its result is verified.
  bool openSample(const char* name, std::int64_t size);
  bool openFile(const std::filesystem::path& path);
  // Waits until nothing is opened or computed any more.
  bool waitIdle();
  // A child by its object name; fails the test when it is not there.
  template <class Widget>
  Widget& find(const char* name) {
    auto* widget = window->findChild<Widget*>(QLatin1String(name));
    INFO("widget " << name);
    REQUIRE(widget != nullptr);
    return *widget;
  }
  void setBank(std::initializer_list<const char*> specs);
  [[nodiscard]] SessionModel& model() { return window->model(); }

  Workshop workshop;
  std::unique_ptr<MainWindow> window;
};

// With the left button, in the middle of the widget's height.
void sendMouse(QWidget& widget, QEvent::Type type, double x);

// The export dialog at this entry of its list.
ExportDialog& showExport(MainWindow& window, int what);
// Runs the export dialog to the end; the files written, empty on failure.
QStringList exportTo(TestWindow& test, int what, const std::filesystem::path& path);

}  // namespace sscope::test
