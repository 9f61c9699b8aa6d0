#include "ui/base/language.h"

#include <QCoreApplication>
#include <QTranslator>
#include <clocale>

namespace sscope {

void keepDecimalPoint() { std::setlocale(LC_NUMERIC, "C"); }

namespace {

class EnglishPlurals : public QTranslator {
 public:
  using QTranslator::QTranslator;

  [[nodiscard]] bool isEmpty() const override { return false; }

  // Qt replaces %n itself. A null text means that there is no translation.
  [[nodiscard]] QString translate(const char* /*context*/, const char* text, const char* /*disambiguation*/,
                                  int count) const override {
    if (count < 0) return {};
    return QString::fromUtf8(text).replace(QLatin1String("(s)"), count == 1 ? QLatin1String() : QLatin1String("s"));
  }
};

}  // namespace

void installPlurals(QCoreApplication& application) {
  QCoreApplication::installTranslator(new EnglishPlurals(&application));
}

}  // namespace sscope
