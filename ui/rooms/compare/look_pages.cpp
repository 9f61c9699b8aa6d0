#include "ui/rooms/compare/look_pages.h"

#include <QTabWidget>

#include "core/base/error.h"
#include "core/compare/compare_settings.h"
#include "ui/base/text.h"
#include "ui/rooms/compare/agreement_page.h"
#include "ui/rooms/compare/break_even_page.h"
#include "ui/rooms/compare/contract_page.h"
#include "ui/rooms/compare/explain_page.h"
#include "ui/rooms/compare/race_setup.h"
#include "ui/rooms/compare/utilization_page.h"

namespace sscope {

LookPages::LookPages(const Parts& parts, QTabWidget& tabs)
    : QObject(&tabs),
      parts_(parts),
      agreement_(parts.runner),
      breakEven_(parts.runner),
      contract_(parts.runner),
      tabs_(tabs),
      agreementPage_(new AgreementPage(agreement_, &tabs)),
      breakEvenPage_(new BreakEvenPage(breakEven_, &tabs)),
      contractPage_(new ContractPage(contract_, &tabs)),
      utilizationPage_(new UtilizationPage(parts.load, &tabs)),
      explainPage_(new ExplainPage(parts.race, &tabs)) {
  follow(*agreementPage_, tr("Agreement"));
  follow(*breakEvenPage_, tr("Break-even"));
  follow(*contractPage_, tr("Contract"));
  tabs_.addTab(utilizationPage_, tr("Utilization"));
  tabs_.addTab(explainPage_, tr("Explain"));
  connect(explainPage_, &ExplainPage::exportRequested, this, &LookPages::exportRequested);
  connect(utilizationPage_, &UtilizationPage::exportRequested, this, &LookPages::exportRequested);
  connect(agreementPage_, &AgreementPage::compareRequested, this, &LookPages::compareResults);
  connect(agreementPage_, &AgreementPage::jumped, this, &LookPages::jump);
  connect(&agreement_, &AgreementModel::failed, this, &LookPages::failed);
  connect(&agreement_, &AgreementModel::pairChanged, this, &LookPages::offersChanged);
  connect(breakEvenPage_, &BreakEvenPage::fillRequested, this, &LookPages::fillMap);
  connect(breakEvenPage_, &BreakEvenPage::raceRequested, this, [this](const compare::BreakEvenCell& cell) {
    Q_EMIT failed({});
    try {
      Q_EMIT raceRequested(breakEven_.jobAt(cell));
    } catch (const Error& error) {
      Q_EMIT failed(toQt(error.what()));
    }
  });
  connect(&breakEven_, &BreakEvenModel::changed, this, &LookPages::offersChanged);
  connect(contractPage_, &ContractPage::probeRequested, this, &LookPages::probe);
  connect(&contract_, &ContractModel::changed, this, &LookPages::offersChanged);
  connect(&parts_.setup, &RaceSetup::refreshed, this, &LookPages::refresh);
  // Results of data that are gone would keep their memory.
  connect(&parts_.model, &SessionModel::dataChanged, &agreement_, &AgreementModel::clear);
  refresh();
}

template <class Page>
void LookPages::follow(Page& page, const QString& title) {
  tabs_.addTab(&page, title);
  connect(&page, &Page::cancelRequested, &parts_.runner, &LookRunner::cancel);
  connect(&page, &Page::exportRequested, this, &LookPages::exportRequested);
  connect(&parts_.runner, &LookRunner::started, &page, &Page::followBusy);
  connect(&parts_.runner, &LookRunner::ended, &page, &Page::followBusy);
}

void LookPages::refresh() {
  agreementPage_->setContenders(parts_.setup.contenders());
  agreementPage_->setNow(parts_.setup.recipe());
  contractPage_->setNow(parts_.setup.recipe());
  agreementPage_->setOutputs(parts_.setup.outputs(), parts_.setup.shownOutput());
  if (const auto& recipe = parts_.setup.recipe()) breakEvenPage_->setRecipe(*recipe);
}

void LookPages::fillMap(bool measure) {
  begin([&](const RaceJob& job) { breakEven_.fill(job, contenders(), breakEvenPage_->axes(), measure); });
}

void LookPages::probe() {
  begin([&](const RaceJob& job) { contract_.probe(job, contenders()); });
}

std::vector<BenchRow> LookPages::contenders() const {
  std::vector<BenchRow> rows = parts_.setup.contenders();
  if (rows.empty())
    throw makeError(ErrorKind::Usage, tr("no contender is checked"), tr("check at least one in the Race panel"));
  return rows;
}

template <class Start>
void LookPages::begin(const Start& start) {
  Q_EMIT failed({});
  if (const QString why = parts_.runner.refusal ? parts_.runner.refusal() : QString(); !why.isEmpty()) {
    Q_EMIT failed(why);
    return;
  }
  if (parts_.race.busy()) parts_.race.cancel();
  try {
    start(raceJob(parts_.model.settings<CompareSettings>(), parts_.model));
  } catch (const Error& error) {
    Q_EMIT failed(toQt(error.what()));
  }
}

void LookPages::compareResults() {
  const auto wish = agreementPage_->wish();
  if (!wish) return;
  begin([&](const RaceJob& job) { agreement_.compare(job, agreementPage_->contenders(), *wish); });
}

// The other rooms, which show the open data, look at the same place.
void LookPages::jump(const std::array<std::int64_t, 3>& voxel) {
  const auto pair = agreement_.pair();
  if (!parts_.model.hasData() || !pair) return;
  const VolumeShape open = parts_.model.data().volume->shape(), result = pair->results[0]->shape();
  if (open.nx != result.nx || open.ny != result.ny || open.nz != result.nz) return;
  ViewState view = parts_.model.view();
  view.crosshair = voxel;
  parts_.model.setView(view);
}

void LookPages::addOffers(std::vector<ExportOffer>& offers, double scale) const {
  agreementPage_->addOffers(offers, scale);
  breakEvenPage_->addOffers(offers, scale);
  contractPage_->addOffers(offers, scale);
  utilizationPage_->addOffers(offers, scale);
  explainPage_->addOffers(offers, scale);
}

}  // namespace sscope

#include "moc_look_pages.cpp"
