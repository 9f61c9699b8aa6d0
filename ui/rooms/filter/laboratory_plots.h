#pragma once
// The figures of the laboratory as names and values.

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
// Which rows are looked at, or why there are none; may be empty.
[[nodiscard]] QString bankWords(const LaboratoryBank& bank);

// "name,value" in each line.
[[nodiscard]] std::string figuresCsv(const FigureList& figures);

// What the laboratory found, as plots and words.

// How the window shows it.
struct LaboratoryLook {
  bool dark = false;
  QString unit;  // of lengths; empty: frequencies are per voxel
  std::array<double, 3> spacing{1, 1, 1};
  bool image = false;  // no planes to choose
};

// Plots of one page, without those that it does not have.
struct LaboratoryPlots {
  HeatPlot first, second;   // pictures
  CurvePlot curves, phase;  // curves
  // Name and value, in the order in which they are shown.
  std::vector<QPair<QString, QString>> figures;
  QString words;  // in place of figures or below them
};
[[nodiscard]] LaboratoryPlots laboratoryPlots(const LaboratoryAnswer& answer, const LaboratoryLook& look);

// Titles, stems and a sentence in place of the contents.
[[nodiscard]] LaboratoryPlots emptyPlots(const QString& note);

}  // namespace sscope
