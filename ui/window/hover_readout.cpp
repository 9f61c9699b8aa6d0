#include "ui/window/hover_readout.h"

#include "ui/base/look.h"
#include "ui/base/text.h"

namespace sscope {

namespace {

QString valuesText(const std::vector<double>& values) {
  QStringList parts;
  for (const double value : values) parts << numberText(value);
  return values.size() == 1 ? parts.front() : QLatin1Char('(') + parts.join(QStringLiteral(", ")) + QLatin1Char(')');
}

}  // namespace

QString hoverText(const HoverInfo& info, const std::string& unit, int dimensions) {
  if (!info.inside || info.source.empty()) return {};
  QStringList position, voxel;
  for (std::size_t a = 0; a < static_cast<std::size_t>(dimensions); ++a) {
    position << QString::number(info.position[a], 'f', 1);
    voxel << QString::number(info.voxel[a]);
  }
  QString text = HoverReadout::tr("value %1").arg(valuesText(info.source));
  if (!info.result.empty()) text += QStringLiteral(" → ") + valuesText(info.result);
  text += HoverReadout::tr(" at (%1)").arg(position.join(QStringLiteral(", ")));
  if (!unit.empty()) text += QLatin1Char(' ') + toQt(unit);
  return text + HoverReadout::tr(" · voxel (%1)").arg(voxel.join(QStringLiteral(", ")));
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
    setText(hoverText(info, volume.geometry().unit, volume.shape().dimensions()));
  });
}

}  // namespace sscope
