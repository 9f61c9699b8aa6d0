#pragma once
// What a room is made with: what all of them share, and what they ask of the window.

#include <QString>
#include <functional>

#include "ui/toolbox.h"

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

// What follows the question whether changes that were not saved shall be: goOn(false) once they are, goOn(true) when
// they shall be lost, giveUp() when all stays as it is. giveUp may be empty.
struct AfterSaving {
  std::function<void(bool discard)> goOn;
  std::function<void()> giveUp;
};

// All outlive the rooms.
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
  std::function<bool()> anyComputing;
  std::function<void(const QString& question, const AfterSaving& after)> askToSave;
};

}  // namespace sscope
