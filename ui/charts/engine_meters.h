#pragma once
// How busy each processor core is.

#include <QWidget>
#include <vector>

#include "core/engine/joined_parts.h"

namespace sscope {

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
  bool known_ = false;  // setBusy() was called; before that nothing is shown
};

// What each of several engines did of the last run: a lane for each, as long as its share of the planes.

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
