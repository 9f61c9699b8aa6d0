#pragma once
// Where the time of a run went: one bar a kernel, in percent of the sum of all of them.

#include <vector>

#include "core/measure/kernel_trace.h"
#include "ui/charts/plot.h"

namespace sscope {

class KernelBars : public Plot {
  Q_OBJECT
 public:
  explicit KernelBars(QWidget* parent = nullptr);
  // `note` stands where the bars would be when there are none, below the title else; may be empty.
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
