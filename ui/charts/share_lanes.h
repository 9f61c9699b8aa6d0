#pragma once
// What each of several engines did of the last run: a lane for each, as long as its share of the planes.

#include <vector>

#include <QWidget>

#include "core/engine/joined_parts.h"

namespace sscope {

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
