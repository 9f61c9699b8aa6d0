#include "ui/rooms/filter/profile_chart.h"

#include <QEvent>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/charts/chart_format.h"

namespace sscope {

namespace {

constexpr const char* kStem = "line-profile";

// Okabe and Ito's colors that are seen on white and on black.
QColor curveColor(std::size_t output) {
  static constexpr std::array<QRgb, 6> kColors{0xE69F00, 0x0090D8, 0x009E73, 0xCC79A7, 0xD55E00, 0x8A7FD0};
  return QColor(kColors[output % kColors.size()]);
}

// From 0 to 1 over the finite values; a constant is in the middle.
std::vector<double> stretched(std::vector<double> values) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double value : values)
    if (std::isfinite(value)) low = std::min(low, value), high = std::max(high, value);
  // Halves, so that no difference overflows.
  for (double& value : values) value = high > low ? (value / 2 - low / 2) / (high / 2 - low / 2) : value - low + 0.5;
  return values;
}

}  // namespace

ProfileChart::ProfileChart(QWidget* parent) : CurveChart(parent) { clear(); }

void ProfileChart::clear() {
  profile_ = {};
  points_.clear();
  values_.clear();
  CurvePlot plot;
  plot.title = tr("Line profile");
  plot.stem = QLatin1String(kStem);
  plot.note = tr("Drag a line in a slice.");
  setPlot(std::move(plot));
}

void ProfileChart::setProfile(const ProfilePlot& profile) {
  profile_ = profile;
  points_ = profilePoints(profile_.line);
  show();
}

QString ProfileChart::unit() const { return profile_.inVoxels ? QString() : unitText(profile_.geometry.unit); }

void ProfileChart::show() {
  const QString unit = this->unit();
  const std::array<double, 3> spacing = unit.isEmpty() ? std::array<double, 3>{1, 1, 1} : profile_.geometry.spacing;
  CurvePlot plot;
  plot.title = tr("Line profile");
  plot.stem = QLatin1String(kStem);
  const QString grid = profile_.flat ? tr("pixels") : tr("voxels");
  plot.xLabel = tr("distance along the line, %1").arg(unit.isEmpty() ? grid : unit);
  plot.yLabel = profile_.ownScales ? tr("value, from the least to the largest of each curve") : tr("value");
  plot.fitted = true;
  QStringList notes;
  if (!profile_.flat) notes << tr("slice %1 = %2").arg(QLatin1Char("xyz"[profile_.line.axis])).arg(profile_.at);
  const bool nearest = profile_.sampling == ProfileSampling::Nearest;
  notes << (profile_.flat ? nearest ? tr("values of the nearest pixels") : tr("bilinear between pixels")
            : nearest ? tr("values of the nearest voxels")
                          : tr("trilinear between voxels"));
  if (profile_.component < 0) notes << tr("mean of the channels");
  values_.clear();
  bool stale = false;
  std::vector<double> distances;
  for (const SlicePoint& point : points_) distances.push_back(profileDistance(profile_.line, point, spacing));
  for (std::size_t i = 0; i < profile_.slices.size(); ++i) {
    const ProfileSlice& slice = profile_.slices[i];
    values_.push_back(
        profileValues(*slice.volume, slice.at, profile_.line.axis, points_, profile_.component, profile_.sampling));
    Curve curve{slice.name, distances, profile_.ownScales ? stretched(values_.back()) : values_.back()};
    curve.color = i == 0 ? palette().color(QPalette::Text) : curveColor(i - 1);
    curve.width = i == 0 ? 1.5 : 1;
    curve.dashed = slice.stale;
    stale |= slice.stale;
    plot.curves.push_back(std::move(curve));
  }
  if (stale) notes << tr("dashed: of the previous setting");
  plot.note = notes.join(QStringLiteral(" · "));
  setPlot(std::move(plot));
}

void ProfileChart::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange && !points_.empty()) show();
  CurveChart::changeEvent(event);
}

std::string ProfileChart::csv() const {
  const auto axes = axesOfSlice(profile_.line.axis);
  const std::string unit = fromQt(this->unit());
  std::string out = csvCell("distance_" + (unit.empty() ? std::string("voxels") : unit)) + ",x,y,z";
  for (const Curve& curve : plot().curves) out += ',' + csvCell(fromQt(curve.name));
  out += '\n';
  for (std::size_t i = 0; i < points_.size(); ++i) {
    std::array<double, 3> index{};
    index[profile_.line.axis] = static_cast<double>(profile_.at);
    index[axes[0]] = points_[i][0];
    index[axes[1]] = points_[i][1];
    out += csvNumber(plot().curves.empty() ? 0 : plot().curves.front().x[i]);
    for (const double each : index) out += ',' + csvNumber(each);
    for (const std::vector<double>& values : values_) out += ',' + csvNumber(values[i]);
    out += '\n';
  }
  return out;
}

}  // namespace sscope

#include "moc_profile_chart.cpp"
