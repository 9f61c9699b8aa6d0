#include "ui/base/typed_number.h"

#include <QLocale>
#include <cmath>

namespace sscope {

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
