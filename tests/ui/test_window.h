#pragma once
// A window with the real engines and readers, and waiting without sleeping.

#include <QAbstractButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>
#include <functional>
#include <memory>

#include "app/setup/setup.h"
#include "tests/support/catch.h"
#include "tests/support/qstring.h"
#include "tests/support/support.h"
#include "ui/window/export_dialog.h"
#include "ui/window/main_window.h"

namespace sscope {
class VolumeViews;
}

namespace sscope::test {

inline constexpr int kPatienceMilliseconds = 60000;

// Turns the event loop until the condition holds; false when it never does.
inline bool wait(const std::function<bool()>& condition) { return QTest::qWaitFor(condition, kPatienceMilliseconds); }

// That the condition holds within a while.
#define REQUIRE_SOON(...) REQUIRE(::sscope::test::wait([&] { return static_cast<bool>(__VA_ARGS__); }))
#define CHECK_SOON(...) CHECK(::sscope::test::wait([&] { return static_cast<bool>(__VA_ARGS__); }))

// Types the text in the place of what a box or a line holds, and Return.
template <class Box>
void typeInto(Box& box, const QString& text) {
  box.setFocus();
  box.selectAll();
  QTest::keyClicks(&box, text);
  QTest::keyClick(&box, Qt::Key_Return);
}

// A child by its object name; fails the test when it is not there.
template <class Widget>
Widget& childOf(QWidget& parent, const char* name) {
  auto* widget = parent.findChild<Widget*>(QLatin1String(name));
  INFO("widget " << name);
  REQUIRE(widget != nullptr);
  return *widget;
}

class TestWindow {
 public:
  // `memory`: bytes that data and results may take; 0: as always.
  explicit TestWindow(std::int64_t memory = 0);
  // With these filters; with a sample, once its result is verified.
  explicit TestWindow(std::initializer_list<const char*> specs, const char* sample = nullptr, std::int64_t size = 0);

  // Opens a generated sample and waits until its result is verified.
  bool openSample(const char* name, std::int64_t size);
  bool openFile(const std::filesystem::path& path);
  // Opens it and waits for the result; fails the test where there is none.
  void showFile(const std::filesystem::path& path);
  // Waits until nothing is opened or computed any more.
  bool waitIdle();
  template <class Widget>
  Widget& find(const char* name) {
    return childOf<Widget>(*window, name);
  }
  // Clicks on the button, with the mouse or by itself.
  void click(const char* button) { QTest::mouseClick(&find<QAbstractButton>(button), Qt::LeftButton); }
  void press(const char* button) { find<QAbstractButton>(button).click(); }
  void setBank(std::initializer_list<const char*> specs);
  // Another value of an option of the first filter.
  void setOption(const char* name, const OptionValue& value);
  // The same as its slider does it: values with the same `drag` are one step of undo.
  void editOption(const char* name, const OptionValue& value, const QString& drag = {});
  void switchOff();                    // the first filter
  void useEngine(const char* engine);  // with one thread
  // Saves the session and waits until it is there.
  void save(const QString& path);
  // A bank of one row of these taps.
  void setTaps(const DenseTaps& taps);
  // Exports what has this suffix, or this place in the dialog's list, under this name in the folder; its path.
  std::filesystem::path exportAs(const char* suffix, const char* name);
  std::filesystem::path exportAs(int what, const char* name);
  [[nodiscard]] VolumeViews& views();  // of the Filter room
  [[nodiscard]] std::string status();  // the text of the status line
  // Another filter's result in the views.
  void showRow(const char* filter);
  [[nodiscard]] SessionModel& model() { return window->model(); }

  const TemporaryFolder folder;
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
