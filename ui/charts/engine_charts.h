#pragma once
// The engines side by side: time per run and throughput against the measured ceiling. Painted with QPainter in the
// system's font and palette (docs/dev/decisions/008-pictures-without-waiting.md).

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <QColor>
#include <QRectF>
#include <QString>

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
  bool measured = false;          // false: no run yet, the name stands alone
  Phases phases;                  // seconds of a run; medians where several samples were taken. compile: paid once
                                  // before, no part of the run; total does not hold it
  double predicted = 0;           // seconds that phases.kernel was, or is, expected to take; 0: nobody predicts
  double uploadedOnce = 0;        // seconds that copying the data took before, when the runs found them on the device
  std::vector<double> samples;    // seconds of every repetition; the whiskers span the quartiles
  int disturbed = 0;              // how many of them were taken beside other load
  bool provisional = false;       // one run of the window, not repeated in quiet: lighter, hatched
  bool stale = false;             // of an earlier setting: dimmed
  double gflops = 0;              // counted operations per second of kernel time
  double ceilingGflops = 0;       // min(peak, intensity * bandwidth); 0 when not measured
  bool ceilingEstimated = false;  // hatched: a guess, not a measurement
  bool verified = false;
  std::string verification;           // for tooltips: "error 2e-7, full volume", or why not verified
  std::optional<Verification> check;  // empty: not compared with the reference, or not yet
};

// What both charts share: one line an engine, hover and selection.
class EngineChart : public Chart {
  Q_OBJECT

 public:
  void setRows(std::vector<EngineRow> rows);
  [[nodiscard]] const std::vector<EngineRow>& rows() const { return rows_; }
  // What hovering over a row tells, as rich text.
  [[nodiscard]] QString rowTip(int index) const { return tooltip(rows_.at(static_cast<std::size_t>(index))); }
  // Of row `index`, in logical pixels: its bar from the zero line to the end of the axis, and all of it.
  [[nodiscard]] QRectF barArea(int index) const;
  [[nodiscard]] QRectF rowArea(int index) const;
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void engineClicked(const QString& id);

 protected:
  explicit EngineChart(QWidget* parent);

  // Of the axis: its largest value in the unit of the data, and what stands below it.
  struct Axis {
    double highest = 1;
    QString title;       // "ms per run"
    double perUnit = 1;  // written numbers are values times this
  };
  [[nodiscard]] virtual Axis axis() const = 0;
  // The bar of a measured row and the text beside it; `scale` is pixels per unit of the data.
  virtual void drawBar(QPainter& painter, const EngineRow& row, const QRectF& area, double scale) const = 0;
  [[nodiscard]] virtual QString valueText(const EngineRow& row) const = 0;
  // Beside the name of an engine that was not run.
  [[nodiscard]] virtual QString pendingText(const EngineRow& row) const;
  // A mark behind the number, of this color; invalid: none.
  [[nodiscard]] virtual QColor markOf(const EngineRow& /*row*/) const { return {}; }
  // Where the bar of a row ends, in the unit of the data.
  [[nodiscard]] virtual double barEnd(const EngineRow& row) const = 0;
  [[nodiscard]] virtual QString tooltip(const EngineRow& row) const = 0;
  // Swatch and name of what the bars mean.
  struct LegendEntry {
    QString name;
    std::function<void(QPainter&, const QRectF&)> drawSwatch;
  };
  [[nodiscard]] virtual std::vector<LegendEntry> legend() const = 0;
  // For tooltip(), as rich text: engine and variant, with why there is no number where there is none; and what the
  // check against the reference said, empty where nothing was checked.
  [[nodiscard]] static QString tipTitle(const EngineRow& row);
  [[nodiscard]] static QString verificationLine(const EngineRow& row);
  // The last columns of both charts' CSV, by the names and in the words of a benchmark's JSON
  // (docs/manual/measurement.md).
  static constexpr const char* kCheckColumns = "verified,rel_l2,max_ulp,compared,coverage,failed";
  [[nodiscard]] static std::string checkCells(const EngineRow& row);

  void draw(QPainter& painter) const override;
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;

  std::vector<EngineRow> rows_;

 private:
  struct Frame;
  [[nodiscard]] Frame frame() const;
  void drawLegend(QPainter& painter, const QRectF& area) const;
  void drawRow(QPainter& painter, const Frame& frame, std::size_t index, double scale) const;
  [[nodiscard]] int rowAt(const QPointF& position) const;

  int hovered_ = -1;  // index into rows_, -1 for none
};

// Stacked bars of upload, kernel and download; whiskers span the quartiles of the total. Compiling, which is paid once,
// is a mark of its own behind the number and never part of a bar.
class TimeChart : public EngineChart {
  Q_OBJECT

 public:
  explicit TimeChart(QWidget* parent = nullptr);
  [[nodiscard]] std::string csv() const override;

 protected:
  [[nodiscard]] Axis axis() const override;
  void drawBar(QPainter& painter, const EngineRow& row, const QRectF& area, double scale) const override;
  [[nodiscard]] QString valueText(const EngineRow& row) const override;
  [[nodiscard]] QString pendingText(const EngineRow& row) const override;
  [[nodiscard]] QColor markOf(const EngineRow& row) const override;
  [[nodiscard]] double barEnd(const EngineRow& row) const override;
  [[nodiscard]] QString tooltip(const EngineRow& row) const override;
  [[nodiscard]] std::vector<LegendEntry> legend() const override;
};

// GFLOP/s bars inside the outline of the measured ceiling; an estimated ceiling is hatched.
class ThroughputChart : public EngineChart {
  Q_OBJECT

 public:
  explicit ThroughputChart(QWidget* parent = nullptr);
  [[nodiscard]] std::string csv() const override;

 protected:
  [[nodiscard]] Axis axis() const override;
  void drawBar(QPainter& painter, const EngineRow& row, const QRectF& area, double scale) const override;
  [[nodiscard]] QString valueText(const EngineRow& row) const override;
  [[nodiscard]] double barEnd(const EngineRow& row) const override;
  [[nodiscard]] QString tooltip(const EngineRow& row) const override;
  [[nodiscard]] std::vector<LegendEntry> legend() const override;
};

}  // namespace sscope
