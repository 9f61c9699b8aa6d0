// Where numbers are written with decimal commas: words and dates follow the system, what is read and written keeps
// points.

#include <QLocale>
#include <QSignalBlocker>
#include <QSpinBox>
#include <array>
#include <clocale>
#include <cstdio>
#include <cstdlib>

#include "core/base/paths.h"
#include "core/report/svg.h"
#include "tests/support/catch.h"
#include "tests/ui/test_window.h"
#include "ui/base/text.h"
#include "ui/charts/engine_charts.h"
#include "ui/charts/histogram_view.h"
#include "ui/controls/number_box.h"

using namespace sscope;
using namespace sscope::test;

namespace {

// While it lives, numbers are German for Qt and, where the system has such a locale, for the C library.
class German {
 public:
  German() : c_(std::setlocale(LC_ALL, nullptr)) {
    QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
    for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "de_AT.UTF-8", "fr_FR.UTF-8", "ru_RU.UTF-8"})
      if (!found_ && std::setlocale(LC_ALL, name) != nullptr && *std::localeconv()->decimal_point == ',') found_ = true;
    if (!found_) std::setlocale(LC_ALL, c_.c_str());
  }
  ~German() {
    QLocale::setDefault(qt_);
    std::setlocale(LC_ALL, c_.c_str());
  }
  German(const German&) = delete;
  German& operator=(const German&) = delete;
  [[nodiscard]] bool inC() const { return found_; }

 private:
  const QLocale qt_;
  const std::string c_;
  bool found_ = false;
};

std::string printed(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.2f", value);
  return text.data();
}

// Types into a box what it shows.
template <class Box>
void typeShown(Box& box) {
  const QString shown = box.text();
  typeInto(box, shown);
}

std::size_t cellsOf(const std::string& line) {
  std::size_t cells = 1;
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    if (c == ',' && !quoted) ++cells;
  }
  return cells;
}

void requireTable(const std::string& csv) {
  INFO(csv);
  std::size_t columns = 0, begin = 0, rows = 0;
  while (begin < csv.size()) {
    const std::size_t end = std::min(csv.find('\n', begin), csv.size());
    const std::string line = csv.substr(begin, end - begin);
    begin = end + 1;
    if (line.empty()) continue;
    if (columns == 0) columns = cellsOf(line);
    CHECK(cellsOf(line) == columns);
    ++rows;
  }
  CHECK(rows > 1);
}

// All that the window shows and writes.
void requirePoints() {
  TestWindow test;
  CHECK(printed(1.5) == "1.50");
  CHECK(report::number(1.5) == "1.50");  // of SVG
  CHECK(std::strtod("1.5", nullptr) == 1.5);
  test.setBank({"gaussian:sigma=1.25"});
  REQUIRE(test.openSample("gyroid", 16));

  const auto sigma = [&] { return std::get<Length>(test.model().bank().filters[0].parameters.at("sigma")).value; };
  auto& box = test.find<NumberBox>("sigma.box");
  CHECK(box.text() == "1.25"_q);
  typeShown(box);
  CHECK(sigma() == 1.25);
  box.selectAll();
  QTest::keyClicks(&box, "2,5"_q);
  QTest::keyClick(&box, Qt::Key_Return);
  CHECK(sigma() == 2.5);
  CHECK(box.text() == "2.5"_q);
  auto& threads = test.find<QSpinBox>("threads");
  const QSignalBlocker nobodyRuns(threads);
  threads.setValue(1024);
  CHECK(threads.text() == "1024"_q);
  typeInto(threads, "1024"_q);
  CHECK(threads.value() == 1024);
  REQUIRE(test.waitIdle());
  for (const char* name : {"windowWidth", "windowLevel"}) {
    auto& number = test.find<NumberBox>(name);
    const double before = number.value();
    typeShown(number);
    CHECK(number.value() == Approx(before).epsilon(1e-4));
  }

  requireTable(test.find<TimeChart>("timeChart").csv());
  requireTable(test.find<HistogramView>("histogram").csv());
  const TemporaryFolder folder;
  test.save(toQt((folder / "work.json").string()));
  CHECK(readTextFile((folder / "work.json").string()).find("2.5") != std::string::npos);
  const Session back = readSession((folder / "work.json").string());
  CHECK(back.bank == test.model().bank());
  CHECK(back.view == test.model().view());
}

}  // namespace

TEST_CASE("what the window shows can be typed, and what it writes has points, under a German desktop") {
  const German german;
  requirePoints();
}

TEST_CASE("the C library's decimal comma, which Qt takes over from the system, is not the program's") {
  const German german;
  if (!german.inC()) SSCOPE_SKIP("the system has no locale with a decimal comma");
  REQUIRE(printed(1.5) == "1,50");
  requirePoints();
  CHECK(printed(1.5) == "1.50");
}
