#pragma once
// The Filter room: a bank of filters on the open data.

#include <memory>

#include "core/engine/resident_array.h"
#include "ui/rooms/desk.h"
#include "ui/rooms/filter/filter_words.h"
#include "ui/rooms/picture_room.h"

namespace sscope {

class BankPanel;
class FilterPage;

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
  // They work only where the bank is seen.
  void enableEntries();
  void askSlice();
  void followCharts();
  void followResult();
  // The shown filter's, once it is current and no slider is held; null: there is none.
  [[nodiscard]] std::shared_ptr<ResidentArray> restingOutput() const;

  Desk desk_;
  FilterPage* page_;
  BankPanel* bank_;
  Panel* bankPanel_;
  FilterWords filtering_;
  QList<QAction*> entries_, bankActions_, viewEntries_;
};

}  // namespace sscope
