#include "ui/rooms/filter/profile_chart.h"

#include <QEvent>
#include <array>
#include <utility>

#include "ui/base/label_text.h"
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

}  // namespace

ProfileChart::ProfileChart(QWidget* parent) : CurveChart(parent) { clear(); }

void ProfileChart::clear() {
  profile_ = {};
  points_.clear();
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
  plot.yLabel = tr("value");
  plot.fitted = true;
  QStringList notes;
  if (!profile_.flat) notes << tr("slice %1 = %2").arg(QLatin1Char("xyz"[profile_.line.axis])).arg(profile_.at);
  notes << (profile_.sampling == ProfileSampling::Nearest
                ? tr("values of the nearest voxels")
                : tr("linear between voxels (trilinear, as the line lies in a slice)"));
  if (profile_.component < 0) notes << tr("mean of the channels");
  bool stale = false;
  std::vector<double> distances;
  for (const SlicePoint& point : points_) distances.push_back(profileDistance(profile_.line, point, spacing));
  for (std::size_t i = 0; i < profile_.slices.size(); ++i) {
    const ProfileSlice& slice = profile_.slices[i];
    Curve curve{
        slice.name, distances,
        profileValues(*slice.volume, slice.at, profile_.line.axis, points_, profile_.component, profile_.sampling)};
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
    for (const Curve& curve : plot().curves) out += ',' + csvNumber(curve.y[i]);
    out += '\n';
  }
  return out;
}

}  // namespace sscope
