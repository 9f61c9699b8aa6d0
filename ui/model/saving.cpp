#include "ui/model/saving.h"

#include <QMessageBox>
#include <QPushButton>
#include <utility>

#include "core/base/error.h"
#include "core/base/paths.h"
#include "ui/base/text.h"

namespace sscope {

namespace {

// More names would make the question taller than the screen.
constexpr qsizetype kMostNames = 12;

QStringList existing(const std::vector<std::filesystem::path>& files) {
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
    for (const std::filesystem::path& file : files) checkTarget(file);  // refuse before asking
  } catch (const Error& error) {
    answer.leave(toQt(error.what()));
    return;
  }
  const QStringList names = existing(files);
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
  box->open();
}

namespace {

constexpr int kIntervalMilliseconds = 2000;

// An unchanged sample is not worth saving.
bool worthKeeping(const KeptSession& kept) {
  return kept.changed || !kept.file.empty() || !kept.session.data.path.empty() || !documentsOf(kept.session).empty();
}

}  // namespace

RunningSession::RunningSession(const std::filesystem::path& folder, std::function<KeptSession()> now, QObject* parent)
    : QObject(parent), now_(std::move(now)), keeper_(std::make_shared<SessionKeeper>(folder)) {
  timer_.setInterval(kIntervalMilliseconds);
  connect(&timer_, &QTimer::timeout, this, &RunningSession::saveChanges);
  timer_.start();
}

void RunningSession::saveChanges() {
  if (writing_.busy()) return;  // a slow disk: the next call saves the changes
  KeptSession now = now_();
  if (now == kept_) return;
  writing_.start([this, now = std::move(now), keeper = keeper_](const Control& /*control*/) -> BackgroundTask::Finish {
    worthKeeping(now) ? keeper->keep(now) : keeper->drop();
    return [this, now] { kept_ = now; };
  });
}

void RunningSession::keepNow() {
  KeptSession now = now_();
  try {
    keeper_->keep(now);
    kept_ = std::move(now);
  } catch (const Error&) {
    // saveChanges() tries again.
  }
}

void RunningSession::end() {
  timer_.stop();
  keeper_->end();
}

}  // namespace sscope

#include "moc_saving.cpp"
