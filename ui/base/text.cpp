#include "ui/base/text.h"

#include <QCoreApplication>
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
  if (std::isnan(value)) return QCoreApplication::translate("Numbers", "not a number");
  if (std::isinf(value))
    return value > 0 ? QCoreApplication::translate("Numbers", "infinity")
                     : QCoreApplication::translate("Numbers", "-infinity");
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

}  // namespace sscope
