#pragma once
// A window with a result, and one engine that is compared with the shown one.

#include <QCheckBox>
#include <functional>
#include <string>

#include "tests/support/catch.h"
#include "tests/ui/test_window.h"
#include "ui/charts/engine_charts.h"

namespace sscope::test {

class ComparedWindow : public TestWindow {
 public:
  void compare() { QTest::mouseClick(&find<QCheckBox>("compare-cpu:scalar"), Qt::LeftButton, {}, QPoint(8, 8)); }
  EngineRow row(const std::string& id) {
    for (const EngineRow& row : find<TimeChart>("timeChart").rows())
      if (row.id == id) return row;
    FAIL("no row for " << id);
    return {};
  }
  // Those that rank the engine now: none while they are of another setting or of a run that was not repeated.
  std::size_t samples(const std::string& id) {
    const EngineRow found = row(id);
    return found.measured && !found.provisional && !found.stale ? found.samples.size() : 0;
  }
  bool waitSamples(std::size_t wanted) {
    return wait([&] { return samples(shown) >= wanted && samples(other) >= wanted && !comparing(); });
  }

  std::string shown, other = "cpu:scalar";
  std::function<bool()> comparing;  // engines are being timed
};

}  // namespace sscope::test
