#pragma once
// A room is one way to use the engines. The window has a list of rooms and knows them only through this interface.

#include <QAction>
#include <QObject>
#include <QString>
#include <QStringList>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/engine/engine.h"
#include "core/job/input_files.h"
#include "core/session/session.h"
#include "ui/base/toolbox.h"
#include "ui/model/engine_figures.h"
#include "ui/model/export_offer.h"

class QWidget;

namespace sscope {

class DataLoader;
class DataPanel;
class EnginesPanel;
class LiveController;
class Panel;
class PictureRoom;
class RecentFiles;
class SessionModel;
class WriteGuard;

// The room's button and its entry in the View menu.
struct RoomSign {
  QString key;  // in settings and sessions: "filter"
  QString title;
  const char* icon;
  QString tip;
};

// The room's panels on the left side, from top to bottom. The Data and Engines panels are shared by rooms.
struct RoomPanels {
  std::vector<Panel*> panels;
  std::size_t openAtFirst = SIZE_MAX;  // how many of them are open until the user changes that
  std::vector<double> heights{};       // initial heights of the first ones, in lines of text
};

// Work that takes less time shows no progress, which would only flicker.
inline constexpr int kQuietMilliseconds = 250;

// The room's message in the status line.
struct RoomWords {
  QString text;
  QString why{};            // details, shown by a button; may be empty
  bool busy = false;        // shows progress and Cancel
  double fraction = -1;     // done, 0..1; negative: unknown
  QString doing{};          // beside the progress
  bool everywhere = false;  // shown in every room while busy and when it ends, so that it can be canceled anywhere
  bool ownBar = false;      // the room's page shows the progress itself
};

// The title and the file filters of the Open dialog while the room is shown.
struct OpenWords {
  QString title;
  QStringList filters;
};

class Room : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  [[nodiscard]] virtual RoomSign sign() const = 0;
  [[nodiscard]] virtual QWidget& page() = 0;
  [[nodiscard]] virtual RoomPanels panels() const = 0;
  // This room if it shows the open data, else null.
  [[nodiscard]] virtual PictureRoom* pictures() { return nullptr; }

  // Whether it works on the open data, so that the window stays in it when others are opened.
  [[nodiscard]] virtual bool usesData() const { return false; }

  // Whether its panels show the settings of the room with this key, so that undo need not enter that room.
  [[nodiscard]] virtual bool showsSettingsOf(const QString& /*room*/) const { return false; }

  // Called when the window enters and leaves the room.
  virtual void setShown(bool shown) { shown_ = shown; }
  [[nodiscard]] bool shown() const { return shown_; }
  // Pauses the room. `timed`: another room is timing something (its alone()), so nothing may run here. `elsewhere`:
  // another room is shown, and its computes() is true.
  virtual void hold(bool /*timed*/, bool /*elsewhere*/) {}
  // Whether it computes its pictures without being asked while it is shown, so that other rooms should pause.
  [[nodiscard]] virtual bool computes() const { return false; }
  // Whether something is running that would disturb timing.
  [[nodiscard]] virtual bool computing() const { return false; }
  // Whether it is timing something, so that the machine's ceilings cannot be measured.
  [[nodiscard]] virtual bool timing() const { return false; }
  // Whether it is timing something that needs the whole machine, so that all other rooms must pause.
  [[nodiscard]] virtual bool alone() const { return false; }
  // Called when a room, maybe this one, has started to compute.
  virtual void othersBegan() {}

  virtual void runAgain() = 0;
  // Times the compared engines again, for the charts.
  virtual void repeatTiming() {}
  virtual void cancel() = 0;

  // `scale`: pixels of an exported picture for each logical pixel, along each axis.
  [[nodiscard]] virtual std::vector<ExportOffer> exportOffers(double scale) = 0;
  // Filtered volumes can be exported, too; they are listed before exportOffers().
  [[nodiscard]] virtual bool exportsFiltered() const { return false; }
  // How suggested file names begin; empty: with the name of the data.
  [[nodiscard]] virtual QString exportStem() const { return {}; }
  // Completes all drawing, including refinement in the background. For screenshots.
  virtual void finishDrawing() {}

  // Called with a Qt::Key that the control with the focus did not handle. Returns whether the room did.
  virtual bool takeKey(int /*key*/) { return false; }
  // Moves the keyboard focus to where the room's keys work.
  virtual void takeFocus() {}
  // The room's entries of the Edit menu.
  [[nodiscard]] virtual QList<QAction*> editEntries() { return {}; }
  // Its own entries of the View menu.
  [[nodiscard]] virtual QList<QAction*> viewEntries() { return {}; }
  // Returns the rows of the engines' charts; null: those of the filter bank.
  [[nodiscard]] virtual std::function<std::vector<EngineRow>()> engineRows() { return {}; }

  // The name of what is open in the room; empty: nothing.
  [[nodiscard]] virtual QString document() const = 0;
  // Empty: the dialog for all files that the program opens.
  [[nodiscard]] virtual std::optional<OpenWords> openWords() const { return {}; }
  // Called when a file is being opened while the room is shown.
  virtual void openingHere(const QString& /*path*/) {}
  // Adds the files that are open in the room and must not be overwritten.
  virtual void addOpenFiles(InputFiles& /*files*/) const {}

  // Stores the room's present settings in the session.
  virtual void keep() {}
  // Takes its settings from a session that was opened.
  virtual void restore(const Session& /*session*/) {}
  // Stores the program's settings that outlive the window.
  virtual void remember() const {}

  [[nodiscard]] const RoomWords& words() const { return words_; }

 Q_SIGNALS:
  void told();  // words() changed
  void started();
  void timingChanged();  // of timing() or alone()
  void documentChanged();
  void offersChanged();
  void exportRequested(const QString& suffix);  // of an offer; empty: the first one
  void openRequested();
  void enterRequested();  // to enter this room
  void dataRequested();   // to enter a room that shows the open data

 protected:
  // Sets words() and reports it with told().
  void tell(RoomWords words);

 private:
  RoomWords words_;
  bool shown_ = false;
};

using DeviceLoads = std::function<std::optional<DeviceLoad>(const std::string& engine)>;

// What follows the question about unsaved changes: goOn(false) after they are saved, goOn(true) to discard them,
// giveUp() to cancel. giveUp may be empty.
struct AfterSaving {
  std::function<void(bool discard)> goOn;
  std::function<void()> giveUp;
};

// What rooms are constructed with: shared objects, and functions of the window. All of them outlive the rooms.
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
  // How busy the device of an engine is; empty for the processor and where it is unknown. Callable from any thread.
  DeviceLoads deviceLoad;
  std::function<bool()> anyComputing;
  std::function<void(const QString& question, const AfterSaving& after)> askToSave;
};

}  // namespace sscope
