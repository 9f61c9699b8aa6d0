#include "ui/rooms/compare/agreement_page.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "core/compare/lane_agreement.h"
#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/charts/chart_format.h"
#include "ui/charts/color_scale.h"
#include "ui/controls/buttons.h"
#include "ui/controls/labels.h"
#include "ui/rooms/compare/difference_chart.h"

namespace sscope {

namespace {

const QString kDifferences = QStringLiteral("differences"), kMapSuffix = QStringLiteral("-errors.png"),
              kNormsSuffix = QStringLiteral("-norms.csv");
constexpr const char *kAbsolute = "absolute", *kLastPlaces = "units";
constexpr ColorMap kErrorColors = ColorMap::Inferno;

// A row of the table of norms.
struct NormRow {
  QString name, value;
  QString help{};  // what it means; may be empty
};

struct NormText {
  Q_DECLARE_TR_FUNCTIONS(AgreementNorms)
};

constexpr int kNormDigits = 4;

NormRow worstRow(const compare::ElementAt& worst, bool components) {
  QString place = NormText::tr("voxel (%1, %2, %3)").arg(worst.voxel[0]).arg(worst.voxel[1]).arg(worst.voxel[2]);
  if (components) place += NormText::tr(", component %1").arg(worst.component + 1);
  return {NormText::tr("worst element"),
          NormText::tr("%1: %2 and %3").arg(place, numberText(worst.first, 9), numberText(worst.second, 9)),
          NormText::tr("The largest absolute difference, or the first element that is NaN or Inf on one side only")};
}

// Whether rounding explains the worst element.
NormRow judgedRow(const compare::ResultPair& pair) {
  NormRow row{
      NormText::tr("explained by rounding"),
      {},
      NormText::tr("Results are judged by what rounding can do on the scale of the terms of each element's sum; "
                   "of two contenders, each may be off by so much")};
  if (!pair.accepted) {
    row.value = NormText::tr("not known: %1").arg(toQt(pair.whyNoRange));
  } else if (!pair.agreement.worst) {
    row.value = NormText::tr("yes, all are equal");
  } else if (!pair.accepted->atWorst) {
    row.value = NormText::tr("the worst element cannot be judged");
  } else {
    const double distance = std::abs(pair.agreement.worst->first - pair.agreement.worst->second);
    const double accepted = *pair.accepted->atWorst;
    const bool yes = distance <= accepted;
    row.value =
        accepted > 0 && std::isfinite(distance)
            ? NormText::tr("%1: the worst is %2 of the accepted %3")
                  .arg(yes ? NormText::tr("yes") : NormText::tr("NO"),
                       distance / accepted >= 10 ? NormText::tr("%1 times").arg(numberText(distance / accepted, 3))
                                                 : NormText::tr("%1 %").arg(numberText(100 * distance / accepted, 3)),
                       numberText(accepted, 3))
            : NormText::tr("NO: they must be equal");
  }
  return row;
}

std::vector<NormRow> normRows(const compare::ResultPair& pair) {
  const compare::Agreement& a = pair.agreement;
  std::vector<NormRow> rows;
  rows.push_back({NormText::tr("compared"), NormText::tr("%1 with %2").arg(toQt(pair.names[0]), toQt(pair.names[1]))});
  rows.push_back(judgedRow(pair));
  rows.push_back({NormText::tr("equal"),
                  NormText::tr("%1 of %2 elements").arg(formatCount(a.equal), formatCount(a.elements)),
                  NormText::tr("The same number, or NaN in both")});
  if (a.nonFinite > 0)
    rows.push_back({NormText::tr("NaN or Inf"), formatCount(a.nonFinite), NormText::tr("On one side only")});
  if (a.worst) rows.push_back(worstRow(*a.worst, pair.results[0]->shape().components > 1));
  rows.push_back({NormText::tr("largest difference"), numberText(a.maximum, kNormDigits)});
  rows.push_back({NormText::tr("largest, in units"), numberText(a.largestUlps, kNormDigits),
                  NormText::tr("Units of the last place of the larger of both numbers; many where terms cancel")});
  rows.push_back({NormText::tr("RMS difference"), numberText(a.rootMeanSquare, kNormDigits)});
  rows.push_back({NormText::tr("mean difference"), numberText(a.meanAbsolute, kNormDigits),
                  NormText::tr("Of the absolute differences")});
  rows.push_back({NormText::tr("relative, in L2"), numberText(a.relative, kNormDigits),
                  NormText::tr("The L2 norm of the difference over that of the second result")});
  return rows;
}

}  // namespace

AgreementPage::AgreementPage(AgreementModel& model, QWidget* parent) : QWidget(parent), model_(model) {
  setAccessibleName(tr("Agreement of two results"));
  views_ = new VolumeViews(this);
  views_->setObjectName(QStringLiteral("errorMap"));
  views_->setAccessibleName(tr("Map of the errors"));
  views_->setShow(VolumeViews::Show::Result);
  views_->setInterpolation(false);
  views_->setWordsWithoutData(tr("nothing was compared yet"));
  auto* left = new QWidget(this);
  auto* leftColumn = new QVBoxLayout(left);
  leftColumn->setContentsMargins(0, 0, 0, 0);
  leftColumn->setSpacing(0);
  auto* foot = new QVBoxLayout;
  reading_ = new ElidedLabel(this);
  reading_->setObjectName(QStringLiteral("errorReading"));
  colors_ = new ColorBar(this);
  foot->setContentsMargins(em(this, 0.4), em(this, 0.15), em(this, 0.4), em(this, 0.15));
  foot->setSpacing(0);
  foot->addWidget(reading_);
  foot->addWidget(colors_, 0, Qt::AlignRight);
  leftColumn->addWidget(views_, 1);
  leftColumn->addLayout(foot);
  auto* split = new QSplitter(Qt::Horizontal, this);
  split->addWidget(left);
  split->addWidget(buildSide());
  split->setStretchFactor(0, 3);
  split->setStretchFactor(1, 2);
  split->setChildrenCollapsible(false);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(buildBar());
  job_ = new ElidedLabel(this);
  job_->setObjectName(QStringLiteral("agreementJob"));
  auto* jobRow = new QHBoxLayout;
  jobRow->setContentsMargins(em(this, 0.4), 0, em(this, 0.4), em(this, 0.2));
  jobRow->addWidget(job_);
  column->addLayout(jobRow);
  column->addWidget(split, 1);
  connect(views_, &VolumeViews::hovered, this, &AgreementPage::hover);
  connect(&model_, &AgreementModel::pairChanged, this, &AgreementPage::showPair);
  connect(&model_, &AgreementModel::mapChanged, this, &AgreementPage::showMap);
  showPair();
}

QWidget* AgreementPage::buildBar() {
  auto* bar = new LookBar(this);
  const auto combo = [&](const char* name, const QString& title) {
    auto* made = new QComboBox(bar);
    made->setObjectName(QLatin1String(name));
    made->setAccessibleName(title);
    made->setToolTip(title);
    made->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    made->setMinimumContentsLength(8);
    bar->first()->addWidget(made, 1);
    connect(made, &QComboBox::activated, this, &AgreementPage::enableButtons);
    return made;
  };
  first_ = combo("agreementFirst", tr("One result"));
  bar->first()->addWidget(new QLabel(tr("with"), bar));
  second_ = combo("agreementSecond", tr("The other result"));
  output_ = combo("agreementOutput", tr("Output of the bank"));
  output_->hide();
  start_ = new QPushButton(bar);
  start_->setObjectName(QStringLiteral("agreementStart"));
  bar->second()->addWidget(start_);
  unit_ = new SegmentRow(bar);
  unit_->setObjectName(QStringLiteral("errorUnit"));
  unit_->add(kAbsolute, tr("|d|"), nullptr, tr("The map shows absolute differences, on a logarithmic scale"));
  unit_->add(kLastPlaces, tr("ulp"), nullptr, tr("The map shows units of the last place, on a logarithmic scale"));
  unit_->setValue(kAbsolute);
  bar->second()->addWidget(unit_);
  worst_ = new QPushButton(tr("Worst voxel"), bar);
  worst_->setObjectName(QStringLiteral("worstVoxel"));
  worst_->setToolTip(tr("Moves the slices and the crosshair to the largest difference"));
  bar->second()->addWidget(worst_);
  connect(start_, &QPushButton::clicked, this, [this] {
    if (model_.busy())
      Q_EMIT cancelRequested();
    else
      Q_EMIT compareRequested();
  });
  connect(unit_, &SegmentRow::chosen, this, [this](const std::string& value) {
    model_.setUnit(value == kLastPlaces ? compare::ErrorUnit::LastPlaces : compare::ErrorUnit::Absolute);
  });
  connect(worst_, &QPushButton::clicked, this, &AgreementPage::jumpToWorst);
  return bar;
}

QWidget* AgreementPage::buildSide() {
  auto* side = new QSplitter(Qt::Vertical, this);
  norms_ = new QTableWidget(0, 2, side);
  norms_->setObjectName(QStringLiteral("norms"));
  norms_->setAccessibleName(tr("Norms of the difference"));
  norms_->setHorizontalHeaderLabels({tr("Norm"), tr("Value")});
  norms_->horizontalHeader()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
  norms_->horizontalHeader()->setStretchLastSection(true);
  norms_->verticalHeader()->hide();
  norms_->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  norms_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  norms_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  norms_->setSelectionBehavior(QAbstractItemView::SelectRows);
  norms_->setTabKeyNavigation(false);
  norms_->setFrameShape(QFrame::NoFrame);
  chart_ = new DifferenceChart(side);
  chart_->setObjectName(QStringLiteral("differences"));
  connect(chart_, &Chart::exportRequested, this,
          [this](bool png) { Q_EMIT exportRequested(chartSuffix(kDifferences, png)); });
  side->addWidget(norms_);
  side->addWidget(chart_);
  side->setChildrenCollapsible(false);
  side->setMinimumWidth(em(this, 9));
  return side;
}

void AgreementPage::setContenders(std::vector<BenchRow> contenders) {
  contenders_ = std::move(contenders);
  for (QComboBox* combo : {first_, second_}) {
    const QString before = combo->currentText();
    const QSignalBlocker blocked(combo);
    combo->clear();
    for (const BenchRow& row : contenders_) combo->addItem(toQt(contenderName(row)));
    combo->addItem(toQt(compare::kReferenceName));
    const int known = combo->findText(before);
    // The first choice: the first two contenders, or the only one and the reference.
    combo->setCurrentIndex(known >= 0 ? known : combo == first_ ? 0 : std::min(1, combo->count() - 1));
  }
  if (first_->currentIndex() == second_->currentIndex() && first_->count() > 1) {
    const QSignalBlocker blocked(first_);
    first_->setCurrentIndex(second_->currentIndex() == 0 ? 1 : 0);
  }
  enableButtons();
}

void AgreementPage::setOutputs(const std::vector<std::string>& names, std::size_t shown) {
  const QString before = output_->currentText();
  const QSignalBlocker blocked(output_);
  output_->clear();
  for (const std::string& name : names) output_->addItem(toQt(name));
  const int known = output_->findText(before);
  output_->setCurrentIndex(known >= 0 ? known : static_cast<int>(std::min(shown, names.size() - 1)));
  output_->setVisible(names.size() > 1);
}

std::optional<compare::PairWish> AgreementPage::wish() const {
  const auto place = [this](const QComboBox* combo) -> std::optional<std::size_t> {
    const auto at = static_cast<std::size_t>(std::max(0, combo->currentIndex()));
    return at < contenders_.size() ? std::optional(at) : std::nullopt;
  };
  const compare::PairWish wish{place(first_), place(second_),
                               static_cast<std::size_t>(std::max(0, output_->currentIndex()))};
  if (wish.first == wish.second) return {};
  return wish;
}

void AgreementPage::enableButtons() {
  const bool busy = model_.busy();
  start_->setText(busy ? tr("Cancel (Esc)") : tr("Compare"));
  start_->setEnabled(busy || wish().has_value());
  start_->setToolTip(busy ? tr("Stops; what is shown stays")
                          : tr("Computes both results as a whole and compares all their elements"));
  worst_->setEnabled(model_.pair() && model_.pair()->agreement.worst);
}

bool AgreementPage::pictured() const { return model_.map().values != nullptr; }

void AgreementPage::setNow(std::optional<compare::CaseRecipe> now) {
  now_ = std::move(now);
  showJob();
}

void AgreementPage::showJob() {
  job_->setVisible(model_.pair() != nullptr);
  if (model_.pair()) job_->setWholeText(jobWords(model_.recipe(), now_));
}

void AgreementPage::showPair() {
  showJob();
  views_->setSource(model_.map().values);
  chart_->setPair(model_.pair());
  fillNorms();
  showMap();
  enableButtons();
  if (pictured()) jumpToWorst();
}

void AgreementPage::showMap() {
  const AgreementModel::Map& map = model_.map();
  colors_->setVisible(pictured());
  reading_->setWholeText({});
  if (!pictured()) return;
  // Exported like a result, under a name of its own.
  views_->setSourceLater(map.values);
  views_->setResultName(map.unit == compare::ErrorUnit::Absolute ? tr("|difference|") : tr("units"));
  views_->setResult(map.values);
  views_->setColorMap(kErrorColors);
  views_->setResultWindow(map.window);
  colors_->setScale(kErrorColors, map.window, true);
  unit_->setValue(model_.unit() == compare::ErrorUnit::Absolute ? kAbsolute : kLastPlaces);
  const QString status = map.anyError ? QString() : tr("no difference");
  for (const auto view : {VolumeViews::View::Axial, VolumeViews::View::Coronal, VolumeViews::View::Sagittal})
    views_->setStatusText(view, status);
}

void AgreementPage::fillNorms() {
  const std::vector<NormRow> rows = model_.pair() ? normRows(*model_.pair()) : std::vector<NormRow>{};
  norms_->setRowCount(static_cast<int>(rows.size()));
  for (int i = 0; i < norms_->rowCount(); ++i) {
    const NormRow& row = rows[static_cast<std::size_t>(i)];
    norms_->setItem(i, 0, new QTableWidgetItem(row.name));
    norms_->setItem(i, 1, new QTableWidgetItem(row.value));
    for (int k = 0; k < 2; ++k) norms_->item(i, k)->setToolTip(row.help);
  }
}

std::string AgreementPage::csv() const {
  std::string text = "norm,value\n";
  if (model_.pair())
    for (const NormRow& row : normRows(*model_.pair()))
      text += csvCell(fromQt(row.name)) + ',' + csvCell(fromQt(row.value)) + '\n';
  return text;
}

bool AgreementPage::jumpToWorst() {
  const auto pair = model_.pair();
  if (!pair || !pair->agreement.worst) return false;
  const VoxelIndex voxel = pair->agreement.worst->voxel;
  if (views_->viewLayout() == VolumeViews::Layout::Volume) views_->setViewLayout(VolumeViews::Layout::All);
  views_->setCrosshair(voxel);
  reading_->setWholeText(voxelWords(voxel));
  Q_EMIT jumped(voxel);
  return true;
}

void AgreementPage::hover(const HoverInfo& info) {
  if (info.inside && pictured()) reading_->setWholeText(voxelWords(info.voxel));
}

// The component with the largest difference.
QString AgreementPage::voxelWords(const VoxelIndex& voxel) const {
  const compare::ResultPair& pair = *model_.pair();
  const auto& [x, y, z] = voxel;
  int worst = 0;
  std::array<double, 2> values{};
  for (int c = 0; c < pair.results[0]->shape().components; ++c) {
    const double first = pair.results[0]->value(x, y, z, c), second = pair.results[1]->value(x, y, z, c);
    if (c > 0 && !(std::abs(first - second) > std::abs(values[0] - values[1]))) continue;
    worst = c;
    values = {first, second};
  }
  QString text = tr("voxel (%1, %2, %3)").arg(x).arg(y).arg(z);
  if (pair.results[0]->shape().components > 1) text += tr(", component %1").arg(worst + 1);
  text += tr(": %1 and %2").arg(numberText(values[0], 9), numberText(values[1], 9));
  if (values[0] == values[1] || (std::isnan(values[0]) && std::isnan(values[1]))) return text + tr(", equal");
  if (!std::isfinite(values[0]) || !std::isfinite(values[1])) return text;
  return text + tr(", difference %1, %2 units")
                    .arg(numberText(values[0] - values[1], 3),
                         numberText(compare::ulpsBetween(pair.agreement.type, values[0], values[1]), 3));
}

void AgreementPage::addOffers(std::vector<ExportOffer>& offers, double scale) const {
  if (!model_.pair()) return;
  DifferenceChart* chart = chart_;
  addChart(
      offers, tr("differences"), kDifferences, [chart, scale] { return chart->picture(scale); },
      [chart] { return chart->csv(); });
  offers.push_back({tr("Chart: differences (SVG)"), QLatin1Char('-') + kDifferences + QStringLiteral(".svg"),
                    [chart] { return writeText(chart->svg()); }});
  offers.push_back({tr("Norms of the difference (CSV)"), kNormsSuffix, [this] { return writeText(csv()); }});
  offers.push_back({tr("Map of the errors (PNG)"), kMapSuffix,
                    [views = views_, scale] { return writeImage(views->renderToImage(views->size() * scale)); }});
}

}  // namespace sscope

#include "moc_agreement_page.cpp"
