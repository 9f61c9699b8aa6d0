#include "ui/panels/hover_readout.h"

#include <algorithm>
#include <cmath>

#include "ui/base/look.h"
#include "ui/base/text.h"

namespace sscope {

namespace {

QString valuesText(const std::vector<double>& values) {
  QStringList parts;
  for (const double value : values) parts << numberText(value);
  return values.size() == 1 ? parts.front() : QLatin1Char('(') + parts.join(QStringLiteral(", ")) + QLatin1Char(')');
}

// A tenth of the smallest voxel, but at least one digit.
int decimalsFor(const Geometry& geometry, int dimensions) {
  const double smallest = *std::min_element(geometry.spacing.begin(), geometry.spacing.begin() + dimensions);
  return smallest > 0 ? std::clamp(1 + static_cast<int>(std::ceil(-std::log10(smallest) - 1e-9)), 1, 12) : 1;
}

}  // namespace

QString hoverText(const HoverInfo& info, const Geometry& geometry, int dimensions) {
  if (!info.inside || info.source.empty()) return {};
  QStringList position, voxel;
  const int decimals = decimalsFor(geometry, dimensions);
  for (std::size_t a = 0; a < static_cast<std::size_t>(dimensions); ++a) {
    position << QString::number(info.position[a], 'f', decimals);
    voxel << QString::number(info.voxel[a]);
  }
  QString values = valuesText(info.source);
  if (!info.result.empty()) values += QStringLiteral(" → ") + valuesText(info.result);
  QString place = QStringLiteral("(%1)").arg(position.join(QStringLiteral(", ")));
  if (!geometry.unit.empty()) place += QLatin1Char(' ') + unitText(geometry.unit);
  const QString index = voxel.join(QStringLiteral(", "));
  if (info.level > 0)
    return HoverReadout::tr("value %1 of level %2 at %3 · voxel (%4)").arg(values).arg(info.level).arg(place, index);
  if (info.block != std::array<std::int64_t, 3>{1, 1, 1})
    return HoverReadout::tr("mean %1 of %2 × %3 × %4 voxels at %5 · voxel (%6)")
        .arg(values)
        .arg(info.block[0])
        .arg(info.block[1])
        .arg(info.block[2])
        .arg(place, index);
  return (dimensions == 2 ? HoverReadout::tr("value %1 at %2 · pixel (%3)")
                          : HoverReadout::tr("value %1 at %2 · voxel (%3)"))
      .arg(values, place, index);
}

HoverReadout::HoverReadout(SessionModel& model, VolumeViews& views, QWidget* parent) : QLabel(parent) {
  setObjectName(QStringLiteral("hover"));
  setAccessibleName(tr("Value under the mouse"));
  const int gap = em(this, 0.3);
  setContentsMargins(gap, gap / 2, gap, gap / 2);
  setText(QStringLiteral(" "));
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  connect(&views, &VolumeViews::hovered, this, [this, &model](const HoverInfo& info) {
    if (!model.hasData()) return;
    const Volume& volume = *model.data().volume;
    setText(hoverText(info, volume.geometry(), volume.shape().dimensions()));
  });
}

}  // namespace sscope

#include "moc_hover_readout.cpp"
