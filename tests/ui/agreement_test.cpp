// The Agreement page of the Compare room: a planted wrong voxel is found and jumped to.

#include <QComboBox>
#include <QImage>
#include <QPushButton>
#include <QTabWidget>
#include <QTableWidget>
#include <cmath>
#include <mutex>

#include "core/base/paths.h"
#include "core/filter/families/recipe_text.h"
#include "core/filter/job/bank_case.h"
#include "core/filter/recipe.h"
#include "tests/compare/race_scene.h"
#include "tests/support/catch.h"
#include "tests/ui/test_window.h"
#include "ui/base/text.h"
#include "ui/controls/buttons.h"
#include "ui/controls/labels.h"
#include "ui/rooms/compare/agreement_page.h"
#include "ui/rooms/compare/compare_page.h"
#include "ui/rooms/compare/compare_room.h"
#include "ui/rooms/compare/difference_chart.h"
#include "ui/rooms/compare/look_pages.h"
#include "ui/window/bars.h"

using namespace sscope;
using namespace sscope::test;

namespace {

constexpr VoxelIndex kPlanted{200, 17, 133};

// The page with engines that copy a volume of 256 x 256 x 256; one of them gets a single voxel wrong.
struct PlantedVoxel : RaceScene {
  PlantedVoxel() {
    addCopy();
    add(
        "wrong", [](const std::string&) { return 0.25; },
        [](const Box&, std::span<const ArrayView> outputs) {
          const ArrayView& out = outputs[0];
          out.as<float>()[out.offset(kPlanted[0], kPlanted[1], kPlanted[2])] += 0.25F;
        });
    toolbox.engines = &engines;
    toolbox.variants = &variants;
    compare::CaseRecipe recipe;
    recipe.computes = kBankCase;
    FilterBank bank;
    bank.filters.push_back(parseFilterSpec("gaussian:sigma=1"));
    recipe.parameters = toJson(bank);
    recipe.data.spec = {ElementType::f32, {256, 256, 256, 1}};
    job.what = compare::makeCase(std::move(recipe), nullptr);
    QObject::connect(&page, &AgreementPage::compareRequested, &page,
                     [this] { model.compare(job, page.contenders(), *page.wish()); });
    page.setContenders({{"opencl:0", "copy"}, {"opencl:1", "wrong"}});
    page.resize(900, 600);
    page.show();
  }
  bool compare() {
    const QSignalSpy changed(&model, &AgreementModel::pairChanged);
    QTest::mouseClick(page.findChild<QPushButton*>("agreementStart"_q), Qt::LeftButton);
    return wait([&] { return !changed.isEmpty(); });
  }
  QString norm(const QString& name) {
    const auto* table = page.findChild<QTableWidget*>("norms"_q);
    for (int row = 0; row < table->rowCount(); ++row)
      if (table->item(row, 0)->text() == name) return table->item(row, 1)->text();
    return {};
  }

  Toolbox toolbox;
  RaceJob job;
  QWidget still;  // stands still while something is timed
  std::mutex alone;
  LookRunner runner{toolbox, still, alone};
  AgreementModel model{runner};
  AgreementPage page{model};
};

}  // namespace

TEST_CASE("a wrong voxel planted in a result of 256 x 256 x 256 is found and jumped to") {
  PlantedVoxel test;
  REQUIRE(test.compare());
  const auto pair = test.model.pair();
  REQUIRE(pair != nullptr);
  REQUIRE(pair->agreement.worst);
  CHECK(pair->agreement.worst->voxel == kPlanted);
  CHECK(pair->agreement.equal == pair->agreement.elements - 1);
  VolumeViews& views = test.page.views();
  CHECK(views.crosshair() == kPlanted);
  views.setCrosshair({1, 2, 3});
  auto* button = test.page.findChild<QPushButton*>("worstVoxel"_q);
  QSignalSpy jumped(&test.page, &AgreementPage::jumped);
  QTest::mouseClick(button, Qt::LeftButton);
  CHECK(views.crosshair() == kPlanted);
  REQUIRE(jumped.size() == 1);
  CHECK(jumped.front().front().value<std::array<std::int64_t, 3>>() == kPlanted);
  // The map shows that voxel and nothing else.
  const AgreementModel::Map& map = test.model.map();
  REQUIRE(map.values != nullptr);
  CHECK(map.anyError);
  CHECK(map.values->value(kPlanted[0], kPlanted[1], kPlanted[2]) == Approx(std::log10(0.25)).margin(1e-3));
  CHECK(map.values->value(kPlanted[0] + 1, kPlanted[1], kPlanted[2]) == map.window[0]);
  // And the norms say that rounding does not explain it.
  CHECK_THAT(test.norm("explained by rounding"_q).toStdString(), ContainsSubstring("NO"));
  CHECK_THAT(test.norm("worst element"_q).toStdString(), ContainsSubstring("(200, 17, 133)"));
  REQUIRE(pair->accepted);
  auto* chart = test.page.findChild<DifferenceChart*>("differences"_q);
  CHECK(chart->placeOf(0.25) > chart->placeOf(pair->accepted->highest));
  SECTION("in units of the last place as well") {
    const QSignalSpy changed(&test.model, &AgreementModel::mapChanged);
    test.model.setUnit(compare::ErrorUnit::LastPlaces);
    REQUIRE_SOON(!changed.isEmpty());
    CHECK(test.model.map().values->value(kPlanted[0], kPlanted[1], kPlanted[2]) ==
          Approx(std::log10(pair->agreement.largestUlps)).margin(1e-3));
    CHECK(views.crosshair() == kPlanted);  // the place stays
  }
  SECTION("clearing gives the memory back") {
    const std::weak_ptr<const Volume> result = pair->results[0];
    test.model.clear();
    CHECK(test.model.pair() == nullptr);
    CHECK_FALSE(button->isEnabled());
  }
}

TEST_CASE("a map of nothing says so") {
  PlantedVoxel test;
  VolumeViews& views = test.page.views();
  views.setViewLayout(VolumeViews::Layout::Axial);
  const QImage picture = views.grab().toImage();
  const QRgb background = picture.pixel(2, 2);
  int lit = 0;
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x) lit += picture.pixel(x, y) != background ? 1 : 0;
  CHECK(lit > 100);
}

TEST_CASE("comparing results is canceled at once, and what was shown stays") {
  PlantedVoxel test;
  REQUIRE(test.compare());
  const auto before = test.model.pair();
  // The reference of as many voxels takes longer.
  test.page.findChild<QComboBox*>("agreementSecond"_q)->setCurrentIndex(2);
  auto* button = test.page.findChild<QPushButton*>("agreementStart"_q);
  const QSignalSpy ended(&test.runner, &LookRunner::ended);
  QTest::mouseClick(button, Qt::LeftButton);
  REQUIRE(test.model.busy());
  REQUIRE_SOON(test.runner.progress() > 0);
  test.runner.cancel();
  CHECK_FALSE(test.model.busy());
  REQUIRE(ended.size() == 1);
  CHECK_THAT(ended.front().front().toString().toStdString(), ContainsSubstring("agreement: canceled"));
  CHECK(test.model.pair() == before);
}

TEST_CASE("the window compares results with the reference, and exports what it shows") {
  TestWindow test({"gaussian:sigma=1", "sobel"}, "gyroid", 24);
  test.window->enterRoom("compare");
  auto& room = test.window->roomOf<CompareRoom>();
  AgreementModel& model = room.comparePage().looks().agreement();
  AgreementPage& page = room.comparePage().looks().agreementPage();
  test.find<QTabWidget>("raceTabs").setCurrentWidget(&page);
  auto& second = test.find<QComboBox>("agreementSecond");
  second.setCurrentIndex(second.count() - 1);
  CHECK(test.find<QComboBox>("agreementOutput").count() == 2);
  const QSignalSpy ended(&room.looks(), &LookRunner::ended);
  test.click("agreementStart");
  REQUIRE(room.alone());
  REQUIRE_SOON(!ended.isEmpty());
  INFO(ended.front().front().toString().toStdString());
  REQUIRE(model.pair() != nullptr);
  CHECK(model.pair()->names[1] == "the reference");
  REQUIRE(model.pair()->accepted);
  if (model.pair()->accepted->atWorst)
    CHECK(std::abs(model.pair()->agreement.worst->first - model.pair()->agreement.worst->second) <=
          *model.pair()->accepted->atWorst);
  CHECK_THAT(test.status(), ContainsSubstring("agreement: done"));
  // The other rooms look at the worst voxel, too.
  if (model.pair()->agreement.worst) CHECK(test.model().crosshair() == model.pair()->agreement.worst->voxel);
  // Another bank leaves it, and that is said; undo of the change stays in the room that shows the bank, too.
  const auto words = [&] { return test.find<ElidedLabel>("agreementJob").wholeText().toStdString(); };
  CHECK_THAT(words(), ContainsSubstring("gaussian:sigma=1") && !ContainsSubstring("changed"));
  FilterBank bank = test.model().bank();
  bank.filters.front() = parseFilterSpec("gaussian:sigma=2");
  test.model().editBank(bank, "Change sigma"_q);
  CHECK_SOON(words().find("has changed") != std::string::npos);
  const FilterBank before = bank;
  QTest::keyClick(test.window->focusWidget(), Qt::Key_Z, Qt::ControlModifier);
  CHECK(test.model().bank() != before);
  INFO(words());
  CHECK_SOON(words().find("has changed") == std::string::npos);
  CHECK(test.window->room() == "compare"_q);
  CHECK_THAT(readTextFile(test.exportAs("-differences.csv", "d.csv")), ContainsSubstring("from,to,elements"));
  CHECK_THAT(readTextFile(test.exportAs("-differences.svg", "d.svg")), ContainsSubstring("<svg"));
  CHECK_THAT(readTextFile(test.exportAs("-norms.csv", "n.csv")), ContainsSubstring("RMS difference"));
  CHECK_FALSE(QImage(toQt(test.exportAs("-errors.png", "e.png").string())).isNull());
  // Other data end it.
  test.window->loader().openSample("gyroid", 16);
  CHECK_SOON(model.pair() == nullptr);
}
