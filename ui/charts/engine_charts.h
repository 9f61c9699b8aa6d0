#pragma once
// The engines side by side: time per run and throughput against the measured ceiling.

#include <string>
#include <vector>

#include <QString>
#include <QWidget>

#include "core/engine/run_report.h"

namespace sscope {

// One engine's line in both charts.
struct EngineRow {
  std::string id;                 // "cpu:avx512"
  std::string variant;            // "separable"
  std::string absentReason;       // not empty: listed in gray with this reason
  bool current = false;           // the engine whose result is shown
  bool measured = false;          // false: no run yet, the name stands alone
  Phases phases;                  // seconds; medians where several samples were taken
  std::vector<double> samples;    // total seconds of every repetition; the whiskers span the quartiles
  double gflops = 0;              // counted operations per second of kernel time
  double ceilingGflops = 0;       // min(peak, intensity * bandwidth); 0 when not measured
  bool ceilingEstimated = false;  // hatched: a guess, not a measurement
  bool verified = false;
  std::string verification;  // "error 2e-7, full volume", or why not verified
};

// What both charts share: rows, hover, selection and export.
class EngineChart : public QWidget {
  Q_OBJECT

 public:
  void setRows(std::vector<EngineRow> rows);
  [[nodiscard]] const std::vector<EngineRow>& rows() const { return rows_; }
  // PNG at twice the widget's size; false when the file cannot be written.
  bool exportPng(const QString& path) const;
  [[nodiscard]] virtual std::string csv() const = 0;
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void engineClicked(const QString& id);
  // Asked from the context menu; the window chooses the file (false: CSV).
  void exportRequested(bool png);

 protected:
  explicit EngineChart(QWidget* parent);
  virtual void draw(QPainter& painter, const QRectF& area) const = 0;
  [[nodiscard]] virtual QString tooltip(const EngineRow& row) const = 0;
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

  std::vector<EngineRow> rows_;
  int hovered_ = -1;  // index into rows_, -1 for none
};

// Stacked bars of compile, upload, kernel and download in milliseconds.
class TimeChart : public EngineChart {
  Q_OBJECT

 public:
  explicit TimeChart(QWidget* parent = nullptr);
  [[nodiscard]] std::string csv() const override;

 protected:
  void draw(QPainter& painter, const QRectF& area) const override;
  [[nodiscard]] QString tooltip(const EngineRow& row) const override;
};

// GFLOP/s bars inside the outline of the measured ceiling.
class ThroughputChart : public EngineChart {
  Q_OBJECT

 public:
  explicit ThroughputChart(QWidget* parent = nullptr);
  [[nodiscard]] std::string csv() const override;

 protected:
  void draw(QPainter& painter, const QRectF& area) const override;
  [[nodiscard]] QString tooltip(const EngineRow& row) const override;
};

}  // namespace sscope
