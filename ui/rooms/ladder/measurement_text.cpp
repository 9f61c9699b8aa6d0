#include "ui/rooms/ladder/measurement_text.h"

#include <QStringList>

#include "core/report/extents.h"
#include "ui/base/text.h"
#include "ui/charts/chart_format.h"

namespace sscope {

namespace {

const QString kDot = QStringLiteral(" · ");

QString escaped(const std::string& text) { return toQt(text).toHtmlEscaped(); }

// More digits than the charts show: who hovers wants to know exactly.
QString exactSeconds(double seconds) {
  const TimeUnit unit = timeUnit(seconds);
  return QString::number(seconds * unit.perSecond, 'g', 5) + QChar(0x202F) + unit.name;
}

// What a row with a time has to say: rates, share of the ceiling, verification, what disturbed it.
QStringList figureLines(const Measurement& m) {
  const Spread spread = m.spread();
  QStringList lines{Words::tr("median %1, quartiles %2 to %3, fastest %4, %n repetition(s)", nullptr,
                              static_cast<int>(m.samples.size()))
                        .arg(exactSeconds(spread.median), exactSeconds(spread.firstQuartile),
                             exactSeconds(spread.thirdQuartile), exactSeconds(spread.minimum))};
  if (!m.twinOf.empty()) {
    lines << Words::tr("the loads and stores of %1 without its arithmetic").arg(escaped(m.twinOf));
  } else {
    const QString gflops = numberText(m.gflops(), 5), gbs = numberText(m.gbs(), 5),
                  share = m.share() ? toQt(shareText(m)) : QString();
    lines
        << (share.isEmpty()
                ? Words::tr("%1 GFLOP/s, %2 GB/s").arg(gflops, gbs)
                : Words::tr("%1 GFLOP/s, %2 GB/s, %3 of the measured ceiling").arg(gflops, gbs, share.toHtmlEscaped()));
    lines << Words::tr("verified: error %1, %2").arg(escaped(errorText(m)), escaped(m.verification.coverage));
  }
  if (!m.caches.empty()) lines << Words::tr("caches: %1").arg(escaped(m.caches));
  if (const std::string words = m.beside.text(m.samples.size()); !words.empty())
    lines << QStringLiteral("! ") + toQt(words);
  if (m.disturbed())
    lines << Words::tr("disturbed: a hypervisor took %1 % of the processor's time").arg(numberText(100 * *m.stolen, 2));
  return lines;
}

}  // namespace

QString parametersText(const Measurement& m, const std::set<std::string>& skip) {
  QStringList parts;
  for (const auto& [name, value] : m.params.items()) {
    if (skip.contains(name)) continue;
    parts << toQt(name) + QLatin1Char(' ') + toQt(value.is_string() ? value.template get<std::string>() : value.dump());
  }
  return parts.join(kDot);
}

QString shapeText(const Measurement& m) { return toQt(extentsText(extentsOf(m), " × ") + " " + m.input); }

QString measurementTip(const Measurement& m) {
  QStringList lines{Words::tr("<b>%1</b> on <b>%2</b>").arg(escaped(m.variant), escaped(m.engine)), shapeText(m)};
  if (const QString parameters = parametersText(m); !parameters.isEmpty())
    lines.back() += kDot + parameters.toHtmlEscaped();
  if (!m.skipped.empty()) lines << Words::tr("skipped: %1").arg(escaped(m.skipped));
  if (!m.failed.empty()) lines << Words::tr("FAILED: %1").arg(escaped(m.failed));
  if (m.skipped.empty() && m.failed.empty() && m.hasFigures()) lines << figureLines(m);
  return lines.join(QStringLiteral("<br>"));
}

}  // namespace sscope
