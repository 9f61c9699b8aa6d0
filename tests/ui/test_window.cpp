#include "tests/ui/test_window.h"

#include <QComboBox>
#include <QMouseEvent>
#include <QPushButton>

#ifndef SSCOPE_WITHOUT_LATTICE
#include "core/filter/families/recipe_text.h"
#include "core/lattice/configuration.h"
#endif
#include "datasets/samples.h"
#include "gpu/device/kernel_source.h"
#include "tests/support/catch.h"
#include "ui/base/text.h"
#include "ui/rooms/filter/filter_room.h"
#include "ui/window/bars.h"
#include "ui/window/export_dialog.h"

namespace sscope::test {

TestWindow::TestWindow(std::int64_t memory) : workshop(makeWorkshop()) {
  QSettings().clear();
  Toolbox toolbox;
  toolbox.memory = memory;
  toolbox.engines = &workshop.engines;
  toolbox.variants = &workshop.variants;
  toolbox.io = workshop.io.get();
#ifndef SSCOPE_WITHOUT_LATTICE
  toolbox.configurations = workshop.configurations.get();
  toolbox.isConfiguration = [this](const std::string& path) { return workshop.configurations->recognizes(path); };
#endif
  for (const Sample& each : samples())
    toolbox.samples.push_back({each.name, each.label, each.description, each.dimensions,
                               [name = each.name](std::int64_t size, std::uint64_t seed, const Control& control) {
                                 return makeSample(name, size, seed, control);
                               }});
  toolbox.kernelText = [](const std::string& name) {
    for (const KernelFile& file : kernelFiles())
      if (file.name == name) return std::string(file.text);
    return std::string();
  };
  Instruments instruments;
  instruments.ceilings.stored = [](const EngineInfo&, int) { return std::optional<Ceilings>(); };
  instruments.ceilings.measure = [](Engine&, int, const Control&) { return Ceilings(); };
  instruments.busy = [] { return std::vector<double>{10, 90}; };
  window = std::make_unique<MainWindow>(std::move(toolbox), std::move(instruments));
  window->resize(1400, 900);
  window->show();
  REQUIRE(QTest::qWaitForWindowExposed(window.get()));
  // Without a window manager nobody else gives the window the keyboard.
  window->activateWindow();
  REQUIRE(QTest::qWaitForWindowActive(window.get()));
}

void TestWindow::setBank(std::initializer_list<const char*> specs) {
  FilterBank bank;
  for (const char* spec : specs) {
    FilterRecipe recipe = parseFilterSpec(spec);
    recipe.name = uniqueName(bank, recipe.name);
    bank.filters.push_back(std::move(recipe));
  }
  Session session;
  session.bank = std::move(bank);
  model().replaceSession(std::move(session));
}

TestWindow::TestWindow(std::initializer_list<const char*> specs, const char* sample, std::int64_t size) : TestWindow() {
  setBank(specs);
  if (sample != nullptr) REQUIRE(openSample(sample, size));
}

void TestWindow::showFile(const std::filesystem::path& path) {
  REQUIRE(openFile(path));
  REQUIRE(waitIdle());
}

void TestWindow::setOption(const char* name, const OptionValue& value) {
  FilterBank bank = model().bank();
  bank.filters.at(0).parameters[name] = value;
  model().editBank(bank, "edit"_q);
}

void TestWindow::editOption(const char* name, const OptionValue& value, const QString& drag) {
  FilterRecipe recipe = model().bank().filters.front();
  recipe.parameters[name] = value;
  model().editRecipe(0, recipe, "edit"_q, drag);
}

void TestWindow::switchOff() {
  FilterBank bank = model().bank();
  bank.filters.front().enabled = false;
  model().editBank(bank, "off"_q);
}

void TestWindow::useEngine(const char* engine) { model().editEngineChoice({engine, {}, 1}, "engine"_q); }

void TestWindow::setTaps(const DenseTaps& taps) {
  FilterBank bank;
  bank.filters.emplace_back();
  bank.filters[0].family = bank.filters[0].name = "custom";
  bank.filters[0].taps = taps;
  model().editBank(bank, "custom"_q);
}

std::filesystem::path TestWindow::exportAs(const char* suffix, const char* name) {
  const int what = window->showExport(QLatin1String(suffix)).findChild<QComboBox*>("exportWhat"_q)->currentIndex();
  return exportAs(what, name);
}

std::filesystem::path TestWindow::exportAs(int what, const char* name) {
  REQUIRE(exportTo(*this, what, folder / name).size() == 1);
  return folder / name;
}

void TestWindow::save(const QString& path) {
  const QSignalSpy saved(window.get(), &MainWindow::saved);
  window->saveTo(path);
  REQUIRE_SOON(!saved.isEmpty());
}

std::string TestWindow::status() { return window->statusLine().text().toStdString(); }

VolumeViews& TestWindow::views() { return window->roomOf<FilterRoom>().views(); }

void TestWindow::showRow(const char* filter) {
  ViewState view = model().view();
  view.shownFilter = filter;
  model().setView(view);
}

bool TestWindow::waitIdle() {
  return wait(
      [this] { return !window->loader().busy() && !window->live().busy() && window->live().result() != nullptr; });
}

bool TestWindow::openSample(const char* name, std::int64_t size) {
  const QSignalSpy loaded(&window->loader(), &DataLoader::loaded);
  window->loader().openSample(name, size);
  return wait([&] { return !loaded.isEmpty(); }) && waitIdle();
}

bool TestWindow::openFile(const std::filesystem::path& path) {
  const QSignalSpy loaded(&window->loader(), &DataLoader::loaded);
  const QSignalSpy failed(&window->loader(), &DataLoader::failed);
  window->loader().open(toQt(path.string()));
  return wait([&] { return !loaded.isEmpty() || !failed.isEmpty(); }) && !loaded.isEmpty();
}

void sendMouse(QWidget& widget, QEvent::Type type, double x) {
  const QPointF at(x, widget.height() / 2.0);
  const auto button = type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton;
  QMouseEvent event(type, at, widget.mapToGlobal(at), button,
                    type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(&widget, &event);
}

ExportDialog& showExport(MainWindow& window, int what) {
  ExportDialog& dialog = window.showExport();
  dialog.findChild<QComboBox*>("exportWhat"_q)->setCurrentIndex(what);
  return dialog;
}

QStringList exportTo(TestWindow& test, int what, const std::filesystem::path& path) {
  ExportDialog& dialog = showExport(*test.window, what);
  dialog.setPath(toQt(path.string()));
  QSignalSpy exported(&dialog, &ExportDialog::exported);
  const QSignalSpy failed(&dialog, &ExportDialog::failed);
  auto* start = dialog.findChild<QPushButton*>("exportStart"_q);
  REQUIRE(start->isEnabled());
  QTest::mouseClick(start, Qt::LeftButton);
  REQUIRE(wait([&] { return !exported.isEmpty() || !failed.isEmpty(); }));
  return exported.isEmpty() ? QStringList() : exported.front().front().toStringList();
}

}  // namespace sscope::test
