#include <QApplication>
#include <QMouseEvent>

#include "core/filter/families/family.h"
#include "core/filter/families/recipe_text.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"
#include "tests/views/views_support.h"
#include "ui/charts/chart_format.h"
#include "ui/charts/curve_chart.h"
#include "ui/charts/engine_charts.h"
#include "ui/charts/engine_colors.h"
#include "ui/charts/kernel_view.h"
#include "ui/panels/engine_parts.h"

using namespace sscope;
using namespace sscope::test;

namespace {

EngineRow measured(const std::string& id, double kernel, double gflops, double ceiling) {
  EngineRow row;
  row.id = id;
  row.variant = "separable";
  row.measured = true;
  row.phases = {.compile = 0.1 * kernel,
                .upload = 0.2 * kernel,
                .kernel = kernel,
                .download = 0.15 * kernel,
                .total = 1.5 * kernel};
  for (int i = 0; i < 9; ++i) row.samples.push_back(1.5 * kernel * (0.92 + 0.02 * i));
  row.gflops = gflops;
  row.ceilingGflops = ceiling;
  row.verified = true;
  row.verification = "Fehler 2e-7, ganzes Volumen";  // as a translated window shows it
  row.check.emplace();
  row.check->verified = true;
  row.check->relativeL2 = 2e-7;
  row.check->compared = 4096;
  row.check->coverage = "full volume";
  return row;
}

// As on a machine; they get their colors.
std::vector<EngineInfo> knownEngines() {
  std::vector<EngineInfo> infos;
  const auto add = [&](EngineKind kind, std::initializer_list<const char*> ids) {
    for (const char* id : ids) {
      infos.emplace_back().id = id;
      infos.back().kind = kind;
    }
  };
  add(EngineKind::Cpu, {"cpu:scalar", "cpu:sse4", "cpu:avx2", "cpu:avx512"});
  add(EngineKind::OpenCl, {"opencl:0", "opencl:1"});
  add(EngineKind::Cuda, {"cuda:0", "cuda:0+cuda:1"});
  add(EngineKind::Peer, {"peer:itk"});
  giveEngineColors(infos);
  return infos;
}

std::vector<EngineRow> someRows() {
  static_cast<void>(knownEngines());
  std::vector<EngineRow> rows{measured("cpu:avx512", 0.012, 62, 90), measured("cpu:avx2", 0.019, 38, 70),
                              measured("cpu:sse4", 0.035, 20, 40), measured("opencl:0", 0.022, 30, 80)};
  rows[0].current = true;
  rows[3].ceilingEstimated = true;
  EngineRow waiting;
  waiting.id = "cpu:scalar";
  rows.push_back(waiting);
  EngineRow absent;
  absent.id = "cuda:0";
  absent.absentReason = "libcuda.so.1 not found";
  rows.push_back(absent);
  return rows;
}

// The pixels of a color in one row of a chart, from the zero line to the right.
int widthOf(const QImage& image, const QRectF& area, const QColor& color) {
  const int y = static_cast<int>(area.top() + 0.3 * area.height());
  int count = 0;
  for (int x = static_cast<int>(area.left()); x < image.width(); ++x)
    count += closeTo(image.pixel(x, y), color, 3) ? 1 : 0;
  return count;
}

}  // namespace

TEST_CASE("the time chart stacks the phases of a run to scale, and compiling is none") {
  const bool dark = GENERATE(false, true);
  TimeChart chart;
  usePalette(chart, dark);
  chart.setRows(someRows());
  showAt(chart, {420, chart.sizeHint().height()});
  const QImage image = pictureOf(chart);
  keepPicture(image, dark ? "time-dark"_q : "time-light"_q);
  const int kernel = widthOf(image, chart.barArea(0), engineColor("cpu:avx512"));
  const int upload = widthOf(image, chart.barArea(0), phaseColor("cpu:avx512", Phase::Upload));
  const int compile = widthOf(image, chart.barArea(0), phaseColor("cpu:avx512", Phase::Compile));
  const int slower = widthOf(image, chart.barArea(2), engineColor("cpu:sse4"));
  CHECK(kernel > 20);
  CHECK(upload == Approx(0.2 * kernel).margin(2));
  CHECK(compile == 0);  // a mark behind the number instead
  const QRectF row = chart.rowArea(0);
  const QImage line = image.copy(static_cast<int>(row.left()), static_cast<int>(row.top()),
                                 image.width() - static_cast<int>(row.left()), static_cast<int>(row.height()));
  CHECK(countOf(line, phaseColor("cpu:avx512", Phase::Compile), 3) > 8);
  // Its rim is seen where its color is nearly that of the panel.
  CHECK(countOf(line, chart.palette().color(QPalette::PlaceholderText), 12) > 4);
  CHECK_THAT(chart.rowTip(0).toStdString(),
             ContainsSubstring("compiled once in") && ContainsSubstring("not part of the time"));
  CHECK(slower == Approx(35.0 / 12 * kernel).margin(12));  // a whisker crosses the bar
  CHECK(widthOf(image, chart.barArea(5), engineColor("cuda:0")) == 0);
}

TEST_CASE("phases that overlap share the length of the wall time") {
  TimeChart chart;
  usePalette(chart, false);
  auto rows = someRows();
  chart.setRows(rows);
  showAt(chart, {420, chart.sizeHint().height()});
  const QImage apart = pictureOf(chart);
  const int kernel = widthOf(apart, chart.barArea(0), engineColor("cpu:avx512"));
  const int upload = widthOf(apart, chart.barArea(0), phaseColor("cpu:avx512", Phase::Upload));
  for (EngineRow& row : rows) {
    if (row.id != "cpu:avx512") continue;
    // All three take twice as long, and the run as long as before.
    for (double Phases::*phase : {&Phases::upload, &Phases::kernel, &Phases::download}) {
      row.phases.overlap += row.phases.*phase;
      row.phases.*phase *= 2;
    }
  }
  chart.setRows(rows);
  const QImage beside = pictureOf(chart);
  CHECK(widthOf(beside, chart.barArea(0), engineColor("cpu:avx512")) == Approx(kernel).margin(1));
  CHECK(widthOf(beside, chart.barArea(0), phaseColor("cpu:avx512", Phase::Upload)) == Approx(upload).margin(1));
  CHECK_THAT(chart.rowTip(0).toStdString(), ContainsSubstring("at the same time"));
}

TEST_CASE("bars have the whole width of a narrow panel, and words beside them are whole") {
  TimeChart chart;
  usePalette(chart, false);
  chart.setRows(someRows());
  showAt(chart, {210, chart.sizeHint().height()});
  const QImage image = pictureOf(chart);
  keepPicture(image, "time-narrow"_q);
  CHECK(chart.barArea(0).width() > 190);
  // The slowest engine's bar reaches beyond the middle, whatever is written beside it.
  CHECK(widthOf(image, chart.barArea(2), engineColor("cpu:sse4")) > 60);
  CHECK(chart.rowArea(1).top() == chart.rowArea(0).bottom());
  CHECK(chart.rowArea(0).contains(chart.barArea(0)));
  CHECK(chart.rowArea(5).height() < chart.rowArea(0).height());  // an absent engine has no bar
}

TEST_CASE("what compiling took moves no bar") {
  TimeChart chart;
  auto rows = someRows();
  chart.setRows(rows);
  showAt(chart, {420, chart.sizeHint().height()});
  const int before = widthOf(pictureOf(chart), chart.barArea(0), engineColor("cpu:avx512"));
  rows[3].phases.compile = 7.06;  // seconds, beside bars of milliseconds
  chart.setRows(rows);
  CHECK(widthOf(pictureOf(chart), chart.barArea(0), engineColor("cpu:avx512")) == before);
}

TEST_CASE("one run is drawn lighter, one of an earlier setting pale, and both say it") {
  TimeChart chart;
  usePalette(chart, false);
  auto rows = someRows();
  chart.setRows(rows);
  showAt(chart, {420, chart.sizeHint().height()});
  const int solid = widthOf(pictureOf(chart), chart.barArea(0), engineColor("cpu:avx512"));
  rows[0].provisional = true;
  rows[0].samples.resize(1);
  rows[1].disturbed = 2;
  chart.setRows(rows);
  const QImage light = pictureOf(chart);
  keepPicture(light, "time-provisional"_q);
  CHECK(widthOf(light, chart.barArea(0), engineColor("cpu:avx512")) < solid / 2);
  CHECK_THAT(chart.rowTip(0).toStdString(), ContainsSubstring("n=1") && ContainsSubstring("provisional"));
  CHECK_THAT(chart.rowTip(1).toStdString(), ContainsSubstring("2 of 9 runs shared the processor"));
  CHECK_THAT(chart.accessibleDescription().toStdString(), ContainsSubstring("n=9!"));
  CHECK_THAT(chart.csv(), ContainsSubstring("cpu:avx512,separable,provisional,"));
  for (EngineRow& row : rows) row.stale = row.measured;
  chart.setRows(rows);
  const QImage pale = pictureOf(chart);
  keepPicture(pale, "time-stale"_q);
  CHECK(widthOf(pale, chart.barArea(1), engineColor("cpu:avx2")) == 0);
  CHECK_THAT(chart.rowTip(1).toStdString(), ContainsSubstring("of an earlier setting"));
  CHECK_THAT(chart.csv(), ContainsSubstring("of an earlier setting"));
}

TEST_CASE("the throughput chart stays inside its ceiling") {
  const bool dark = GENERATE(false, true);
  ThroughputChart chart;
  usePalette(chart, dark);
  chart.setRows(someRows());
  showAt(chart, {420, chart.sizeHint().height()});
  const QImage image = pictureOf(chart);
  keepPicture(image, dark ? "throughput-dark"_q : "throughput-light"_q);
  const int first = widthOf(image, chart.barArea(0), engineColor("cpu:avx512"));
  const int second = widthOf(image, chart.barArea(1), engineColor("cpu:avx2"));
  CHECK(first > 60);
  CHECK(second == Approx(38.0 / 62 * first).margin(4));
}

TEST_CASE("charts tell which engine was clicked and write what they show") {
  TimeChart chart;
  chart.setRows(someRows());
  showAt(chart, {420, chart.sizeHint().height()});
  QStringList clicked;
  QObject::connect(&chart, &EngineChart::engineClicked, [&](const QString& id) { clicked << id; });
  const auto click = [&](int row) {
    const QPointF at = chart.barArea(row).center();
    for (const auto type : {QEvent::MouseButtonPress, QEvent::MouseButtonRelease}) {
      QMouseEvent event(type, at, chart.mapToGlobal(at), Qt::LeftButton, Qt::LeftButton, Qt::NoModifier);
      QApplication::sendEvent(&chart, &event);
    }
  };
  click(1);
  click(5);  // absent: nothing to select
  CHECK(clicked == QStringList{"cpu:avx2"});

  const QImage twice = chart.picture(2);
  CHECK(twice.size() == chart.size() * 2);
  // Drawn at that scale, not enlarged: some pairs of pixels differ.
  const QImage once = chart.picture(1);
  CHECK(once.size() == chart.size());
  CHECK(twice.convertToFormat(QImage::Format_RGB32) !=
        once.scaled(twice.size(), Qt::IgnoreAspectRatio, Qt::FastTransformation).convertToFormat(QImage::Format_RGB32));
  const std::string csv = chart.csv();
  CHECK(csv.find("cpu:avx2,separable,measured,") != std::string::npos);
  CHECK(csv.find("cuda:0,,absent: libcuda.so.1 not found,") != std::string::npos);
  // Every line has as many cells as the head.
  std::istringstream lines(csv);
  std::string head, line;
  std::getline(lines, head);
  const auto commas = std::ranges::count(head, ',');
  while (std::getline(lines, line)) {
    if (line.find('"') == std::string::npos) CHECK(std::ranges::count(line, ',') == commas);
  }
  std::vector<EngineRow> predicting = someRows();
  predicting[0].predicted = 0.0125;
  chart.setRows(predicting);
  CHECK_THAT(head, ContainsSubstring(",q3_s,predicted_s,verified,"));
  CHECK_THAT(chart.csv(), ContainsSubstring(",0.0125,true,"));
  ThroughputChart throughput;
  throughput.setRows(someRows());
  CHECK(throughput.csv().find("cpu:avx512,separable,measured,62,90,false,") != std::string::npos);
  // What the check gave is told as a benchmark's JSON tells it, whatever the window says.
  for (const std::string& text : {csv, throughput.csv()}) {
    CHECK_THAT(text, ContainsSubstring(",verified,rel_l2,max_ulp,compared,coverage,failed\n"));
    CHECK_THAT(text, ContainsSubstring(",true,2e-07,0,4096,full volume,\n"));
    CHECK(text.find("Volumen") == std::string::npos);
  }
}

TEST_CASE("the kernel is pictured by sign and size") {
  KernelView view;
  showAt(view, {300, 170});
  view.setOperator(makeStencil(parseFilterSpec("sobel:axis=x"), {2, {1, 1, 1}}));
  const QImage image = pictureOf(view);
  keepPicture(image, "kernel-sobel"_q);
  const int positive = countOf(image.copy(150, 0, 150, 170), QColor(0xE6, 0x9F, 0x00), 8);
  const int negative = countOf(image.copy(0, 0, 150, 170), QColor(0x00, 0x72, 0xB2), 8);
  CHECK(positive > 300);
  CHECK(negative > 300);
  view.setOperator(makeStencil(parseFilterSpec("gaussian:sigma=1.5"), {}));
  keepPicture(pictureOf(view), "kernel-gaussian"_q);
  CHECK(pictureOf(view) != image);
  view.clear();
  CHECK(countOf(pictureOf(view), QColor(0xE6, 0x9F, 0x00), 8) == 0);
}

TEST_CASE("the planes of a kernel are those of its taps") {
  for (const char* spec : {"gaussian:sigma=1.2", "gaussian:sigma=1,order_z=1", "log:sigma=1", "sobel:axis=y"}) {
    INFO(spec);
    Stencil filter = makeStencil(parseFilterSpec(spec), {});
    const DenseTaps taps = filter.expanded();
    const KernelSlices found = kernelSlices(filter, {});
    filter.terms.clear();
    filter.dense = taps;
    const KernelSlices dense = kernelSlices(filter, {});
    REQUIRE(found.slices.size() == 3);
    REQUIRE(dense.slices.size() == 3);
    double largest = 0;
    for (const double w : taps.weights) largest = std::max(largest, std::abs(w));
    CHECK(found.largest == Approx(largest));
    for (std::size_t s = 0; s < 3; ++s) {
      const KernelSlice& slice = found.slices[s];
      CHECK(slice.offset == dense.slices[s].offset);
      double mass = 0, anchorMass = 0;
      for (std::int64_t row = 0; row < slice.rows; ++row)
        for (std::int64_t column = 0; column < slice.columns; ++column) {
          std::array<std::int64_t, 3> at{};
          at[slice.across] = column;
          at[slice.down] = row;
          at[slice.hidden] = slice.offset + taps.anchor[slice.hidden];
          CHECK(slice.at(column, row) == Approx(taps.at(at[0], at[1], at[2])).margin(1e-15));
          CHECK(slice.at(column, row) == Approx(dense.slices[s].at(column, row)).margin(1e-15));
          mass += std::abs(slice.at(column, row));
          at[slice.hidden] = taps.anchor[slice.hidden];
          anchorMass += std::abs(taps.at(at[0], at[1], at[2]));
        }
      CHECK(mass >= anchorMass * (1 - 1e-9));
    }
  }
}

TEST_CASE("a large kernel is pictured by another thread") {
  KernelView view;
  showAt(view, {300, 170});
  view.setOperator(makeStencil(parseFilterSpec("gaussian:sigma=10"), {}));
  CHECK(view.accessibleDescription().isEmpty());  // it did not wait
  REQUIRE(waitFor([&] { return !view.accessibleDescription().isEmpty(); }));
  CHECK(view.accessibleDescription() == "81×81×81 taps");
  CHECK(countOf(pictureOf(view), QColor(0xE6, 0x9F, 0x00), 40) > 20);
  // A newer small one is not overtaken by an older large one.
  view.setOperator(makeStencil(parseFilterSpec("gaussian:sigma=10"), {}));
  view.setOperator(makeStencil(parseFilterSpec("box:size=3"), {}));
  waitFor([] { return false; }, 200);
  CHECK(view.accessibleDescription() == "3×3×3 taps");
}

TEST_CASE("busy cores") {
  BusyMeter meter;
  usePalette(meter, false);
  showAt(meter, {300, meter.sizeHint().height()});
  meter.setBusy({});
  CHECK(meter.accessibleDescription() == "unavailable");
  meter.setBusy({0, 0});
  const int idle = countOf(pictureOf(meter), QColor(60, 130, 220));
  meter.setBusy({100, 50});
  const QImage image = pictureOf(meter);
  keepPicture(image, "busy"_q);
  CHECK(idle == 0);
  CHECK(countOf(image, QColor(60, 130, 220)) > 50);
  CHECK(meter.accessibleDescription() == "75 % of 2 cores");
}

TEST_CASE("a low chart of curves leaves out its note, then its axes, and draws nothing upside down") {
  const auto picture = [](const QString& note, std::vector<double> y, QSize size) {
    CurveChart chart(nullptr);
    usePalette(chart, false);
    CurvePlot plot;
    plot.title = "Energy"_q;
    plot.note = note;
    plot.curves.push_back({});
    plot.curves.back().x = {0, 1, 2};
    plot.curves.back().y = std::move(y);
    chart.setPlot(plot);
    showAt(chart, size);
    return pictureOf(chart);
  };
  const QString note = "The curve grows while the flow time is moved, and this takes three lines here."_q;
  const std::vector<double> up{0, 1, 2}, down{2, 1, 0};
  CHECK(picture(note, up, {220, 260}) != picture({}, up, {220, 260}));
  CHECK(picture(note, up, {220, 150}) == picture({}, up, {220, 150}));
  CHECK(picture({}, up, {220, 150}) != picture({}, down, {220, 150}));
  CHECK(picture(note, up, {220, 75}) == picture({}, down, {220, 75}));
}
