#include "ui/model/ran_on.h"

#include "ui/base/text.h"

namespace sscope {

QString ranOnText(const RunReport& report, const EngineSet& engines) {
  const EngineInfo* info = engines.find(report.engine);
  return info != nullptr && info->hasThreads()
             ? Words::tr("ran on %1, %n thread(s)", nullptr, report.threads).arg(toQt(report.engine))
             : Words::tr("ran on %1").arg(toQt(report.engine));
}

}  // namespace sscope
