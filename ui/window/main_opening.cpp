// Opening in the main window: dialogs, dropped files, and the offers above the pages.

#include <QDateTime>
#include <QDir>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QLocale>
#include <QMimeData>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QUrl>
#include <chrono>

#include "core/base/error.h"
#include "ui/base/look.h"
#include "ui/base/notice.h"
#include "ui/base/open_files.h"
#include "ui/base/text.h"
#include "ui/model/saving.h"
#include "ui/panels/data_panel.h"
#include "ui/window/bars.h"
#include "ui/window/dialogs.h"
#include "ui/window/main_window.h"

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
  showFileDialog(this,
                 {.title = tr("Open a folder of slices (DICOM, PNG, TIFF) or an OME-Zarr store"),
                  .start = QSettings().value(kOpenFolderKey).toString(),
                  .folder = true},
                 [this](const QString& path) {
                   QSettings().setValue(kOpenFolderKey, path);
                   openPaths({path});
                 });
}

void MainWindow::openPaths(const QStringList& paths) {
  if (paths.isEmpty()) return;
  room_->openingHere(paths.front());
  loader_.open(paths);
}

void MainWindow::choosePart(const QString& path, const std::vector<FilePart>& parts) {
  delete parts_;
  parts_ = new PartDialog(fromQt(path), parts, this);
  parts_->setAttribute(Qt::WA_DeleteOnClose);
  connect(parts_, &PartDialog::accepted, this, [this] { loader_.open(toQt(parts_->name())); });
  parts_->open();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  const QList<QUrl> urls = event->mimeData()->urls();
  if (urls.isEmpty() || !urls.front().isLocalFile()) return;
  event->acceptProposedAction();
  RoomWords words = statusRoom().words();
  words.text = urls.size() == 1 ? tr("Drop to open %1").arg(QFileInfo(urls.front().toLocalFile()).fileName())
                                : tr("Drop to open %1 files").arg(urls.size());
  status_->tell(words);
}

void MainWindow::dragLeaveEvent(QDragLeaveEvent* event) {
  QMainWindow::dragLeaveEvent(event);
  status_->tell(statusRoom().words());
}

void MainWindow::dropEvent(QDropEvent* event) {
  event->acceptProposedAction();
  status_->tell(statusRoom().words());
  QStringList paths;
  for (const QUrl& url : event->mimeData()->urls())
    if (url.isLocalFile()) paths << url.toLocalFile();
  openPaths(paths);
}

}  // namespace sscope

namespace sscope {

namespace {

QString timeText(std::filesystem::file_time_type when) {
  const auto system = std::chrono::file_clock::to_sys(when);
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(system.time_since_epoch()).count();
  return QLocale().toString(QDateTime::fromSecsSinceEpoch(seconds), QLocale::ShortFormat);
}

QString contentText(const KeptSession& kept) {
  const Session& session = kept.session;
  QStringList parts;
  if (!session.data.path.empty()) parts << QFileInfo(toQt(session.data.path)).fileName();
  if (!session.data.sample.empty()) parts << toQt(session.data.sample);
  for (const std::string& document : documentsOf(session)) parts << toQt(document);
  parts << MainWindow::tr("%n filter(s)", nullptr, static_cast<int>(session.bank.filters.size()));
  return parts.join(QStringLiteral(", "));
}

// The members of the session that no room of this program has, without those of the view, which only affect the look.
QStringList unknownParts(const Session& session) {
  QStringList names;
  for (const auto& [name, value] : session.foreign)
    if (!name.starts_with("view.")) names << toQt(name);
  return names;
}

}  // namespace

void MainWindow::buildOffers() {
  keptOffer_ = named(new OfferBar(tr("Session of a program that was killed"), this), "leftSession");
  QPushButton* restore = keptOffer_->addButton(tr("Restore"), "leftRestore");
  QPushButton* discard = keptOffer_->addButton(tr("Discard"), "leftDiscard");
  connect(restore, &QPushButton::clicked, this, [this] {
    if (kept_) loader_.restore(kept_->kept());
  });
  connect(discard, &QPushButton::clicked, this, [this] {
    if (kept_) kept_->remove();
    offerLeftSession();
  });
  missingOffer_ = named(new OfferBar(tr("Data not found"), this), "missingData");
  QPushButton* locate = missingOffer_->addButton(tr("Locate…"), "locateData");
  connect(locate, &QPushButton::clicked, this, &MainWindow::locateData);
  connect(&model_, &SessionModel::dataChanged, missingOffer_, &OfferBar::clear);
  connect(&loader_, &DataLoader::partsFound, this, &MainWindow::choosePart);
  connect(&loader_, &DataLoader::dataMissing, this, [this](const QString& path, const QString& reason) {
    missingPath_ = path;
    missingOffer_->offer(true, tr("The session was opened without its data: %1").arg(reason));
  });
  foreignOffer_ = named(new OfferBar(tr("Format of a microscope"), this), "foreignData");
  QPushButton* convert = foreignOffer_->addButton(tr("Convert with bfconvert…"), "convertForeign");
  connect(convert, &QPushButton::clicked, this, &MainWindow::convertForeign);
  connect(&loader_, &DataLoader::started, foreignOffer_, &OfferBar::clear);
  connect(&loader_, &DataLoader::foreignFound, this, [this](const QString& path, const QString& format) {
    foreignPath_ = path;
    foreignOffer_->offer(false,
                         tr("%1 is %2, which this program cannot read. The installed bfconvert of Bio-Formats can "
                            "convert it to OME-TIFF.")
                             .arg(QFileInfo(path).fileName(), format));
  });
  unknownNote_ = named(new OfferBar(tr("Unknown parts of the session"), this), "unknownParts");
  connect(&loader_, &DataLoader::sessionOpened, this, [this] {
    const QStringList names = unknownParts(model_.session());
    if (names.isEmpty()) return unknownNote_->clear();
    unknownNote_->offer(false,
                        tr("The session has settings that this program does not know: %1. They stay in it when it is "
                           "saved.")
                            .arg(names.join(QStringLiteral(", "))));
  });
  // The restored session is stored in this window's own file before the other file is removed.
  connect(&loader_, &DataLoader::sessionRestored, this, [this] {
    if (!kept_) return;
    if (running_) running_->keepNow();
    kept_->remove();
    offerLeftSession();
  });
}

void MainWindow::keepSession(const std::filesystem::path& folder) {
  if (folder.empty()) return;
  try {
    running_ = std::make_unique<RunningSession>(folder, [this] {
      return KeptSession{wholeSession(), fromQt(model_.path()), model_.dirty()};
    });
  } catch (const Error&) {
    return;  // the window works without it
  }
  keptFolder_ = folder;
  offerLeftSession();
}

void MainWindow::offerLeftSession() {
  kept_ = LeftSession::find(keptFolder_);
  keptOffer_->clear();
  if (!kept_) return;
  keptOffer_->offer(false, tr("Stencilscope did not close properly. Kept at %1: %2.")
                               .arg(timeText(kept_->when()), contentText(kept_->kept())));
}

// For patterns and folders, asks for the folder.
void MainWindow::locateData() {
  const QFileInfo missing(missingPath_);
  const bool pattern = missing.fileName().contains(QRegularExpression(QStringLiteral("[*?%\\[]")));
  const bool folder = pattern || missing.suffix().isEmpty();
  QFileDialog* dialog = showFileDialog(this,
                                       {.title = tr("Where is %1 now?").arg(missing.fileName()),
                                        .start = QFileInfo(model_.path()).absolutePath(),
                                        .folder = folder},
                                       [this, pattern, missing](const QString& path) {
                                         loader_.locate(pattern ? QDir(path).filePath(missing.fileName()) : path);
                                       });
  dialog->setObjectName(QStringLiteral("locateDialog"));
}

void MainWindow::convertForeign() {
  const QFileInfo foreign(foreignPath_);
  const auto convert = [this, from = foreignPath_](const QString& path) {
    const auto refused = [this](const QString& reason) {
      if (!reason.isEmpty()) data_->notice().showMessage(Notice::Kind::Error, reason);
    };
    guard_->ask(this, {fromQt(path)}, {[this, from, path] { loader_.convert(from, path); }, refused});
  };
  QFileDialog* dialog =
      showFileDialog(this,
                     {.title = tr("Store %1 as OME-TIFF").arg(foreign.fileName()),
                      .start = foreign.absoluteDir().filePath(foreign.completeBaseName() + QStringLiteral(".ome.tif")),
                      .filters = tr("OME-TIFF (*.ome.tif)"),
                      .write = true,
                      .suffix = QStringLiteral("ome.tif")},
                     convert);
  dialog->setObjectName(QStringLiteral("foreignDialog"));
}

}  // namespace sscope
