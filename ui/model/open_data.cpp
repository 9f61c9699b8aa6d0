#include "ui/model/open_data.h"

#include <QFileInfo>

#include "ui/base/text.h"

namespace sscope {

QString dataTitle(const OpenData& data) {
  if (!data.source.path.empty()) return QFileInfo(toQt(data.source.path)).fileName();
  return toQt(data.source.sample.empty() ? data.name : data.source.sample);
}

}  // namespace sscope
