#pragma once
// A figure of a paper redrawn, as data: what the window draws and the report page writes. Our series are measured on
// this machine; the published ones stand beside them, labeled with their hardware and source, and are never mixed up.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace sscope {

enum class FigureKind {
  Curves,       // y over x, one line a series
  StackedBars,  // one group of bars a category; series of the same `stack` lie on top of each other in their order
  HeatMap,      // one panel a series with a color scale of its own, value over (x, y)
  Table         // one row a series, one column a category
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
  double value = 0;   // the number that is shown: Curves and StackedBars: y; HeatMap: the color; Table: the cell
  std::string label;  // of the one point, for people (a hover title, a table's cell); may be empty
  std::optional<std::size_t> measurement{};  // index into the measurements the figure was made from
};

struct FigureSeries {
  std::string name;  // in the legend, distinct within the figure: "unrolled, cpu:avx512"
  SeriesOrigin origin = SeriesOrigin::Measured;
  std::string engine;    // "cpu:avx512"; empty: published
  std::string variant;   // "unrolled"
  std::string hardware;  // the device's name: "AMD Radeon HD 6970"
  std::string source;    // published: where it stands ("table 2"), for people; empty: measured
  // StackedBars: series of the same stack make one bar a category; each ends with its last part. The first parts are
  // memory, the last compute.
  std::string stack;
  std::string part;                 // "memory", "compute"; empty: the whole
  std::vector<FigurePoint> points;  // Curves: x ascending; a point that could not be computed is left out
  std::optional<double> average{};  // HeatMap: the mean, all that the papers state of theirs
};

struct Figure {
  std::string id;     // "bank-seconds": stable, fits a file name
  std::string title;  // "Seconds per kernel over the number of kernels"
  FigureKind kind = FigureKind::Curves;
  Axis x;
  Axis y;
  Axis value;                           // HeatMap: the color; Table: what the cells are
  std::vector<std::string> categories;  // StackedBars: the bars from left to right; Table: the columns
  std::vector<FigureSeries> series;     // measured ones first; a figure without any has nothing to show yet
  // StackedBars: the bars of a category stand under one another on one scale; else every stack has its own panel.
  bool beside = false;
  std::string note;  // what was assumed or left out, in one or two sentences; may be empty

  [[nodiscard]] bool empty() const { return series.empty(); }
};

}  // namespace sscope
