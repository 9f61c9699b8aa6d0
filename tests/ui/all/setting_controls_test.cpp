// Controls are made from the rows of tables: one of each kind, and that no row of a room is forgotten.

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/lattice/job/lattice_settings.h"
#include "tests/support/catch.h"
#include "tests/ui/test_window.h"
#include "ui/base/keyboard.h"
#include "ui/base/text.h"
#include "ui/controls/number_box.h"
#include "ui/controls/setting_controls.h"
#include "ui/controls/value_slider.h"

using namespace sscope;
using namespace sscope::test;

namespace {

struct EveryKind {
  bool check = false;
  std::string list = "a";
  double amount = 0.5;
  int count = 3;
  double small = 1e-3;
  int side = -1;
  std::string word = "one";
  std::string elsewhere;
  bool operator==(const EveryKind&) const = default;
  static const SettingsTable& table() {
    using S = EveryKind;
    static const SettingsTable made = SettingsOf<S>("every kind", "kinds", "test", "Test")
                                          .group("all")
                                          .truth("check", "check", &S::check)
                                          .help("Whether")
                                          .choice("list", "list", &S::list, {"a", "b"})
                                          .titles({{"a", "first"}, {"b", "second", "The other one"}})
                                          .help("Which")
                                          .real("amount", "amount", &S::amount, 0, 10)
                                          .slider(0, 1, 0.25)
                                          .step(0.25)
                                          .help("How much")
                                          .whole("count", "count", &S::count, 1, 8)
                                          .unit("pieces")
                                          .help("How many")
                                          .real("small", "small part", &S::small, 1e-9, 1)
                                          .decades()
                                          .whole("side", "side", &S::side, -1, 1)
                                          .except(std::int64_t{0}, "give -1 or 1")
                                          .titles({{"-1", "left"}, {"1", "right"}})
                                          .shown("Side", "Side that is meant")
                                          .text("word", "word", &S::word)
                                          .except(std::string("wrong"), "give another word")
                                          .group("none")
                                          .text("elsewhere", "elsewhere", &S::elsewhere)
                                          .table();
    return made;
  }
};

// A panel as a room has it, and a model that it follows.
struct KindsPanel {
  SessionModel model;
  QWidget panel;
  QFormLayout form{&panel};
  SettingControls controls{EveryKind(), "kinds"_q, &panel};
  KindsPanel() {
    controls.follow(model);
    controls.addGroup(&form, "all");
    panel.show();
    REQUIRE(QTest::qWaitForWindowExposed(&panel));
    panel.activateWindow();
    REQUIRE(QTest::qWaitForWindowActive(&panel));
  }
  template <class Widget>
  Widget& find(const char* name) {
    return childOf<Widget>(panel, name);
  }
  void type(const char* name, const char* text) {
    auto& line = find<QLineEdit>(name);
    typeInto(line, QLatin1String(text));
  }
  [[nodiscard]] const EveryKind& settings() const { return model.settings<EveryKind>(); }
};

// Rows without a control made from them, and why.
const std::map<std::string, std::string> kByHand{
    {"wavelet/threshold", "its slider follows the largest coefficient, and it shows what was found by itself"},
    {"wavelet/taps", "a file, chosen by a dialog"},
    {"wavelet view/waveletShow", "buttons above the pictures"},
    {"wavelet view/waveletLayout", "buttons above the pictures"},
    {"wavelet view/waveletPyramid", "a button above the pictures"},
    {"filter view/differenceRange", "a box above the pictures, which also shows what was found by itself"},
    {"filter view/divider", "a line in the pictures"},
    {"filter view/profile", "a button above the pictures"},
    {"filter view/profileAxis", "a line in the pictures"},
    {"filter view/profileLine", "a line in the pictures"},
    {"laboratory/shown", "a button above the pictures"},
    {"laboratory/page", "buttons above the charts"},
    {"volume view/panel", "a button above the pictures"},
    {"volume view/sourcePreset", "a list that shows which side it is of"},
    {"volume view/resultPreset", "a list that shows which side it is of"},
    {"volume view/sourcePoints", "points over the histogram"},
    {"volume view/resultPoints", "points over the histogram"},
    {"volume view/sourceLevel", "its slider follows the range of the side that is shown"},
    {"volume view/resultLevel", "its slider follows the range of the side that is shown"},
    {"lattice/configuration", "opened, generated or closed"},
    {"lattice/observable", "solutions are offered as well"},
    {"lattice/slice", "the slider of the time player"},
    {"lattice/solve.site", "four numbers that the open lattice bounds"},
    {"lattice/solve.places", "a list for each engine"},
    {"ladder/engines", "a check box for each device"},
    {"ladder/without", "the list of the rungs"},
    {"compare/parameters", "controls of the workload's options"},
    {"compare/contenders", "a list with check boxes"},
};

}  // namespace

TEST_CASE("a row of each kind becomes a control with label, name, unit and tooltip, in the order of the table") {
  KindsPanel test;
  CHECK(test.controls.rows().size() == 7);  // "elsewhere" is in no group that was placed
  const auto label = [&](const char* row) {
    return qobject_cast<QLabel*>(test.form.labelForField(&test.controls.field(row)));
  };
  CHECK(label("amount")->text() == "Amount"_q);
  CHECK(label("small")->text() == "Small part"_q);
  CHECK(label("check") == nullptr);
  CHECK(test.find<QCheckBox>("kindsCheck").text() == "Check"_q);
  CHECK(test.find<QCheckBox>("kindsCheck").toolTip() == "Whether"_q);
  CHECK(test.find<QComboBox>("kindsList").currentText() == "first"_q);
  CHECK(test.find<QComboBox>("kindsSide").accessibleName() == "Side that is meant"_q);
  CHECK(test.find<QComboBox>("kindsSide").currentText() == "left"_q);
  CHECK(test.find<NumberBox>("kindsCount").toolTip() == "How many"_q);
  CHECK(test.find<ValueSlider>("kindsAmountSlider").accessibleName() == "Amount"_q);
  CHECK(test.find<QLineEdit>("kindsWord").text() == "one"_q);
  bool unit = false;
  for (const QLabel* each : test.controls.field("count").findChildren<QLabel*>()) unit |= each->text() == "pieces"_q;
  CHECK(unit);
  QStringList stops;
  for (const QWidget* stop : focusStops(&test.panel)) stops << stop->objectName();
  CHECK(stops.join(u' ').toStdString() ==
        "kindsCheck kindsList kindsAmountSlider kindsAmount kindsCount kindsSmall kindsSide kindsWord");
}

TEST_CASE("controls made from rows edit, undo, write JSON and take a word of the command line") {
  KindsPanel test;
  test.find<QCheckBox>("kindsCheck").click();
  CHECK(test.settings().check);
  test.find<QComboBox>("kindsList").setCurrentIndex(1);
  CHECK(test.settings().list == "b");
  CHECK(test.find<QComboBox>("kindsList").toolTip() == "The other one"_q);
  auto& slider = test.find<ValueSlider>("kindsAmountSlider");
  QTest::keyClick(&slider, Qt::Key_End);
  CHECK(test.settings().amount == 1);
  CHECK(test.find<NumberBox>("kindsAmount").value() == 1);
  QTest::keyClick(&test.find<NumberBox>("kindsAmount"), Qt::Key_Up);  // beyond the slider
  CHECK(test.settings().amount == 1.25);
  test.type("kindsCount", "7");
  CHECK(test.settings().count == 7);
  QTest::keyClick(&test.find<NumberBox>("kindsSmall"), Qt::Key_Down);
  CHECK(test.settings().small == Approx(1e-4));
  test.find<QComboBox>("kindsSide").setCurrentIndex(1);
  CHECK(test.settings().side == 1);
  test.type("kindsWord", "two");
  CHECK(test.settings().word == "two");

  nlohmann::json written = nlohmann::json::object();
  Settings(test.settings()).write(written);
  CHECK(written.at("count") == 7);
  CHECK(written.at("side") == 1);
  CHECK(written.at("word") == "two");
  CHECK(Settings::read(EveryKind::table(), written) == Settings(test.settings()));

  // The steps of one slider and its box that follow each other closely are one.
  CHECK(test.model.undoStack().count() == 7);
  CHECK(test.model.undoStack().undoText() == "Change the word"_q);
  while (test.model.undoStack().canUndo()) test.model.undoStack().undo();
  CHECK(test.settings() == EveryKind());
  CHECK(test.controls.as<EveryKind>() == EveryKind());
  CHECK_FALSE(test.find<QCheckBox>("kindsCheck").isChecked());
  CHECK(test.find<QComboBox>("kindsList").currentIndex() == 0);
  CHECK(test.find<NumberBox>("kindsAmount").value() == 0.5);
  CHECK(slider.realValue() == Approx(0.5).epsilon(0.01));
  CHECK(test.find<QLineEdit>("kindsWord").text() == "one"_q);
  test.model.undoStack().redo();
  CHECK(test.find<QCheckBox>("kindsCheck").isChecked());

  Settings typed = test.settings();
  typed.set("count", parseOption(*EveryKind::table().find("count")->option, "5"));
  test.model.edit(typed);
  CHECK(test.find<NumberBox>("kindsCount").value() == 5);
  // Another session.
  test.model.replaceSession(Session());
  CHECK(test.find<NumberBox>("kindsCount").value() == 3);
  CHECK(test.model.undoStack().count() == 0);
}

TEST_CASE("a control corrects what its row refuses, and says why") {
  KindsPanel test;
  const QSignalSpy told(&test.controls, &SettingControls::corrected);
  const auto said = [&] { return told.back().at(0).toString().toStdString(); };
  test.type("kindsCount", "99");
  CHECK(test.settings().count == 8);
  CHECK_THAT(said(), ContainsSubstring("Count must be between 1 and 8 pieces; set to 8"));
  test.type("kindsWord", "wrong");
  CHECK(test.settings().word == "one");
  CHECK(test.find<QLineEdit>("kindsWord").text() == "one"_q);
  CHECK_THAT(said(), ContainsSubstring("give another word"));
  // What fewer are allowed of is shown as the limit; the setting stays.
  test.controls.setLimits("count", 1, 5);
  CHECK(test.find<NumberBox>("kindsCount").value() == 5);
  CHECK(test.settings().count == 8);
}

TEST_CASE("every row of every room has a control made from it, or a reason here") {
  TestWindow test;
  std::set<std::string> made;
  for (const SettingControls* each : test.window->findChildren<SettingControls*>()) {
    const SettingsTable& table = each->settings().table();
    const bool within = &table == &SolveSettings::table();
    for (const std::string& row : each->rows()) made.insert(within ? "lattice/solve." + row : table.key + "/" + row);
  }
  std::set<std::string> all;
  for (const SettingsTable* table : sessionParts())
    for (const SettingRow& row : table->rows) {
      const std::string name = table->key + "/" + row.name;
      INFO(name);
      CHECK(made.contains(name) != kByHand.contains(name));
      all.insert(name);
    }
  for (const auto& [name, reason] : kByHand) {
    INFO(name << ": " << reason);
    CHECK(all.contains(name));
  }
}
