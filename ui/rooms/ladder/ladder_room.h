#pragma once
// The Ladders room: the rungs of a paper's ladder, timed on every engine.

#include "ui/rooms/desk.h"
#include "ui/rooms/ladder/ladder_model.h"
#include "ui/rooms/room.h"

namespace sscope {

class LadderPage;

class LadderRoom : public Room {
  Q_OBJECT
 public:
  static constexpr const char* kKey = "ladders";
  explicit LadderRoom(const Desk& desk, QObject* parent = nullptr);

  [[nodiscard]] LadderModel& model() { return model_; }
  [[nodiscard]] LadderPage& ladderPage() { return *page_; }

  [[nodiscard]] RoomSign sign() const override;
  [[nodiscard]] QWidget& page() override;
  [[nodiscard]] RoomPanels panels() const override;
  void setShown(bool shown) override;
  [[nodiscard]] bool computing() const override { return model_.busy(); }
  [[nodiscard]] bool timing() const override { return model_.busy(); }
  [[nodiscard]] bool alone() const override { return model_.busy(); }
  void runAgain() override;
  void cancel() override { model_.cancel(); }
  [[nodiscard]] std::vector<ExportOffer> exportOffers(double scale) override;
  [[nodiscard]] QString exportStem() const override;
  void takeFocus() override;
  [[nodiscard]] QString document() const override { return sign().title; }
  void keep() override;
  void restore(const Session& session) override;
  void remember() const override;

 private:
  void tellProgress();
  void followSettings();

  Desk desk_;
  LadderModel model_;
  LadderPage* page_;
  QString outcome_;  // of the last ladder
};

}  // namespace sscope
