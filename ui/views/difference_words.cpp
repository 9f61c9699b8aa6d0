#include "ui/views/difference_words.h"

#include <cmath>

#include <QLocale>
#include <QStringList>

#include "ui/base/text.h"

namespace sscope {

namespace {

QString percentText(double share) {
  return std::isfinite(share) ? Words::tr("%1 %").arg(numberText(100 * share, 3)) : Words::tr("infinite");
}

QString decibelText(double decibels) {
  return std::isfinite(decibels) ? Words::tr("%1 dB").arg(QString::number(decibels, 'f', 1)) : Words::tr("infinite");
}

}  // namespace

QString shortNorms(const DifferenceNorms& norms) {
  if (norms.elements == 0) return Words::tr("nothing to compare");
  return Words::tr("RMS %1 · max %2").arg(numberText(norms.rootMeanSquare, 3), numberText(norms.maximum, 3));
}

QString allNorms(const DifferenceNorms& norms, bool decibels) {
  if (norms.elements == 0) return Words::tr("nothing to compare: no value is finite in both");
  QStringList parts{
      Words::tr("L1 %1").arg(numberText(norms.meanAbsolute)), Words::tr("L2 %1").arg(numberText(norms.rootMeanSquare)),
      Words::tr("max %1").arg(numberText(norms.maximum)), Words::tr("relative L2 %1").arg(percentText(norms.relative))};
  if (decibels && norms.decibels) parts << Words::tr("PSNR %1").arg(decibelText(*norms.decibels));
  if (norms.leftOut > 0)
    parts << Words::tr("%1 not finite and left out").arg(QLocale::c().toString(static_cast<qlonglong>(norms.leftOut)));
  return parts.join(QStringLiteral(" · "));
}

QString normsHelp() {
  return Words::tr(
      "Of result minus source over all voxels of this slice: L1 is the mean magnitude, L2 the root of the mean square, "
      "relative L2 the L2 norm divided by that of the source. PSNR is 20 log10(peak / L2), where the peak is 255 for "
      "8-bit data and otherwise the range of the source in the slice; it is shown for filters that keep the mean.");
}

}  // namespace sscope
