#pragma once
// Exports what is in the window: filtered volumes, views, charts, the session.

#include <QDialog>
#include <QDir>
#include <vector>

#include "ui/base/background_task.h"
#include "ui/base/notice.h"
#include "ui/base/toolbox.h"
#include "ui/model/export_offer.h"
#include "ui/model/live_controller.h"
#include "ui/model/session_model.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;

namespace sscope {

class WriteGuard;

class ExportDialog : public QDialog {
  Q_OBJECT
 public:
  ExportDialog(const Toolbox& toolbox, SessionModel& model, LiveController& live, WriteGuard& guard,
               QWidget* parent = nullptr);
  // Sets what the open room can export; `volumes`: also the filtered volumes, as the first entry. `stem` begins the
  // suggested file names; empty: the name of the data.
  void setOffers(std::vector<ExportOffer> offers, bool volumes, const QString& stem = {});
  // Chooses the offer with this suffix; empty: the first entry.
  void choose(const QString& suffix);
  void setPath(const QString& path);
  // Writes, and asks first if files would be replaced.
  void start();
  // Whether something is being written. When that is canceled, files that are complete stay; no incomplete file does.
  [[nodiscard]] bool busy() const { return task_.busy(); }
  // Called for Esc: cancels the export that is running, or else closes the dialog.
  void reject() override;

 Q_SIGNALS:
  void exported(const QStringList& files);
  void failed(const QString& message);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  [[nodiscard]] QDir folder() const;  // for file names without a folder
  void suggest();
  void refresh();
  void browse();
  // For data larger than memory, which are filtered from file to file.
  [[nodiscard]] std::vector<std::string> resultNames() const;
  [[nodiscard]] QString largeHint() const;
  void startLarge(const std::string& pattern);
  void startVolumes(const std::shared_ptr<const ResidentFilterResult>& result, const std::string& pattern);
  void startOffer(const ExportOffer& offer, const std::string& path);
  void fail(const QString& message);
  void stop();
  [[nodiscard]] bool volumesChosen() const;
  [[nodiscard]] const ExportOffer* chosenOffer() const;
  void setBusy(bool busy);
  // The suffixes of the formats that can store such a volume; all if the shape is empty.
  [[nodiscard]] QString suffixes(const VolumeShape& shape, ElementType type) const;
  [[nodiscard]] std::shared_ptr<const ResidentFilterResult> keptResult() const;  // null: none
  [[nodiscard]] QString volumesHint() const;
  // What the chosen format cannot store of the geometry; empty: nothing.
  [[nodiscard]] QString lossText() const;
  void notify(Notice::Kind kind, const QString& message);
  // Makes the dialog high enough for everything in it.
  void makeRoom();

  const Toolbox& toolbox_;
  SessionModel& model_;
  LiveController& live_;
  WriteGuard& guard_;
  std::vector<ExportOffer> offers_;
  bool volumes_ = true;
  QString stem_;
  QComboBox* what_;
  QLineEdit* path_;
  QPushButton* browse_;
  QLabel* hint_;
  QLabel* loss_;
  Notice* notice_;
  QProgressBar* progress_;
  QPushButton* export_;
  QPushButton* cancel_;
  QStringList files_;  // of the running export
  BackgroundTask task_;
};

}  // namespace sscope
