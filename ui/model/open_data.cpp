#include "ui/model/open_data.h"

#include <QFileInfo>

#include "core/volume/selection.h"
#include "ui/base/text.h"

namespace sscope {

QString dataTitle(const OpenData& data) {
  if (!data.source.path.empty()) return QFileInfo(toQt(data.source.path)).fileName();
  return toQt(data.source.sample.empty() ? data.name : data.source.sample);
}

DataSource sourceOf(const OpenData& data) {
  DataSource source = data.source;
  if (!source.path.empty() && data.frames() > 1) source.path = withFrame(source.path, data.frame);
  return source;
}

QString overviewText(const reach::Overview& overview) {
  if (overview.level > 0) return Words::tr("level %1 of the file\u2019s pyramid").arg(overview.level);
  const auto& block = overview.block;
  return Words::tr("means of %1 × %2 × %3 voxels").arg(block[0]).arg(block[1]).arg(block[2]);
}

QString largeRefusal(const OpenData& data, const QString& what) {
  return data.large ? Words::tr("the data are larger than memory, and %1").arg(what) : QString();
}

}  // namespace sscope
