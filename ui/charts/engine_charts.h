#pragma once
// The engines side by side: time per run and throughput against the measured ceiling. Painted with QPainter in the
// system's font and palette (docs/dev/decisions/008-pictures-without-waiting.md).

#include <QColor>
#include <QRectF>
#include <QString>
#include <optional>
#include <string>
#include <vector>

#include "core/engine/run_report.h"
#include "core/measure/verify.h"
#include "ui/charts/chart.h"

namespace sscope {

// One engine's line in both charts.
struct EngineRow {
  std::string id;                 // "cpu:avx512"
  std::string variant;            // "separable"
  std::string absentReason;       // not empty: listed in gray with this reason
  bool current = false;           // the engine whose result is shown
  bool measured = false;          // false: no run yet, only the name is shown
  Phases phases;                  // seconds of a run, or medians of several; compile is done once before and no part of
                                  // total
  double predicted = 0;           // expected seconds of phases.kernel; 0: no prediction
  double uploadedOnce = 0;        // seconds of copying the data before runs that found them on the device
  std::vector<double> samples;    // seconds of every repetition; the whiskers span the quartiles
  int disturbed = 0;              // samples during which other programs used the processor
  bool provisional = false;       // one run of the window, not repeated without load: lighter, hatched
  bool stale = false;             // of an earlier setting: dimmed
  double gflops = 0;              // counted operations per second of kernel time
  double ceilingGflops = 0;       // min(peak, intensity * bandwidth); 0 when not measured
  bool ceilingEstimated = false;  // hatched: a guess, not a measurement
  bool verified = false;
  std::string verification;           // for tooltips: "error 2e-7, full volume", or why not verified
  std::optional<Verification> check;  // empty: not compared with the reference, or not yet
};

// One line for each engine, with hovering and selection.
class EngineChart : public Chart {
  Q_OBJECT

 public:
  void setRows(std::vector<EngineRow> rows);
  [[nodiscard]] const std::vector<EngineRow>& rows() const { return rows_; }
  // The tooltip of a row, as rich text.
  [[nodiscard]] QString rowTip(int index) const { return tooltip(rows_.at(static_cast<std::size_t>(index))); }
  // The bar of a row, from the zero line to the end of the axis, and the whole row, in logical pixels.
  [[nodiscard]] QRectF barArea(int index) const;
  [[nodiscard]] QRectF rowArea(int index) const;
  [[nodiscard]] std::string csv() const override;
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void engineClicked(const QString& id);

 protected:
  explicit EngineChart(QWidget* parent);

  struct Axis {
    double highest = 1;  // in the unit of the data
    QString title;       // "ms per run"
    double perUnit = 1;  // the numbers of the axis are values times this
  };
  // For bars up to `highest`; 0: there are none.
  [[nodiscard]] virtual Axis axis(double highest) const = 0;
  // The bar of a measured row and the text beside it; `scale` is pixels per unit of the data.
  virtual void drawBar(QPainter& painter, const EngineRow& row, const QRectF& area, double scale) const = 0;
  [[nodiscard]] virtual QString valueText(const EngineRow& row) const = 0;
  // Beside the name of an engine that was not run.
  [[nodiscard]] virtual QString pendingText(const EngineRow& row) const;
  // The color of a mark beside the number; invalid: no mark.
  [[nodiscard]] virtual QColor markOf(const EngineRow& /*row*/) const { return {}; }
  // The end of the bar of a row, in the unit of the data.
  [[nodiscard]] virtual double barEnd(const EngineRow& row) const = 0;
  // The lines of the tooltip between title and verification, as rich text.
  [[nodiscard]] virtual QStringList tipLines(const EngineRow& row) const = 0;
  // The names of the columns of the CSV between status and verification, and their cells.
  [[nodiscard]] virtual std::string columns() const = 0;
  [[nodiscard]] virtual std::string cells(const EngineRow& row) const = 0;
  [[nodiscard]] virtual std::vector<LegendEntry> legend() const = 0;
  void draw(QPainter& painter) const override;
  QString point(const QPointF& position) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;

  std::vector<EngineRow> rows_;

 private:
  struct Frame;
  [[nodiscard]] Frame frame() const;
  void drawRow(QPainter& painter, const Frame& frame, std::size_t index, double scale) const;
  [[nodiscard]] int rowAt(const QPointF& position) const;
  [[nodiscard]] QString tipTitle(const EngineRow& row) const;
  [[nodiscard]] QString tooltip(const EngineRow& row) const;
};

// Stacked bars of upload, kernel and download; whiskers span the quartiles of the total. Compiling, which is done once,
// is a mark beside the number and never part of a bar.
class TimeChart : public EngineChart {
  Q_OBJECT

 public:
  explicit TimeChart(QWidget* parent = nullptr);

 protected:
  [[nodiscard]] Axis axis(double highest) const override;
  void drawBar(QPainter& painter, const EngineRow& row, const QRectF& area, double scale) const override;
  [[nodiscard]] QString valueText(const EngineRow& row) const override;
  [[nodiscard]] QString pendingText(const EngineRow& row) const override;
  [[nodiscard]] QColor markOf(const EngineRow& row) const override;
  [[nodiscard]] double barEnd(const EngineRow& row) const override;
  [[nodiscard]] QStringList tipLines(const EngineRow& row) const override;
  [[nodiscard]] std::string columns() const override;
  [[nodiscard]] std::string cells(const EngineRow& row) const override;
  [[nodiscard]] std::vector<LegendEntry> legend() const override;
};

// GFLOP/s bars inside the outline of the measured ceiling; an estimated ceiling is hatched.
class ThroughputChart : public EngineChart {
  Q_OBJECT

 public:
  explicit ThroughputChart(QWidget* parent = nullptr);

 protected:
  [[nodiscard]] Axis axis(double highest) const override;
  void drawBar(QPainter& painter, const EngineRow& row, const QRectF& area, double scale) const override;
  [[nodiscard]] QString valueText(const EngineRow& row) const override;
  [[nodiscard]] double barEnd(const EngineRow& row) const override;
  [[nodiscard]] QStringList tipLines(const EngineRow& row) const override;
  [[nodiscard]] std::string columns() const override;
  [[nodiscard]] std::string cells(const EngineRow& row) const override;
  [[nodiscard]] std::vector<LegendEntry> legend() const override;
};

}  // namespace sscope
