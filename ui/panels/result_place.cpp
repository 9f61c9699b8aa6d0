#include "ui/panels/result_place.h"

#include <QStringList>
#include <algorithm>

#include "ui/base/text.h"

namespace sscope {

namespace {

// "CUDA device 0" of "cuda:0".
QString deviceName(const EngineInfo& info) {
  const QString number = toQt(info.id).section(QLatin1Char(':'), 1);
  switch (info.kind) {
    case EngineKind::Cuda: return Words::tr("CUDA device %1").arg(number);
    case EngineKind::OpenCl: return Words::tr("OpenCL device %1").arg(number);
    default: return toQt(info.id);
  }
}

QString deviceTip(const EngineInfo& info, const HeldMemory& held) {
  QStringList lines{QStringLiteral("<b>%1</b>").arg(toQt(info.name).toHtmlEscaped())};
  lines << Words::tr("results, and room for the next ones: %1").arg(bytesText(held.results));
  lines << Words::tr("data and scratch of the filters: %1").arg(bytesText(held.buffers));
  lines << Words::tr("taken at most: %1 of %2").arg(bytesText(held.budget), bytesText(info.memoryBytes));
  if (info.isProcessor) lines << Words::tr("This device is the processor, and its memory the machine\u2019s.");
  lines << Words::tr(
      "When a run needs more, the results that were used longest ago move to the machine\u2019s memory. A copy of a "
      "result comes there when it is exported.");
  return lines.join(QStringLiteral("<br>"));
}

}  // namespace

ResultPlace placeOf(const ResidentFilterResult* result, const EngineSet& engines) {
  if (result == nullptr || result->outputs.empty()) return {};
  std::int64_t all = 0;
  std::size_t onDevice = 0;
  for (const auto& output : result->outputs) {
    all += output->spec().bytes();
    onDevice += output->deviceBytes() > 0 ? 1 : 0;
  }
  const EngineInfo* info = engines.find(result->outputs.front()->engine());
  if (info == nullptr || !info->isDevice())
    return {Words::tr("in memory"), bytesText(all),
            Words::tr("The result takes %1 of the machine\u2019s memory.").arg(bytesText(all))};
  const HeldMemory held = engines.at(info->id).heldMemory();
  const QString tip = deviceTip(*info, held);
  if (onDevice == 0)
    return {
        Words::tr("in memory"), bytesText(all),
        Words::tr("%1 had no room for the result, or needed it for something else.<br>%2").arg(deviceName(*info), tip)};
  const QString device = onDevice == result->outputs.size() ? Words::tr("on %1").arg(deviceName(*info))
                                                            : Words::tr("partly on %1").arg(deviceName(*info));
  return {device, Words::tr("%1 of %2").arg(bytesText(held.all()), bytesText(info->memoryBytes)), tip};
}

}  // namespace sscope
