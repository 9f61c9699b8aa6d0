#include "ui/rooms/filter/laboratory_words.h"

#include <QStringList>
#include <algorithm>
#include <cmath>

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
                                                                    : Words::tr("not added up: too many taps")});
  list.push_back({Words::tr("White noise is multiplied by"), numberText(figures.noise)});
  const auto centered = [](double c) { return std::abs(c) < 1e-9; };
  if (!figures.sumsToZero && !std::ranges::all_of(figures.center, centered))
    list.push_back({Words::tr("Center, from the anchor"),
                    Words::tr("%1 voxels").arg(alongAxes(axesOf(figures.size), [&](std::size_t a) {
                      return numberText(centered(figures.center[a]) ? 0 : figures.center[a]);
                    }))});
  list.push_back({Words::tr("Equivalent sigma"), sigmaText(figures, unit, spacing)});
  list.push_back({Words::tr("Separable terms"), termsText(figures)});
  list.push_back({Words::tr("Lost beyond the ends"),
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
                                   : Words::tr("none: some frequency is lost, no frame");
  if (bounds.tight) ratio = Words::tr("1: tight frame");
  list.push_back({Words::tr("B / A"), ratio});
  QStringList points;
  for (const auto& axis : bank.coverage.frequencies)
    if (axis.size() > 1) points << QString::number(axis.size());
  list.push_back({Words::tr("Frequencies looked at"), points.join(QStringLiteral("×"))});
  const auto bands = [&](bool whole) {
    QStringList parts;
    for (const UnseenBand& band : bank.unseen)
      if (band.whole == whole) parts << QStringLiteral("%1–%2").arg(numberText(band.from, 3), numberText(band.to, 3));
    return parts.isEmpty() ? Words::tr("none") : Words::tr("%1 %2").arg(parts.join(QStringLiteral(", ")), cycles);
  };
  list.push_back({Words::tr("No filter sees (20 dB below B)"), bands(true)});
  list.push_back({Words::tr("Unseen in some directions"), bands(false)});
  return list;
}

FigureList correlationFigures(const LaboratoryBank& bank) {
  const std::size_t n = bank.names.size();
  FigureList list;
  list.push_back({Words::tr("Filters"), QString::number(n)});
  if (n < 2) return list;
  std::size_t most = 1, least = 0;  // the pair that is most alike
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const double now = std::abs(bank.correlation[i * n + j]);
      sum += now;
      if (now > std::abs(bank.correlation[most * n + least])) most = i, least = j;
    }
  const double largest = bank.correlation[most * n + least];
  list.push_back(
      {Words::tr("Most alike"),
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
  if (bank.names.empty()) return Words::tr("The bank has no linear result, so that there is no spectrum to look at.");
  if (names.isEmpty()) return {};
  return Words::tr("Without %1: not linear, so without spectrum.").arg(names.join(QStringLiteral(", ")));
}

std::string figuresCsv(const FigureList& figures) {
  std::string out = "figure,value\n";
  for (const auto& [name, value] : figures) out += csvCell(fromQt(name)) + ',' + csvCell(fromQt(value)) + '\n';
  return out;
}

}  // namespace sscope
