#include "ui/window/status_line.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QTimer>
#include <QToolButton>
#include <algorithm>
#include <numeric>
#include <utility>

#include "ui/base/look.h"
#include "ui/base/text.h"

namespace sscope {

namespace {
// Shorter work shows no progress bar: it would only flicker.
constexpr int kProgressDelayMilliseconds = 250;
}  // namespace

QString runText(const RunReport& report, const Verification* verification, const QString& unverified) {
  QStringList parts;
  QString where = StatusLine::tr("ran on %1").arg(toQt(report.engine));
  if (report.engine.starts_with("cpu:"))
    where += report.threads == 1 ? StatusLine::tr(", 1 thread") : StatusLine::tr(", %1 threads").arg(report.threads);
  parts << where;
  if (!report.variant.empty()) parts << toQt(report.variant);
  parts << StatusLine::tr("kernel %1").arg(secondsText(report.phases.kernel));
  parts << StatusLine::tr("total %1").arg(secondsText(report.phases.total));
  if (!verification) {
    parts << (unverified.isEmpty() ? StatusLine::tr("error: being verified") : unverified);
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
  progress_->setTextVisible(true);
  doing_ = quietLabel({}, this);
  doing_->setObjectName(QStringLiteral("runDoing"));
  doing_->setAccessibleName(tr("What is being done"));
  cancel_ = new QToolButton(this);
  cancel_->setObjectName(QStringLiteral("cancelRun"));
  cancel_->setText(tr("Cancel"));
  cancel_->setToolTip(tr("Stop computing (Esc)"));
  auto* row = new QHBoxLayout(this);
  const int gap = em(this, 0.35);
  row->setContentsMargins(gap, gap / 2, gap, gap / 2);
  row->addWidget(text_, 1);
  row->addWidget(why_);
  row->addWidget(doing_);
  row->addWidget(progress_);
  row->addWidget(cancel_);
  setFixedHeight(em(this, 1.9));
  setBusy(false);

  auto* delay = new QTimer(this);
  delay->setSingleShot(true);
  delay->setInterval(kProgressDelayMilliseconds);
  connect(delay, &QTimer::timeout, this, [this] { setBusy(working_ || filteringNow()); });
  connect(why_, &QToolButton::clicked, this, &StatusLine::explain);
  connect(cancel_, &QToolButton::clicked, this, &StatusLine::cancelRequested);
  const auto ended = [this, delay] {
    delay->stop();
    setBusy(working_);
  };
  const auto began = [this, delay] {
    if (working_) return;  // what is told now is told with its own progress
    progress_->setRange(0, 0);
    doing_->clear();
    if (!delay->isActive() && !progress_->isVisible()) delay->start();
  };
  connect(&live_, &LiveController::started, this, began);
  connect(&live_, &LiveController::comparisonChanged, this, [this, began, ended] {
    live_.comparing() ? began() : live_.busy() ? void() : ended();
  });
  connect(&live_, &LiveController::progressed, this, [this](double fraction, const QString& doing) {
    if (!working_) showProgress(fraction, doing);
  });
  connect(&live_, &LiveController::leftOutChanged, this,
          [this](const std::vector<LeftOut>& leftOut) { leftOut_ = leftOut; });
  connect(&live_, &LiveController::previewReady, this, [this](const LiveUpdate& update) {
    sayFiltering(tr("slices from %1 in %2 · the whole is being computed")
                     .arg(toQt(update.report.engine), secondsText(update.report.phases.total)));
  });
  connect(&live_, &LiveController::wholeReady, this, [this](const LiveUpdate& update) { showRun(update); });
  connect(&live_, &LiveController::verified, this, [this](const LiveUpdate& update) { showRun(update); });
  connect(&live_, &LiveController::idle, this, ended);
  connect(&live_, &LiveController::failed, this, [this, ended](const QString& message) {
    ended();
    sayFiltering(message);
  });
  connect(&live_, &LiveController::renamed, this, [this] {
    if (live_.result() && !live_.busy()) showRun(lastRun_);
  });
  connect(&live_, &LiveController::stopped, this, [this, ended] {
    ended();
    showRun(lastRun_, tr("not verified: canceled"));
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
  showProgress(fraction, {});
  setBusy(true);
}

void StatusLine::showProgress(double fraction, const QString& doing) {
  progress_->setRange(0, fraction < 0 ? 0 : 1000);
  progress_->setValue(static_cast<int>(1000 * fraction));
  progress_->setFormat(QStringLiteral("%p %"));
  doing_->setText(doing);
  doing_->setVisible(progress_->isVisible() && !doing.isEmpty());
}

void StatusLine::setBarElsewhere(bool elsewhere) {
  barElsewhere_ = elsewhere;
  setBusy(!cancel_->isHidden());
}

void StatusLine::endWork(const QString& text) {
  working_ = false;
  doing_->clear();
  showText(text);
  setBusy(filteringNow());
}

void StatusLine::showRun(LiveUpdate update, const QString& unverified) {
  const bool verified = update.stage == LiveUpdate::Stage::Verified;
  update.result.reset();  // the line does not keep the volumes
  lastRun_ = std::move(update);
  QString text = runText(lastRun_.report, verified ? &lastRun_.verification : nullptr, unverified);
  for (const LeftOut& each : leftOut_)
    text = tr("%1 is left out: %2 · %3").arg(toQt(each.name), toQt(each.reason), text);
  sayFiltering(text, toQt(lastRun_.report.why));
}

void StatusLine::followFiltering(bool follow) { following_ = follow; }

// Kept while another room is open: what is said there is about something else.
void StatusLine::sayFiltering(const QString& text, const QString& why) {
  filtering_ = text;
  filteringWhy_ = why;
  if (following_) showText(text, why);
}

void StatusLine::showFiltering() {
  working_ = false;
  showText(filtering_, filteringWhy_);
  setBusy(filteringNow());
}

void StatusLine::showText(const QString& text, const QString& why) {
  text_->setText(text);
  text_->setToolTip(text);
  explanation_ = why;
  why_->setVisible(!why.isEmpty());
  why_->setToolTip(why);
}

// Until a key or a click elsewhere: a tooltip goes at the first move of the mouse.
void StatusLine::explain() {
  // A frame around the label: a label that is a popup itself keeps Escape and would stay.
  auto* popup = new QFrame(this, Qt::Popup);
  popup->setAttribute(Qt::WA_DeleteOnClose);
  auto* text = new QLabel(explanation_, popup);
  text->setObjectName(QStringLiteral("whyText"));
  text->setTextFormat(Qt::PlainText);
  text->setWordWrap(true);
  text->setMargin(em(this, 0.5));
  text->setFrameStyle(QFrame::StyledPanel);
  const int width = std::min(em(this, 34), window()->width());
  text->resize(width, text->heightForWidth(width));
  popup->resize(text->size());
  const QPoint corner = why_->mapToGlobal(QPoint(why_->width(), -em(this, 0.3)));
  popup->move(corner - QPoint(popup->width(), popup->height()));
  popup->show();
}

void StatusLine::setBusy(bool busy) {
  progress_->setVisible(busy && !(barElsewhere_ && working_));
  doing_->setVisible(busy && !doing_->text().isEmpty());
  cancel_->setVisible(busy);
}

}  // namespace sscope
