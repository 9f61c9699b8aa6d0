#pragma once
// The main window: the rooms at the left, panels around the page of the open room, the status line at the bottom.

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

// The setting with the folder of the last opened or saved file.
inline const QString kOpenFolderKey = QStringLiteral("openFolder");

// How the window measures the machine.
struct Instruments {
  EngineFigures::CeilingSource ceilings;
  std::function<std::vector<double>()> busy;  // percent per processor core; empty: unavailable
  // See Desk::deviceLoad; empty: unavailable.
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
  // Enters the room with this key: "filter".
  void enterRoom(const QString& key);
  // The key of the room that is open.
  [[nodiscard]] QString room() const;
  // The room of this class, which must exist.
  template <class Kind>
  [[nodiscard]] Kind& roomOf() {
    for (const auto& room : rooms_)
      if (auto* found = qobject_cast<Kind*>(room.get())) return *found;
    qFatal("the window has no such room");
  }
  [[nodiscard]] Room& openRoom() { return *room_; }
  // Whether any room computes.
  [[nodiscard]] bool computing() const;
  // Shows the export dialog, which is not modal, with the exports of the open room. Chooses the one with this suffix,
  // or else the first.
  ExportDialog& showExport(const QString& suffix = {});

  void chooseFile();
  // Enters the room for such files. Several files are the slices of one volume.
  void openPaths(const QStringList& paths);
  void chooseFolder();
  // Saves to the session's file; asks for one if it has none.
  void save();
  void saveAs();
  // Asks first if this would replace a file that is not the session's own.
  void saveTo(const QString& path);
  // Keeps storing the session in this folder, and offers to restore one that a killed program left there. An empty
  // folder: neither.
  void keepSession(const std::filesystem::path& folder);
  // Ends the program without asking questions, as the system requested. The unsaved session is kept for the next start.
  void endNow();
  // Cancels everything that runs: opening, computing, measuring.
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
  // The status line shows the words of the open room, or of one whose words are for everywhere.
  void showStatus(Room& room);
  [[nodiscard]] const Room& statusRoom() const { return everywhere_ ? *everywhere_ : *room_; }
  // Pauses rooms, so that no timing is disturbed and only the shown room computes.
  void holdRooms();
  void followTiming();
  void enter(Room& room);
  // Enters the room that the session names if it shows data, or else the first one that does.
  void enterShownRoom();
  void restoreRooms();
  [[nodiscard]] Room* roomNamed(const QString& key) const;
  [[nodiscard]] Room& dataRoom() const;
  void arrangeRoom();
  void placePanels();
  void returnFocusByMouse();
  // Makes the panels tabs if the window is narrow.
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
  // The session with the present settings of all rooms.
  [[nodiscard]] const Session& wholeSession();
  void buildOffers();
  void choosePart(const QString& path, const std::vector<FilePart>& parts);
  void offerLeftSession();
  void locateData();
  void convertForeign();
  void writeTo(const QString& path);
  // The files that are open in any room.
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
  Room* room_ = nullptr;        // the open one
  Room* everywhere_ = nullptr;  // one whose words are shown in every room now
  bool narrow_ = false;         // the panels are tabs
  RoomBar* roomBar_ = nullptr;
  TimeBar* time_ = nullptr;
  QStackedWidget* pages_ = nullptr;
  DataPanel* data_ = nullptr;
  EnginesPanel* engines_ = nullptr;
  Panel *dataPanel_ = nullptr, *enginesPanel_ = nullptr;
  StatusLine* status_ = nullptr;
  WriteGuard* guard_ = nullptr;
  OfferBar *keptOffer_ = nullptr, *missingOffer_ = nullptr, *unknownNote_ = nullptr, *foreignOffer_ = nullptr;
  QString missingPath_, foreignPath_;
  std::filesystem::path keptFolder_;
  std::optional<LeftSession> kept_;  // the one that is offered
  ExportDialog* export_ = nullptr;
  QPointer<PartDialog> parts_;
  AfterSaving afterSaving_;                  // while the session is saved as the answer to a question
  bool discardOnClose_ = false;              // the other answer to it
  bool stopExportOnClose_ = false;           // the answer to the question about the export
  std::unique_ptr<RunningSession> running_;  // null: the session is not kept
  std::vector<Panel*> panels_;               // first that of the data, last that of the engines
  QAction* closeData_ = nullptr;
  std::vector<QAction*> timeActions_;  // for data with several time points
  std::vector<QAction*> dataActions_;  // for rooms that show data
};

}  // namespace sscope
