#include "ui/window/status_line.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QTimer>
#include <QToolButton>
#include <QToolTip>
#include <numeric>

#include "ui/base/look.h"
#include "ui/base/text.h"

namespace sscope {

namespace {
// Shorter work shows no progress bar: it would only flicker.
constexpr int kProgressDelayMilliseconds = 250;
}  // namespace

QString runText(const RunReport& report, const Verification* verification) {
  QStringList parts;
  QString where = StatusLine::tr("ran on %1").arg(toQt(report.engine));
  if (report.engine.starts_with("cpu:"))
    where += report.threads == 1 ? StatusLine::tr(", 1 thread") : StatusLine::tr(", %1 threads").arg(report.threads);
  parts << where;
  if (!report.variant.empty()) parts << toQt(report.variant);
  parts << StatusLine::tr("kernel %1").arg(secondsText(report.phases.kernel));
  parts << StatusLine::tr("total %1").arg(secondsText(report.phases.total));
  if (!verification) {
    parts << StatusLine::tr("error: being verified");
  } else if (verification->verified) {
    parts << StatusLine::tr("error %1").arg(numberText(verification->relativeL2, 2)) << toQt(verification->coverage);
  } else {
    parts << StatusLine::tr("NOT VERIFIED: %1").arg(toQt(verification->failure));
  }
  const std::int64_t saturated = std::accumulate(report.saturated.begin(), report.saturated.end(), std::int64_t{0});
  if (saturated > 0) parts << StatusLine::tr("%1 elements saturated").arg(saturated);
  if (report.tiles > 1) parts << StatusLine::tr("%1 tiles").arg(report.tiles);
  return parts.join(QStringLiteral(" · "));
}

StatusLine::StatusLine(LiveController& live, QWidget* parent) : QWidget(parent), live_(live) {
  text_ = new QLabel(this);
  text_->setObjectName(QStringLiteral("status"));
  text_->setAccessibleName(tr("What ran where"));
  text_->setTextFormat(Qt::PlainText);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  text_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  why_ = new QToolButton(this);
  why_->setText(tr("why?"));
  why_->setAutoRaise(true);
  why_->setAccessibleName(tr("Why it ran this way"));
  why_->hide();
  progress_ = new QProgressBar(this);
  progress_->setObjectName(QStringLiteral("runProgress"));
  progress_->setAccessibleName(tr("Progress of the run"));
  progress_->setRange(0, 0);
  progress_->setFixedWidth(em(this, 10));
  progress_->setMaximumHeight(em(this, 1.1));
  cancel_ = new QToolButton(this);
  cancel_->setObjectName(QStringLiteral("cancelRun"));
  cancel_->setText(tr("Cancel"));
  cancel_->setToolTip(tr("Stop computing (Esc)"));
  auto* row = new QHBoxLayout(this);
  const int gap = em(this, 0.35);
  row->setContentsMargins(gap, gap / 2, gap, gap / 2);
  row->addWidget(text_, 1);
  row->addWidget(why_);
  row->addWidget(progress_);
  row->addWidget(cancel_);
  setFixedHeight(em(this, 1.9));
  setBusy(false);

  auto* delay = new QTimer(this);
  delay->setSingleShot(true);
  delay->setInterval(kProgressDelayMilliseconds);
  connect(delay, &QTimer::timeout, this, [this] { setBusy(live_.busy()); });
  connect(why_, &QToolButton::clicked, this,
          [this] { QToolTip::showText(why_->mapToGlobal(QPoint(0, -em(this, 3))), explanation_, why_); });
  connect(cancel_, &QToolButton::clicked, this, &StatusLine::cancelRequested);
  const auto ended = [this, delay] {
    delay->stop();
    setBusy(working_);
  };
  connect(&live_, &LiveController::started, this, [this, delay] {
    progress_->setRange(0, 0);
    if (!delay->isActive() && !progress_->isVisible()) delay->start();
  });
  connect(&live_, &LiveController::progressed, this, [this](double fraction, const QString& stage) {
    progress_->setRange(0, 1000);
    progress_->setValue(static_cast<int>(1000 * fraction));
    progress_->setFormat(stage.isEmpty() ? QStringLiteral("%p %") : stage + QStringLiteral(" %p %"));
  });
  connect(&live_, &LiveController::previewReady, this, [this](const LiveUpdate& update) {
    sayFiltering(tr("slices from %1 in %2 · the whole is being computed")
                     .arg(toQt(update.report.engine), secondsText(update.report.phases.total)));
  });
  connect(&live_, &LiveController::wholeReady, this, [this](const LiveUpdate& update) { showRun(update, false); });
  connect(&live_, &LiveController::verified, this, [this](const LiveUpdate& update) { showRun(update, true); });
  connect(&live_, &LiveController::idle, this, ended);
  connect(&live_, &LiveController::failed, this, [this, ended](const QString& message) {
    ended();
    sayFiltering(message);
  });
  connect(&live_, &LiveController::canceled, this, [this, ended] {
    ended();
    sayFiltering(tr("canceled · the result shown is of an earlier setting or of slices only"));
  });
  connect(&live_, &LiveController::nothingToRun, this, [this, ended](const QString& reason) {
    ended();
    sayFiltering(reason);
  });
}

QString StatusLine::text() const { return text_->text(); }

void StatusLine::showWork(const QString& text, double fraction) {
  working_ = true;
  showText(text);
  progress_->setRange(0, fraction < 0 ? 0 : 1000);
  progress_->setValue(static_cast<int>(1000 * fraction));
  progress_->setFormat(QStringLiteral("%p %"));
  setBusy(true);
}

void StatusLine::endWork(const QString& text) {
  working_ = false;
  showText(text);
  setBusy(live_.busy());
}

void StatusLine::showRun(const LiveUpdate& update, bool verified) {
  sayFiltering(runText(update.report, verified ? &update.verification : nullptr), toQt(update.report.why));
}

void StatusLine::sayFiltering(const QString& text, const QString& why) {
  filtering_ = text;
  filteringWhy_ = why;
  showText(text, why);
}

void StatusLine::showFiltering() {
  working_ = false;
  showText(filtering_, filteringWhy_);
  setBusy(live_.busy());
}

void StatusLine::showText(const QString& text, const QString& why) {
  text_->setText(text);
  text_->setToolTip(text);
  explanation_ = why;
  why_->setVisible(!why.isEmpty());
  why_->setToolTip(why);
}

void StatusLine::setBusy(bool busy) {
  progress_->setVisible(busy);
  cancel_->setVisible(busy);
}

}  // namespace sscope
