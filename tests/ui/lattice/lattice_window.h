#pragma once
// The window in the Lattice room, and waiting for what it computes.

#include <QComboBox>

#include "tests/support/catch.h"
#include "tests/ui/test_window.h"
#include "ui/base/notice.h"
#include "ui/base/text.h"
#include "ui/controls/number_box.h"
#include "ui/rooms/lattice/lattice_page.h"
#include "ui/rooms/lattice/lattice_room.h"

namespace sscope::test {

// The field that is asked for is shown.
inline bool waitForField(TestWindow& test) {
  const LatticeController& lattices = test.window->roomOf<LatticeRoom>().controller();
  return wait([&] {
    return !lattices.busy() && lattices.field() && lattices.field()->key == lattices.choice() &&
           lattices.field()->flowSteps == lattices.flowSteps();
  });
}

struct LatticeTest : TestWindow {
  LatticeTest() { window->enterRoom("lattice"); }
  LatticeController& lattices() { return window->roomOf<LatticeRoom>().controller(); }
  LatticeFields& fields() { return window->roomOf<LatticeRoom>().latticePage().fields(); }
  bool waitShown() { return waitForField(*this); }
  bool open(const std::filesystem::path& path) {
    window->roomOf<LatticeRoom>().openConfiguration(toQt(path.string()));
    return wait([this] { return !lattices().busy() || lattices().configuration(); }) && waitShown();
  }
  bool generate(const lattice::Extents& extents, int sweeps) {
    GenerateSettings settings;
    settings.extents = extents;
    settings.sweeps = sweeps;
    lattices().generate(settings);
    return wait([this] { return lattices().configuration() != nullptr; }) && waitShown();
  }
  bool choose(const char* combo, const QVariant& data) {
    auto& box = find<QComboBox>(combo);
    const int index = box.findData(data);
    REQUIRE(index >= 0);
    box.setCurrentIndex(index);
    Q_EMIT box.activated(index);
    return waitShown();
  }
  bool flowTo(const char* time) {
    auto& line = find<NumberBox>("latticeFlowTime");
    typeInto(line, QLatin1String(time));
    return waitShown();
  }
  QString message() { return find<Notice>("latticeNotice").message(); }
};

}  // namespace sscope::test
