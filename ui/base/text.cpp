#include "ui/base/text.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>
#include <cmath>

#include "core/base/words.h"

namespace sscope {

QString toQt(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

std::string fromQt(const QString& text) { return text.toStdString(); }

Error makeError(ErrorKind kind, const QString& what, const QString& remedy) {
  return {kind, fromQt(what), fromQt(remedy)};
}

QString numberText(double value, int digits) {
  if (std::isnan(value)) return Words::tr("not a number");
  if (std::isinf(value)) return value > 0 ? Words::tr("infinity") : Words::tr("-infinity");
  // Whole numbers of usual size are never rounded.
  if (value == std::round(value) && std::abs(value) < 1e9) return QString::number(value, 'f', 0);
  return QString::number(value, 'g', digits);
}

QString secondsText(double seconds) {
  if (seconds >= 1) return QStringLiteral("%1 s").arg(seconds, 0, 'f', seconds < 10 ? 2 : 1);
  if (seconds >= 1e-3) return QStringLiteral("%1 ms").arg(seconds * 1e3, 0, 'f', seconds < 0.1 ? 1 : 0);
  return QStringLiteral("%1 µs").arg(seconds * 1e6, 0, 'f', 0);
}

QString bytesText(std::int64_t bytes) { return toQt(bytesText(static_cast<double>(bytes))); }

QString breakable(const QString& text) {
  constexpr int kLongestWord = 12;
  static const QString kBreaks = QStringLiteral("/\\_-.");
  QString broken;
  int run = 0;
  for (const QChar c : text) {
    broken += c;
    run = c.isSpace() ? 0 : run + 1;
    if (run == 0 || !(kBreaks.contains(c) || run >= kLongestWord)) continue;
    if (c.isHighSurrogate()) continue;
    broken += QChar(0x200B);
    run = 0;
  }
  return broken;
}

QString unitText(std::string_view unit) {
  return unit == "um" ? QStringLiteral("µm") : unit == "angstrom" ? QStringLiteral("Å") : toQt(unit);
}

std::optional<double> typedNumber(const QString& text) {
  QString plain = text.trimmed();
  if (plain.count(QLatin1Char(',')) == 1 && !plain.contains(QLatin1Char('.')))
    plain.replace(QLatin1Char(','), QLatin1Char('.'));
  bool good = false;
  const double value = QLocale::c().toDouble(plain, &good);
  if (!good || !std::isfinite(value) || plain.contains(QLatin1Char(','))) return {};
  return value;
}

double withoutTail(double value) {
  constexpr int kDigits = 12;
  return std::isfinite(value) ? QString::number(value, 'g', kDigits).toDouble() : value;
}

}  // namespace sscope
