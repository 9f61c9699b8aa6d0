#pragma once
// The page of the Wavelet room: pictures above, charts below; the samples while no data are open.

#include <QWidget>
#include <functional>
#include <string>
#include <vector>

#include "ui/base/toolbox.h"
#include "ui/controls/two_row_bar.h"
#include "ui/model/data_loader.h"
#include "ui/model/export_offer.h"
#include "ui/model/session_model.h"
#include "ui/rooms/wavelet/wavelet_controller.h"

class QStackedLayout;
class QToolButton;

namespace sscope {

class SampleGallery;
class SegmentRow;
class WaveletCharts;
class WaveletPictures;

// The bar above the pictures: what is shown, and the layout.
class WaveletBar : public TwoRowBar {
  Q_OBJECT
 public:
  explicit WaveletBar(SessionModel& model, QWidget* parent = nullptr);

 private:
  void refresh();

  SessionModel& model_;
  SegmentRow* show_;
  SegmentRow* layouts_;
  QToolButton* pyramid_;
};

class WaveletPage : public QWidget {
  Q_OBJECT
 public:
  WaveletPage(const Toolbox& toolbox, SessionModel& model, WaveletController& controller, DataLoader& loader,
              QWidget* parent = nullptr);
  [[nodiscard]] WaveletPictures& pictures() { return *pictures_; }
  [[nodiscard]] WaveletCharts& charts() { return *charts_; }
  // Volumes, the pictures, then PNG and CSV of each chart. `scale`: pixels per logical pixel.
  [[nodiscard]] std::vector<ExportOffer> exportOffers(double scale);

 Q_SIGNALS:
  void openRequested();
  void exportRequested(const QString& suffix);  // of an offer
  void offersChanged();

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void showStack();
  // The provenance of a part of the result, for WriteOptions.
  [[nodiscard]] std::function<std::string(const std::string&)> provenanceFor(const char* part) const;

  const Toolbox& toolbox_;
  SessionModel& model_;
  WaveletController& controller_;
  DataLoader& loader_;
  QStackedLayout* stack_;
  SampleGallery* gallery_ = nullptr;  // constructed when it is first needed
  WaveletPictures* pictures_;
  WaveletCharts* charts_;
};

}  // namespace sscope
