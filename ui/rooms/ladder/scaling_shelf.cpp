#include "ui/rooms/ladder/scaling_shelf.h"

#include <QFileInfo>
#include <QWidget>

#include "core/base/error.h"
#include "core/workload/catalog.h"
#include "ui/base/choose_files.h"
#include "ui/base/text.h"

namespace sscope {

ScalingShelf::ScalingShelf(QWidget& over) : QObject(&over), over_(over) {
  connect(&task_, &BackgroundTask::failed, this, &ScalingShelf::failed);
}

void ScalingShelf::choose() {
  chooseFiles(over_, tr("Load scaling reports"), tr("Scaling reports (*.json)"), QStringLiteral("scalingFolder"),
              [this](const QStringList& paths) { open(paths); });
}

void ScalingShelf::open(const QStringList& paths) {
  task_.queue([this, paths](const Control& control) -> BackgroundTask::Finish {
    std::vector<reach::ScalingRecord> read;
    for (const QString& path : paths) {
      control.check();
      read.push_back(reach::readScaling(fromQt(path)));
      if (findWorkloadKind(read.back().workload) == nullptr)
        throw makeError(
            ErrorKind::Unsupported,
            tr("%1 is of %2, which is no ladder").arg(QFileInfo(path).fileName(), toQt(read.back().workload)),
            tr("load a report of magic, dirac, cr or another ladder"));
    }
    return [this, paths, read = std::move(read)] {
      for (qsizetype i = 0; i < paths.size(); ++i) files_.take(paths[i], read[static_cast<std::size_t>(i)]);
      Q_EMIT changed();
      if (!read.empty()) Q_EMIT opened(toQt(read.back().workload));
    };
  });
}

void ScalingShelf::clear() {
  files_.clear();
  Q_EMIT changed();
}

}  // namespace sscope

#include "moc_scaling_shelf.cpp"
