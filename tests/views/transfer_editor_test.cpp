// The editor of transfer functions, by mouse and keys.

#include <QSignalSpy>
#include <QTest>

#include "tests/support/catch.h"
#include "tests/views/views_support.h"
#include "ui/views/transfer_editor.h"

using namespace sscope;
using namespace sscope::test;

namespace {

struct Edited {
  TransferEditor editor;
  QSignalSpy edits{&editor, &TransferEditor::edited};
  Edited() {
    LevelCounts levels;
    levels.low = -1000;
    levels.high = 1000;
    for (std::size_t i = 0; i < levels.counts.size(); ++i) levels.counts[i] = static_cast<std::int64_t>(1 + i * i);
    editor.setLevels(levels, "HU"_q);
    editor.setPoints({{-500, 0, {0, 0, 1}}, {0, 0.25, {0, 1, 0}}, {500, 1, {1, 0, 0}}});
    showAt(editor, {600, 200});
    editor.setFocus();
  }
  [[nodiscard]] QPoint at(std::size_t point) const { return editor.positionOf(editor.points().at(point)).toPoint(); }
  [[nodiscard]] QString gesture(int edit) const { return edits.at(edit).at(0).toString(); }
};

}  // namespace

TEST_CASE("points of a transfer function are dragged, between their neighbors and as one act") {
  Edited shown;
  const QPoint from = shown.at(1);
  QTest::mousePress(&shown.editor, Qt::LeftButton, {}, from);
  CHECK(shown.editor.selected() == 1);
  const auto drag = [&](const QPoint& to) {
    QMouseEvent event(QEvent::MouseMove, to, shown.editor.mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
    QApplication::sendEvent(&shown.editor, &event);
  };
  drag(from + QPoint(20, -30));
  drag(from + QPoint(40, -60));
  CHECK(shown.editor.points()[1].value > 60);
  CHECK(shown.editor.points()[1].opacity > 0.4);
  drag(QPoint(from.x() + 1000, -1000));
  CHECK(shown.editor.points()[1].value < 500);
  CHECK(shown.editor.points()[1].opacity == 1);
  QTest::mouseRelease(&shown.editor, Qt::LeftButton, {}, from);
  REQUIRE(shown.edits.count() == 3);
  CHECK(shown.gesture(0) == shown.gesture(2));
  QTest::mousePress(&shown.editor, Qt::LeftButton, {}, shown.at(0));
  drag(shown.at(0) + QPoint(0, -20));
  QTest::mouseRelease(&shown.editor, Qt::LeftButton, {}, from);
  REQUIRE(shown.edits.count() == 4);
  CHECK(shown.gesture(3) != shown.gesture(2));
}

TEST_CASE("a double click adds a point with the color that is there, or asks for a point's color") {
  Edited shown;
  QSignalSpy colors(&shown.editor, &TransferEditor::colorRequested);
  const QPointF a = shown.editor.positionOf({250, 0.81, {}});
  QTest::mouseDClick(&shown.editor, Qt::LeftButton, {}, a.toPoint());
  REQUIRE(shown.editor.points().size() == 4);
  const TransferPoint& made = shown.editor.points()[2];
  CHECK(shown.editor.selected() == 2);
  CHECK(made.value == Approx(250).margin(4));
  CHECK(made.opacity == Approx(0.81).margin(0.03));
  CHECK(made.color[0] == Approx(0.5).margin(0.02));
  CHECK(made.color[1] == Approx(0.5).margin(0.02));
  CHECK(colors.count() == 0);
  QTest::mouseDClick(&shown.editor, Qt::LeftButton, {}, shown.at(3));
  CHECK(shown.editor.points().size() == 4);
  CHECK(colors.count() == 1);
  shown.editor.setColor({1, 0, 1});
  CHECK(shown.editor.points()[3].color == Rgb{1, 0, 1});
  CHECK(shown.edits.count() == 2);
}

TEST_CASE("everything about a transfer function is done by keys, too") {
  Edited shown;
  const auto key = [&](Qt::Key pressed, Qt::KeyboardModifiers modifiers = {}) {
    QTest::keyClick(&shown.editor, pressed, modifiers);
  };
  CHECK(shown.editor.selected() == -1);
  key(Qt::Key_Delete);
  CHECK(shown.editor.points().size() == 3);  // none is chosen
  key(Qt::Key_PageDown);
  key(Qt::Key_PageDown);
  CHECK(shown.editor.selected() == 1);
  CHECK(shown.editor.accessibleDescription().contains("Point 2 of 3"_q));
  CHECK(shown.editor.accessibleDescription().contains("HU"_q));
  key(Qt::Key_Right);
  const double small = shown.editor.points()[1].value;
  CHECK(small == Approx(2000.0 / 255));
  key(Qt::Key_Right, Qt::ShiftModifier);
  CHECK(shown.editor.points()[1].value == Approx(11 * small));
  const double opacity = shown.editor.points()[1].opacity;
  key(Qt::Key_Up);
  CHECK(shown.editor.points()[1].opacity > opacity);
  key(Qt::Key_Down);
  CHECK(shown.editor.points()[1].opacity == Approx(opacity));
  key(Qt::Key_Insert);
  CHECK(shown.editor.points().size() == 4);
  CHECK(shown.editor.selected() == 2);
  key(Qt::Key_Delete);
  key(Qt::Key_Delete);
  CHECK(shown.editor.points().size() == 2);
  key(Qt::Key_Delete);  // two remain
  CHECK(shown.editor.points().size() == 2);
  QSignalSpy colors(&shown.editor, &TransferEditor::colorRequested);
  key(Qt::Key_Space);
  CHECK(colors.count() == 1);
  key(Qt::Key_Home);
  CHECK(shown.editor.selected() == 0);
  key(Qt::Key_End);
  CHECK(shown.editor.selected() == 1);
}

TEST_CASE("the editor shows its colors and points, in light and in dark") {
  const bool dark = GENERATE(false, true);
  Edited shown;
  usePalette(shown.editor, dark);
  shown.editor.select(1);
  const QImage image = pictureOf(shown.editor);
  keepPicture(image, dark ? "transfer-dark"_q : "transfer-light"_q);
  for (std::size_t i = 0; i < 3; ++i) {
    const Rgb& rgb = shown.editor.points()[i].color;
    const QColor color =
        QColor::fromRgbF(static_cast<float>(rgb[0]), static_cast<float>(rgb[1]), static_cast<float>(rgb[2]));
    CAPTURE(i);
    CHECK(closeTo(image.pixel(shown.at(i)), color, 12));
  }
  shown.editor.clear();
  CHECK(countOf(pictureOf(shown.editor), QColor(0, 255, 0)) == 0);
}
