#include "ui/charts/color_scale.h"

#include <vtkColorTransferFunction.h>
#include <vtkSmartPointer.h>
#include <QLinearGradient>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "core/report/display_list.h"
#include "ui/base/look.h"
#include "ui/base/text.h"

namespace sscope {

namespace {

constexpr std::array<QRgb, 2> kGray{0x000000, 0xFFFFFF};
constexpr std::array<QRgb, 7> kDiverging{0xB4E6FF, 0x4A9BE0, 0x1D4E86, 0x14171B, 0x86401C, 0xE0803A, 0xFFECB8};
// After matplotlib's twilight (B. Smith).
constexpr std::array<QRgb, 9> kTwilight{0xE2D9E2, 0x9EBBC9, 0x6785BE, 0x5E43A5, 0x2F1436,
                                        0x8E2C50, 0xBD6F54, 0xD1B3A6, 0xE2D9E2};

// Coefficients of powers 0 to 6 of the share, for red, green and blue as shares: fits to matplotlib's maps (S. van der
// Walt and N. Smith) by M. Zucker, shadertoy.com/view/WlfXRN, in the public domain (CC0).
using Polynomial = std::array<std::array<double, 3>, 7>;
constexpr Polynomial kMagma{{{-0.002136485053939582, -0.000749655052795221, -0.005386127855323933},
                             {0.2516605407371642, 0.6775232436837668, 2.494026599312351},
                             {8.353717279216625, -3.577719514958484, 0.3144679030132573},
                             {-27.66873308576866, 14.26473078096533, -13.64921318813922},
                             {52.17613981234068, -27.94360607168351, 12.94416944238394},
                             {-50.76852536473588, 29.04658282127291, 4.23415299384598},
                             {18.65570506591883, -11.48977351997711, -5.601961508734096}}};
constexpr Polynomial kInferno{{{0.0002189403691192265, 0.001651004631001012, -0.01948089843709184},
                               {0.1065134194856116, 0.5639564367884091, 3.932712388889277},
                               {11.60249308247187, -3.972853965665698, -15.9423941062914},
                               {-41.70399613139459, 17.43639888205313, 44.35414519872813},
                               {77.162935699427, -33.40235894210092, -81.80730925738993},
                               {-71.31942824499214, 32.62606426397723, 73.20951985803202},
                               {25.13112622477341, -12.24266895238567, -23.07032500287172}}};
// As bytes, to the power of 5: the fit of d3-scale-chromatic (M. Bostock) to the map of J. Nunez, C. Anderton and
// R. Renslow, "Optimizing colormaps with consideration for color vision deficiency", PLOS ONE 13(7), 2018.
constexpr Polynomial kCividis{{{-4.54, 32.49, 81.24},
                               {-35.34, 170.73, 442.36},
                               {2381.73, 52.82, -2482.43},
                               {-6402.7, -131.46, 6167.24},
                               {7024.72, 176.58, -6614.94},
                               {-2710.57, -67.37, 2475.67},
                               {0, 0, 0}}};

QColor valueOf(const Polynomial& polynomial, double share, double one) {
  const double t = std::clamp(share, 0.0, 1.0);
  std::array<double, 3> sum{};
  for (std::size_t power = polynomial.size(); power-- > 0;)
    for (std::size_t c = 0; c < 3; ++c) sum[c] = sum[c] * t + polynomial[power][c];
  const auto channel = [&](double value) { return static_cast<float>(std::clamp(value / one, 0.0, 1.0)); };
  return QColor::fromRgbF(channel(sum[0]), channel(sum[1]), channel(sum[2]));
}

// K. Moreland, "Diverging color maps for scientific visualization", ISVC 2009, as VTK computes them.
QColor coolWarm(double share) {
  static const vtkSmartPointer<vtkColorTransferFunction> function = [] {
    auto made = vtkSmartPointer<vtkColorTransferFunction>::New();
    made->SetColorSpaceToDiverging();
    made->AddRGBPoint(0, 0.230, 0.299, 0.754);
    made->AddRGBPoint(1, 0.706, 0.016, 0.150);
    return made;
  }();
  std::array<double, 3> rgb{};
  function->GetColor(std::clamp(share, 0.0, 1.0), rgb.data());
  return QColor::fromRgbF(static_cast<float>(rgb[0]), static_cast<float>(rgb[1]), static_cast<float>(rgb[2]));
}

QColor between(std::span<const QRgb> stops, double share) {
  const double place = std::clamp(share, 0.0, 1.0) * static_cast<double>(stops.size() - 1);
  const std::size_t below = std::min(static_cast<std::size_t>(place), stops.size() - 2);
  const auto t = static_cast<float>(place - static_cast<double>(below));
  const QColor a(stops[below]), b(stops[below + 1]);
  return QColor::fromRgbF(a.redF() * (1 - t) + b.redF() * t, a.greenF() * (1 - t) + b.greenF() * t,
                          a.blueF() * (1 - t) + b.blueF() * t);
}

ColorTable tableOf(ColorMap map) {
  ColorTable table{};
  for (std::size_t i = 0; i < table.size(); ++i)
    table[i] = mapColor(map, static_cast<double>(i) / static_cast<double>(table.size() - 1)).rgb();
  return table;
}

}  // namespace

QColor magnitudeColor(double share) { return QColor(static_cast<QRgb>(report::magnitudeRgb(share))); }

QColor mapColor(ColorMap map, double share) {
  switch (map) {
    case ColorMap::Magnitude: return magnitudeColor(share);
    case ColorMap::Diverging: return between(kDiverging, share);
    case ColorMap::Cyclic: return between(kTwilight, share);
    case ColorMap::Magma: return valueOf(kMagma, share, 1);
    case ColorMap::Inferno: return valueOf(kInferno, share, 1);
    case ColorMap::Cividis: return valueOf(kCividis, share, 255);
    case ColorMap::CoolWarm: return coolWarm(share);
    case ColorMap::Gray: break;
  }
  return between(kGray, share);
}

const ColorTable& colorTable(ColorMap map) {
  static const auto tables = [] {
    std::array<ColorTable, static_cast<std::size_t>(ColorMap::CoolWarm) + 1> made{};
    for (std::size_t i = 0; i < made.size(); ++i) made[i] = tableOf(static_cast<ColorMap>(i));
    return made;
  }();
  return tables[static_cast<std::size_t>(map)];
}

ColorMap colorMapNamed(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, ColorMap>, 6> kNames{{{"viridis", ColorMap::Magnitude},
                                                                                {"magma", ColorMap::Magma},
                                                                                {"inferno", ColorMap::Inferno},
                                                                                {"cividis", ColorMap::Cividis},
                                                                                {"blueOrange", ColorMap::Diverging},
                                                                                {"coolWarm", ColorMap::CoolWarm}}};
  for (const auto& [known, map] : kNames)
    if (known == name) return map;
  return ColorMap::Gray;
}

QColor usedColor(const ColorUse& use, double share) {
  const double bent = std::pow(std::clamp(share, 0.0, 1.0), 1 / use.gamma);
  return mapColor(use.map, use.invert ? 1 - bent : bent);
}

std::vector<std::uint32_t> colorSteps(const ColorUse& use) {
  if (use == ColorUse{use.map}) {
    const ColorTable& table = colorTable(use.map);
    return {table.begin(), table.end()};
  }
  std::vector<std::uint32_t> steps(use.gamma == 1 ? 256 : 2048);
  for (std::size_t i = 0; i < steps.size(); ++i)
    steps[i] = usedColor(use, static_cast<double>(i) / static_cast<double>(steps.size() - 1)).rgb();
  return steps;
}

namespace {
constexpr double kWidth = 19, kHeight = 1.4, kStrip = 6.5;  // heights of a line of text
}

ColorBar::ColorBar(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  setAccessibleName(tr("Colors and their values"));
}

void ColorBar::setScale(const ColorUse& colors, const std::array<double, 2>& window, bool logarithmic) {
  if (colors == colors_ && window == window_ && logarithmic == logarithmic_) return;
  colors_ = colors;
  window_ = window;
  logarithmic_ = logarithmic;
  const QString words =
      (logarithmic ? tr("logarithmic colors from %1 to %2; smaller values and zero have the first color")
                   : tr("colors from %1 to %2"))
          .arg(endText(0), endText(1));
  setToolTip(words);
  setAccessibleDescription(words);
  update();
}

QString ColorBar::endText(std::size_t end) const {
  return numberText(logarithmic_ ? std::pow(10, window_[end]) : window_[end], 4);
}

QSize ColorBar::sizeHint() const { return {em(this, kWidth), em(this, kHeight)}; }

// Marks below the strip at powers of ten show that the scale is logarithmic; at every power if there is space.
void ColorBar::drawDecades(QPainter& painter, const QRectF& strip) const {
  const double range = window_[1] - window_[0];
  if (!logarithmic_ || !(range > 0)) return;
  const double every = std::max(1.0, std::ceil(range * em(this, 0.4) / strip.width()));
  for (double power = every * std::ceil(window_[0] / every); power <= window_[1]; power += every) {
    const double x = strip.left() + strip.width() * (power - window_[0]) / range;
    painter.drawLine(QPointF(x, strip.bottom()), QPointF(x, strip.bottom() + 0.2 * height()));
  }
}

void ColorBar::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  const QRectF strip((width() - em(this, kStrip)) / 2.0, 0.25 * height(), em(this, kStrip), 0.5 * height());
  QLinearGradient gradient(strip.topLeft(), strip.topRight());
  for (int step = 0; step <= 16; ++step) gradient.setColorAt(step / 16.0, usedColor(colors_, step / 16.0));
  painter.fillRect(strip, gradient);
  painter.setPen(quietColor(this));
  painter.drawRect(strip);
  drawDecades(painter, strip);
  painter.setPen(palette().color(QPalette::WindowText));
  const double gap = em(this, 0.35);
  painter.drawText(QRectF(0, 0, strip.left() - gap, height()), Qt::AlignRight | Qt::AlignVCenter, endText(0));
  painter.drawText(QRectF(strip.right() + gap, 0, width() - strip.right() - gap, height()),
                   Qt::AlignLeft | Qt::AlignVCenter, endText(1));
}

QColor tapColor(double share, const QColor& zero) {
  const QColor full = share >= 0 ? QColor(0xE6, 0x9F, 0x00) : QColor(0x00, 0x72, 0xB2);
  const auto t = static_cast<float>(std::pow(std::min(1.0, std::abs(share)), 0.7));
  return QColor::fromRgbF(zero.redF() + t * (full.redF() - zero.redF()),
                          zero.greenF() + t * (full.greenF() - zero.greenF()),
                          zero.blueF() + t * (full.blueF() - zero.blueF()));
}

QColor inkOn(const QColor& background) { return background.lightnessF() > 0.5F ? Qt::black : Qt::white; }

}  // namespace sscope

#include "moc_color_scale.cpp"
