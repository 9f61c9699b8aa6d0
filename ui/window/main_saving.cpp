// Saving the session of the main window, and the questions before it closes.

#include <QCloseEvent>
#include <QCoreApplication>
#include <QFileDialog>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <utility>

#include "core/base/words.h"
#include "ui/base/notice.h"
#include "ui/base/open_files.h"
#include "ui/base/text.h"
#include "ui/model/saving.h"
#include "ui/panels/data_panel.h"
#include "ui/window/export_dialog.h"
#include "ui/window/main_window.h"

namespace sscope {

void MainWindow::save() {
  static_cast<void>(wholeSession());  // which may change the path
  model_.path().isEmpty() ? saveAs() : saveTo(model_.path());
}

void MainWindow::saveAs() {
  QFileDialog* dialog = showFileDialog(this,
                                       {.title = tr("Save the session"),
                                        .start = QSettings().value(kOpenFolderKey).toString(),
                                        .filters = tr("Sessions (*.json)"),
                                        .write = true,
                                        .suffix = QStringLiteral("json")},
                                       [this](const QString& path) { saveTo(path); });
  connect(dialog, &QFileDialog::rejected, this, &MainWindow::giveUpSaving);
}

void MainWindow::saveTo(const QString& path) {
  const auto leave = [this](const QString& reason) {
    if (!reason.isEmpty()) data_->notice().showMessage(Notice::Kind::Error, reason);
    giveUpSaving();
  };
  const std::vector<std::filesystem::path> files{fromQt(path)};
  if (path != model_.path()) {
    guard_->ask(this, files, {[this, path] { writeTo(path); }, leave});
  } else if (const QString reason = guard_->refusal(files); !reason.isEmpty()) {
    leave(reason);
  } else {
    writeTo(path);
  }
}

InputFiles MainWindow::openFiles() const {
  InputFiles files;
  files.add(*toolbox_.io, model_.data().source.path);
  for (const auto& room : rooms_) room->addOpenFiles(files);
  return files;
}

void MainWindow::writeTo(const QString& path) {
  const Session session = wholeSession();
  const auto failed = [this](const QString& message, const AfterSaving& after) {
    if (after.giveUp) after.giveUp();
    data_->notice().showMessage(Notice::Kind::Error, message);
  };
  loader_.beginWriting(path);
  saving_.queue([this, path, session, failed, number = model_.number(),
                 after = std::exchange(afterSaving_, {})](const Control& /*control*/) -> BackgroundTask::Finish {
    QString failure;
    try {
      writeSession(fromQt(path), session);
    } catch (const std::exception& error) {
      failure = toQt(wordsOf(error));
    }
    return [this, path, session, failed, number, after, failure] {
      if (failure.isEmpty()) model_.setSaved(path, session, number);
      loader_.endWriting(path);
      if (!failure.isEmpty()) return failed(failure, after);
      recent_.add(path);
      Q_EMIT saved(path);
      if (after.goOn) after.goOn(false);
    };
  });
}

void MainWindow::giveUpSaving() {
  if (const AfterSaving after = std::exchange(afterSaving_, {}); after.giveUp) after.giveUp();
}

void MainWindow::askToSave(const QString& question, const AfterSaving& after) {
  const QString name = QStringLiteral("unsavedChanges");
  if (findChild<QMessageBox*>(name)) return;  // asked already
  auto* box = new QMessageBox(QMessageBox::Question, tr("Unsaved changes"),
                              tr("The session has changed since it was last saved."),
                              QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
  box->setObjectName(name);
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setInformativeText(question);
  box->setDefaultButton(QMessageBox::Save);
  box->setEscapeButton(QMessageBox::Cancel);
  connect(box, &QMessageBox::finished, this, [this, after](int answer) {
    if (answer == QMessageBox::Save) {
      afterSaving_ = after;
      save();
    } else if (answer == QMessageBox::Discard) {
      after.goOn(true);
    } else if (after.giveUp) {
      after.giveUp();
    }
  });
  box->open();
}

void MainWindow::askToClose() {
  const auto goOn = [this](bool discard) {
    discardOnClose_ = discard;
    close();
  };
  askToSave(tr("Save the session before the window closes?"), {goOn, {}});
}

void MainWindow::askToReplace() {
  const auto goOn = [this](bool discard) {
    if (discard || !model_.dirty()) {
      loader_.replace();
    } else {
      askToReplace();  // it changed while it was being saved
    }
  };
  askToSave(tr("Save the session before another one replaces it?"), {goOn, [this] { loader_.keep(); }});
}

void MainWindow::askToStopExport() {
  const QString name = QStringLiteral("exportRunning");
  if (findChild<QMessageBox*>(name)) return;  // asked already
  auto* box = new QMessageBox(QMessageBox::Question, tr("Export running"), tr("Stop the export and close?"),
                              QMessageBox::NoButton, this);
  box->setObjectName(name);
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setInformativeText(tr("Complete files stay; no incomplete file is left."));
  auto* stop = box->addButton(tr("Stop and close"), QMessageBox::AcceptRole);
  auto* keep = box->addButton(tr("Keep open"), QMessageBox::RejectRole);
  box->setDefaultButton(keep);
  box->setEscapeButton(keep);
  connect(
      stop, &QPushButton::clicked, this,
      [this] {
        stopExportOnClose_ = true;
        close();
        stopExportOnClose_ = false;
      },
      Qt::QueuedConnection);
  box->open();
}

void MainWindow::endNow() {
  stopExportOnClose_ = true;
  if (!model_.dirty()) {
    close();
    return;
  }
  cancelAll();
  if (running_) running_->keepNow();
  QCoreApplication::exit();
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (export_ && export_->busy() && !stopExportOnClose_) {
    event->ignore();
    askToStopExport();
    return;
  }
  if (saving_.busy()) {
    event->ignore();
    connect(&saving_, &BackgroundTask::finished, this, &MainWindow::close,
            static_cast<Qt::ConnectionType>(Qt::QueuedConnection | Qt::SingleShotConnection));
    return;
  }
  if (model_.dirty() && !discardOnClose_) {
    event->ignore();
    askToClose();
    return;
  }
  rememberLayout();
  cancelAll();
  if (running_) running_->end();
  QMainWindow::closeEvent(event);
}

}  // namespace sscope
