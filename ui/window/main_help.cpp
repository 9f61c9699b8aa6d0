// Help, and the menus that the pictures open under the mouse.

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QUrl>

#include "core/base/error.h"
#include "core/base/paths.h"
#include "ui/base/icons.h"
#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/rooms/picture_room.h"
#include "ui/views/volume_views.h"
#include "ui/window/export_dialog.h"
#include "ui/window/main_window.h"
#include "ui/window/shortcut_dialog.h"

namespace sscope {

namespace {

// Beside an installed program, or above one in its build folder; empty where there is none.
QString documentation() {
  QDir folder(QCoreApplication::applicationDirPath());
  const QString installed = folder.absoluteFilePath(QStringLiteral("../share/doc/stencilscope"));
  if (QFileInfo::exists(installed)) return QDir::cleanPath(installed);
  constexpr int kMostLevels = 4;
  for (int level = 0; level < kMostLevels && folder.cdUp(); ++level)
    if (folder.exists(QStringLiteral("docs/dev/architecture.md"))) return folder.absolutePath();
  return {};
}

std::string cacheFolderText() {
  try {
    return cacheDirectory().string();
  } catch (const Error&) {
    return "$XDG_CACHE_HOME";  // there is none, and nothing is kept
  }
}

}  // namespace

void MainWindow::buildHelpMenu() {
  QMenu* menu = menuBar()->addMenu(tr("&Help"));
  menu->addAction(tr("&Keyboard shortcuts"), QKeySequence(tr("F1")), this, [this] {
    auto* dialog = new ShortcutDialog(*menuBar(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show();
  });
  menu->addAction(icon("info"), tr("&About Stencilscope"), this, &MainWindow::showAbout);
  for (const auto& room : rooms_)
    if (PictureRoom* pictures = room->pictures())
      connect(&pictures->views(), &VolumeViews::menuRequested, this, [this, pictures](auto view, const QPoint& at) {
        showPictureMenu(*pictures, view != VolumeViews::View::Volume, at);
      });
}

void MainWindow::showAbout() {
  auto* box = named(new QMessageBox(this), "about");
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setWindowTitle(tr("About Stencilscope"));
  box->setIconPixmap(applicationIcon().pixmap(em(this, 4)));
  box->setTextFormat(Qt::RichText);
  box->setText(
      tr("<b>Stencilscope %1</b><p>Load an image or a volume, design a bank of filters, and watch every engine of "
         "this machine compute it, with honest timings and proof that they agree.</p>")
          .arg(QStringLiteral(SSCOPE_VERSION)));
  const QString docs = documentation();
  const QString where =
      docs.isEmpty()
          ? tr("README.md and the docs folder of the source tree")
          : QStringLiteral("<a href='%1'>%2</a>").arg(QUrl::fromLocalFile(docs).toString(), docs.toHtmlEscaped());
  box->setInformativeText(
      tr("<p>License: Apache License 2.0.</p>"
         "<p>Documentation: %1. README.md has a five-minute tour, and Help has a list of the "
         "keyboard shortcuts.</p>"
         "<p>Compiled kernels and measured ceilings are kept in %2; deleting it is always safe.</p>")
          .arg(where, toQt(cacheFolderText()).toHtmlEscaped()));
  box->setModal(false);
  box->show();
}

// What the View menu offers, and what concerns this picture alone.
void MainWindow::showPictureMenu(PictureRoom& room, bool slices, const QPoint& at) {
  auto* menu = named(new QMenu(this), "pictureMenu");
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->setToolTipsVisible(true);
  room.addToMenu(*menu, slices);
  if (!menu->isEmpty()) menu->addSeparator();
  for (QAction* action : dataActions_) menu->addAction(action);
  menu->addSeparator();
  if (slices)
    menu->addAction(tr("Aut&omatic window"), this, [this] {
      ViewState automatic = model_.view();
      automatic.sourceWindow.reset();
      automatic.resultWindow.reset();
      model_.setView(automatic);
    });
  menu->addAction(tr("Copy the &pictures"), this,
                  [&room] { QApplication::clipboard()->setImage(room.views().renderToImage()); });
  menu->addAction(icon("export"), tr("&Export\u2026"), this, [this] { showExport(); });
  menu->popup(at);
}

}  // namespace sscope
