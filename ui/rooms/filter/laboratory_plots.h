#pragma once
// Results of the laboratory as plots, figures (names with values) and text.

#include <QPair>
#include <QString>
#include <array>
#include <vector>

#include "core/filter/laboratory/laboratory.h"
#include "ui/charts/curve_chart.h"
#include "ui/charts/heat_chart.h"

namespace sscope {

using FigureList = std::vector<QPair<QString, QString>>;

// `unit` of lengths may be empty.
[[nodiscard]] FigureList filterFigures(const FilterFigures& figures, const QString& unit,
                                       const std::array<double, 3>& spacing);
// `cycles`: the unit of the radii, "cycles per voxel".
[[nodiscard]] FigureList coverageFigures(const LaboratoryBank& bank, const QString& cycles);
[[nodiscard]] FigureList correlationFigures(const LaboratoryBank& bank);
// Which rows are left out, or why there are none; may be empty.
[[nodiscard]] QString bankWords(const LaboratoryBank& bank);

// "name,value" in each line.
[[nodiscard]] std::string figuresCsv(const FigureList& figures);

// The window's colors and units.
struct LaboratoryLook {
  bool dark = false;
  QString unit;  // of lengths; empty: frequencies are per voxel
  std::array<double, 3> spacing{1, 1, 1};
  bool image = false;  // without other planes
};

// Plots of one page, without those that it does not have.
struct LaboratoryPlots {
  HeatPlot first, second;   // pictures
  CurvePlot curves, phase;  // curves
  FigureList figures;
  QString words;  // below the figures
};
[[nodiscard]] LaboratoryPlots laboratoryPlots(const LaboratoryAnswer& answer, const LaboratoryLook& look);

// Titles, stems and a sentence in place of the contents.
[[nodiscard]] LaboratoryPlots emptyPlots(const QString& note);

}  // namespace sscope
