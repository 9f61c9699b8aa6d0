#include "ui/rooms/filter/laboratory_plots.h"

#include <QStringList>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "ui/base/text.h"
#include "ui/charts/chart_format.h"

namespace sscope {

namespace {

std::size_t axesOf(const std::array<std::int64_t, 3>& size) { return size[2] > 1 ? 3 : 2; }

// "1.5, 1.5" along the axes.
template <class Value>
QString alongAxes(std::size_t axes, const Value& value) {
  QStringList parts;
  for (std::size_t a = 0; a < axes; ++a) parts << value(a);
  if (parts.count(parts.front()) == parts.size()) return parts.front();
  return parts.join(QStringLiteral(", "));
}

QString sigmaText(const FilterFigures& figures, const QString& unit, const std::array<double, 3>& spacing) {
  if (figures.sumsToZero) return Words::tr("none: the taps sum to 0");
  if (figures.sum < 0) return Words::tr("none: the sum of the taps is negative");
  const std::size_t axes = axesOf(figures.size);
  const auto text = [&](const std::array<double, 3>& factor) {
    return alongAxes(axes, [&](std::size_t a) {
      return figures.sigma[a] ? numberText(*figures.sigma[a] * factor[a]) : Words::tr("none (negative moment)");
    });
  };
  QString words = Words::tr("%1 voxels").arg(text({1, 1, 1}));
  if (!unit.isEmpty()) words += QStringLiteral(" = %1 %2").arg(text(spacing), unit);
  return words;
}

QString termsText(const FilterFigures& figures) {
  if (!figures.terms) return Words::tr("more than %1, or too many taps to decide").arg(kMostSeparableTerms);
  if (*figures.terms == 0) return Words::tr("0: all taps are 0");
  const double dense = static_cast<double>(figures.denseProducts),
               lines = static_cast<double>(*figures.separableProducts);
  const QString products =
      Words::tr("%1 products instead of %2").arg(*figures.separableProducts).arg(figures.denseProducts);
  return lines < dense
             ? Words::tr("%1: %2, %3 times fewer").arg(*figures.terms).arg(products, numberText(dense / lines, 3))
             : Words::tr("%1: %2, nothing is saved").arg(*figures.terms).arg(products);
}

}  // namespace

FigureList filterFigures(const FilterFigures& figures, const QString& unit, const std::array<double, 3>& spacing) {
  FigureList list;
  QStringList size;
  for (std::size_t a = 0; a < axesOf(figures.size); ++a) size << QString::number(figures.size[a]);
  list.push_back({Words::tr("Taps"), size.join(QStringLiteral("×"))});
  const QString gain =
      figures.sumsToZero ? Words::tr("0: constant data vanish")
                         : Words::tr("%1 (%2 dB)")
                               .arg(numberText(figures.sum, 6), numberText(20 * std::log10(std::abs(figures.sum)), 3));
  list.push_back({Words::tr("Sum of the taps, gain at frequency 0"), gain});
  list.push_back({Words::tr("Sum of magnitudes, largest gain"), figures.absoluteSum
                                                                    ? numberText(*figures.absoluteSum, 6)
                                                                    : Words::tr("not computed: too many taps")});
  list.push_back({Words::tr("White noise is multiplied by"), numberText(figures.noise)});
  const auto centered = [](double c) { return std::abs(c) < 1e-9; };
  if (!figures.sumsToZero && !std::ranges::all_of(figures.center, centered))
    list.push_back({Words::tr("Center, from the anchor"),
                    Words::tr("%1 voxels").arg(alongAxes(axesOf(figures.size), [&](std::size_t a) {
                      return numberText(centered(figures.center[a]) ? 0 : figures.center[a]);
                    }))});
  list.push_back({Words::tr("Equivalent sigma"), sigmaText(figures, unit, spacing)});
  list.push_back({Words::tr("Separable terms"), termsText(figures)});
  list.push_back({Words::tr("Truncated at the ends"),
                  figures.lostTailMass
                      ? Words::tr("%1 % of the gaussian").arg(numberText(100 * *figures.lostTailMass, 3))
                      : Words::tr("not known: the taps do not record their origin")});
  return list;
}

FigureList coverageFigures(const LaboratoryBank& bank, const QString& cycles) {
  const FrameBounds& bounds = bank.bounds;
  FigureList list;
  list.push_back({Words::tr("Filters"), QString::number(bank.names.size())});
  list.push_back({Words::tr("Lower frame bound A"), numberText(std::ldexp(bounds.lower, bank.coverage.exponent), 6)});
  list.push_back({Words::tr("Upper frame bound B"), numberText(std::ldexp(bounds.upper, bank.coverage.exponent), 6)});
  QString ratio = bounds.lower > 0 ? numberText(bounds.upper / bounds.lower, 6)
                                   : Words::tr("none: some frequencies are lost, no frame");
  if (bounds.tight) ratio = Words::tr("1: tight frame");
  list.push_back({Words::tr("B / A"), ratio});
  QStringList points;
  for (const auto& axis : bank.coverage.frequencies)
    if (axis.size() > 1) points << QString::number(axis.size());
  list.push_back({Words::tr("Frequencies sampled"), points.join(QStringLiteral("×"))});
  const auto bands = [&](bool whole) {
    QStringList parts;
    for (const UnseenBand& band : bank.unseen)
      if (band.whole == whole) parts << QStringLiteral("%1–%2").arg(numberText(band.from, 3), numberText(band.to, 3));
    return parts.isEmpty() ? Words::tr("none") : Words::tr("%1 %2").arg(parts.join(QStringLiteral(", ")), cycles);
  };
  list.push_back({Words::tr("Not covered (20 dB below B)"), bands(true)});
  list.push_back({Words::tr("Not covered in some directions"), bands(false)});
  return list;
}

FigureList correlationFigures(const LaboratoryBank& bank) {
  const std::size_t n = bank.names.size();
  FigureList list;
  list.push_back({Words::tr("Filters"), QString::number(n)});
  if (n < 2) return list;
  std::size_t most = 1, least = 0;  // the most similar pair
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const double now = std::abs(bank.correlation[i * n + j]);
      sum += now;
      if (now > std::abs(bank.correlation[most * n + least])) most = i, least = j;
    }
  const double largest = bank.correlation[most * n + least];
  list.push_back(
      {Words::tr("Most similar"),
       std::abs(largest) < 1e-12
           ? Words::tr("none: all pairs are orthogonal")
           : Words::tr("%1 and %2: %3").arg(toQt(bank.names[least]), toQt(bank.names[most]), numberText(largest, 3))});
  const double mean = sum / (static_cast<double>(n) * static_cast<double>(n - 1) / 2);
  list.push_back({Words::tr("Mean magnitude of all pairs"), numberText(mean < 1e-12 ? 0 : mean, 3)});
  return list;
}

QString bankWords(const LaboratoryBank& bank) {
  QStringList names;
  for (const std::string& name : bank.leftOut) names << toQt(name);
  if (bank.names.empty()) return Words::tr("The bank has no linear result and therefore no spectrum.");
  if (names.isEmpty()) return {};
  return Words::tr("Without %1: not linear, so without spectrum.").arg(names.join(QStringLiteral(", ")));
}

std::string figuresCsv(const FigureList& figures) {
  std::string out = "figure,value\n";
  for (const auto& [name, value] : figures) out += csvLine(name, value);
  return out;
}

namespace {

// The shown range below the largest value, in decibels.
constexpr double kPictureRange = 80, kCurveRange = 120, kPowerRange = 60;
// A factor of 2^exponent of magnitudes in decibels; of powers, half of it.
double exponentDecibels(int exponent) { return 20 * std::numbers::log10e / std::numbers::log2e * exponent; }
// Colors of Okabe and Ito that are visible on white and on black.
constexpr std::array<QRgb, 3> kAxisColors{0xE69F00, 0x0090D8, 0x009E73};

QChar axisName(std::size_t axis) { return QLatin1Char("xyz"[axis]); }

bool perLength(const LaboratoryAnswer& answer, const LaboratoryLook& look) {
  return answer.wish.view.unit == "length" && !look.unit.isEmpty();
}

// The divisor of frequencies along an axis.
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

// Zero is light or dark like the window.
ColorUse bothSigns(const LaboratoryLook& look) { return {look.dark ? ColorMap::Diverging : ColorMap::CoolWarm}; }

QString planeNote(const LaboratoryLook& look, std::size_t hidden, const QString& at) {
  if (look.image) return {};
  return Words::tr("plane at %1 = %2").arg(axisName(hidden)).arg(at);
}

// For rows that are not known to be linear; empty for others.
QString measuredNote(const LaboratoryFilter& filter) {
  if (filter.notLinear.empty()) return {};
  return Words::tr("%1: %2; the spectrum is that of its impulse response")
      .arg(toQt(filter.name), toQt(filter.notLinear));
}

HeatPlot impulsePlot(const LaboratoryAnswer& answer, const LaboratoryLook& look) {
  const ImpulsePlane& plane = *answer.filter->impulse;
  const auto axis = [&](std::size_t a) {
    return HeatAxis{Words::tr("%1, from the impulse").arg(axisName(a)), static_cast<double>(plane.lowest[a]), 1,
                    plane.highest[a] - plane.lowest[a] + 1};
  };
  HeatPlot plot;
  plot.title = Words::tr("Impulse response, %1").arg(toQt(answer.filter->name));
  plot.stem = QStringLiteral("impulse");
  plot.across = axis(plane.across);
  plot.down = axis(plane.down);
  plot.values = plane.values;
  plot.colors = bothSigns(look);
  plot.high = plane.largest > 0 ? plane.largest : 1;
  plot.low = -plot.high;
  plot.valueName = Words::tr("response");
  plot.numbers = true;
  QStringList notes;
  if (const QString where = planeNote(look, plane.hidden, QString::number(plane.offset)); !where.isEmpty())
    notes << where;
  if (!answer.filter->notLinear.empty()) notes << Words::tr("computed by the reference");
  if (plane.largest == 0) notes << Words::tr("the response is zero here");
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
  if (plane.peak <= plane.least) notes << Words::tr("zero everywhere");
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
    curve.width = line.axis == 2 ? 0.7 : 1.4;  // visible where curves coincide
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
  if (cut) plot.note = Words::tr("Lower values are drawn at %1 dB.").arg(numberText(floor));
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
  if (cut) plot.note = Words::tr("Lower values are drawn at %1 dB.").arg(numberText(floor));
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
