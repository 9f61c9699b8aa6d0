#pragma once
// The kernels' shares of a run's time: one bar per kernel, in percent of their sum.

#include <vector>

#include "core/measure/kernel_trace.h"
#include "ui/charts/chart.h"

namespace sscope {

class KernelBars : public Plot {
  Q_OBJECT
 public:
  explicit KernelBars(QWidget* parent = nullptr);
  // `note` is shown below the title, or in place of the bars if there are none; may be empty.
  void setShares(std::vector<KernelShare> shares, const QColor& color, const QString& note);
  [[nodiscard]] const std::vector<KernelShare>& shares() const { return shares_; }
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
  [[nodiscard]] static QString textOf(const KernelShare& share);

  std::vector<KernelShare> shares_;
  QColor color_;
  QString note_;
  int lit_ = -1;
};

}  // namespace sscope
