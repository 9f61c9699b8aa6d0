#include "ui/window/open_dialog.h"

#include <QDialogButtonBox>
#include <QFileInfo>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>

#include "ui/model/slice_paths.h"
#include "ui/window/main_window.h"

namespace sscope {

OpenDialog::OpenDialog(const QString& title, QWidget* parent)
    : QFileDialog(parent, title, QSettings().value(kOpenFolderKey).toString()) {
  setAttribute(Qt::WA_DeleteOnClose);
  setFileMode(QFileDialog::ExistingFiles);
  // The desktop's own dialog takes names of files that exist, and no patterns.
  setOption(QFileDialog::DontUseNativeDialog);
  if (auto* name = findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))) {
    name->setPlaceholderText(tr("a file, or a pattern of slices such as slice_*.png"));
    connect(name, &QLineEdit::textChanged, this, [this] {
      const auto* buttons = findChild<QDialogButtonBox*>();
      if (!typedPattern().isEmpty() && buttons) buttons->button(QDialogButtonBox::Open)->setEnabled(true);
    });
  }
  connect(this, &QFileDialog::filesSelected, this, &OpenDialog::tell);
}

QString OpenDialog::typedPattern() const {
  const auto* name = findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
  if (!name || name->text().trimmed().isEmpty()) return {};
  const QString path = directory().absoluteFilePath(name->text().trimmed());
  return isPattern(path) ? path : QString();
}

void OpenDialog::accept() {
  const QString pattern = typedPattern();
  if (pattern.isEmpty()) {
    QFileDialog::accept();
    return;
  }
  tell({pattern});
  QDialog::accept();
}

void OpenDialog::tell(const QStringList& paths) {
  if (paths.isEmpty()) return;
  QSettings().setValue(kOpenFolderKey, QFileInfo(paths.front()).absolutePath());
  Q_EMIT chosen(paths);
}

}  // namespace sscope

#include "moc_open_dialog.cpp"
