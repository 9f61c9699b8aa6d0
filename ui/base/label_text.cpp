#include "ui/base/label_text.h"

#include "ui/base/text.h"

namespace sscope {

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

}  // namespace sscope
