#pragma once
// A figure of a paper redrawn, as data: what the window draws and the report page writes. Our series are measured on
// this machine; published ones are shown next to them, labeled with their hardware and source, and never mixed with
// ours.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace sscope {

enum class FigureKind {
  Curves,       // y over x, one line a series
  StackedBars,  // one group of bars per category; series of the same `stack` are stacked in their order
  HeatMap,      // one panel per series, each with its own color scale: value over (x, y)
  Table         // one row per series, one column per category
};

struct Axis {
  std::string label;  // "kernels N"
  std::string unit;   // "s"; empty: a plain number
  bool log = false;   // values of 0 or less are not drawn on it
};

enum class SeriesOrigin { Measured, Published };

struct FigurePoint {
  double x = 0;       // Curves, HeatMap: horizontal; StackedBars, Table: index into Figure::categories
  double y = 0;       // Curves: vertical; StackedBars: length of this part; HeatMap: vertical; Table: as value
  double value = 0;   // the number shown: Curves and StackedBars: y; HeatMap: the color; Table: the cell
  std::string label;  // of this point (tooltip, table cell); may be empty
  std::optional<std::size_t> measurement{};  // index into the measurements the figure was made from
};

struct FigureSeries {
  std::string name;  // in the legend, distinct within the figure: "unrolled, cpu:avx512"
  SeriesOrigin origin = SeriesOrigin::Measured;
  std::string engine;    // "cpu:avx512"; empty: published
  std::string variant;   // "unrolled"
  std::string hardware;  // the device's name: "AMD Radeon HD 6970"
  std::string source;    // published: where the paper states it ("table 2"); empty: measured
  // StackedBars: series of the same stack form one bar per category. The first parts are memory, the last is compute.
  std::string stack;
  std::string part;                 // "memory", "compute"; empty: the whole
  std::vector<FigurePoint> points;  // Curves: x ascending; points that could not be computed are left out
  std::optional<double> average{};  // HeatMap: the mean, which is all that the papers state
};

struct Figure {
  std::string id;     // "bank-seconds": stable, usable as a file name
  std::string title;  // "Seconds per kernel over the number of kernels"
  FigureKind kind = FigureKind::Curves;
  Axis x;
  Axis y;
  Axis value;                           // HeatMap: the color; Table: what the cells are
  std::vector<std::string> categories;  // StackedBars: the bars from left to right; Table: the columns
  std::vector<FigureSeries> series;     // measured ones first; without any there is nothing to show yet
  // StackedBars: the bars of a category share one scale, one below the other; else every stack has its own panel.
  bool beside = false;
  std::string note;  // assumptions and omissions in one or two sentences; may be empty

  [[nodiscard]] bool empty() const { return series.empty(); }
};

}  // namespace sscope
