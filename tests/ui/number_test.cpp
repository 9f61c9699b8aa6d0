// What is typed as a number: in any locale, with units, and what is said about it.

#include <QCoreApplication>
#include <QLocale>
#include <QToolButton>

#include "core/filter/families/family.h"
#include "tests/support/catch.h"
#include "tests/ui/test_window.h"
#include "ui/base/notice.h"
#include "ui/base/text.h"
#include "ui/controls/number_box.h"
#include "ui/controls/option_editor.h"

using namespace sscope;
using namespace sscope::test;

namespace {

void type(NumberBox& box, const char* text) {
  box.selectAll();
  QTest::keyClicks(&box, QString::fromUtf8(text));
  QTest::keyClick(&box, Qt::Key_Return);
}

Notice* bankNotice(TestWindow& test) {
  for (Notice* each : test.window->findChildren<Notice*>())
    if (each->accessibleName().contains("filter bank"_q)) return each;
  return nullptr;
}

}  // namespace

TEST_CASE("numbers are read with a point and with a comma in every locale") {
  const QLocale::Language language = GENERATE(QLocale::C, QLocale::English, QLocale::German, QLocale::French);
  const QLocale before;
  QLocale::setDefault(QLocale(language));
  CHECK(typedNumber("1.5"_q) == 1.5);
  CHECK(typedNumber("1,5"_q) == 1.5);
  CHECK(typedNumber(" -0,25 "_q) == -0.25);
  CHECK(typedNumber("2e-3"_q) == 2e-3);
  CHECK(typedNumber("1,500"_q) == 1.5);  // a comma is a decimal one
  for (const char* wrong : {"", "1,5,0", "1.234,5", "1,234.5", "inf", "nan", "wide", "0x10", "1 2"}) {
    CAPTURE(wrong);
    CHECK_FALSE(typedNumber(QString::fromUtf8(wrong)).has_value());
  }
  QLocale::setDefault(before);
}

TEST_CASE("lengths are shown and typed in the unit of the data, and kept in millimeters") {
  const FilterFamily& family = filterFamily("gaussian");
  OptionEditor editor(*findOption(family.options, "sigma"), LengthUnits{.millimetersPerStep = 1e-4, .unit = "um"});
  OptionValue last;
  QObject::connect(&editor, &OptionEditor::edited, [&](const OptionValue& value) { last = value; });
  editor.setValue(Length{3, false});
  auto& box = *editor.findChild<NumberBox*>("sigma.box"_q);
  auto& unit = *editor.findChild<QToolButton*>("sigma.unit"_q);
  unit.click();
  CHECK(unit.text() == unitText("um"));
  CHECK(box.value() == 0.3);
  CHECK(std::get<Length>(last) == Length{0.0003, true});
  type(box, "0.8");
  CHECK(std::get<Length>(last) == Length{0.0008, true});
  type(box, "250nm");
  CHECK(std::get<Length>(last) == Length{0.00025, true});
  CHECK(unit.text() == unitText("nm"));
  CHECK(box.value() == 250);
  unit.click();
  CHECK(std::get<Length>(last) == Length{2.5, false});
  editor.setValue(Length{0.0004, true});  // as a session has it
  CHECK(box.value() == 400);
}

TEST_CASE("a unit typed behind a length is taken") {
  const FilterFamily& family = filterFamily("gaussian");
  OptionEditor editor(*findOption(family.options, "sigma"), LengthUnits{0.5});
  OptionValue last;
  QString told;
  QObject::connect(&editor, &OptionEditor::edited, [&](const OptionValue& value) { last = value; });
  QObject::connect(&editor, &OptionEditor::corrected, [&](const QString& reason) { told = reason; });
  editor.setValue(Length{3, false});
  auto& box = *editor.findChild<NumberBox*>("sigma.box"_q);
  auto& unit = *editor.findChild<QToolButton*>("sigma.unit"_q);
  type(box, "0.8mm");  // as the tooltip says
  CHECK(std::get<Length>(last) == Length{0.8, true});
  CHECK(unit.text() == "mm"_q);
  CHECK(told.isEmpty());
  type(box, "1,25 mm");
  CHECK(std::get<Length>(last) == Length{1.25, true});
  type(box, "2.5");  // stays in the unit that is shown
  CHECK(std::get<Length>(last) == Length{2.5, true});
  type(box, "4 voxels");
  CHECK(std::get<Length>(last) == Length{4, false});
  CHECK(unit.text() == "vox"_q);
  type(box, "3 miles");
  CHECK(std::get<Length>(last) == Length{4, false});
  CHECK(told.contains("not a number"_q));
  // What is pressed to switch units looks like something to press.
  CHECK_FALSE(unit.autoRaise());
}

TEST_CASE("steps leave no tail behind a number") {
  NumberBox box("size"_q);
  box.setRange(1e-9, 1e9);
  const int key = GENERATE(Qt::Key_Up, Qt::Key_Down);
  double last = GENERATE(1e-5, 0.1, 7.0, 123.0);
  box.setValue(last);
  QObject::connect(&box, &NumberBox::valueEdited, [&](double value) { last = value; });
  for (int step = 0; step < 250; ++step) {
    QTest::keyClick(&box, static_cast<Qt::Key>(key));
    CAPTURE(step, last);
    REQUIRE(QString::number(last, 'g', QLocale::FloatingPointShortest).size() <= 9);
  }
  CHECK(withoutTail(9.999999999999999e-06) == 1e-5);
  CHECK(withoutTail(0.1 + 0.2) == 0.3);
  CHECK(withoutTail(1.0 / 3) == Approx(1.0 / 3).epsilon(1e-11));
  CHECK(withoutTail(0) == 0);
}

TEST_CASE("what is said about a number stays until that number is right") {
  TestWindow test({"gaussian:sigma=1"}, "gyroid", 16);
  auto& sigma = test.find<NumberBox>("sigma.box");
  auto& truncate = test.find<NumberBox>("truncate.box");
  Notice* notice = bankNotice(test);
  REQUIRE(notice != nullptr);
  SECTION("also when the limit changed the value") {
    type(sigma, "1000");
    CHECK(sigma.value() == 64);
    REQUIRE(test.waitIdle());
    CHECK(notice->isVisible());
    CHECK(notice->message().contains("between 0.2 and 64"_q));
    type(sigma, "0");
    CHECK(sigma.value() == 0.2);
    REQUIRE(test.waitIdle());
    CHECK(notice->message().contains("set to 0.2"_q));
    type(sigma, "2");
    CHECK_FALSE(notice->isVisible());
  }
  SECTION("and another number does not take it back") {
    type(sigma, "wide");
    type(truncate, "3");
    CHECK(test.model().bank().filters[0].parameters.at("truncate") == OptionValue(3.0));
    CHECK(notice->isVisible());
    CHECK(notice->message().contains("wide"_q));
    type(sigma, "1,5");
    CHECK_FALSE(notice->isVisible());
  }
}

TEST_CASE("texts that count have plural forms") {
  struct Words {
    Q_DECLARE_TR_FUNCTIONS(Words)
  };
  CHECK(Words::tr("%n file(s)", nullptr, 0) == "0 files"_q);
  CHECK(Words::tr("%n file(s)", nullptr, 1) == "1 file"_q);
  CHECK(Words::tr("%n thread(s) on %1", nullptr, 12).arg("a"_q) == "12 threads on a"_q);
  CHECK(Words::tr("name(s)") == "name(s)"_q);
}
