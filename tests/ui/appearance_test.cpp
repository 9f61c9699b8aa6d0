// Controls are seen in dark palettes as in light ones.

#include <QApplication>
#include <QCheckBox>
#include <QRadioButton>
#include <algorithm>
#include <cmath>

#include "tests/support/catch.h"
#include "tests/ui/test_window.h"
#include "ui/base/look.h"
#include "ui/charts/engine_colors.h"
#include "ui/controls/labels.h"

using namespace sscope;
using namespace sscope::test;

namespace {

double luminance(const QColor& color) {
  const auto linear = [](double c) { return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
  return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

// As in WCAG 2: 1 to 21; what is to be seen at all needs 3.
double contrast(const QColor& a, const QColor& b) {
  const double x = luminance(a), y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

// The strongest contrast of a picture with its background.
double strongest(QWidget& widget) {
  const QImage image = widget.grab().toImage();
  const QColor background = widget.palette().color(QPalette::Window);
  double most = 1;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) most = std::max(most, contrast(image.pixelColor(x, y), background));
  return most;
}

}  // namespace

TEST_CASE("boxes, buttons and swatches are seen in light and dark palettes") {
  const Appearance appearance = GENERATE(Appearance::Light, Appearance::Dark);
  applyAppearance(*qApp, appearance);
  CAPTURE(static_cast<int>(appearance));
  {
    QWidget window;
    QCheckBox check(&window);
    QRadioButton radio(&window);
    window.show();
    for (QAbstractButton* each : std::initializer_list<QAbstractButton*>{&check, &radio}) {
      CAPTURE(each->metaObject()->className());
      for (const bool on : {false, true}) {
        each->setChecked(on);
        CHECK(strongest(*each) >= 3);
      }
    }
    Swatch swatch(QColor(30, 30, 30), &window);
    CHECK(strongest(swatch) >= 3);
  }
  applyAppearance(*qApp, Appearance::System);
}
