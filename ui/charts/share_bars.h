#pragma once
// Shares of a whole as horizontal bars: before as an outline, after filled.

#include <vector>

#include "ui/charts/chart.h"

namespace sscope {

struct ShareBar {
  QString name;       // "level 1, xy"
  double before = 0;  // percent
  double after = 0;   // percent of the same whole
  QString detail;     // further text for the tooltip; may be empty
};

class ShareBars : public Plot {
  Q_OBJECT
 public:
  explicit ShareBars(QWidget* parent = nullptr);
  // `axis`: the meaning of 100 percent.
  void setBars(const QString& title, const QString& stem, const QString& axis, std::vector<ShareBar> bars);
  [[nodiscard]] const std::vector<ShareBar>& bars() const { return bars_; }
  [[nodiscard]] std::string csv() const override;
  // As high as its rows ask for.
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void draw(QPainter& painter) const override;
  QString point(const QPointF& position) override;
  void leave() override;

 private:
  [[nodiscard]] double top() const;
  [[nodiscard]] double rowHeight() const { return 1.35 * line(); }

  QString axis_;
  std::vector<ShareBar> bars_;
  int lit_ = -1;
};

}  // namespace sscope
