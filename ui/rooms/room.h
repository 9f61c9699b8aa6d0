#pragma once
// One way to use the engines. The window hosts a list of rooms and knows of each what is here, nothing more.

#include <QAction>
#include <QObject>
#include <QString>
#include <QStringList>
#include <functional>
#include <optional>
#include <vector>

#include "core/job/input_files.h"
#include "core/session/session.h"
#include "ui/model/engine_figures.h"
#include "ui/model/export_offer.h"

namespace sscope {

class Panel;
class PictureRoom;

// How the window shows the way to it.
struct RoomSign {
  QString key;  // in settings and sessions: "filter"
  QString title;
  const char* icon;
  QString tip;
};

// Its panels, from the top to the bottom of the left side; those of the data and of the engines are everybody's.
struct RoomPanels {
  std::vector<Panel*> panels;
  std::size_t openAtFirst = SIZE_MAX;  // how many are open until somebody says otherwise
  std::vector<double> heights{};       // of the first ones at first, in lines of text
};

// Work shorter than this shows no progress: it would only flicker.
inline constexpr int kQuietMilliseconds = 250;

// What it says in the status line.
struct RoomWords {
  QString text;
  QString why{};            // more of it, behind a button
  bool busy = false;        // with progress and Cancel
  double fraction = -1;     // 0..1; negative: unknown
  QString doing{};          // beside the progress
  bool everywhere = false;  // said in every room, while busy and when it ends: it can be canceled there, too
  bool ownBar = false;      // the room's page shows the progress itself
};

// What a dialog for opening files asks for while the room is shown.
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
  // A room that shows the open data, or null.
  [[nodiscard]] virtual PictureRoom* pictures() { return nullptr; }

  // Whether it is the room that is seen.
  virtual void setShown(bool shown) { shown_ = shown; }
  [[nodiscard]] bool shown() const { return shown_; }
  // While `timed` nothing runs: another room times something. `elsewhere`: another room is seen, which computes what it
  // shows.
  virtual void hold(bool /*timed*/, bool /*elsewhere*/) {}
  // It computes by itself what it shows, and others wait meanwhile.
  [[nodiscard]] virtual bool computes() const { return false; }
  // Something runs now that would disturb what others time.
  [[nodiscard]] virtual bool computing() const { return false; }
  // It times something: the ceilings of the machine cannot be measured now.
  [[nodiscard]] virtual bool timing() const { return false; }
  // What it times needs the whole machine: everybody else waits.
  [[nodiscard]] virtual bool alone() const { return false; }
  // Another room began to compute.
  virtual void othersBegan() {}

  virtual void runAgain() = 0;
  // Of the engines, for the charts.
  virtual void repeatTiming() {}
  virtual void cancel() = 0;

  // `scale`: pixels of a picture for each logical one.
  [[nodiscard]] virtual std::vector<ExportOffer> exportOffers(double scale) = 0;
  // Filtered volumes come before the offers.
  [[nodiscard]] virtual bool exportsFiltered() const { return false; }
  // Begins the suggested names of files; empty: the name of the data.
  [[nodiscard]] virtual QString exportStem() const { return {}; }
  // What is shown is drawn to the end, also what is refined behind the scenes.
  virtual void finishDrawing() {}

  // A key that no control under the focus wanted; false: this neither.
  virtual bool takeKey(int /*key*/) { return false; }
  // The keys go where they are expected first.
  virtual void takeFocus() {}
  // Entries of the Edit menu that act here.
  [[nodiscard]] virtual QList<QAction*> editEntries() { return {}; }
  // Of the engines' charts; null: those of the filter bank.
  [[nodiscard]] virtual std::function<std::vector<EngineRow>()> engineRows() { return {}; }

  // The name of what is open here; empty: nothing is.
  [[nodiscard]] virtual QString document() const = 0;
  // Null: whatever the program opens.
  [[nodiscard]] virtual std::optional<OpenWords> openWords() const { return {}; }
  // Somebody opens this while the room is shown.
  virtual void openingHere(const QString& /*path*/) {}
  // What is open here and must not be written over.
  virtual void addOpenFiles(InputFiles& /*files*/) const {}

  // The part of a session that is this room's, as it is now.
  virtual void keep() {}
  // As in the session that was opened.
  virtual void restore(const Session& /*session*/) {}
  // Settings of the program that outlive the window.
  virtual void remember() const {}

  [[nodiscard]] const RoomWords& words() const { return words_; }

 Q_SIGNALS:
  void told();  // words() are new
  void started();
  void timingChanged();  // timing() or alone()
  void documentChanged();
  void offersChanged();
  void exportRequested(const QString& suffix);  // of an offer; empty: the first
  void openRequested();
  void enterRequested();  // itself
  void dataRequested();   // a room that shows the open data

 protected:
  void tell(RoomWords words);

 private:
  RoomWords words_;
  bool shown_ = false;
};

}  // namespace sscope
