#include "ui/base/open_files.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QSettings>

namespace sscope {

QFileDialog* showFileDialog(QWidget* parent, const FileDialog& look,
                            const std::function<void(const QString& path)>& chosen) {
  auto* dialog = new QFileDialog(parent, look.title, look.start, look.filters);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(look.folder  ? QFileDialog::Directory
                      : look.write ? QFileDialog::AnyFile
                                   : QFileDialog::ExistingFile);
  if (look.write) {
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setOption(QFileDialog::DontConfirmOverwrite);
    dialog->setDefaultSuffix(look.suffix);
    if (!look.start.isEmpty() && !QFileInfo(look.start).isDir()) dialog->selectFile(look.start);
  }
  QObject::connect(dialog, &QFileDialog::fileSelected, parent, chosen);
  dialog->show();
  return dialog;
}

void chooseFiles(QWidget& over, const QString& title, const QString& filter, const QString& folderKey,
                 const std::function<void(const QStringList& paths)>& chosen) {
  if (auto* open = over.findChild<QFileDialog*>(folderKey)) {
    open->raise();
    open->activateWindow();
    return;
  }
  auto* dialog = new QFileDialog(&over, title, QSettings().value(folderKey).toString(), filter);
  dialog->setObjectName(folderKey);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFiles);
  // `accepted` follows the closing of the dialog, so that nothing that `chosen` shows is behind it.
  QObject::connect(dialog, &QDialog::accepted, &over, [dialog, folderKey, chosen] {
    const QStringList paths = dialog->selectedFiles();
    if (paths.isEmpty()) return;
    QSettings().setValue(folderKey, QFileInfo(paths.front()).absolutePath());
    chosen(paths);
  });
  dialog->show();
}

}  // namespace sscope
