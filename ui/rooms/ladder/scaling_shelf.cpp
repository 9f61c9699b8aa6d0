#include "ui/rooms/ladder/scaling_shelf.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QSettings>

#include "core/base/error.h"
#include "core/workload/catalog.h"
#include "ui/base/text.h"

namespace sscope {

namespace {

// Where the last report was.
const QString kFolderKey = QStringLiteral("scalingFolder");

}  // namespace

ScalingShelf::ScalingShelf(QWidget& over) : QObject(&over), over_(over) {
  connect(&task_, &BackgroundTask::failed, this, &ScalingShelf::failed);
}

void ScalingShelf::choose() {
  auto* dialog = new QFileDialog(&over_, tr("Load scaling reports"), QSettings().value(kFolderKey).toString(),
                                 tr("Scaling reports (*.json)"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFiles);
  connect(dialog, &QFileDialog::filesSelected, this, [this](const QStringList& paths) {
    if (paths.isEmpty()) return;
    QSettings().setValue(kFolderKey, QFileInfo(paths.front()).absolutePath());
    open(paths);
  });
  dialog->show();
}

void ScalingShelf::open(const QStringList& paths) {
  task_.start([this, paths](const Control& control) -> BackgroundTask::Finish {
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
      for (qsizetype i = 0; i < paths.size(); ++i)
        take(QFileInfo(paths[i]).absoluteFilePath(), read[static_cast<std::size_t>(i)]);
      Q_EMIT changed();
      if (!read.empty()) Q_EMIT opened(toQt(read.back().workload));
    };
  });
}

// The same file again is the file as it is now.
void ScalingShelf::take(const QString& path, const reach::ScalingRecord& record) {
  if (const qsizetype known = paths_.indexOf(path); known >= 0) {
    records_[static_cast<std::size_t>(known)] = record;
    return;
  }
  paths_ << path;
  records_.push_back(record);
}

void ScalingShelf::clear() {
  records_.clear();
  paths_.clear();
  Q_EMIT changed();
}

}  // namespace sscope
