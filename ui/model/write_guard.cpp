#include "ui/model/write_guard.h"

#include <QMessageBox>
#include <QPushButton>
#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/base/paths.h"
#include "ui/base/text.h"

namespace sscope {

namespace {

// More names would make the question taller than the screen.
constexpr qsizetype kMostNames = 12;

QStringList thereAlready(const std::vector<std::filesystem::path>& files) {
  QStringList names;
  std::error_code code;
  for (const std::filesystem::path& file : files)
    if (std::filesystem::exists(std::filesystem::symlink_status(file, code))) names << toQt(file.string());
  return names;
}

QString listOf(QStringList names) {
  const qsizetype more = names.size() - kMostNames;
  if (more <= 0) return names.join(QLatin1Char('\n'));
  names = names.mid(0, kMostNames);
  names << WriteGuard::tr("and %1 more").arg(more);
  return names.join(QLatin1Char('\n'));
}

}  // namespace

WriteGuard::WriteGuard(Open open, QObject* parent) : QObject(parent), open_(std::move(open)) {}

QString WriteGuard::refusal(const std::vector<std::filesystem::path>& files) const {
  return toQt(refusalToReplace(open_(), files, "open"));
}

void WriteGuard::ask(QWidget* over, const std::vector<std::filesystem::path>& files, const Answer& answer) {
  if (const QString reason = refusal(files); !reason.isEmpty()) {
    answer.leave(reason);
    return;
  }
  try {
    for (const std::filesystem::path& file : files) checkTarget(file);  // not first the question, then the refusal
  } catch (const Error& error) {
    answer.leave(toQt(error.what()));
    return;
  }
  const QStringList names = thereAlready(files);
  if (names.isEmpty()) {
    answer.write();
    return;
  }
  auto* box = new QMessageBox(QMessageBox::Warning, tr("Replace files"),
                              names.size() == 1 ? tr("The file already exists. Replace it?")
                                                : tr("%1 files already exist. Replace them?").arg(names.size()),
                              QMessageBox::Yes | QMessageBox::Cancel, over);
  box->setObjectName(QStringLiteral("replaceFiles"));
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setTextFormat(Qt::PlainText);
  box->setInformativeText(listOf(names));
  box->button(QMessageBox::Yes)->setText(names.size() == 1 ? tr("Replace") : tr("Replace all"));
  box->setDefaultButton(QMessageBox::Cancel);
  box->setEscapeButton(QMessageBox::Cancel);
  connect(box, &QMessageBox::finished, this,
          [answer](int button) { button == QMessageBox::Yes ? answer.write() : answer.leave({}); });
  box->open();  // beside the event loop, not in one of its own
}

}  // namespace sscope

#include "moc_write_guard.cpp"
