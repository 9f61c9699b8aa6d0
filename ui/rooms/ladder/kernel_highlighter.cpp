#include "ui/rooms/ladder/kernel_highlighter.h"

#include <QRegularExpression>

namespace sscope {

namespace {

enum State { kPlain = -1, kInComment = 1 };

QTextCharFormat inked(QRgb light, QRgb dark, bool isDark) {
  QTextCharFormat format;
  format.setForeground(QColor(isDark ? dark : light));
  return format;
}

}  // namespace

KernelHighlighter::KernelHighlighter(QTextDocument* document, bool dark)
    : QSyntaxHighlighter(document),
      comment_(inked(0x6B7280, 0x9AA2AE, dark)),
      directive_(inked(0xA04A00, 0xE6A35C, dark)),
      word_(inked(0x0060A0, 0x6CB6EE, dark)),
      number_(inked(0x007A55, 0x58C9A3, dark)) {
  comment_.setFontItalic(true);
}

void KernelHighlighter::highlightBlock(const QString& text) {
  // Words in capitals are the prelude's macros: KERNEL, GLOBAL, LOCAL, BARRIER.
  static const QRegularExpression words(QStringLiteral(
      "\\b(?:if|else|for|while|do|return|break|continue|const|void|int|uint|float|double|char|uchar|short|ushort|long|"
      "ulong|unsigned|signed|struct|static|inline|auto|template|typename|float[248]|uint[248]|uchar(?:4|8|16)|"
      "[A-Z][A-Z0-9_]{2,})\\b"));
  static const QRegularExpression numbers(
      QStringLiteral("\\b(?:0[xX][0-9a-fA-F.]+(?:[pP][+-]?\\d+)?|\\d+\\.?\\d*(?:[eE][+-]?\\d+)?)[fFuUlL]*\\b"));
  const auto color = [&](const QRegularExpression& pattern, const QTextCharFormat& format) {
    for (auto match = pattern.globalMatch(text); match.hasNext();) {
      const QRegularExpressionMatch found = match.next();
      setFormat(static_cast<int>(found.capturedStart()), static_cast<int>(found.capturedLength()), format);
    }
  };
  color(words, word_);
  color(numbers, number_);
  if (text.trimmed().startsWith(QLatin1Char('#'))) setFormat(0, static_cast<int>(text.size()), directive_);

  // Comments last: they cover what is inside them.
  setCurrentBlockState(kPlain);
  qsizetype from = previousBlockState() == kInComment ? 0 : -1;
  qsizetype at = 0;
  while (at <= text.size()) {
    if (from < 0) {
      const qsizetype line = text.indexOf(QLatin1String("//"), at), block = text.indexOf(QLatin1String("/*"), at);
      if (line >= 0 && (block < 0 || line < block)) {
        setFormat(static_cast<int>(line), static_cast<int>(text.size() - line), comment_);
        return;
      }
      if (block < 0) return;
      from = block;
      at = block + 2;
    }
    const qsizetype end = text.indexOf(QLatin1String("*/"), at);
    if (end < 0) {
      setFormat(static_cast<int>(from), static_cast<int>(text.size() - from), comment_);
      setCurrentBlockState(kInComment);
      return;
    }
    at = end + 2;
    setFormat(static_cast<int>(from), static_cast<int>(at - from), comment_);
    from = -1;
  }
}

}  // namespace sscope
