#include "ui/rooms/lattice/generate_strip.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/controls/number_box.h"

namespace sscope {

namespace {

constexpr double kMostExtent = 256, kMostSweeps = 99999, kMostSeed = 99999, kMostBeta = 1000;
constexpr std::int64_t kSiteBytes = 576;

NumberBox* wholeBox(const QString& name, double low, double high, double value, QWidget* parent) {
  auto* box = new NumberBox(name, parent);
  box->setWhole(true);
  box->setRange(low, high);
  box->setStep([](double now, int steps) { return now + steps; });
  box->setValue(value);
  return box;
}

}  // namespace

ExtentsRow::ExtentsRow(const char* name, QWidget* parent) : QWidget(parent) {
  auto* row = bareLayout<QHBoxLayout>(this, em(this, 0.2));
  static constexpr const char* kAxes = "xyzt";
  for (std::size_t mu = 0; mu < boxes_.size(); ++mu) {
    const QString axis{QLatin1Char(kAxes[mu])};
    boxes_[mu] = wholeBox(tr("Extent along %1").arg(axis), 1, kMostExtent, 8, this);
    boxes_[mu]->setObjectName(QLatin1String(name) + axis);
    boxes_[mu]->setToolTip(tr("Sites along %1").arg(axis));
    boxes_[mu]->setFixedWidth(fontMetrics().horizontalAdvance(QStringLiteral("0000")) + em(this, 0.6));
    row->addWidget(boxes_[mu]);
    connect(boxes_[mu], &NumberBox::valueEdited, this, &ExtentsRow::edited);
    connect(boxes_[mu], &NumberBox::corrected, this, &ExtentsRow::corrected);
  }
  row->addStretch(1);
}

void ExtentsRow::setExtents(const lattice::Extents& extents) {
  for (std::size_t mu = 0; mu < boxes_.size(); ++mu) boxes_[mu]->setValue(extents[mu]);
}

lattice::Extents ExtentsRow::extents() const {
  lattice::Extents extents{};
  for (std::size_t mu = 0; mu < boxes_.size(); ++mu) extents[mu] = static_cast<int>(boxes_[mu]->value());
  return extents;
}

GenerateStrip::GenerateStrip(QWidget* parent) : QWidget(parent) {
  const GenerateSettings usual;
  extents_ = new ExtentsRow("generate-", this);
  extents_->setExtents(usual.extents);
  beta_ = named(new NumberBox(tr("Beta"), this), "generateBeta");
  beta_->setRange(0, kMostBeta);
  beta_->setValue(usual.beta);
  beta_->setToolTip(tr("The coupling 6 / g\u00b2 of Wilson's action; at 6 the plaquette becomes 0.5937"));
  start_ = named(new QComboBox(this), "generateStart", tr("Start"));
  start_->addItem(tr("cold: unit links"), false);
  start_->addItem(tr("hot: random links"), true);
  start_->setCurrentIndex(start_->findData(usual.hot));
  start_->setToolTip(tr("What the first sweep begins with; a cold start is remembered for hundreds of sweeps"));
  sweeps_ = wholeBox(tr("Sweeps"), 1, kMostSweeps, usual.sweeps, this);
  sweeps_->setObjectName(QStringLiteral("generateSweeps"));
  sweeps_->setToolTip(tr("How many times all links are redrawn"));
  seed_ = wholeBox(tr("Seed"), 0, kMostSeed, static_cast<double>(usual.seed), this);
  seed_->setObjectName(QStringLiteral("generateSeed"));
  seed_->setToolTip(tr("The same seed gives the same configuration"));
  generate_ = named(new QPushButton(tr("Generate"), this), "generateRun");
  auto* form = bareLayout<QFormLayout>(this, em(this, 0.3));
  form->addRow(tr("x y z t"), extents_);
  form->addRow(tr("\u03b2"), beta_);
  form->addRow(tr("Start"), start_);
  form->addRow(tr("Sweeps"), sweeps_);
  form->addRow(tr("Seed"), seed_);
  form->addRow(generate_);
  connect(generate_, &QPushButton::clicked, this, [this] { Q_EMIT generateRequested(settings()); });
  connect(extents_, &ExtentsRow::edited, this, &GenerateStrip::tellSize);
  connect(extents_, &ExtentsRow::corrected, this, &GenerateStrip::corrected);
  for (NumberBox* box : {beta_, sweeps_, seed_}) connect(box, &NumberBox::corrected, this, &GenerateStrip::corrected);
  tellSize();
}

GenerateSettings GenerateStrip::settings() const {
  GenerateSettings settings;
  settings.extents = extents_->extents();
  settings.beta = beta_->value();
  settings.hot = start_->currentData().toBool();
  settings.sweeps = static_cast<int>(sweeps_->value());
  settings.seed = static_cast<std::uint64_t>(seed_->value());
  return settings;
}

void GenerateStrip::setSettings(const GenerateSettings& settings) {
  extents_->setExtents(settings.extents);
  beta_->setValue(settings.beta);
  start_->setCurrentIndex(start_->findData(settings.hot));
  sweeps_->setValue(settings.sweeps);
  seed_->setValue(static_cast<double>(settings.seed));
  tellSize();
}

void GenerateStrip::setBusy(bool busy) { generate_->setEnabled(!busy); }

void GenerateStrip::tellSize() {
  std::int64_t sites = 1;
  for (const int extent : extents_->extents()) sites *= extent;
  generate_->setToolTip(tr("%1 sites, %2 of links; the plaquette of each sweep is drawn while it runs")
                            .arg(sites)
                            .arg(bytesText(sites * kSiteBytes)));
}

}  // namespace sscope

#include "moc_generate_strip.cpp"
