#pragma once
// A page of the Compare room: how far two results agree, with a map of their errors.

#include <QWidget>
#include <optional>
#include <string>
#include <vector>

#include "ui/model/export_offer.h"
#include "ui/rooms/compare/look_models.h"
#include "ui/views/volume_views.h"

class QComboBox;
class QPushButton;
class QTableWidget;

namespace sscope {

class ColorBar;
class DifferenceChart;
class ElidedLabel;
class SegmentRow;

class AgreementPage : public QWidget {
  Q_OBJECT
 public:
  explicit AgreementPage(AgreementModel& model, QWidget* parent = nullptr);

  // The contenders to choose from; a choice that is still among them stays.
  void setContenders(std::vector<BenchRow> contenders);
  // Names of the outputs; the one at `shown` is chosen unless the user chose.
  void setOutputs(const std::vector<std::string>& names, std::size_t shown);
  // The chosen pair; empty where both sides are the same.
  [[nodiscard]] std::optional<compare::PairWish> wish() const;
  [[nodiscard]] const std::vector<BenchRow>& contenders() const { return contenders_; }
  [[nodiscard]] VolumeViews& views() { return *views_; }
  // The case that would be compared now; empty: there is none.
  void setNow(std::optional<compare::CaseRecipe> now);
  // Moves the crosshair to the worst voxel; false: there is none.
  bool jumpToWorst();
  void addOffers(std::vector<ExportOffer>& offers, double scale) const;
  // The comparison began or ended.
  void followBusy() { enableButtons(); }
  // The norms as lines "name,value".
  [[nodiscard]] std::string csv() const;

 Q_SIGNALS:
  void compareRequested();  // with wish()
  void cancelRequested();
  void jumped(std::array<std::int64_t, 3> voxel);
  void exportRequested(const QString& suffix);

 private:
  QWidget* buildBar();
  QWidget* buildSide();
  void showPair();
  void showMap();
  void showJob();
  void fillNorms();
  void hover(const HoverInfo& info);
  void enableButtons();
  [[nodiscard]] QString voxelWords(const VoxelIndex& voxel) const;
  [[nodiscard]] bool pictured() const;

  AgreementModel& model_;
  std::vector<BenchRow> contenders_;
  std::optional<compare::CaseRecipe> now_;
  ElidedLabel* job_;  // the case of the pair that is shown
  QComboBox *first_ = nullptr, *second_ = nullptr, *output_ = nullptr;
  QPushButton *start_ = nullptr, *worst_ = nullptr;
  SegmentRow* unit_ = nullptr;
  VolumeViews* views_;
  ColorBar* colors_ = nullptr;
  ElidedLabel* reading_ = nullptr;
  QTableWidget* norms_ = nullptr;
  DifferenceChart* chart_ = nullptr;
};

}  // namespace sscope
