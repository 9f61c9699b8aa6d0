#pragma once
// What the laboratory found, as plots and words.

#include <QPair>
#include <QString>
#include <vector>

#include "core/filter/laboratory/laboratory.h"
#include "ui/charts/curve_chart.h"
#include "ui/charts/heat_chart.h"

namespace sscope {

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
