// Opening in the main window: dialogs and drops of every room, and which room the data are for.

#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileInfo>
#include <QMimeData>
#include <QSettings>
#include <QUrl>

#include "ui/base/text.h"
#include "ui/window/main_window.h"
#include "ui/window/open_dialog.h"
#include "ui/window/status_line.h"

namespace sscope {

void MainWindow::chooseFile() {
  const std::optional<OpenWords> words = room_->openWords();
  auto* dialog = new OpenDialog(words ? words->title : tr("Open"), this);
  QStringList patterns{QStringLiteral("*.json")};
  for (const FileFormat& format : toolbox_.io->formats())
    if (format.read)
      for (const std::string& extension : format.extensions) patterns << QLatin1Char('*') + toQt(extension);
  if (words) {
    dialog->setNameFilters(words->filters);
  } else {
    dialog->setNameFilters(
        {tr("Volumes, images and sessions (%1)").arg(patterns.join(QLatin1Char(' '))), tr("All files (*)")});
  }
  connect(dialog, &OpenDialog::chosen, this, &MainWindow::openPaths);
  dialog->show();
}

void MainWindow::chooseFolder() {
  auto* dialog = new QFileDialog(this, tr("Open a folder: slices (DICOM, PNG, TIFF), or a store of OME-Zarr"),
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
  room_->openingHere(paths.front());
  loader_.open(paths);
}

void MainWindow::choosePart(const QString& path, const std::vector<FilePart>& parts) {
  delete parts_;  // of what was opened before
  parts_ = new PartDialog(fromQt(path), parts, this);
  parts_->setAttribute(Qt::WA_DeleteOnClose);
  connect(parts_, &PartDialog::accepted, this, [this] { loader_.open(toQt(parts_->name())); });
  parts_->open();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  const QList<QUrl> urls = event->mimeData()->urls();
  if (urls.isEmpty() || !urls.front().isLocalFile()) return;
  event->acceptProposedAction();
  RoomWords words = heardRoom().words();
  words.text = urls.size() == 1 ? tr("Drop to open %1").arg(QFileInfo(urls.front().toLocalFile()).fileName())
                                : tr("Drop to open %1 files").arg(urls.size());
  status_->tell(words);
}

void MainWindow::dragLeaveEvent(QDragLeaveEvent* event) {
  QMainWindow::dragLeaveEvent(event);
  status_->tell(heardRoom().words());
}

void MainWindow::dropEvent(QDropEvent* event) {
  event->acceptProposedAction();
  status_->tell(heardRoom().words());
  QStringList paths;
  for (const QUrl& url : event->mimeData()->urls())
    if (url.isLocalFile()) paths << url.toLocalFile();
  openPaths(paths);
}

}  // namespace sscope
