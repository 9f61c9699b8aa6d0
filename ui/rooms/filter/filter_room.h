#pragma once
// The Filter room: a bank of filters on the open data.

#include <QWidget>
#include <memory>

#include "core/engine/resident_array.h"
#include "ui/base/toolbox.h"
#include "ui/model/data_loader.h"
#include "ui/model/live_controller.h"
#include "ui/model/session_model.h"
#include "ui/rooms/filter/filter_words.h"
#include "ui/rooms/picture_room.h"
#include "ui/rooms/room.h"

class QStackedLayout;

namespace sscope {

class BankPanel;
class CompareLink;
class LaboratoryPanel;
class ProfilePanel;
class VolumePanel;
class VolumeViews;

// The views with their bar and readout, or the samples while no data are open.
class FilterPage : public QWidget {
  Q_OBJECT
 public:
  FilterPage(const Toolbox& toolbox, SessionModel& model, LiveController& live, DataLoader& loader,
             QWidget* parent = nullptr);
  [[nodiscard]] VolumeViews& views() { return *views_; }
  [[nodiscard]] CompareLink& compare() { return *compare_; }
  [[nodiscard]] ProfilePanel& profile() { return *profile_; }
  [[nodiscard]] LaboratoryPanel& laboratory() { return *laboratory_; }
  [[nodiscard]] VolumePanel& volume() { return *volume_; }

 Q_SIGNALS:
  void openRequested();
  void readingFailed(const QString& why);  // for planes of data larger than memory

 private:
  QStackedLayout* stack_;
  VolumeViews* views_;
  CompareLink* compare_;
  ProfilePanel* profile_;
  LaboratoryPanel* laboratory_;
  VolumePanel* volume_;
};

class FilterRoom : public PictureRoom {
  Q_OBJECT
 public:
  static constexpr const char* kKey = "filter";
  explicit FilterRoom(const Desk& desk, QObject* parent = nullptr);

  [[nodiscard]] RoomSign sign() const override;
  [[nodiscard]] QWidget& page() override;
  [[nodiscard]] RoomPanels panels() const override;
  [[nodiscard]] VolumeViews& views() override;
  void setShown(bool shown) override;
  void hold(bool timed, bool elsewhere) override;
  [[nodiscard]] bool computing() const override;
  void runAgain() override;
  void repeatTiming() override;
  void cancel() override;
  [[nodiscard]] std::vector<ExportOffer> exportOffers(double scale) override;
  [[nodiscard]] bool exportsFiltered() const override { return true; }
  void finishDrawing() override;
  [[nodiscard]] QList<QAction*> editEntries() override { return entries_; }
  [[nodiscard]] QList<QAction*> viewEntries() override { return viewEntries_; }
  void addToMenu(QMenu& menu, bool slices) override;
  bool takeKey(int key) override;

 protected:
  [[nodiscard]] Seen seen() const override { return {model_.view().show, model_.view().layout}; }
  void see(const Seen& seen) override;

 private:
  void buildEntries();
  void buildViewEntries();
  // Only while the bank is visible.
  void enableEntries();
  void askSlice();
  void followCharts();
  void followResult();
  // The output of the shown filter if it is current; null: none.
  [[nodiscard]] std::shared_ptr<ResidentArray> restingOutput() const;

  Desk desk_;
  FilterPage* page_;
  BankPanel* bank_;
  Panel* bankPanel_;
  FilterWords filtering_;
  QList<QAction*> entries_, bankActions_, viewEntries_;
};

}  // namespace sscope
