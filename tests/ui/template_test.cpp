// Templates of banks, and the bank as a command.

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QListWidget>
#include <QToolButton>
#include <cmath>

#include "core/filter/noise_estimate.h"
#include "core/filter/templates/bank_template.h"
#include "tests/support/catch.h"
#include "tests/ui/test_window.h"
#include "ui/base/notice.h"
#include "ui/rooms/filter/filter_list.h"

using namespace sscope;
using namespace sscope::test;

namespace {

void trigger(TestWindow& test, const char* entry) {
  auto* action = test.find<QToolButton>("filter-templates").findChild<QAction*>(QLatin1String(entry));
  if (action == nullptr) action = test.window->findChild<QAction*>(QLatin1String(entry));
  REQUIRE(action != nullptr);
  CHECK_FALSE(action->toolTip().isEmpty());
  action->trigger();
}

}  // namespace

TEST_CASE("a template replaces the bank in one step and is made for the open data") {
  TestWindow test({"sobel"}, "gyroid", 12);
  FilterBank before = test.model().bank();
  before.boundary = Boundary::wrap;
  test.model().editBank(before, "wrap"_q);
  const int steps = test.model().undoStack().count();
  trigger(test, "template-replace-gradient");
  FilterBank volume = bankTemplate("gradient").volume;
  volume.boundary = Boundary::wrap;
  CHECK(test.model().bank() == volume);
  CHECK(test.model().undoStack().count() == steps + 1);
  auto& list = test.find<QListWidget>("filters");
  CHECK(list.currentItem()->text() == "magnitude"_q);
  REQUIRE(test.waitIdle());
  test.model().undoStack().undo();
  CHECK(test.model().bank() == before);
  REQUIRE(test.openSample("zone-plate", 16));
  trigger(test, "template-replace-gradient");
  CHECK(test.model().bank().filters == bankTemplate("gradient").image.filters);
  REQUIRE(test.waitIdle());
}

TEST_CASE("a template is added below the bank under free names") {
  TestWindow test({"sobel"}, "zone-plate", 16);
  trigger(test, "template-add-hessian");
  trigger(test, "template-add-hessian");
  const FilterBank& bank = test.model().bank();
  const std::size_t rows = bankTemplate("hessian").image.filters.size();
  REQUIRE(bank.filters.size() == 1 + 2 * rows);
  CHECK(bank.filters[0].name == "sobel");
  CHECK(bank.filters[1 + rows].name == "xx 2");
  CHECK(rowErrors(bank, filterGrid(2, {})).empty());
  CHECK(test.find<QListWidget>("filters").currentItem()->text() == "low 2"_q);
  REQUIRE(test.waitIdle());
  test.model().undoStack().undo();
  test.model().undoStack().undo();
  CHECK(test.model().bank().filters.size() == 1);
}

TEST_CASE("denoising is set by the noise of the open data") {
  TestWindow test({"sobel"});
  REQUIRE(test.openSample("shepp-logan", 24));  // noise of 60
  trigger(test, "template-replace-denoise");
  const auto& filters = test.model().bank().filters;
  const auto row = std::ranges::find(filters, std::string("nlmeans"), &FilterRecipe::name);
  const double sigma = std::get<double>(row->parameters.at("sigma"));
  const double noise = estimatedNoise(test.model().data().volume->view(), {});
  CHECK(noise > 20);
  CHECK(std::abs(sigma - noise) < 0.01 * noise);  // three digits of it
  test.model().undoStack().undo();
  REQUIRE(test.waitIdle());
}

TEST_CASE("the bank is copied as a command") {
  TestWindow test({"gaussian:sigma=2"}, "gyroid", 12);
  auto& list = *test.window->findChild<FilterList*>();
  QSignalSpy told(&list, &FilterList::reported);
  list.copyCommand();
  CHECK(told.count() == 1);
  CHECK(QApplication::clipboard()->text() ==
        QStringLiteral("sscope sample gyroid -o gyroid.nrrd --size 12 && sscope filter gyroid.nrrd -o '{stem}-{}.nrrd' "
                       "--filter gaussian:sigma=2"));
  test.switchOff();
  QSignalSpy corrected(&list, &FilterList::corrected);
  list.copyCommand();
  REQUIRE(corrected.count() == 1);
  CHECK(corrected.first().first().toString().contains("no filter that is switched on"_q));
}
