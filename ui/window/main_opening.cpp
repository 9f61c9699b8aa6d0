// Opening in the main window: dialogs and drops of every room, and which room the data are for.

#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileInfo>
#include <QMimeData>
#include <QSettings>
#include <QUrl>
#include <utility>

#include "ui/base/notice.h"
#include "ui/base/text.h"
#include "ui/panels/data_panel.h"
#include "ui/rooms/lattice/lattice_setup.h"
#include "ui/window/main_window.h"
#include "ui/window/open_dialog.h"
#include "ui/window/status_line.h"

namespace sscope {

void MainWindow::chooseFile() {
  const bool lattice = room_ == kLatticeRoom;
  auto* dialog = new OpenDialog(lattice ? tr("Open a gauge configuration") : tr("Open"), this);
  QStringList patterns{QStringLiteral("*.json")};
  for (const FileFormat& format : toolbox_.io->formats())
    if (format.read)
      for (const std::string& extension : format.extensions) patterns << QLatin1Char('*') + toQt(extension);
  if (lattice) {
    dialog->setNameFilters({tr("All files (*)"), tr("NERSC, ILDG, MILC (*.nersc *.lime *.ildg *.milc)")});
  } else {
    dialog->setNameFilters(
        {tr("Volumes, images and sessions (%1)").arg(patterns.join(QLatin1Char(' '))), tr("All files (*)")});
  }
  connect(dialog, &OpenDialog::chosen, this, &MainWindow::openPaths);
  dialog->show();
}

void MainWindow::chooseFolder() {
  auto* dialog = new QFileDialog(this, tr("Open a folder of slices: DICOM, PNG, TIFF"),
                                 QSettings().value(kOpenFolderKey).toString());
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::Directory);
  connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
    QSettings().setValue(kOpenFolderKey, path);
    openPaths({path});
  });
  dialog->show();
}

// What they hold decides on the room, wherever they are opened from.
void MainWindow::openPaths(const QStringList& paths) {
  if (paths.isEmpty()) return;
  fromLattice_ = room_ == kLatticeRoom ? paths.front() : QString();
  loader_.open(paths);
}

void MainWindow::followOpening() {
  const auto asked = [this] { return std::exchange(fromLattice_, QString()); };
  connect(&loader_, &DataLoader::configurationFound, this, [this](const QString& path) {
    fromLattice_.clear();
    openConfiguration(path);
  });
  connect(&loader_, &DataLoader::loaded, this, [this, asked] {
    const QString path = asked();
    if (path.isEmpty() || path == model_.path() || room_ == kLatticeRoom || !model_.hasData()) return;
    data_->notice().showMessage(Notice::Kind::Hint,
                                tr("%1 is not a gauge configuration, so it was opened here, in the %2 room.")
                                    .arg(dataTitle(model_.data()), rooms_[static_cast<std::size_t>(room_)].title));
  });
  // Where it was asked for: the panel of the data is not seen there.
  connect(&loader_, &DataLoader::progressed, this, [this](double fraction, const QString& stage) {
    if (!fromLattice_.isEmpty() && room_ == kLatticeRoom) status_->showWork(stage, fraction);
  });
  connect(&loader_, &DataLoader::failed, this, [this, asked](const QString& message) {
    if (asked().isEmpty() || room_ != kLatticeRoom) return;
    status_->endWork(message);
    latticeSetup_->notice().showMessage(Notice::Kind::Error, message);
  });
  connect(&loader_, &DataLoader::canceled, this, [this, asked] {
    if (!asked().isEmpty() && room_ == kLatticeRoom) status_->endWork(tr("opening was canceled"));
  });
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  const QList<QUrl> urls = event->mimeData()->urls();
  if (!urls.isEmpty() && urls.front().isLocalFile()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  event->acceptProposedAction();
  QStringList paths;
  for (const QUrl& url : event->mimeData()->urls())
    if (url.isLocalFile()) paths << url.toLocalFile();
  openPaths(paths);
}

}  // namespace sscope
