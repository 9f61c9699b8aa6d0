// The session file of the main window, and the question before unsaved changes would be lost.

#include <QCloseEvent>
#include <QFileDialog>
#include <QMessageBox>
#include <QSettings>
#include <utility>

#include "ui/base/text.h"
#include "ui/window/main_window.h"

namespace sscope {

void MainWindow::save() { model_.path().isEmpty() ? saveAs() : saveTo(model_.path()); }

void MainWindow::saveAs() {
  auto* dialog = new QFileDialog(this, tr("Save the session"), QSettings().value(kOpenFolderKey).toString(),
                                 tr("Sessions (*.json)"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix(QStringLiteral("json"));
  connect(dialog, &QFileDialog::fileSelected, this, &MainWindow::saveTo);
  connect(dialog, &QFileDialog::rejected, this, [this] { closeOnceSaved_ = false; });
  dialog->show();
}

void MainWindow::saveTo(const QString& path) {
  saving_.start([this, path, session = model_.session()](const Control& /*control*/) -> BackgroundTask::Finish {
    writeSession(fromQt(path), session);
    return [this, path, session] {
      if (session == model_.session()) model_.setSaved(path);
      recent_.add(path);
      showTitle();
      Q_EMIT saved(path);
      if (std::exchange(closeOnceSaved_, false)) close();
    };
  });
}

void MainWindow::askToSave() {
  const QString name = QStringLiteral("unsavedChanges");
  if (findChild<QMessageBox*>(name)) return;  // asked already
  auto* box = new QMessageBox(QMessageBox::Question, tr("Unsaved changes"),
                              tr("The filters or the engine were changed since the session was last saved."),
                              QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
  box->setObjectName(name);
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setInformativeText(tr("Save the session before the window closes?"));
  box->setDefaultButton(QMessageBox::Save);
  box->setEscapeButton(QMessageBox::Cancel);
  connect(box, &QMessageBox::finished, this, [this](int answer) {
    if (answer == QMessageBox::Save) {
      closeOnceSaved_ = true;
      save();
    } else if (answer == QMessageBox::Discard) {
      discardOnClose_ = true;
      close();
    }
  });
  box->open();  // beside the event loop, not in one of its own
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (model_.dirty() && !discardOnClose_) {
    event->ignore();
    askToSave();
    return;
  }
  rememberLayout();
  cancelAll();
  QMainWindow::closeEvent(event);
}

}  // namespace sscope
