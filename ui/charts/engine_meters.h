#pragma once
// Small displays of the engines panel: busy processor cores, and the share of each joined engine.

#include <QWidget>
#include <vector>

#include "core/engine/joined_parts.h"

namespace sscope {

// The busy share of each processor core.
class BusyMeter : public QWidget {
  Q_OBJECT

 public:
  explicit BusyMeter(QWidget* parent = nullptr);
  // Percent, 0..100, one per core; empty: "unavailable".
  void setBusy(std::vector<double> percent);
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  std::vector<double> percent_;
  bool known_ = false;  // false: setBusy() was not called yet, and nothing is shown
};

// A lane for each of several joined engines, as long as its share of the planes of the last run.
class ShareLanes : public QWidget {
  Q_OBJECT

 public:
  explicit ShareLanes(QWidget* parent = nullptr);
  void setShares(std::vector<PartShare> shares);
  [[nodiscard]] const std::vector<PartShare>& shares() const { return shares_; }
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  std::vector<PartShare> shares_;
};

}  // namespace sscope
