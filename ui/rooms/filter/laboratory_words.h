#pragma once
// The figures of the laboratory as names and values.

#include <QPair>
#include <QString>
#include <array>
#include <vector>

#include "core/filter/laboratory/laboratory.h"

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

}  // namespace sscope
