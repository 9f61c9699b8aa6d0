#include "ui/rooms/filter/taps_files.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QSettings>

#include "core/base/paths.h"
#include "core/filter/families/taps_file.h"
#include "ui/base/text.h"
#include "ui/model/saving.h"

namespace sscope {

namespace {

// Where the last file of taps was.
const QString kFolderKey = QStringLiteral("tapsFolder");

QFileDialog* dialogFor(QWidget* over, const QString& title, const QString& filter) {
  auto* dialog = new QFileDialog(over, title, QSettings().value(kFolderKey).toString(), filter);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFile);
  QObject::connect(dialog, &QFileDialog::fileSelected, dialog,
                   [](const QString& path) { QSettings().setValue(kFolderKey, QFileInfo(path).absolutePath()); });
  return dialog;
}

}  // namespace

TapsFiles::TapsFiles(const FileTools& tools, QWidget* over) : QObject(over), tools_(tools), over_(over) {
  connect(&task_, &BackgroundTask::failed, this, &TapsFiles::failed);
  connect(&saving_, &BackgroundTask::failed, this, &TapsFiles::failed);
}

void TapsFiles::chooseTaps() {
  QFileDialog* dialog = dialogFor(over_, tr("Load taps"), tr("Taps (*.json)"));
  connect(dialog, &QFileDialog::fileSelected, this, &TapsFiles::load);
  dialog->show();
}

void TapsFiles::chooseImage() {
  QFileDialog* dialog = dialogFor(over_, tr("Import an image or volume as taps"), tr("All files (*)"));
  connect(dialog, &QFileDialog::fileSelected, this, &TapsFiles::import);
  dialog->show();
}

void TapsFiles::chooseTarget(const DenseTaps& taps) {
  QFileDialog* dialog = dialogFor(over_, tr("Save taps"), tr("Taps (*.json)"));
  dialog->setFileMode(QFileDialog::AnyFile);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setOption(QFileDialog::DontConfirmOverwrite);  // save() asks
  dialog->setDefaultSuffix(QStringLiteral("json"));
  connect(dialog, &QFileDialog::fileSelected, this, [this, taps](const QString& path) { save(path, taps); });
  dialog->show();
}

void TapsFiles::load(const QString& path) {
  task_.start([this, name = fromQt(path)](const Control& /*control*/) -> BackgroundTask::Finish {
    return [this, taps = readTapsFile(name)] { Q_EMIT read(taps, tr("Load taps")); };
  });
}

void TapsFiles::import(const QString& path) {
  task_.start([this, name = fromQt(path), io = tools_.io](const Control& control) -> BackgroundTask::Finish {
    requireTaps(name, io->probe(name, control).shape);  // before all of a large file is read
    return
        [this, taps = tapsFromVolume(name, io->read(name, control).volume)] { Q_EMIT read(taps, tr("Import taps")); };
  });
}

void TapsFiles::save(const QString& path, const DenseTaps& taps) {
  const auto write = [this, path, taps] {
    saving_.queue([this, path, taps](const Control& /*control*/) -> BackgroundTask::Finish {
      writeTextFile(fromQt(path), tapsFileText(taps));
      return [this, path] { Q_EMIT saved(path); };
    });
  };
  tools_.guard->ask(over_, {fromQt(path)}, {write, [this](const QString& reason) {
                                              if (!reason.isEmpty()) Q_EMIT failed(reason);
                                            }});
}

}  // namespace sscope

#include "moc_taps_files.cpp"
