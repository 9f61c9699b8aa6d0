// Sliders, results, undo, cancel: the direct response of the window.

#include <QLabel>
#include <QProgressBar>
#include <QStyle>
#include <QStyleOptionSlider>
#include <chrono>

#include "tests/support/catch.h"
#include "tests/ui/stall_monitor.h"
#include "tests/ui/test_window.h"
#include "ui/charts/engine_charts.h"
#include "ui/controls/value_slider.h"
#include "ui/rooms/filter/filter_room.h"
#include "ui/views/volume_views.h"
#include "ui/window/bars.h"

using namespace sscope;
using namespace sscope::test;

namespace {

QPoint handleCenter(const ValueSlider& slider) {
  QStyleOptionSlider option;
  option.initFrom(&slider);
  option.minimum = slider.minimum();
  option.maximum = slider.maximum();
  option.sliderPosition = slider.sliderPosition();
  option.sliderValue = slider.value();
  option.orientation = Qt::Horizontal;
  return slider.style()->subControlRect(QStyle::CC_Slider, &option, QStyle::SC_SliderHandle, &slider).center();
}

// The inner part of the views: their borders show which one has the keyboard.
QImage picture(TestWindow& test) { return test.views().renderToImage({400, 400}).copy(40, 40, 320, 320); }

// The mean difference of two pictures' gray values, 0..255.
double difference(const QImage& a, const QImage& b) {
  REQUIRE(a.size() == b.size());
  double sum = 0;
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x) sum += std::abs(qGray(a.pixel(x, y)) - qGray(b.pixel(x, y)));
  return sum / (a.width() * a.height());
}

double sigmaOf(const SessionModel& model) {
  return std::get<Length>(model.bank().filters.front().parameters.at("sigma")).value;
}

}  // namespace

TEST_CASE("a dragged slider changes the pixels of the result and is one step to undo") {
  TestWindow test({"gaussian:sigma=0.8"}, "marschner-lobb", 48);
  ViewState view = test.model().view();
  view.layout = "axial";
  view.resultWindow = std::array<double, 2>{0, 1};  // automatic windows follow the values a little later
  test.model().setView(view);
  const QImage before = picture(test);
  CHECK(difference(before, picture(test)) < 0.01);  // the measure itself is steady

  const QSignalSpy previews(&test.window->live(), &LiveController::previewReady);
  auto& slider = test.find<ValueSlider>("sigma.slider");
  const QPoint start = handleCenter(slider);
  QTest::mousePress(&slider, Qt::LeftButton, {}, start);
  CHECK(test.model().held());
  for (int step = 1; step <= 10; ++step) {
    QTest::mouseMove(&slider, start + QPoint(step * 4, 0));
    QCoreApplication::processEvents();
  }
  QTest::mouseRelease(&slider, Qt::LeftButton, {}, start + QPoint(40, 0));
  CHECK_FALSE(test.model().held());
  REQUIRE(test.waitIdle());
  CHECK_FALSE(previews.isEmpty());
  const double dragged = sigmaOf(test.model());
  CHECK(dragged > 0.9);
  CHECK(difference(before, picture(test)) > 1);

  CHECK(test.model().undoStack().count() == 1);
  QTest::keyClick(test.window.get(), Qt::Key_Z, Qt::ControlModifier);
  CHECK(sigmaOf(test.model()) == 0.8);
  REQUIRE(test.waitIdle());
  CHECK(difference(before, picture(test)) < 0.01);
  QTest::keyClick(test.window.get(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
  CHECK(sigmaOf(test.model()) == dragged);
}

TEST_CASE("a result is not verified while a slider is held") {
  TestWindow test({"gaussian:sigma=1"}, "gyroid", 24);
  LiveController& live = test.window->live();
  live.setRest(std::chrono::hours(1));
  const QSignalSpy verified(&live, &LiveController::verified);
  const auto shown = [&] {
    for (const EngineRow& row : test.find<TimeChart>("timeChart").rows())
      if (row.current) return row;
    return EngineRow();
  };
  auto& slider = test.find<ValueSlider>("sigma.slider");
  const QPoint start = handleCenter(slider);
  QTest::mousePress(&slider, Qt::LeftButton, {}, start);
  QTest::mouseMove(&slider, start + QPoint(30, 0));
  REQUIRE_SOON(live.result() != nullptr && shown().measured && !shown().stale);
  QTest::qWait(200);  // enough to verify these data many times
  CHECK(verified.isEmpty());
  CHECK(shown().verification == "not yet verified");
  CHECK_FALSE(shown().verified);
  CHECK_THAT(test.status(), EndsWith("not yet verified"));
  CHECK_FALSE(test.find<QProgressBar>("runProgress").isVisible());  // nothing is being done

  QTest::mouseRelease(&slider, Qt::LeftButton, {}, start + QPoint(30, 0));
  REQUIRE_SOON(!verified.isEmpty() && !live.busy());
  CHECK(shown().verified);
  CHECK_THAT(test.status(), EndsWith("full volume"));
}

TEST_CASE("before the whole only slices on the screen are computed") {
  TestWindow test({"gaussian:sigma=1"}, "gyroid", 24);
  LiveController& live = test.window->live();
  VolumeViews& views = test.views();
  std::vector<std::size_t> computed;
  QObject::connect(&live, &LiveController::previewReady, &views, [&](const LivePreview& preview) {
    for (std::size_t i = 0; i < 3; ++i)
      if (preview.slices[i]) computed.push_back(i);
  });
  const auto look = [&](const char* show, const char* layout) {
    ViewState view = test.model().view();
    view.show = show;
    view.layout = layout;
    test.model().setView(view);
  };
  const auto change = [&](double sigma) {
    computed.clear();
    test.editOption("sigma", Length{sigma, false});
    REQUIRE(test.waitIdle());
  };
  using Computed = std::vector<std::size_t>;
  change(1.1);
  CHECK(computed == Computed{0, 1, 2});
  look("result", "coronal");
  change(1.2);
  CHECK(computed == Computed{1});
  look("result", "volume");
  change(1.3);
  CHECK(computed.empty());
  look("source", "all");
  change(1.4);
  CHECK(computed.empty());
  look("both", "sagittal");
  change(1.5);
  CHECK(computed == Computed{2});

  SECTION("turned data have their axial slice along another axis") {
    OpenData data = test.model().data();
    auto turned = std::make_shared<Volume>(randomVolume({10, 11, 12, 1}, ElementType::f32, 5));
    Geometry geometry;
    geometry.direction = {0, 0, 1, 1, 0, 0, 0, 1, 0};  // x of the index goes along the body's y, y along z, z along x
    turned->setGeometry(geometry);
    data.volume = turned;
    ++data.identity;
    look("result", "axial");
    test.model().setData(data, test.model().view());
    REQUIRE(test.waitIdle());
    change(1.6);
    CHECK(computed == Computed{1});
    CHECK(views.statusText(VolumeViews::View::Axial) == "full"_q);
  }
  SECTION("a slice follows when it comes to the screen before there is a whole") {
    look("result", "axial");
    EngineChoice slow;
    slow.engine = "cpu:scalar";
    slow.threads = 1;
    slow.variant = "dense";
    test.model().editEngineChoice(slow, "scalar"_q);
    REQUIRE(test.openSample("gyroid", 48));
    test.model().setHeld(true);
    FilterRecipe recipe = test.model().bank().filters.front();
    recipe.parameters["sigma"] = Length{2.5, false};
    computed.clear();
    test.model().editRecipe(0, recipe, "sigma"_q);
    REQUIRE_SOON(!computed.empty() && !live.busy());
    CHECK(computed == Computed{0});
    CHECK(live.wholeOwed());
    CHECK(live.result() == nullptr);
    const auto words = [&] { return test.window->statusLine().text(); };
    REQUIRE_SOON(words().startsWith("1 slice from cpu:scalar"_q));
    CHECK(words().endsWith("the whole volume follows when the slider is released"_q));
    CHECK(views.statusText(VolumeViews::View::Axial) == "slices"_q);
    CHECK(views.statusText(VolumeViews::View::Coronal) == "previous setting"_q);
    look("result", "all");
    REQUIRE_SOON(computed.size() >= 4 && !live.busy());
    CHECK(computed == Computed{0, 0, 1, 2});
    CHECK(views.statusText(VolumeViews::View::Coronal) == "slices"_q);
    CHECK(live.result() == nullptr);
    test.model().setHeld(false);
    REQUIRE(test.waitIdle());
    CHECK(views.statusText(VolumeViews::View::Coronal) == "full"_q);
  }
}

TEST_CASE("the status line says what ran where, and how right it was") {
  TestWindow test({"gaussian:sigma=1"});
  test.useEngine("cpu:scalar");
  REQUIRE(test.openSample("gyroid", 32));
  const std::string text = test.status();
  CHECK_THAT(text, StartsWith("ran on cpu:scalar, 1 thread"));
  CHECK_THAT(text, ContainsSubstring("kernel") && ContainsSubstring("total"));
  CHECK_THAT(text, ContainsSubstring("error ") && ContainsSubstring("full volume"));
}

TEST_CASE("a handle that is held is where the value is when its drag was undone") {
  TestWindow test({"gaussian:sigma=0.8"}, "gyroid", 16);
  auto& slider = test.find<ValueSlider>("sigma.slider");
  const QPoint start = handleCenter(slider);
  const int before = slider.value();
  QTest::mousePress(&slider, Qt::LeftButton, {}, start);
  QTest::mouseMove(&slider, start + QPoint(40, 0));
  CHECK(sigmaOf(test.model()) > 0.9);
  QTest::keyClick(test.window.get(), Qt::Key_Z, Qt::ControlModifier);
  CHECK(sigmaOf(test.model()) == 0.8);
  CHECK(slider.value() == before);
  QTest::mouseRelease(&slider, Qt::LeftButton, {}, start + QPoint(40, 0));
  CHECK(sigmaOf(test.model()) == 0.8);
  CHECK(slider.value() == before);
  CHECK(slider.realValue() == 0.8);
}

TEST_CASE("integer results that leave their range are counted in the status line") {
  TestWindow test({"sharpen:amount=20"});
  FilterBank bank = test.model().bank();
  bank.output = OutputType{ElementType::u8};
  test.model().editBank(bank, "u8"_q);
  REQUIRE(test.openSample("gyroid", 24));
  CHECK_THAT(test.status(), ContainsSubstring("of the result left the range of u8"));
}

TEST_CASE("Esc stops a run at once and the window goes on") {
  TestWindow test({"gaussian:sigma=1"}, "gyroid", 160);
  EngineChoice choice;
  choice.engine = "cpu:scalar";
  choice.threads = 1;
  const QSignalSpy started(&test.window->live(), &LiveController::started);
  const QSignalSpy wholes(&test.window->live(), &LiveController::wholeReady);
  test.model().editEngineChoice(choice, "scalar"_q);
  test.setBank({"log:sigma=6", "dog:sigma=6", "sharpen:sigma=6"});
  test.model().editEngineChoice(choice, "scalar"_q);
  REQUIRE_SOON(!started.isEmpty());
  REQUIRE(test.window->live().busy());
  QTest::keyClick(test.window.get(), Qt::Key_Escape);
  CHECK_FALSE(test.window->live().busy());
  CHECK(wholes.isEmpty());
  CHECK(test.window->live().result() == nullptr);
  CHECK_THAT(test.status(), StartsWith("canceled"));

  test.setBank({"box:size=3"});
  REQUIRE(test.waitIdle());
  CHECK(test.window->live().result()->names == std::vector<std::string>{"box"});
}

TEST_CASE("a bank without an enabled filter says what to do") {
  TestWindow test({"gaussian:sigma=1"}, "gyroid", 16);
  const QSignalSpy nothing(&test.window->live(), &LiveController::nothingToRun);
  test.switchOff();
  REQUIRE_SOON(!nothing.isEmpty());
  CHECK_THAT(test.status(), ContainsSubstring("add or enable one"));
  test.model().undoStack().undo();
  REQUIRE(test.waitIdle());
}

TEST_CASE("the event loop keeps turning while a 256^3 volume is filtered") {
  TestWindow test({"gaussian:sigma=2", "sobel:axis=x"}, "gyroid", 256);
  ViewState view = test.model().view();
  view.layout = "axial";
  test.model().setView(view);
  test.useEngine("cpu:scalar");
  REQUIRE(test.waitIdle());
  static_cast<void>(test.views().renderToImage({200, 200}));
  StallMonitor monitor;
  monitor.restart();
  auto& slider = test.find<ValueSlider>("sigma.slider");
  slider.setFocus();
  for (int step = 0; step < 5; ++step) QTest::keyClick(&slider, Qt::Key_Right);
  REQUIRE(test.waitIdle());
  std::cout << "largest gap of the event loop: " << monitor.largestGapMilliseconds() << " ms\n";
  // Not timed: how long a gap lasts depends on who else uses the machine. Five steps and a run of a second or more
  // through a loop that waited for them would make a handful of turns.
  CHECK(monitor.ticks() > 20);
}
