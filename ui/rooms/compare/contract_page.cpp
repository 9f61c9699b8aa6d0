#include "ui/rooms/compare/contract_page.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/charts/grid_chart.h"

namespace sscope {

namespace {

struct ContractText {
  Q_DECLARE_TR_FUNCTIONS(Contract)
};

const QString kContractStem = QStringLiteral("contract");
// From Okabe and Ito's palette, which color-blind people can distinguish; the words repeat the meaning.
const QColor kKept(0x00, 0x9e, 0x73), kBroken(0xd5, 0x5e, 0x00);

QString placeWords(const compare::ElementAt& at) {
  return ContractText::tr("voxel (%1, %2, %3)").arg(at.voxel[0]).arg(at.voxel[1]).arg(at.voxel[2]);
}

GridCell cellOf(const QString& lane, const compare::ProbeOutcome& outcome) {
  GridCell cell;
  QString words;
  if (!outcome.reason.empty()) {
    cell.title = ContractText::tr("skipped");
    words = ContractText::tr("it could not run: %1").arg(toQt(outcome.reason));
  } else if (!outcome.failure.empty()) {
    cell.title = ContractText::tr("wrong");
    if (outcome.worst) cell.detail = placeWords(*outcome.worst);
    cell.color = kBroken;
    cell.fill = GridCell::Fill::Solid;
    words = toQt(compare::failureText(outcome));
  } else if (!outcome.without.empty()) {
    cell.title = QStringLiteral("–");
    words = ContractText::tr("means nothing here: %1").arg(toQt(outcome.without));
  } else {
    cell.title = ContractText::tr("kept");
    cell.color = kKept;
    cell.fill = GridCell::Fill::Solid;
    words = ContractText::tr("kept, every element was compared");
  }
  cell.words = QStringLiteral("%1, %2: %3").arg(lane, toQt(outcome.probe), words);
  return cell;
}

QString verdictOf(const compare::Contract& contract) {
  const auto kept = std::ranges::count_if(contract.lanes, &compare::LaneContract::kept);
  const auto ran = std::ranges::count_if(contract.lanes, [](const compare::LaneContract& lane) {
    return std::ranges::any_of(lane.outcomes, [](const auto& outcome) { return outcome.reason.empty(); });
  });
  const auto& extent = contract.spec.extent;
  return ContractText::tr("%1 of %2 contenders that could run keep the contract, on %3 x %4 x %5 %6")
      .arg(QString::number(kept), QString::number(ran), QString::number(extent[0]), QString::number(extent[1]),
           QString::number(extent[2]), toQt(toString(contract.spec.type)));
}

}  // namespace

ContractPage::ContractPage(ContractModel& model, QWidget* parent) : QWidget(parent), model_(model) {
  setAccessibleName(tr("Contract of the contenders"));
  auto* bar = new QHBoxLayout;
  bar->setContentsMargins(em(this, 0.4), em(this, 0.3), em(this, 0.4), em(this, 0.3));
  bar->setSpacing(em(this, 0.4));
  start_ = new QPushButton(this);
  start_->setObjectName(QStringLiteral("contractStart"));
  verdict_ = quietLabel({}, this);
  verdict_->setWordWrap(true);
  bar->addWidget(start_);
  bar->addWidget(verdict_, 1);
  chart_ = new GridChart(this);
  chart_->setObjectName(QStringLiteral("contract"));
  auto* area = new QScrollArea(this);
  area->setWidget(chart_);
  area->setWidgetResizable(true);
  area->setFrameShape(QFrame::NoFrame);
  area->setFocusPolicy(Qt::NoFocus);
  details_ = new QLabel(this);
  details_->setObjectName(QStringLiteral("contractDetails"));
  details_->setWordWrap(true);
  details_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  details_->setMargin(em(this, 0.4));
  details_->hide();
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(bar);
  column->addWidget(area, 1);
  column->addWidget(details_);
  connect(start_, &QPushButton::clicked, this, [this] {
    if (model_.busy())
      Q_EMIT cancelRequested();
    else
      Q_EMIT probeRequested();
  });
  connect(chart_, &GridChart::cellActivated, this,
          [this](int lane, int probe) { tell(static_cast<std::size_t>(lane), static_cast<std::size_t>(probe)); });
  connect(chart_, &Chart::exportRequested, this,
          [this](bool png) { Q_EMIT exportRequested(chartSuffix(kContractStem, png)); });
  connect(&model_, &ContractModel::changed, this, &ContractPage::show);
  show();
  followBusy();
}

void ContractPage::followBusy() {
  const bool busy = model_.busy();
  start_->setText(busy ? tr("Cancel (Esc)") : tr("Probe"));
  start_->setToolTip(busy ? tr("Stops; what is shown stays")
                          : tr("Lets every contender compute small arrays that are easy to judge, each verified in "
                               "every element"));
}

void ContractPage::setNow(std::optional<compare::CaseRecipe> now) {
  now_ = std::move(now);
  showVerdict();
}

void ContractPage::showVerdict() {
  const auto contract = model_.contract();
  verdict_->setText(contract ? tr("%1. %2").arg(verdictOf(*contract), jobWords(model_.recipe(), now_)) : QString());
}

void ContractPage::show() {
  GridPlot plot{tr("Probes of the contenders"), kContractStem};
  plot.empty = tr(
      "What does every contender promise? Probe lets each compute an impulse, a constant, a ramp, noise, numbers near "
      "the ends of the range, NaN, and the adjoint, on the present job, and compares every element with the "
      "reference.");
  details_->hide();
  showVerdict();
  if (const auto contract = model_.contract()) {
    plot.corner = tr("probe");
    plot.csv = compare::toCsv(*contract);
    for (const compare::LaneContract& lane : contract->lanes) plot.across << toQt(lane.lane);
    const std::vector<compare::ProbeTitle> titles = compare::probeTitles(*contract);
    for (std::size_t i = 0; i < titles.size(); ++i) {
      plot.down << toQt(titles[i].name);
      plot.explanations << toQt(titles[i].shows);
      for (const compare::LaneContract& lane : contract->lanes)
        plot.cells.push_back(i < lane.outcomes.size() ? cellOf(toQt(lane.lane), lane.outcomes[i]) : GridCell{});
    }
  }
  chart_->setPlot(std::move(plot));
}

// The label can be selected and copied.
void ContractPage::tell(std::size_t lane, std::size_t probe) {
  const std::vector<GridCell>& cells = chart_->plot().cells;
  const std::size_t cell = probe * static_cast<std::size_t>(chart_->plot().across.size()) + lane;
  if (cell >= cells.size() || cells[cell].words.isEmpty()) return;
  const QString explanation = chart_->plot().explanations[static_cast<qsizetype>(probe)];
  details_->setText(cells[cell].words + QStringLiteral(" (") + explanation + QLatin1Char(')'));
  details_->show();
}

void ContractPage::addOffers(std::vector<ExportOffer>& offers, double scale) const {
  if (!model_.contract()) return;
  GridChart* chart = chart_;
  addChart(
      offers, tr("contract"), kContractStem, [chart, scale] { return chart->picture(scale); },
      [chart] { return chart->csv(); });
  offers.push_back({tr("Chart: contract (SVG)"), QLatin1Char('-') + kContractStem + QStringLiteral(".svg"),
                    [chart] { return writeText(chart->svg()); }});
}

}  // namespace sscope

#include "moc_contract_page.cpp"
