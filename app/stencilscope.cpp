// The desktop application.

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <QApplication>
#include <QSettings>
#include <QSocketNotifier>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include "app/cli/shared_options.h"
#include "app/setup/setup.h"
#include "app/stencilscope_start.h"
#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/base/words.h"
#include "core/job/input_files.h"
#ifndef SSCOPE_WITHOUT_LATTICE
#include "core/lattice/configuration.h"
#endif
#include "core/measure/ceilings.h"
#include "core/measure/cpu_time.h"
#include "core/session/kept_session.h"
#include "core/workload/catalog.h"
#include "datasets/samples.h"
#include "gpu/device/kernel_source.h"
#include "gpu/run/device_engine.h"
#include "ui/base/icons.h"
#include "ui/base/language.h"
#include "ui/base/look.h"
#include "ui/subjects.h"
#include "ui/views/opengl.h"
#include "ui/window/main_window.h"

namespace {

using namespace sscope;

constexpr const char* kNoDisplay =
    "error: there is no display to open a window on; set DISPLAY, or use `sscope` on the command line\n";

// Qt ends the program if it cannot reach the display; then one sentence replaces Qt's messages.
void watchForMissingDisplay(QtMsgType type, const QMessageLogContext& /*context*/, const QString& message) {
  if (type == QtFatalMsg) {
    std::fputs(
        message.contains(QLatin1String("platform plugin")) ? kNoDisplay : qPrintable(message + QLatin1Char('\n')),
        stderr);
    std::_Exit(1);
  }
  // The messages of platform plugins before the fatal one add no information.
  if (!message.startsWith(QLatin1String("qt.qpa"))) std::fprintf(stderr, "%s\n", qPrintable(message));
}

Toolbox toolboxOf(Workshop& workshop, std::int64_t memory) {
  Toolbox toolbox;
  toolbox.memory = memory;
  toolbox.engines = &workshop.engines;
  toolbox.variants = &workshop.variants;
  toolbox.io = workshop.io.get();
#ifndef SSCOPE_WITHOUT_LATTICE
  toolbox.configurations = workshop.configurations.get();
  toolbox.isConfiguration = [&workshop](const std::string& path) { return workshop.configurations->recognizes(path); };
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
  return toolbox;
}

Instruments instruments(EngineSet& engines) {
  Instruments made;
  made.ceilings.stored = [](const EngineInfo& info, int threads) { return storedCeilings(info, threads); };
  made.ceilings.measure = [](Engine& engine, int threads, const Control& control) {
    const Ceilings measured = engine.measureCeilings(threads, control);
    storeCeilings(engine.info(), threads, measured);
    return measured;
  };
  made.busy = [sampler = std::make_shared<CpuBusySampler>()] { return sampler->sample().percent; };
  made.deviceLoad = [&engines](const std::string& id) { return deviceLoadOf(engines.at(id)); };
  return made;
}

std::vector<std::string> ladderNames() {
  std::vector<std::string> names;
  for (const WorkloadKind& kind : workloadCatalog()) names.push_back(kind.name);
  return names;
}

// The screenshot must not replace an opened file.
void requireScreenshot(const VolumeIo& io, const StartOptions& options) {
  if (options.screenshot.empty()) return;
  checkTarget(options.screenshot);
  InputFiles read;
  read.add(io, options.file);
  if (const std::string refusal = refusalToReplace(read, {options.screenshot}, "read"); !refusal.empty())
    throw Error(ErrorKind::Usage, refusal);
}

int signalPipe[2] = {-1, -1};

// SIGTERM and similar signals close the window like the user does; a second one ends the program.
void followSignals(MainWindow& window) {
  if (::pipe2(signalPipe, O_CLOEXEC) != 0) return;
  auto* arrived = new QSocketNotifier(signalPipe[0], QSocketNotifier::Read, &window);
  QObject::connect(arrived, &QSocketNotifier::activated, &window, [arrived, &window] {
    arrived->setEnabled(false);
    window.endNow();
  });
  struct sigaction action {};
  action.sa_handler = [](int) { static_cast<void>(!::write(signalPipe[1], "x", 1)); };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int number : {SIGTERM, SIGINT, SIGHUP}) ::sigaction(number, &action, nullptr);
}

int show(int argc, char** argv, const StartOptions& options) {
  if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) {
    // VTK renders with GLX, so under Wayland Qt uses X11.
    qputenv("QT_QPA_PLATFORM", "xcb");
    if (qEnvironmentVariableIsEmpty("DISPLAY")) {
      std::fputs(kNoDisplay, stderr);
      return 1;
    }
  }
  qInstallMessageHandler(watchForMissingDisplay);
  setDefaultOpenGlFormat();
  QApplication::setOrganizationName(QStringLiteral("Stencilscope"));
  QApplication::setApplicationName(QStringLiteral("stencilscope"));
  QApplication::setApplicationDisplayName(QStringLiteral("Stencilscope"));
  QApplication::setDesktopFileName(QStringLiteral("stencilscope"));
  QApplication application(argc, argv);
  keepDecimalPoint();
  installPlurals(application);
  QApplication::setWindowIcon(applicationIcon());
  applyAppearance(application, options.appearance.value_or(
                                   static_cast<Appearance>(QSettings().value(QStringLiteral("appearance")).toInt())));
  Workshop workshop = makeWorkshop();
  requireScreenshot(*workshop.io, options);
  MainWindow window(toolboxOf(workshop, options.memory), instruments(workshop.engines));
  window.show();
  start(window, options);
  if (options.screenshot.empty()) window.keepSession(keptSessionsFolder());
  followSignals(window);
  return QApplication::exec();
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App program("Stencilscope: filter images and volumes on every engine of this machine");
  StartOptions options;
  std::string appearance;
  program.add_option("FILE", options.file,
                     "A volume, an image, a DICOM folder, a pattern of slices, a session (.json), or a gauge "
                     "configuration");
  program.add_option("--sample", options.sample, "Start with this built-in sample")->excludes("FILE");
  program.add_option("--size", options.sampleSize, "Voxels along each edge of the sample")->needs("--sample");
  program
      .add_option("--screenshot", options.screenshot,
                  "Save the window as PNG once the result is verified and drawn, then quit")
      ->type_name("OUT.png");
  program.add_option("--room", options.room, "Start in this room (default: the session's, or the first)")
      ->check(CLI::IsMember(roomNames()));
#ifndef SSCOPE_WITHOUT_LATTICE
  program.add_option("--flow", options.flow, "Smooth the links of a gauge configuration for this flow time")
      ->check(CLI::Range(0.0, 10.0))
      ->needs("FILE")
      ->type_name("T");
  program.add_option("--solve", options.solve, "Solve for a point source on a gauge configuration with this kappa")
      ->check(CLI::Range(-10.0, 10.0))
      ->needs("FILE")
      ->type_name("KAPPA");
#endif
  program.add_option("--ladder", options.ladder, "Start in the Ladders room and run this ladder on small data")
      ->check(CLI::IsMember(ladderNames()))
      ->excludes("FILE")
      ->excludes("--sample");
  cli::addMemoryOption(program, options.memory,
                       "Maximum memory for data and results, as 2G or 512M; larger files open as an overview "
                       "(default: two thirds of the free memory)");
  program.add_option("--appearance", appearance, "system, light or dark (default: the last choice)")
      ->check(CLI::IsMember({"system", "light", "dark"}));
  program.set_version_flag("--version", std::string("stencilscope ") + SSCOPE_VERSION);
  try {
    program.parse(argc, argv);
    cli::requireFileNames(program);
  } catch (const CLI::ParseError& error) {
    const int code = program.exit(error);
    return code == 0 ? 0 : 2;
  }
  if (!appearance.empty())
    options.appearance = appearance == "dark"    ? Appearance::Dark
                         : appearance == "light" ? Appearance::Light
                                                 : Appearance::System;
  try {
    return show(argc, argv, options);
  } catch (const Error& error) {
    std::cerr << "error: " << error.what() << "\n";
    return error.kind() == ErrorKind::Usage ? 2 : 1;
  } catch (const std::exception& error) {
    std::cerr << "error: " << wordsOf(error) << "\n";
    return 1;
  }
}
