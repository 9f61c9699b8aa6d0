#include "ui/rooms/ladder/measurement_text.h"

#include <QCoreApplication>
#include <QStringList>
#include <cmath>

#include "core/ladder/extents.h"
#include "ui/base/text.h"
#include "ui/charts/chart_format.h"

namespace sscope {

namespace {

const QString kDot = QStringLiteral(" · ");

QString tr(const char* text) { return QCoreApplication::translate("LadderPage", text); }

QString escaped(const std::string& text) { return toQt(text).toHtmlEscaped(); }

// More digits than the charts show: who hovers wants to know exactly.
QString exactSeconds(double seconds) {
  const TimeUnit unit = timeUnit(seconds);
  return QString::number(seconds * unit.perSecond, 'g', 5) + QChar(0x202F) + unit.name;
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

QString errorText(const Measurement& m) {
  if (!m.hasFigures() || !m.twinOf.empty()) return {};
  const QString size = m.verification.relativeL2 == 0 ? tr("exact") : numberText(m.verification.relativeL2, 2);
  return m.approximate ? tr("differs by %1").arg(size) : size;
}

QString shareText(const Measurement& m) {
  const auto share = m.hasFigures() ? m.share() : std::nullopt;
  if (!share) return {};
  return *share < 0.01 ? tr("<1\u202F%") : tr("%1\u202F%").arg(std::lround(100 * *share));
}

QString measurementTip(const Measurement& m) {
  QString text = QStringLiteral("<b>%1</b> on <b>%2</b>").arg(escaped(m.variant), escaped(m.engine));
  text += QStringLiteral("<br>") + shapeText(m);
  if (const QString parameters = parametersText(m); !parameters.isEmpty()) text += kDot + parameters.toHtmlEscaped();
  if (!m.skipped.empty()) return text + tr("<br>skipped: %1").arg(escaped(m.skipped));
  if (!m.failed.empty()) return text + tr("<br>FAILED: %1").arg(escaped(m.failed));
  if (!m.hasFigures()) return text;
  const Spread spread = m.spread();
  text += tr("<br>median %1, quartiles %2 to %3, fastest %4, %5 repetitions")
              .arg(exactSeconds(spread.median), exactSeconds(spread.firstQuartile), exactSeconds(spread.thirdQuartile),
                   exactSeconds(spread.minimum))
              .arg(m.samples.size());
  if (m.twinOf.empty()) text += tr("<br>%1 GFLOP/s, %2 GB/s").arg(numberText(m.gflops(), 5), numberText(m.gbs(), 5));
  if (const QString share = shareText(m); !share.isEmpty() && m.twinOf.empty())
    text += tr(", %1 of the measured ceiling").arg(share.toHtmlEscaped());
  if (!m.twinOf.empty()) {
    text += tr("<br>the loads and stores of %1 without its arithmetic").arg(escaped(m.twinOf));
  } else {
    text += tr("<br>verified: error %1, %2").arg(errorText(m), escaped(m.verification.coverage));
  }
  if (!m.caches.empty()) text += tr("<br>caches: %1").arg(escaped(m.caches));
  if (m.disturbed())
    text += tr("<br>disturbed: a hypervisor took %1 % of the processor's time").arg(numberText(100 * *m.stolen, 2));
  return text;
}

}  // namespace sscope
