#pragma once
// The window: rooms at the left, panels around the picture, what ran where at the bottom.

#include <QMainWindow>
#include <QPointer>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/job/input_files.h"
#include "ui/base/toolbox.h"
#include "ui/model/data_loader.h"
#include "ui/model/engine_figures.h"
#include "ui/model/frame_loader.h"
#include "ui/model/live_controller.h"
#include "ui/model/paths.h"
#include "ui/model/saving.h"
#include "ui/model/session_model.h"
#include "ui/rooms/room.h"

class QStackedWidget;

namespace sscope {

class DataPanel;
class EnginesPanel;
class ExportDialog;
class OfferBar;
class Panel;
class PartDialog;
class RoomBar;
class StatusLine;
class TimeBar;
class VolumeViews;
class WriteGuard;

// Settings: the folder that files were last opened from or saved to.
inline const QString kOpenFolderKey = QStringLiteral("openFolder");

// What the window measures the machine with.
struct Instruments {
  EngineFigures::CeilingSource ceilings;
  std::function<std::vector<double>()> busy;  // percent per processor core; empty: unavailable
  // See Desk::deviceLoad; empty: nobody tells.
  DeviceLoads deviceLoad{};
};

class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  MainWindow(Toolbox toolbox, Instruments instruments, QWidget* parent = nullptr);
  ~MainWindow() override;

  [[nodiscard]] SessionModel& model() { return model_; }
  [[nodiscard]] LiveController& live() { return live_; }
  [[nodiscard]] DataLoader& loader() { return loader_; }
  [[nodiscard]] FrameLoader& frames() { return frames_; }
  [[nodiscard]] StatusLine& statusLine() { return *status_; }
  // By its key: "filter".
  void enterRoom(const QString& key);
  // The key of the room that is open.
  [[nodiscard]] QString room() const;
  // The room of this class; there must be one.
  template <class Kind>
  [[nodiscard]] Kind& roomOf() {
    for (const auto& room : rooms_)
      if (auto* found = qobject_cast<Kind*>(room.get())) return *found;
    qFatal("the window has no such room");
  }
  [[nodiscard]] Room& openRoom() { return *room_; }
  // Whether any room computes.
  [[nodiscard]] bool computing() const;
  // Opens the export dialog with what the open room offers, at the offer with this suffix or at the first; it stays
  // beside the window.
  ExportDialog& showExport(const QString& suffix = {});

  void chooseFile();
  // In the room that they are for; several are the slices of one volume.
  void openPaths(const QStringList& paths);
  void chooseFolder();
  // Saves to the session's file, or asks for one the first time.
  void save();
  void saveAs();
  // Asks first where another file than the session's own would be replaced.
  void saveTo(const QString& path);
  // Keeps the session in this folder while one works, and offers what a program that was killed has left there. An
  // empty folder: neither.
  void keepSession(const std::filesystem::path& folder);
  // As asked for by the system: nobody answers questions. What is unsaved stays kept for the next start.
  void endNow();
  // close(), and opening another session, ask first when there are changes that were not saved; nothing blocks
  // meanwhile. Everything that runs: opening, computing, measuring.
  void cancelAll();

 Q_SIGNALS:
  void saved(const QString& path);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dragLeaveEvent(QDragLeaveEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void closeEvent(QCloseEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  bool focusNextPrevChild(bool next) override;

 private:
  void buildPanels(const std::function<std::vector<double>()>& busy);
  void buildRooms(DeviceLoads deviceLoad);
  void addRoom(Room& room);
  void buildStatus();
  // What the open room, or one that is heard everywhere, has to say.
  void listen(Room& room);
  [[nodiscard]] const Room& heardRoom() const { return loud_ ? *loud_ : *room_; }
  // Rooms take turns: what is timed is not disturbed, and only what is seen is computed.
  void holdRooms();
  void followTiming();
  void enter(Room& room);
  // The room that the session names, if it shows data; else the first that does.
  void enterShownRoom();
  void restoreRooms();
  [[nodiscard]] Room* roomNamed(const QString& key) const;
  [[nodiscard]] Room& dataRoom() const;
  void arrangeRoom();
  void placePanels();
  void returnFocusByMouse();
  // Panels become tabs where the window is narrow, and go back.
  void followWidth();
  [[nodiscard]] QString stateKey() const;
  void rememberRoom() const;
  void offerExports();
  void buildMenus();
  void buildFileMenu();
  void buildEditMenu();
  void buildViewMenu();
  void buildRunMenu();
  void buildHelpMenu();
  void showAbout();
  void showPictureMenu(PictureRoom& room, bool slices, const QPoint& at);
  void showTitle();
  void restoreLayout();
  void rememberLayout() const;
  // The session with what the rooms hold now.
  [[nodiscard]] const Session& wholeSession();
  void buildOffers();
  void choosePart(const QString& path, const std::vector<FilePart>& parts);
  void offerLeftSession();
  void locateData();
  void convertForeign();
  void writeTo(const QString& path);
  // Every file of the open data, whichever room they belong to.
  [[nodiscard]] InputFiles openFiles() const;
  void enableTimeActions();
  void showStep(int index);  // of the undo stack
  void askToSave(const QString& question, const AfterSaving& after);
  void askToClose();
  void askToStopExport();
  void askToReplace();
  void giveUpSaving();

  Toolbox toolbox_;
  SessionModel model_;
  LiveController live_;
  DataLoader loader_;
  FrameLoader frames_;
  RecentFiles recent_;
  EngineFigures figures_;
  BackgroundTask saving_;
  std::vector<std::unique_ptr<Room>> rooms_;
  Room* room_ = nullptr;  // the open one
  Room* loud_ = nullptr;  // one that is heard everywhere now
  bool narrow_ = false;   // the panels are tabs
  RoomBar* roomBar_ = nullptr;
  TimeBar* time_ = nullptr;
  QStackedWidget* pages_ = nullptr;
  DataPanel* data_ = nullptr;
  EnginesPanel* engines_ = nullptr;
  Panel *dataPanel_ = nullptr, *enginesPanel_ = nullptr;
  StatusLine* status_ = nullptr;
  WriteGuard* guard_ = nullptr;
  OfferBar *leftOffer_ = nullptr, *missingOffer_ = nullptr, *unknownNote_ = nullptr, *foreignOffer_ = nullptr;
  QString missingPath_, foreignPath_;
  std::filesystem::path keptFolder_;
  std::optional<LeftSession> left_;  // while it is offered
  ExportDialog* export_ = nullptr;
  QPointer<PartDialog> parts_;
  AfterSaving afterSaving_;                  // while the session is being saved because somebody answered so
  bool discardOnClose_ = false;              // another answer
  bool stopExportOnClose_ = false;           // likewise
  std::unique_ptr<RunningSession> running_;  // none: nothing is kept
  std::vector<Panel*> panels_;               // the data's first, the engines' last
  QAction* closeData_ = nullptr;
  std::vector<QAction*> timeActions_;  // of data with several points in time
  std::vector<QAction*> dataActions_;  // of the rooms that show data
};

}  // namespace sscope
