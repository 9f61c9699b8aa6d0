// Engines that share the work in the window: in the list of engines, and a lane for each.

#include <QRadioButton>

#include "tests/support/catch.h"
#include "tests/ui/test_window.h"
#include "ui/panels/engine_parts.h"

using namespace sscope;
using namespace sscope::test;

TEST_CASE("engines that share the work are in the list, with a lane for each") {
  TestWindow test({"gaussian:sigma=0.8"}, "marschner-lobb", 32);
  auto& lanes = test.find<ShareLanes>("shareLanes");
  CHECK(lanes.shares().empty());
  const auto choose = [&](const std::string& engine) {
    EngineChoice choice = test.model().engineChoice();
    choice.engine = engine;
    test.model().editEngineChoice(choice, "choose"_q);
  };
  choose("cpu:scalar+cpu:sse4");
  REQUIRE_SOON(lanes.shares().size() == 2);
  CHECK(test.find<QRadioButton>("run-cpu:scalar+cpu:sse4").isChecked());
  CHECK(lanes.shares()[0].name == "cpu:scalar");
  CHECK(lanes.shares()[1].name == "cpu:sse4");
  CHECK(lanes.shares()[0].planes + lanes.shares()[1].planes == 32);
  CHECK(lanes.accessibleDescription().contains("cpu:sse4: "_q));
  CHECK_FALSE(lanes.grab().isNull());
  choose("cpu:scalar");
  REQUIRE(test.waitIdle());
  CHECK_SOON(lanes.shares().empty());
  CHECK(test.find<QRadioButton>("run-cpu:scalar").isChecked());
}
