// The kernel editor: what is done to all taps, files, copying and pasting, each one step of undo.

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QImage>
#include <QLabel>
#include <QMenu>
#include <QSpinBox>
#include <QTableWidget>
#include <QToolButton>

#include "core/filter/families/filter_files.h"
#include "core/filter/taps_edit.h"
#include "tests/support/catch.h"
#include "tests/ui/test_window.h"
#include "ui/base/notice.h"
#include "ui/rooms/filter/taps_editor.h"

using namespace sscope;
using namespace sscope::test;

namespace {

// A window whose bank is one row of these taps.
struct Editor {
  explicit Editor(const DenseTaps& taps) { test.setTaps(taps); }
  [[nodiscard]] const DenseTaps& taps() { return test.model().bank().filters[0].taps; }
  QTableWidget& grid() { return test.find<QTableWidget>("taps"); }
  TapsEditor& editor() { return *test.window->findChild<TapsEditor*>(); }
  QString note() { return test.find<QLabel>("tapsNote").text(); }
  // Of all notices of the window; the bank's is among them.
  bool says(const QString& words) {
    const auto notices = test.window->findChildren<Notice*>();
    return std::ranges::any_of(notices, [&](const Notice* each) { return each->message().contains(words); });
  }
  void choose(const char* button, const QString& text) {
    for (QAction* action : test.find<QToolButton>(button).menu()->actions())
      if (QString(action->text()).remove(QLatin1Char('&')) == text) {
        REQUIRE(action->isEnabled());
        action->trigger();
        return;
      }
    FAIL("there is no entry " << text.toStdString());
  }
  int steps() { return test.model().undoStack().count(); }

  TestWindow test;
};

const DenseTaps kUneven{{3, 3, 1}, {1, 1, 0}, {1, 2, 3, 4, 5, 6, 7, 8, 10}};

}  // namespace

TEST_CASE("the menus of taps do what they say, one step of undo each") {
  Editor at(kUneven);
  const int before = at.steps();
  at.choose("tapsSymmetry", "Symmetric along x"_q);
  CHECK(at.taps() == madeSymmetric(kUneven, TapsSymmetry::AlongX));
  at.choose("tapsSymmetry", "Symmetric along x"_q);  // as it is: no step
  CHECK(at.steps() == before + 1);
  at.choose("tapsScale", "Sum 1"_q);
  CHECK(std::abs(figuresOf(at.taps()).sum - 1) < 1e-14);
  CHECK(at.note().contains("sum 1 "_q));
  at.choose("tapsFlip", "Mirror along y"_q);
  CHECK(at.steps() == before + 3);
  CHECK(at.test.model().undoStack().undoText() == "Mirror along y"_q);
  // By the keyboard, while the grid has it.
  at.grid().setFocus();
  at.grid().setCurrentCell(1, 1);
  for (int i = 0; i < 3; ++i) QTest::keyClick(&at.grid(), Qt::Key_Z, Qt::ControlModifier);
  CHECK(at.taps() == kUneven);
  CHECK(at.grid().currentRow() == 1);
  CHECK(at.grid().item(2, 2)->text() == "10"_q);
  QTest::keySequence(&at.grid(), QKeySequence(QKeySequence::Redo));
  CHECK(at.taps() == madeSymmetric(kUneven, TapsSymmetry::AlongX));
}

TEST_CASE("taps that cannot be scaled or turned are told in one sentence and stay") {
  const DenseTaps slope{{3, 1, 1}, {1, 0, 0}, {-1, 0, 1}};
  Editor at(slope);
  at.choose("tapsScale", "Sum 1"_q);
  CHECK(at.says("sum is 0"_q));
  at.choose("tapsSymmetry", "Symmetric under quarter turns"_q);
  CHECK(at.says("have no quarter turn"_q));
  CHECK(at.taps() == slope);
  at.choose("tapsScale", "Sum of magnitudes 1"_q);
  CHECK_FALSE(at.says("quarter turn"_q));
  CHECK(at.taps().weights == std::vector{-0.5, 0.0, 0.5});
  // Along z there is nothing to mirror.
  for (const QAction* action : at.test.find<QToolButton>("tapsFlip").menu()->actions())
    if (action->text().contains(QLatin1Char('z'))) CHECK_FALSE(action->isEnabled());
}

TEST_CASE("cells take fractions, keep all digits and are cleared by Delete") {
  Editor at(kUneven);
  at.grid().item(0, 0)->setText("1/3"_q);
  CHECK(at.taps().at(0, 0, 0) == 1.0 / 3);
  CHECK(at.grid().item(0, 0)->text().toDouble() == 1.0 / 3);
  at.grid().setRangeSelected({0, 0, 1, 1}, true);
  QTest::keyClick(&at.grid(), Qt::Key_Delete);
  CHECK(at.taps().weights == std::vector<double>{0, 0, 3, 0, 0, 6, 7, 8, 10});
  CHECK(at.note().contains("5 of 9 nonzero"_q));
  CHECK(at.note().contains("max 10"_q));
}

TEST_CASE("cells are colored by sign and magnitude") {
  Editor at({{3, 1, 1}, {1, 0, 0}, {-2, 0, 1}});
  const auto color = [&](int column) { return at.grid().item(0, column)->background().color(); };
  CHECK(color(0).blue() > color(0).red());
  CHECK(color(2).red() > color(2).blue());
  CHECK(color(1) == at.grid().palette().color(QPalette::Base));
  // Of the two, the larger magnitude lies farther from the background.
  const auto distance = [&](int column) {
    const QColor a = color(column), b = color(1);
    return std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue());
  };
  CHECK(distance(0) > distance(2));
}

TEST_CASE("taps are copied to spreadsheets and pasted from them") {
  Editor at(kUneven);
  QClipboard& clipboard = *QApplication::clipboard();
  at.choose("tapsFile", "Copy as text"_q);
  CHECK(clipboard.text() == "1\t2\t3\n4\t5\t6\n7\t8\t10\n"_q);
  at.grid().setRangeSelected({1, 1, 2, 2}, true);
  at.grid().setFocus();
  QTest::keySequence(&at.grid(), QKeySequence(QKeySequence::Copy));
  CHECK(clipboard.text() == "5\t6\n8\t10\n"_q);
  clipboard.setText("0,5\t1\r\n2\t3\r\n"_q);
  QTest::keySequence(&at.grid(), QKeySequence(QKeySequence::Paste));
  CHECK(at.taps().weights == std::vector<double>{1, 2, 3, 4, 0.5, 1, 7, 2, 3});
  at.grid().clearSelection();
  QTest::keySequence(&at.grid(), QKeySequence(QKeySequence::Paste));
  CHECK(at.taps() == DenseTaps{{2, 2, 1}, {1, 1, 0}, {0.5, 1, 2, 3}});
  clipboard.setText("1\t2\n3\n"_q);
  at.choose("tapsFile", "Paste"_q);
  CHECK(at.says("row 2 has 1 numbers"_q));
  CHECK(at.taps().size[0] == 2);
  // A slice of several is replaced by one that fits, and all of them by others.
  clipboard.setText("1\t2\n\n3\t4\n\n5\t6\n"_q);
  at.choose("tapsFile", "Paste"_q);
  CHECK(at.taps() == DenseTaps{{2, 1, 3}, {1, 0, 1}, {1, 2, 3, 4, 5, 6}});
  at.test.find<QSpinBox>("tapsSlice").setValue(3);
  clipboard.setText("8\t9"_q);
  at.choose("tapsFile", "Paste"_q);
  CHECK(at.taps().weights == std::vector<double>{1, 2, 3, 4, 8, 9});
}

TEST_CASE("taps are saved, loaded and imported from pictures") {
  const TemporaryFolder folder;
  Editor at(kUneven);
  const QString json = QString::fromStdString((folder / "taps.json").string()),
                png = QString::fromStdString((folder / "psf.png").string());
  QSignalSpy saved(&at.editor().files(), &TapsFiles::saved);
  at.editor().files().save(json, at.taps());
  REQUIRE_SOON(saved.count() == 1);
  CHECK(readTapsFile(json.toStdString()) == kUneven);
  QImage picture(2, 3, QImage::Format_Grayscale8);
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 2; ++x) picture.setPixel(x, y, qRgb(10 * (2 * y + x), 10 * (2 * y + x), 10 * (2 * y + x)));
  REQUIRE(picture.save(png));
  at.editor().files().import(png);
  REQUIRE_SOON(at.taps().size[0] == 2);
  CHECK(at.taps() == DenseTaps{{2, 3, 1}, {1, 1, 0}, {0, 10, 20, 30, 40, 50}});
  CHECK(at.test.model().undoStack().undoText() == "Import taps"_q);
  at.editor().files().load(json);
  REQUIRE_SOON(at.taps() == kUneven);
  // What is none is told; nothing changes.
  QSignalSpy failed(&at.editor(), &TapsEditor::failed);
  at.editor().files().import(json);
  REQUIRE_SOON(failed.count() == 1);
  REQUIRE(QImage(1030, 2, QImage::Format_Grayscale8).save(png));
  at.editor().files().import(png);
  REQUIRE_SOON(failed.count() == 2);
  CHECK(failed.last().first().toString().contains("1025 along an axis"_q));
  CHECK(at.taps() == kUneven);
}
