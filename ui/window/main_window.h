#pragma once
// The window: rooms at the left, panels around the picture, what ran where at the bottom.

#include <QElapsedTimer>
#include <QMainWindow>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/job/input_files.h"
#include "ui/model/data_loader.h"
#include "ui/model/engine_figures.h"
#include "ui/model/live_controller.h"
#include "ui/model/recent_files.h"
#include "ui/model/running_session.h"
#include "ui/model/session_model.h"
#include "ui/rooms/ladder/ladder_model.h"
#include "ui/rooms/lattice/lattice_controller.h"
#include "ui/rooms/wavelet/wavelet_controller.h"
#include "ui/toolbox.h"

class QStackedWidget;

namespace sscope {

class BankPanel;
class FilterPage;
class LadderPage;
class OfferBar;
class LatticePage;
class LatticeSetup;
class RoomBar;
class DataPanel;
class EnginesPanel;
class ExportDialog;
struct ExportOffer;
class Panel;
class StatusLine;
class VolumeViews;
class WaveletPage;
class WaveletSetup;
class WriteGuard;

// Settings: the folder that files were last opened from or saved to.
inline const QString kOpenFolderKey = QStringLiteral("openFolder");

// What the window measures the machine with.
struct Instruments {
  EngineFigures::CeilingSource ceilings;
  std::function<std::vector<double>()> busy;  // percent per processor core; empty: unavailable
};

// One way to use the engines: its page in the middle, and the panels around it.
struct Room {
  QString key;    // in the settings: "filter"
  QString title;  // "Filter"
  const char* icon;
  QString tip;
  QWidget* page = nullptr;
  std::vector<Panel*> panels;          // what the room can show
  std::size_t openAtFirst = SIZE_MAX;  // how many of them are open until somebody says otherwise
  std::vector<double> heights{};       // of the first ones at first, in lines of text
};

class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  enum RoomIndex { kFilterRoom, kWaveletRoom, kLatticeRoom, kLadderRoom };

  MainWindow(Toolbox toolbox, Instruments instruments, QWidget* parent = nullptr);
  ~MainWindow() override;

  [[nodiscard]] SessionModel& model() { return model_; }
  [[nodiscard]] LiveController& live() { return live_; }
  [[nodiscard]] DataLoader& loader() { return loader_; }
  [[nodiscard]] VolumeViews& views();
  [[nodiscard]] StatusLine& statusLine() { return *status_; }
  [[nodiscard]] WaveletController& wavelets() { return wavelets_; }
  [[nodiscard]] WaveletPage& waveletPage() { return *waveletPage_; }
  [[nodiscard]] LatticeController& lattices() { return lattices_; }
  [[nodiscard]] LatticePage& latticePage() { return *latticePage_; }
  [[nodiscard]] LadderModel& ladders() { return ladders_; }
  [[nodiscard]] LadderPage& ladderPage() { return *ladderPage_; }
  void enterRoom(int room);
  [[nodiscard]] int room() const { return room_; }
  // Opens the export dialog with what the open room offers; it stays beside the window.
  ExportDialog& showExport(int what = 0);

  void chooseFile();
  // In the Lattice room.
  void openConfiguration(const QString& path);
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
  // close(), and opening another session, ask first when there are changes that were not saved; nothing blocks
  // meanwhile. Everything that runs: opening, computing, measuring.
  void cancelAll();

 Q_SIGNALS:
  void saved(const QString& path);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void closeEvent(QCloseEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void buildPanels(const std::function<std::vector<double>()>& busy);
  void buildRooms();
  void buildStatus();
  void followLadders();
  void followWavelets();
  void followLattices();
  void followSolve();
  void followOpening();
  void tellLattices();
  // What the open room has to say, when another one was left.
  void tellRoom();
  void sendField(bool all);
  void tellWavelets();
  // Filtering and transforming take turns: only what the open room shows is computed, nothing while a ladder is timed.
  void pauseRooms();
  void enterShownRoom();
  void arrangeRoom();
  void placePanels();
  void orderFocus();
  void focusPictures();
  // Panels become tabs where the window is narrow, and go back.
  void followWidth();
  [[nodiscard]] QString stateKey() const;
  void rememberRoom() const;
  void runRoom();
  void repeatTiming();
  void offerExports();
  [[nodiscard]] std::vector<ExportOffer> filterOffers();
  void buildMenus();
  void buildFileMenu();
  void buildEditMenu();
  void buildViewMenu();
  void buildRunMenu();
  void buildHelpMenu();
  void showAbout();
  void showPictureMenu(VolumeViews& views, bool slices, const QPoint& at);
  void showTitle();
  void toggleSource();
  void showLayout(const char* layout);
  [[nodiscard]] bool showsData() const { return room_ == kFilterRoom || room_ == kWaveletRoom; }
  void stepSlice(int by);
  void restoreLayout();
  void rememberLayout() const;
  // What follows the question whether changes that were not saved shall be: goOn(false) once they are, goOn(true) when
  // they shall be lost, giveUp() when all stays as it is. giveUp may be empty.
  struct AfterSaving {
    std::function<void(bool discard)> goOn;
    std::function<void()> giveUp;
  };
  // The session with what the Lattice room holds now.
  [[nodiscard]] const Session& wholeSession();
  void restoreLattice();
  void buildOffers();
  void offerLeftSession();
  void locateData();
  void writeTo(const QString& path);
  void saveConfiguration(const QString& path);
  // Every file of the open data, whichever room they belong to.
  [[nodiscard]] InputFiles openFiles() const;
  // The entries of the Edit menu that change the bank work only where it is seen.
  void enableFilterActions();
  void showStep(int index);  // of the undo stack
  void askToSave(const QString& question, const AfterSaving& after);
  void askToClose();
  void askToReplace();
  void giveUpSaving();

  Toolbox toolbox_;
  SessionModel model_;
  LiveController live_;
  DataLoader loader_;
  RecentFiles recent_;
  EngineFigures figures_;
  BackgroundTask saving_;
  WaveletController wavelets_;
  LatticeController lattices_;
  LadderModel ladders_;
  std::vector<Room> rooms_;
  int room_ = kFilterRoom;
  bool narrow_ = false;  // the panels are tabs
  QString fromLattice_;  // what is being opened, if that was asked for in the Lattice room
  RoomBar* roomBar_ = nullptr;
  QStackedWidget* pages_ = nullptr;
  FilterPage* center_ = nullptr;
  WaveletPage* waveletPage_ = nullptr;
  LatticePage* latticePage_ = nullptr;
  LatticeSetup* latticeSetup_ = nullptr;
  LadderPage* ladderPage_ = nullptr;
  DataPanel* data_ = nullptr;
  BankPanel* bank_ = nullptr;
  EnginesPanel* engines_ = nullptr;
  StatusLine* status_ = nullptr;
  WriteGuard* guard_ = nullptr;
  OfferBar *leftOffer_ = nullptr, *missingOffer_ = nullptr;
  QString missingPath_;
  std::filesystem::path keptFolder_;
  std::optional<LeftSession> left_;  // while it is offered
  ExportDialog* export_ = nullptr;
  AfterSaving afterSaving_;                  // while the session is being saved because somebody answered so
  bool discardOnClose_ = false;              // another answer
  std::unique_ptr<RunningSession> running_;  // none: nothing is kept
  std::vector<Panel*> panels_;
  QAction* closeData_ = nullptr;
  std::vector<QAction*> filterActions_;
  std::vector<QAction*> dataActions_;  // of the rooms that show data
  QElapsedTimer transforming_, smoothing_;
  std::optional<qint64> fieldMilliseconds_;  // what the shown lattice field took; none: it was not computed from links
  QString ladderOutcome_;                    // of the last ladder
};

}  // namespace sscope
