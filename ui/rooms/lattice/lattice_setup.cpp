#include "ui/rooms/lattice/lattice_setup.h"

#include <QComboBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QSettings>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/base/icons.h"
#include "ui/base/look.h"
#include "ui/base/notice.h"
#include "ui/base/open_files.h"
#include "ui/base/text.h"
#include "ui/controls/buttons.h"
#include "ui/controls/labels.h"
#include "ui/controls/number_box.h"

namespace sscope {

namespace {

constexpr double kMostExtent = 256, kMostSweeps = 99999, kMostSeed = 99999, kMostBeta = 1000;
constexpr std::int64_t kSiteBytes = 576;

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
  start_->setToolTip(tr("The links before the first sweep. The effect of a cold start lasts for hundreds of sweeps."));
  sweeps_ = named(wholeBox(tr("Sweeps"), 1, kMostSweeps, usual.sweeps, this), "generateSweeps");
  sweeps_->setToolTip(tr("How many times all links are updated"));
  seed_ = named(wholeBox(tr("Seed"), 0, kMostSeed, static_cast<double>(usual.seed), this), "generateSeed");
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
  connect(extents_, &ExtentsRow::edited, this, &GenerateStrip::showSize);
  connect(extents_, &ExtentsRow::corrected, this, &GenerateStrip::corrected);
  for (NumberBox* box : {beta_, sweeps_, seed_}) connect(box, &NumberBox::corrected, this, &GenerateStrip::corrected);
  showSize();
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
  showSize();
}

void GenerateStrip::setBusy(bool busy) { generate_->setEnabled(!busy); }

void GenerateStrip::showSize() {
  std::int64_t sites = 1;
  for (const int extent : extents_->extents()) sites *= extent;
  generate_->setToolTip(tr("%1 sites, %2 of links; the plaquette of each sweep is drawn while it runs")
                            .arg(sites)
                            .arg(bytesText(sites * kSiteBytes)));
}

namespace {

constexpr std::size_t kShortValue = 24;  // characters that fit into a line
const QString kSaveFolderKey = QStringLiteral("exportFolder");

// The value of a header under one of these names, whatever their case.
QString headerValue(const lattice::ConfigurationInfo& info, const char* name) {
  for (const auto& [key, value] : info.header)
    if (toQt(key).compare(QLatin1String(name), Qt::CaseInsensitive) == 0) return toQt(value);
  return {};
}

QFormLayout* factsForm(QWidget* box) {
  auto* form = bareLayout<QFormLayout>(box);
  form->setVerticalSpacing(em(box, 0.1));
  form->setHorizontalSpacing(em(box, 0.6));
  return form;
}

}  // namespace

LatticeSetup::LatticeSetup(LatticeController& controller, RecentFiles& recent, QWidget* parent)
    : QWidget(parent), controller_(controller), recent_(recent) {
  notice_ = named(new Notice(tr("Message about the configuration"), this), "latticeNotice");
  strip_ = new GenerateStrip(this);
  strip_->hide();
  name_ = named(new ElidedLabel(this), "latticeName");
  embolden(name_);
  auto* facts = new QWidget(this);
  facts_ = factsForm(facts);
  auto* header = named(new QWidget(this), "latticeHeader");
  header_ = factsForm(header);
  headerTitle_ = headingLabel(tr("HEADER"), this);
  notices_ = quietLabel({}, this);
  notices_->setWordWrap(true);
  QVBoxLayout* column = controlColumn(this, 0.4, 0);
  column->addWidget(buildButtons());
  column->addWidget(strip_);
  column->addWidget(buildProgress());
  column->addWidget(buildExtents());
  column->addWidget(name_);
  column->addWidget(facts);
  column->addWidget(notices_);
  column->addWidget(headerTitle_);
  column->addWidget(header);
  column->addStretch(1);

  connect(strip_, &GenerateStrip::generateRequested, this, [this](const GenerateSettings& settings) {
    notice_->clear();
    controller_.generate(settings);
  });
  connect(strip_, &GenerateStrip::corrected, notice_, &Notice::correct);
  connect(&recent_, &RecentFiles::changed, this, &LatticeSetup::fillRecent);
  connect(&controller_, &LatticeController::configurationChanged, this, [this] {
    notice_->clear();
    extentsBox_->hide();
    if (controller_.generated()) strip_->setSettings(*controller_.generated());
    showConfiguration();
  });
  connect(&controller_, &LatticeController::started, this, &LatticeSetup::showProgressRow);
  connect(&controller_, &LatticeController::ended, this, &LatticeSetup::showProgressRow);
  connect(&controller_, &LatticeController::progressed, this, [this](double fraction, const QString& stage) {
    showProgress(progress_, fraction, {});
    progressText_->setText(stage);
  });
  connect(&controller_, &LatticeController::failed, this,
          [this](const QString& message) { notice_->showMessage(Notice::Kind::Error, message); });
  connect(&controller_, &LatticeController::extentsMissing, this, [this](const QString& path, const QString& message) {
    const bool wrong = path == withoutExtents_ && extentsBox_->isVisible();  // the given ones are wrong
    withoutExtents_ = path;
    if (wrong) {
      notice_->showMessage(Notice::Kind::Error, message);
    } else {
      notice_->showMessage(Notice::Kind::Hint,
                           tr("%1 does not state its dimensions; enter them below.").arg(QFileInfo(path).fileName()));
    }
    extentsBox_->show();
  });
  connect(&controller_, &LatticeController::savedTo, this, [this](const QString& path) {
    notice_->showMessage(Notice::Kind::Hint, tr("Wrote %1").arg(path));
    showConfiguration();
  });
  fillRecent();
  showConfiguration();
  showProgressRow();
}

QWidget* LatticeSetup::buildButtons() {
  auto* box = new QWidget(this);
  auto* row = bareLayout<QHBoxLayout>(box, em(this, 0.2));
  auto* open = toolButton(
      box, {.name = "latticeOpen",
            .text = tr("Open\u2026"),
            .icon = "open",
            .tip = tr("Open a configuration: NERSC, ILDG or MILC v5 (Ctrl+O). The arrow lists recent files.")});
  open->setPopupMode(QToolButton::MenuButtonPopup);
  recentMenu_ = new QMenu(box);
  recentMenu_->setToolTipsVisible(true);
  open->setMenu(recentMenu_);
  generate_ = toolButton(box, {.name = "latticeGenerate",
                               .text = tr("Generate"),
                               .tip = tr("Generate a configuration by heat bath"),
                               .checkable = true});
  save_ = toolButton(box, {.name = "latticeSave",
                           .icon = "save",
                           .tip = tr("Save the configuration: .lime and .ildg are ILDG, everything else NERSC"),
                           .spoken = tr("Save the configuration")});
  for (QToolButton* button : {open, generate_, save_}) row->addWidget(button);
  row->addStretch(1);
  connect(open, &QToolButton::clicked, this, &LatticeSetup::openRequested);
  connect(generate_, &QToolButton::toggled, strip_, &QWidget::setVisible);
  connect(save_, &QToolButton::clicked, this, &LatticeSetup::chooseTarget);
  return box;
}

QWidget* LatticeSetup::buildExtents() {
  extentsBox_ = new QWidget(this);
  auto* column = bareLayout<QVBoxLayout>(extentsBox_);
  auto* row = new QHBoxLayout;
  extents_ = new ExtentsRow("extents-", extentsBox_);
  row->addWidget(quietLabel(tr("x y z t"), extentsBox_));
  row->addWidget(extents_, 1);
  withExtents_ = named(new QPushButton(tr("Open with these dimensions"), extentsBox_), "latticeWithExtents");
  withExtents_->setToolTip(tr("Read the file as a lattice of these dimensions"));
  column->addLayout(row);
  column->addWidget(withExtents_);
  extentsBox_->hide();
  connect(withExtents_, &QPushButton::clicked, this, [this] {
    notice_->clear();
    controller_.open(withoutExtents_, extents_->extents());
  });
  return extentsBox_;
}

QWidget* LatticeSetup::buildProgress() {
  progressRow_ = new QWidget(this);
  auto* column = bareLayout<QVBoxLayout>(progressRow_, em(this, 0.2));
  progressText_ = new QLabel(progressRow_);
  auto* row = new QHBoxLayout;
  progress_ = new QProgressBar(progressRow_);
  progress_->setAccessibleName(tr("Progress"));
  progress_->setTextVisible(false);
  auto* cancel = toolButton(
      progressRow_,
      {.name = "latticeCancel", .text = tr("Cancel"), .tip = tr("Stop (Esc); the open configuration stays as it is")});
  connect(cancel, &QToolButton::clicked, &controller_, &LatticeController::cancel);
  row->addWidget(progress_, 1);
  row->addWidget(cancel);
  column->addWidget(progressText_);
  column->addLayout(row);
  return progressRow_;
}

void LatticeSetup::fillRecent() {
  recentMenu_->clear();
  for (const QString& path : recent_.paths()) {
    QAction* action = recentMenu_->addAction(QFileInfo(path).fileName());
    action->setToolTip(path);
    connect(action, &QAction::triggered, this, [this, path] { Q_EMIT fileRequested(path); });
  }
  if (recent_.paths().isEmpty()) recentMenu_->addAction(tr("No recent files"))->setEnabled(false);
}

void LatticeSetup::beginGenerating() {
  generate_->setChecked(true);
  strip_->setFocus();
  strip_->findChild<QPushButton*>(QStringLiteral("generateRun"))->setFocus();
}

void LatticeSetup::chooseTarget() {
  if (!controller_.configuration()) return;
  const QString folder = QSettings().value(kSaveFolderKey).toString();
  QString stem = controller_.saved() ? QFileInfo(controller_.path()).completeBaseName() : controller_.name();
  stem.replace(QLatin1Char(' '), QLatin1Char('-'));
  showFileDialog(this,
                 {.title = tr("Save the configuration"),
                  .start = folder + QLatin1Char('/') + stem + QStringLiteral(".nersc"),
                  .filters = tr("NERSC (*.nersc);;ILDG (*.lime *.ildg)"),
                  .write = true,
                  .suffix = QStringLiteral("nersc")},
                 [this](const QString& path) {
                   QSettings().setValue(kSaveFolderKey, QFileInfo(path).absolutePath());
                   Q_EMIT saveRequested(path);
                 });
}

void LatticeSetup::showProgressRow() {
  using Activity = LatticeController::Activity;
  const Activity activity = controller_.activity();
  const bool mine = activity == Activity::Opening || activity == Activity::Generating;
  progressRow_->setVisible(mine);
  progress_->setRange(0, 0);
  progressText_->setText(activity == Activity::Generating ? tr("Generating") : tr("Opening"));
  strip_->setBusy(activity == Activity::Generating);
  save_->setEnabled(controller_.configuration() != nullptr);
}

void LatticeSetup::addRow(const QString& label, const QString& text, int mark, const QString& tip) {
  auto* value = new QLabel(this);
  value->setTextFormat(Qt::PlainText);
  value->setText(mark > 0 ? QStringLiteral("\u2713 ") + text : mark < 0 ? QStringLiteral("\u2717 ") + text : text);
  value->setTextInteractionFlags(Qt::TextSelectableByMouse);
  value->setWordWrap(true);
  value->setToolTip(tip);
  facts_->addRow(quietLabel(label, this), value);
}

void LatticeSetup::showConfiguration() {
  for (QFormLayout* form : {facts_, header_})
    while (form->rowCount() > 0) form->removeRow(0);
  const auto configuration = controller_.configuration();
  name_->setVisible(configuration != nullptr);
  headerTitle_->setVisible(configuration && !configuration->info.header.empty());
  notices_->setVisible(configuration && !configuration->info.notices.empty());
  if (!configuration) return;
  const lattice::ConfigurationInfo& info = configuration->info;
  const lattice::Lattice& sites = configuration->field.lattice();
  name_->setWholeText(controller_.name(), controller_.saved() ? controller_.path() : tr("not saved"));
  const bool generated = info.format.starts_with("generated");
  addRow(tr("Format"),
         generated ? tr("heat bath, not from a file") : tr("%1, %2 bits").arg(toQt(info.format)).arg(info.precision), 0,
         {});
  QStringList extents;
  for (const int extent : sites.extents()) extents << QString::number(extent);
  addRow(tr("Size"), extents.join(QStringLiteral(" \u00d7 ")), 0, tr("%1 sites").arg(sites.volume()));
  const auto checked = [&](const QString& label, double is, const char* name) {
    const QString claimed = headerValue(info, name);
    addRow(label, numberText(is, 9), claimed.isEmpty() ? 0 : 1,
           claimed.isEmpty() ? tr("computed from the links; the header does not give it")
                             : tr("computed from the links; the header states %1").arg(claimed));
  };
  checked(tr("Plaquette"), info.plaquette, "PLAQUETTE");
  checked(tr("Link trace"), info.linkTrace, "LINK_TRACE");
  if (!generated)
    addRow(tr("Checksum"), info.checksummed ? tr("matches") : tr("none"), info.checksummed ? 1 : 0,
           info.checksummed ? tr("The file has a checksum and it is correct") : tr("The file has no checksum"));
  const QString off = tr("off by %1").arg(numberText(info.maxUnitarityError, 2));
  addRow(tr("Unitarity"), info.projected ? tr("%1, projected").arg(off) : off, 1,
         tr("The largest distance of a link in the file from SU(3). Up to 1e-5 is accepted, and rounded links are "
            "projected onto SU(3)."));
  QStringList notices;
  for (const std::string& notice : info.notices) notices << toQt(notice);
  notices_->setText(breakable(notices.join(QLatin1Char('\n'))));
  for (const auto& [key, value] : info.header) {
    auto* text = new QLabel(value.size() > kShortValue ? breakable(toQt(value)) : toQt(value), this);
    text->setTextFormat(Qt::PlainText);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    text->setWordWrap(value.size() > kShortValue);
    text->setToolTip(toQt(value));
    text->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    header_->addRow(quietLabel(toQt(key), this), text);
  }
}

}  // namespace sscope

#include "moc_lattice_setup.cpp"
