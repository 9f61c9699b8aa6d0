#include "ui/rooms/wavelet/wavelet_room.h"

#include "ui/base/text.h"
#include "ui/panels/engines_panel.h"
#include "ui/panels/panel.h"
#include "ui/rooms/picture_room.h"
#include "ui/rooms/wavelet/wavelet_page.h"
#include "ui/rooms/wavelet/wavelet_pictures.h"
#include "ui/rooms/wavelet/wavelet_setup.h"

namespace sscope {

WaveletRoom::WaveletRoom(const Desk& desk, QObject* parent)
    : PictureRoom(desk.model, parent), desk_(desk), controller_(desk.toolbox, desk.model) {
  page_ = new WaveletPage(desk.toolbox, desk.model, controller_, desk.loader, &desk.window);
  setupPanel_ = new Panel(tr("Transform"), QStringLiteral("panel-wavelet"),
                          new WaveletSetup(desk.toolbox, desk.model, controller_, &desk.window), &desk.window);
  follow();
}

RoomSign WaveletRoom::sign() const {
  return {QString::fromLatin1(kKey), tr("Wavelet"), "wavelet",
          tr("Wavelet transforms and the magic filter: coefficients, thresholds, curves")};
}

QWidget& WaveletRoom::page() { return *page_; }

RoomPanels WaveletRoom::panels() const {
  return {{&desk_.dataPanel, setupPanel_, &desk_.enginesPanel}, SIZE_MAX, {18, 32}};
}

VolumeViews& WaveletRoom::views() { return page_->pictures().picture(); }

std::vector<VolumeViews*> WaveletRoom::allViews() { return {&views(), &page_->pictures().pyramid()}; }

void WaveletRoom::addOpenFiles(InputFiles& files) const { files.add(model_.settings<WaveletSettings>().taps); }

PictureRoom::Seen WaveletRoom::seen() const {
  const auto& view = model_.settings<WaveletView>();
  return {view.show, view.layout};
}

void WaveletRoom::see(const Seen& seen) {
  model_.changeUnsaved<WaveletView>([&](WaveletView& view) {
    view.show = seen.show;
    view.layout = seen.layout;
  });
}

void WaveletRoom::follow() {
  // Work that takes longer shows Cancel, even if its progress is unknown.
  delay_.setSingleShot(true);
  delay_.setInterval(kQuietMilliseconds);
  connect(&delay_, &QTimer::timeout, this, [this] { showWork(-1, tr("the transform is being computed")); });
  connect(&controller_, &WaveletController::started, this, [this] {
    begin();
    Q_EMIT started();
  });
  connect(&controller_, &WaveletController::progressed, this, [this](double fraction, const QString& stage) {
    if (since_.elapsed() > kQuietMilliseconds) showWork(fraction, stage);
  });
  connect(&controller_, &WaveletController::comparisonChanged, this, [this] {
    if (controller_.comparing()) {
      begin();
    } else if (controller_.current()) {
      showResult();
    }
  });
  connect(&controller_, &WaveletController::ready, this, &WaveletRoom::showResult);
  connect(&controller_, &WaveletController::verified, this, &WaveletRoom::showResult);
  connect(&controller_, &WaveletController::compared, &desk_.engines, &EnginesPanel::refreshCharts);
  connect(&desk_.engines, &EnginesPanel::measuringBegins, &controller_, &WaveletController::cancel);
  const auto compare = [this] { controller_.setCompare(desk_.engines.compared()); };
  connect(&desk_.engines, &EnginesPanel::comparedChanged, this, compare);
  compare();
  connect(&controller_, &WaveletController::failed, this, &WaveletRoom::showStatus);
  connect(&controller_, &WaveletController::canceled, this,
          [this] { showStatus(tr("canceled \u00b7 the shown result is of an earlier setting")); });
  connect(&controller_, &WaveletController::emptied, this, [this] { showStatus(nothingText()); });
  connect(page_, &WaveletPage::openRequested, this, &WaveletRoom::openRequested);
  connect(page_, &WaveletPage::exportRequested, this, &WaveletRoom::exportRequested);
  connect(page_, &WaveletPage::offersChanged, this, &WaveletRoom::offersChanged);
}

void WaveletRoom::setShown(bool shown) {
  Room::setShown(shown);
  controller_.setActive(shown);
  if (!shown) return;
  if (!controller_.busy() && controller_.result())
    showResult();
  else
    showStatus(nothingText());
}

QString WaveletRoom::nothingText() const {
  if (!model_.hasData()) return tr("no data is open");
  const QString refusal = largeRefusal(model_.data(), tr("a transform needs all of them at once"));
  return refusal.isEmpty() ? tr("the transform is being computed") : refusal;
}

void WaveletRoom::hold(bool timed, bool /*elsewhere*/) { controller_.setPaused(timed); }

void WaveletRoom::showStatus(const QString& text) { tell({.text = text}); }

void WaveletRoom::begin() {
  since_.start();
  delay_.start();
}

void WaveletRoom::showResult() {
  if (!shown()) return;
  desk_.engines.refreshCharts();
  showStatus(resultText());
}

// While engines are timed, the status line still shows the result.
void WaveletRoom::showWork(double fraction, const QString& doing) {
  if (controller_.comparing()) {
    const QString what = fraction < 0 ? tr("timing engines") : doing;
    tell({.text = resultText(), .busy = true, .fraction = fraction, .doing = what});
  } else if (controller_.busy()) {
    tell({.text = doing, .busy = true, .fraction = fraction});
  }
}

// "ran on cpu:avx512, 2 threads · sym4, 3 levels · forward 12.4 ms · inverse 13.1 ms · total 60 ms · error 2e-3".
QString WaveletRoom::resultText() const {
  const WaveletResult& result = *controller_.result();
  const RunReport& report = result.inverse;
  QStringList parts{ranOnText(report, *desk_.toolbox.engines), toQt(report.variant)};
  if (result.coefficients)
    parts << tr("%1, %n level(s)", nullptr, result.layout.levels).arg(toQt(model_.settings<WaveletSettings>().wavelet));
  parts << (result.forwardReused ? tr("forward %1 (kept)") : tr("forward %1"))
               .arg(secondsText(result.forward.phases.total));
  parts << tr("inverse %1").arg(secondsText(report.phases.total)) << tr("total %1").arg(secondsText(result.seconds));
  const Verification* verification = controller_.verification();
  parts << (verification ? toQt(verificationText(*verification)) : tr("error: being verified"));
  if (!result.notice.empty()) parts << toQt(result.notice);
  return parts.join(QStringLiteral(" \u00b7 "));
}

std::vector<ExportOffer> WaveletRoom::exportOffers(double scale) { return page_->exportOffers(scale); }

void WaveletRoom::finishDrawing() { static_cast<void>(page_->pictures().renderToImage()); }

std::function<std::vector<EngineRow>()> WaveletRoom::engineRows() {
  return [this] { return controller_.rows(); };
}

}  // namespace sscope

#include "moc_wavelet_room.cpp"
