#include "ui/rooms/filter/filter_words.h"

#include <utility>

#include "ui/base/text.h"
#include "ui/charts/chart_format.h"
#include "ui/rooms/picture_room.h"

namespace sscope {

QString runText(const RunReport& report, const EngineSet& engines, const Verification* verification,
                const QString& unverified) {
  QStringList parts;
  parts << ranOnText(report, engines);
  if (!report.variant.empty()) parts << toQt(report.variant);
  parts << FilterWords::tr("kernel %1").arg(secondsText(report.phases.kernel));
  parts << FilterWords::tr("total %1").arg(secondsText(report.phases.total));
  if (!verification) {
    parts << (unverified.isEmpty() ? FilterWords::tr("not yet verified") : unverified);
  } else if (verification->verified) {
    parts << FilterWords::tr("error %1").arg(numberText(verification->relativeL2, 2)) << toQt(verification->coverage);
  } else {
    parts << FilterWords::tr("NOT VERIFIED: %1").arg(toQt(verification->failure));
  }
  if (report.tiles > 1) parts << FilterWords::tr("%n tile(s)", nullptr, static_cast<int>(report.tiles));
  return parts.join(QStringLiteral(" · "));
}

namespace {
QString lossText(const LiveVerified& run) {
  QString text;
  for (const std::string& loss : run.losses) text += QStringLiteral(" · ") + toQt(loss);
  return text;
}

// Texts about slices are delayed: a whole result that arrives sooner replaces them, and nobody can read a text that
// changes with every step of a slider.
constexpr int kSlicesMilliseconds = 150;
}  // namespace

FilterWords::FilterWords(LiveController& live, QObject* parent) : QObject(parent), live_(live) {
  delay_.setSingleShot(true);
  delay_.setInterval(kQuietMilliseconds);
  connect(&delay_, &QTimer::timeout, this, [this] {
    words_.busy = live_.busy() || live_.comparing();
    Q_EMIT changed(words_);
  });
  pace_.setSingleShot(true);
  pace_.setInterval(kSlicesMilliseconds);
  connect(&pace_, &QTimer::timeout, this, [this] { say(slices_); });
  follow();
}

void FilterWords::follow() {
  connect(&live_, &LiveController::started, this, &FilterWords::begin);
  connect(&live_, &LiveController::comparisonChanged, this, [this] {
    if (live_.comparing())
      begin();
    else if (!live_.busy())
      end();
  });
  connect(&live_, &LiveController::progressed, this, [this](double fraction, const QString& doing) {
    words_.fraction = fraction;
    words_.doing = doing;
    if (words_.busy)
      Q_EMIT changed(words_);
    else if (!delay_.isActive())
      delay_.start();  // a slider stopped, and its result is being verified
  });
  connect(&live_, &LiveController::leftOutChanged, this,
          [this](const std::vector<LeftOut>& leftOut) { leftOut_ = leftOut; });
  connect(&live_, &LiveController::previewReady, this, [this](const LivePreview& preview) {
    if (!preview.last) return;
    const QString slices = tr("%n slice(s) from %1 in %2", nullptr, preview.count)
                               .arg(toQt(preview.report.engine), secondsText(preview.report.phases.total));
    const QString rest = live_.large()       ? tr("%1 · an export computes the whole volume")
                         : live_.wholeOwed() ? tr("%1 · the whole volume follows when the slider is released")
                                             : tr("%1 · computing the whole volume");
    slices_ = rest.arg(slices);
    if (!pace_.isActive()) pace_.start();
  });
  connect(&live_, &LiveController::sliceVerified, this, [this](const LiveVerified& verified) {
    say(tr("%1 · an export computes the whole volume")
            .arg(runText(verified.report, live_.engines(), &verified.verification) + lossText(verified)));
  });
  connect(&live_, &LiveController::wholeReady, this, [this](const LiveWhole& whole) {
    showRun({whole.report, {}}, false);
    if (live_.held()) end();  // nothing runs until the slider stops
  });
  connect(&live_, &LiveController::verified, this, [this](const LiveVerified& verified) { showRun(verified, true); });
  connect(&live_, &LiveController::idle, this, [this] {
    end();
    if (pace_.isActive()) say(slices_);  // no other text follows
  });
  connect(&live_, &LiveController::failed, this, [this](const QString& message) {
    end();
    say(message);
  });
  connect(&live_, &LiveController::renamed, this, [this] {
    if (live_.result() && !live_.busy()) showRun(lastRun_, verified_);
  });
  connect(&live_, &LiveController::stopped, this, [this] {
    end();
    showRun(lastRun_, verified_, tr("not verified: canceled"));
  });
  connect(&live_, &LiveController::canceled, this, [this] {
    end();
    say(tr("canceled · the views show an earlier setting or slices only"));
  });
  connect(&live_, &LiveController::nothingToRun, this, [this](const QString& reason) {
    end();
    say(reason);
  });
}

void FilterWords::begin() {
  words_.fraction = -1;
  words_.doing.clear();
  if (!delay_.isActive() && !words_.busy) delay_.start();
}

void FilterWords::end() {
  delay_.stop();
  if (std::exchange(words_.busy, false)) Q_EMIT changed(words_);
}

void FilterWords::showRun(const LiveVerified& run, bool verified, const QString& unverified) {
  lastRun_ = run;
  verified_ = verified;
  QString text = runText(lastRun_.report, live_.engines(), verified ? &lastRun_.verification : nullptr, unverified);
  if (verified) text += lossText(lastRun_);
  for (const LeftOut& each : leftOut_)
    text = tr("%1 is left out: %2 · %3").arg(toQt(each.name), toQt(each.reason), text);
  const RunReport& report = lastRun_.report;
  QStringList why;
  if (!report.why.empty()) why << toQt(report.why);
  if (report.predictedSeconds > 0 && report.phases.kernel > 0)
    why << tr("Kernel time: %1").arg(formatPrediction(report.predictedSeconds, report.phases.kernel));
  say(text, why.join(QLatin1Char('\n')));
}

void FilterWords::say(const QString& text, const QString& why) {
  pace_.stop();
  words_.text = text;
  words_.why = why;
  Q_EMIT changed(words_);
}

}  // namespace sscope

#include "moc_filter_words.cpp"
