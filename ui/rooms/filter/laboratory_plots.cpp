#include "ui/rooms/filter/laboratory_plots.h"

#include <QStringList>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "ui/base/text.h"
#include "ui/rooms/filter/laboratory_words.h"

namespace sscope {

namespace {

// What is shown below the largest, in decibels.
constexpr double kPictureRange = 80, kCurveRange = 120, kPowerRange = 60;
// Of a factor of 2^exponent in magnitudes, and in powers half as much.
double exponentDecibels(int exponent) { return 20 * std::numbers::log10e / std::numbers::log2e * exponent; }
// Okabe and Ito's, seen on white and on black.
constexpr std::array<QRgb, 3> kAxisColors{0xE69F00, 0x0090D8, 0x009E73};

QChar axisName(std::size_t axis) { return QLatin1Char("xyz"[axis]); }

bool perLength(const LaboratoryAnswer& answer, const LaboratoryLook& look) {
  return answer.wish.view.unit == "length" && !look.unit.isEmpty();
}

// By what frequencies along an axis are divided.
double lengthOf(const LaboratoryAnswer& answer, const LaboratoryLook& look, std::size_t axis) {
  return perLength(answer, look) ? look.spacing[axis] : 1;
}

QString cycles(const LaboratoryAnswer& answer, const LaboratoryLook& look) {
  if (perLength(answer, look)) return Words::tr("cycles per %1").arg(look.unit);
  return look.image ? Words::tr("cycles per pixel") : Words::tr("cycles per voxel");
}

QString frequencyLabel(std::size_t axis, const QString& unit) {
  return Words::tr("f along %1, %2").arg(axisName(axis)).arg(unit);
}

HeatAxis frequencyAxis(const LaboratoryAnswer& answer, const LaboratoryLook& look, std::size_t axis,
                       const std::vector<double>& frequencies) {
  const double length = lengthOf(answer, look, axis);
  const auto count = static_cast<std::int64_t>(frequencies.size());
  return {frequencyLabel(axis, cycles(answer, look)), frequencies.front() / length,
          1 / (static_cast<double>(count) * length), count};
}

// Light or dark where the value is zero, as the window is.
ColorUse bothSigns(const LaboratoryLook& look) { return {look.dark ? ColorMap::Diverging : ColorMap::CoolWarm}; }

QString planeNote(const LaboratoryLook& look, std::size_t hidden, const QString& at) {
  if (look.image) return {};
  return Words::tr("plane at %1 = %2").arg(axisName(hidden)).arg(at);
}

// Of rows that are not known to be linear; empty for others.
QString measuredNote(const LaboratoryFilter& filter) {
  if (filter.notLinear.empty()) return {};
  return Words::tr("%1: %2; the spectrum is that of its answer to a single 1")
      .arg(toQt(filter.name), toQt(filter.notLinear));
}

HeatPlot impulsePlot(const LaboratoryAnswer& answer, const LaboratoryLook& look) {
  const ImpulsePlane& plane = *answer.filter->impulse;
  const auto axis = [&](std::size_t a) {
    return HeatAxis{Words::tr("%1, from the impulse").arg(axisName(a)), static_cast<double>(plane.lowest[a]), 1,
                    plane.highest[a] - plane.lowest[a] + 1};
  };
  HeatPlot plot;
  plot.title = Words::tr("Impulse answer, %1").arg(toQt(answer.filter->name));
  plot.stem = QStringLiteral("impulse");
  plot.across = axis(plane.across);
  plot.down = axis(plane.down);
  plot.values = plane.values;
  plot.colors = bothSigns(look);
  plot.high = plane.largest > 0 ? plane.largest : 1;
  plot.low = -plot.high;
  plot.valueName = Words::tr("answer");
  plot.numbers = true;
  QStringList notes;
  if (const QString where = planeNote(look, plane.hidden, QString::number(plane.offset)); !where.isEmpty())
    notes << where;
  if (!answer.filter->notLinear.empty()) notes << Words::tr("computed by the reference");
  if (plane.largest == 0) notes << Words::tr("nothing is left of the impulse here");
  plot.note = notes.join(QStringLiteral(" · "));
  const std::array<std::int64_t, 2> middle{-plane.lowest[plane.across], -plane.lowest[plane.down]};
  if (middle[0] >= 0 && middle[0] < plot.across.count && middle[1] >= 0 && middle[1] < plot.down.count)
    plot.framed = middle;
  return plot;
}

HeatPlot spectrumPlot(const LaboratoryAnswer& answer, const LaboratoryLook& look, bool phase) {
  const SpectrumPlane& plane = *answer.filter->plane;
  HeatPlot plot;
  plot.title = (phase ? Words::tr("Phase, %1") : Words::tr("Magnitude, %1")).arg(toQt(answer.filter->name));
  plot.stem = phase ? QStringLiteral("phase") : QStringLiteral("spectrum");
  plot.across = frequencyAxis(answer, look, plane.across, plane.alongAcross);
  plot.down = frequencyAxis(answer, look, plane.down, plane.alongDown);
  const double scale = exponentDecibels(plane.exponent);
  for (const auto& value : plane.values)
    plot.values.push_back(phase                           ? phaseDegrees(value, plane.least)
                          : std::abs(value) > plane.least ? decibels(value) + scale
                                                          : -std::numeric_limits<double>::infinity());
  if (phase) {
    plot.colors = {ColorMap::Cyclic};
    plot.low = -180;
    plot.high = 180;
    plot.unit = QStringLiteral("°");
    plot.valueName = Words::tr("phase");
  } else {
    plot.colors = {ColorMap::Magnitude};
    plot.high = plane.peak > 0 ? decibels(plane.peak) + scale : 0;
    plot.low = plot.high - kPictureRange;
    plot.unit = Words::tr("dB");
    plot.valueName = QStringLiteral("|H|");
  }
  QStringList notes{planeNote(
      look, plane.hidden,
      Words::tr("%1 %2").arg(numberText(plane.at / lengthOf(answer, look, plane.hidden)), cycles(answer, look)))};
  if (!phase) notes << measuredNote(*answer.filter);
  if (plane.peak <= plane.least) notes << Words::tr("nothing is left of it");
  notes.removeAll(QString());
  plot.note = notes.join(QStringLiteral(" · "));
  return plot;
}

CurvePlot linePlot(const LaboratoryAnswer& answer, const LaboratoryLook& look, bool phase) {
  const SpectrumPlane& scale = *answer.filter->plane;
  CurvePlot plot;
  plot.title = (phase ? Words::tr("Phase along the axes, %1") : Words::tr("Magnitude along the axes, %1"))
                   .arg(toQt(answer.filter->name));
  plot.stem = phase ? QStringLiteral("phase-curves") : QStringLiteral("spectrum-curves");
  plot.xLabel = Words::tr("frequency, %1").arg(cycles(answer, look));
  plot.yLabel = phase ? Words::tr("phase, degrees") : Words::tr("|H|, dB");
  plot.fitted = true;
  const double unit = exponentDecibels(scale.exponent);
  const double floor = (scale.peak > 0 ? decibels(scale.peak) + unit : 0) - kCurveRange;
  bool cut = false;
  for (const AxisLine& line : answer.filter->lines) {
    Curve curve{QString(axisName(line.axis)), {}, {}};
    curve.color = QColor(kAxisColors[line.axis]);
    curve.dashed = line.axis == 1;
    curve.width = line.axis == 2 ? 0.7 : 1.4;  // seen where curves lie on each other
    for (std::size_t k = 0; k < line.values.size(); ++k) {
      curve.x.push_back(line.frequency[k] / lengthOf(answer, look, line.axis));
      if (phase) {
        curve.y.push_back(phaseDegrees(line.values[k], scale.least));
        continue;
      }
      const double level = decibels(line.values[k]) + unit;
      cut |= level < floor;
      curve.y.push_back(std::max(level, floor));
    }
    plot.curves.push_back(std::move(curve));
  }
  if (cut) plot.note = Words::tr("What is lower is drawn at %1 dB.").arg(numberText(floor));
  if (const QString measured = measuredNote(*answer.filter); !phase && !measured.isEmpty())
    plot.note =
        plot.note.isEmpty() ? measured + QLatin1Char('.') : plot.note + QLatin1Char(' ') + measured + QLatin1Char('.');
  return plot;
}

double powerDecibels(double power, const BankCoverage& coverage) {
  return 10 * std::log10(power) + exponentDecibels(coverage.exponent) / 2;
}

HeatPlot coveragePlot(const LaboratoryAnswer& answer, const LaboratoryLook& look) {
  const LaboratoryBank& bank = *answer.bank;
  const std::size_t hidden = look.image ? 2 : static_cast<std::size_t>(answer.wish.view.across);
  const CoveragePlane plane = planeOf(bank.coverage, hidden, look.image ? 0 : answer.wish.view.frequency);
  HeatPlot plot;
  plot.title = Words::tr("Coverage, sum of |H|²");
  plot.stem = QStringLiteral("coverage");
  plot.across = frequencyAxis(answer, look, plane.across, bank.coverage.frequencies[plane.across]);
  plot.down = frequencyAxis(answer, look, plane.down, bank.coverage.frequencies[plane.down]);
  for (const double power : plane.values) plot.values.push_back(powerDecibels(power, bank.coverage));
  plot.colors = {ColorMap::Magnitude};
  plot.high = bank.bounds.upper > 0 ? powerDecibels(bank.bounds.upper, bank.coverage) : 0;
  plot.low = plot.high - kPowerRange;
  plot.unit = Words::tr("dB");
  plot.valueName = Words::tr("sum of |H|²");
  plot.note =
      planeNote(look, hidden,
                Words::tr("%1 %2").arg(numberText(plane.at / lengthOf(answer, look, hidden)), cycles(answer, look)));
  return plot;
}

CurvePlot radialPlot(const LaboratoryAnswer& answer, const LaboratoryLook& look) {
  const LaboratoryBank& bank = *answer.bank;
  CurvePlot plot;
  plot.title = Words::tr("Coverage in all directions");
  plot.stem = QStringLiteral("coverage-curves");
  plot.xLabel = Words::tr("|f|, %1").arg(cycles(answer, look));
  plot.yLabel = Words::tr("sum of |H|², dB");
  plot.fitted = true;
  const double floor = (bank.bounds.upper > 0 ? powerDecibels(bank.bounds.upper, bank.coverage) : 0) - kPowerRange;
  bool cut = false;
  const auto add = [&](const QString& name, const std::vector<double>& values, std::size_t color, bool dashed) {
    Curve curve{name, bank.profile.frequency, {}};
    curve.color = QColor(kAxisColors[color]);
    curve.dashed = dashed;
    for (const double power : values) {
      cut |= powerDecibels(power, bank.coverage) < floor;
      curve.y.push_back(std::max(floor, powerDecibels(power, bank.coverage)));
    }
    plot.curves.push_back(std::move(curve));
  };
  add(Words::tr("largest"), bank.profile.highest, 0, false);
  add(Words::tr("mean"), bank.profile.mean, 1, false);
  add(Words::tr("least"), bank.profile.lowest, 2, true);
  if (cut) plot.note = Words::tr("What is lower is drawn at %1 dB.").arg(numberText(floor));
  return plot;
}

HeatPlot correlationPlot(const LaboratoryAnswer& answer, const LaboratoryLook& look) {
  const LaboratoryBank& bank = *answer.bank;
  HeatPlot plot;
  plot.title = Words::tr("Correlation of the taps");
  plot.stem = QStringLiteral("correlation");
  QStringList rows, columns;
  for (const std::string& name : bank.names) {
    columns << QString::number(rows.size() + 1);
    rows << QStringLiteral("%1 %2").arg(rows.size() + 1).arg(toQt(name));
  }
  const auto count = static_cast<std::int64_t>(bank.names.size());
  plot.across = {Words::tr("filter"), 1, 1, count, rows, count > 1 ? columns : rows};
  plot.down = {Words::tr("filter"), 1, 1, count, rows};
  plot.values = bank.correlation;
  plot.colors = bothSigns(look);
  plot.low = -1;
  plot.high = 1;
  plot.valueName = Words::tr("correlation");
  plot.numbers = true;
  return plot;
}

}  // namespace

LaboratoryPlots emptyPlots(const QString& note) {
  LaboratoryPlots plots;
  for (HeatPlot* plot : {&plots.first, &plots.second}) plot->title = Words::tr("Laboratory");
  for (CurvePlot* plot : {&plots.curves, &plots.phase}) plot->title = Words::tr("Laboratory");
  plots.first.note = plots.curves.note = note;
  plots.words = note;
  return plots;
}

LaboratoryPlots laboratoryPlots(const LaboratoryAnswer& answer, const LaboratoryLook& look) {
  const std::string& page = answer.wish.view.page;
  if (answer.bank) {
    LaboratoryPlots plots = emptyPlots(bankWords(*answer.bank));
    if (answer.bank->names.empty()) return plots;
    if (page == "coverage") {
      plots.first = coveragePlot(answer, look);
      plots.curves = radialPlot(answer, look);
      plots.figures = coverageFigures(*answer.bank, cycles(answer, look));
    } else {
      plots.first = correlationPlot(answer, look);
      plots.figures = correlationFigures(*answer.bank);
    }
    return plots;
  }
  const LaboratoryFilter& filter = *answer.filter;
  const QString why =
      filter.notLinear.empty() ? QString() : Words::tr("%1: %2.").arg(toQt(filter.name), toQt(filter.notLinear));
  LaboratoryPlots plots = emptyPlots(why);
  if (filter.impulse) plots.first = impulsePlot(answer, look);
  if (filter.figures) plots.figures = filterFigures(*filter.figures, look.unit, look.spacing);
  if (page == "spectrum" && filter.plane) {
    plots.first = spectrumPlot(answer, look, false);
    plots.second = spectrumPlot(answer, look, true);
  }
  if (page == "curves" && filter.plane) {
    plots.curves = linePlot(answer, look, false);
    plots.phase = linePlot(answer, look, true);
  }
  return plots;
}

}  // namespace sscope
