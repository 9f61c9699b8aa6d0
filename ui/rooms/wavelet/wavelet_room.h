#pragma once
// The Wavelet room: wavelet transforms and the magic filter on the open data.

#include <QElapsedTimer>
#include <QTimer>

#include "ui/rooms/picture_room.h"
#include "ui/rooms/room.h"
#include "ui/rooms/wavelet/wavelet_controller.h"

namespace sscope {

class WaveletPage;

class WaveletRoom : public PictureRoom {
  Q_OBJECT
 public:
  static constexpr const char* kKey = "wavelet";
  explicit WaveletRoom(const Desk& desk, QObject* parent = nullptr);

  [[nodiscard]] WaveletController& controller() { return controller_; }
  [[nodiscard]] WaveletPage& waveletPage() { return *page_; }

  [[nodiscard]] RoomSign sign() const override;
  [[nodiscard]] QWidget& page() override;
  [[nodiscard]] RoomPanels panels() const override;
  [[nodiscard]] VolumeViews& views() override;
  [[nodiscard]] std::vector<VolumeViews*> allViews() override;
  void setShown(bool shown) override;
  void hold(bool timed, bool elsewhere) override;
  [[nodiscard]] bool computes() const override { return true; }
  [[nodiscard]] bool computing() const override { return controller_.busy(); }
  void runAgain() override { controller_.runAgain(); }
  void repeatTiming() override { controller_.repeatComparison(); }
  void cancel() override { controller_.cancel(); }
  [[nodiscard]] std::vector<ExportOffer> exportOffers(double scale) override;
  void finishDrawing() override;
  [[nodiscard]] std::function<std::vector<EngineRow>()> engineRows() override;
  void addOpenFiles(InputFiles& files) const override;

 protected:
  [[nodiscard]] Seen seen() const override;
  void see(const Seen& seen) override;

 private:
  void follow();
  void begin();
  void showResult();
  void showWork(double fraction, const QString& doing);
  [[nodiscard]] QString resultText() const;
  // why there is no result
  [[nodiscard]] QString nothingText() const;
  void showStatus(const QString& text);

  Desk desk_;
  WaveletController controller_;
  WaveletPage* page_;
  Panel* setupPanel_;
  QElapsedTimer since_;
  QTimer delay_;
};

}  // namespace sscope
