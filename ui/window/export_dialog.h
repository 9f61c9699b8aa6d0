#pragma once
// Everything that can leave the window: filtered volumes, the views, the charts, the session.

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
  // What the open room has to offer, beginning with the filtered volumes in rooms that have them. `stem` begins the
  // suggested file names; empty: the name of the data.
  void setOffers(std::vector<ExportOffer> offers, bool volumes, const QString& stem = {});
  // The offer with this suffix; empty: the first entry, which is the filtered volumes where there are any.
  void choose(const QString& suffix);
  void setPath(const QString& path);
  // Writes; asks first where files would be replaced.
  void start();
  // Something is being written. Files that are whole by then stay when it is canceled, and no part of another.
  [[nodiscard]] bool busy() const { return task_.busy(); }
  // Esc: cancels what is being written, and closes the dialog otherwise.
  void reject() override;

 Q_SIGNALS:
  void exported(const QStringList& files);
  void failed(const QString& message);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  [[nodiscard]] QDir folder() const;  // for names without one
  void suggest();
  void refresh();
  void browse();
  // Of data larger than memory, from file to file.
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
  // Of the formats that can hold such a volume; of all for an empty shape.
  [[nodiscard]] QString suffixes(const VolumeShape& shape, ElementType type) const;
  [[nodiscard]] std::shared_ptr<const ResidentFilterResult> keptResult() const;  // null: not there
  [[nodiscard]] QString volumesHint() const;
  // What of the geometry the chosen format cannot hold; empty: nothing is lost.
  [[nodiscard]] QString lossText() const;
  // Grows, so that nothing in it is squeezed.
  void tell(Notice::Kind kind, const QString& message);
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
  QStringList files_;  // of the export under way
  BackgroundTask task_;
};

}  // namespace sscope
