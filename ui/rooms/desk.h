#pragma once
// Everything that rooms are constructed with: shared objects and requests to the window.

#include <QString>
#include <functional>
#include <optional>
#include <string>

#include "core/engine/engine.h"
#include "ui/base/toolbox.h"

class QWidget;

namespace sscope {

class DataLoader;
class DataPanel;
class EnginesPanel;
class LiveController;
class Panel;
class RecentFiles;
class SessionModel;
class WriteGuard;

using DeviceLoads = std::function<std::optional<DeviceLoad>(const std::string& engine)>;

// What follows the question about unsaved changes: goOn(false) after they are saved, goOn(true) to discard them,
// giveUp() to cancel. giveUp may be empty.
struct AfterSaving {
  std::function<void(bool discard)> goOn;
  std::function<void()> giveUp;
};

// All members outlive the rooms.
struct Desk {
  const Toolbox& toolbox;
  SessionModel& model;
  DataLoader& loader;
  RecentFiles& recent;
  LiveController& live;
  WriteGuard& guard;
  DataPanel& data;
  EnginesPanel& engines;
  Panel& dataPanel;
  Panel& enginesPanel;
  QWidget& window;  // the parent of pages and panels
  // How busy the device of an engine is; empty for the processor and where nobody tells. From any thread.
  DeviceLoads deviceLoad;
  std::function<bool()> anyComputing;
  std::function<void(const QString& question, const AfterSaving& after)> askToSave;
};

}  // namespace sscope
