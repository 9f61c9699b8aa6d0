#include "ui/panels/data_panel.h"

#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QToolButton>
#include <QVBoxLayout>

#include "core/base/error.h"
#include "core/filter/job/filter_provenance.h"
#include "core/volume/selection.h"
#include "ui/base/icons.h"
#include "ui/base/look.h"
#include "ui/base/notice.h"
#include "ui/base/open_files.h"
#include "ui/base/text.h"
#include "ui/charts/chart_format.h"
#include "ui/charts/histogram_view.h"
#include "ui/controls/buttons.h"
#include "ui/controls/labels.h"
#include "ui/panels/corrections.h"
#include "ui/views/slice_plane.h"

namespace sscope {

namespace {

QString tripleText(const std::array<double, 3>& values, int dimensions, int digits) {
  QString text = numberText(values[0], digits);
  for (int a = 1; a < dimensions; ++a)
    text += QStringLiteral(" × ") + numberText(values[static_cast<std::size_t>(a)], digits);
  return text;
}

QString pointText(const std::array<double, 3>& values, int dimensions) {
  QString text = QLatin1Char('(') + numberText(values[0]);
  for (int a = 1; a < dimensions; ++a) text += QStringLiteral(", ") + numberText(values[static_cast<std::size_t>(a)]);
  return text + QLatin1Char(')');
}

bool identityDirection(const Geometry& geometry) { return geometry.direction == Geometry().direction; }

QString directionText(const Geometry& geometry) {
  QString text = DataPanel::tr("Direction, one row per line:");
  for (std::size_t row = 0; row < 3; ++row)
    text += QStringLiteral("\n%1  %2  %3")
                .arg(numberText(geometry.direction[3 * row]), numberText(geometry.direction[3 * row + 1]),
                     numberText(geometry.direction[3 * row + 2]));
  return text;
}

}  // namespace

DataPanel::DataPanel(const Toolbox& toolbox, SessionModel& model, DataLoader& loader, RecentFiles& recent,
                     QWidget* parent)
    : QWidget(parent), io_(*toolbox.io), model_(model), loader_(loader), recent_(recent) {
  notice_ = named(new Notice(tr("Message about opening data"), this), "dataNotice");
  name_ = named(new ElidedLabel(this), "dataName");
  embolden(name_);
  auto* facts = new QWidget(this);
  facts_ = bareLayout<QFormLayout>(facts);
  facts_->setVerticalSpacing(em(this, 0.1));
  facts_->setHorizontalSpacing(em(this, 0.6));
  notices_ = quietLabel({}, this);
  notices_->setTextFormat(Qt::PlainText);
  notices_->setWordWrap(true);
  correct_ = toolButton(
      this, {.name = "correctData",
             .text = tr("Correct…"),
             .tip = tr("Corrects spacing, unit, origin and axes that the file states wrongly or leaves out")});
  connect(correct_, &QToolButton::clicked, this, &DataPanel::correct);
  useFilters_ = toolButton(this, {.name = "useFilters",
                                  .text = tr("Use its filters"),
                                  .tip = tr("Replaces the filters with those that made this file, as recorded in its "
                                            "provenance")});
  connect(useFilters_, &QToolButton::clicked, this, &DataPanel::useFilters);
  histogram_ = named(new HistogramView(this), "histogram", tr("Histogram of the source"));

  resultHistogram_ = named(new HistogramView(this), "resultHistogram", tr("Histogram of the result"));

  auto* column = new QVBoxLayout(this);
  const int gap = em(this, 0.4);
  column->setContentsMargins(gap, 0, gap, gap);
  column->setSpacing(gap);
  column->addWidget(buildButtons(toolbox));
  column->addWidget(buildProgress());
  column->addWidget(name_);
  column->addWidget(facts);
  column->addWidget(notices_);
  column->addWidget(correct_);
  column->addWidget(useFilters_);
  column->addWidget(buildChoice());
  column->addWidget(histogram_);
  column->addWidget(resultHistogram_);
  column->addStretch(1);

  connect(&model_, &SessionModel::dataChanged, this, &DataPanel::showData);
  connect(&recent_, &RecentFiles::changed, this, &DataPanel::fillRecent);
  connect(&loader_, &DataLoader::started, this, [this](const QString& what) {
    progressText_->setWholeText(tr("Opening %1").arg(what));
    progress_->setRange(0, 0);
    progressRow_->show();
  });
  connect(&loader_, &DataLoader::progressed, this,
          [this](double fraction, const QString& stage) { showProgress(progress_, fraction, stage); });
  connect(&loader_, &DataLoader::loaded, this, [this] {
    progressRow_->hide();
    notice_->clear();
  });
  connect(&loader_, &DataLoader::completed, progressRow_, &QWidget::hide);
  connect(&loader_, &DataLoader::configurationFound, progressRow_, &QWidget::hide);
  connect(&loader_, &DataLoader::foreignFound, progressRow_, &QWidget::hide);
  connect(&loader_, &DataLoader::partsFound, progressRow_, &QWidget::hide);
  connect(&loader_, &DataLoader::canceled, this, [this] {
    progressRow_->hide();
    notice_->showMessage(Notice::Kind::Hint, tr("Opening was canceled; the data are unchanged."));
  });
  connect(&loader_, &DataLoader::failed, this, [this](const QString& message) {
    progressRow_->hide();
    notice_->showMessage(Notice::Kind::Error, message);
  });
  fillRecent();
  showData();
}

QWidget* DataPanel::buildButtons(const Toolbox& toolbox) {
  auto* box = new QWidget(this);
  auto* row = bareLayout<QHBoxLayout>(box, em(this, 0.2));
  auto* open = toolButton(
      box, {.name = "open",
            .text = tr("Open…"),
            .icon = "open",
            .tip = tr("Open a file, a folder of slices or a session (Ctrl+O). The arrow lists recent files.")});
  open->setPopupMode(QToolButton::MenuButtonPopup);
  recentMenu_ = new QMenu(box);
  open->setMenu(recentMenu_);
  connect(open, &QToolButton::clicked, this, &DataPanel::openRequested);
  auto* samplesButton = toolButton(box, {.name = "samples", .text = tr("Samples"), .icon = "sample"});
  samplesButton->setPopupMode(QToolButton::InstantPopup);
  auto* menu = new QMenu(box);
  menu->setToolTipsVisible(true);
  for (const SampleOffer& offer : toolbox.samples) {
    QAction* action = menu->addAction(toQt(offer.label));
    action->setToolTip(toQt(offer.description));
    connect(action, &QAction::triggered, this, [this, name = offer.name] { loader_.openSample(name); });
  }
  samplesButton->setMenu(menu);
  row->addWidget(open);
  row->addWidget(samplesButton);
  row->addStretch(1);
  return box;
}

QWidget* DataPanel::buildChoice() {
  choiceRow_ = new QWidget(this);
  auto* row = bareLayout<QHBoxLayout>(choiceRow_);
  choice_ = named(new SegmentRow(choiceRow_), "histogramOf", tr("Values that the histogram counts"));
  choice_->add("source", tr("Source"), nullptr, tr("Counts the values of the source"));
  choice_->add("result", tr("Result"), nullptr, tr("Counts the values of the result, where it was computed"));
  choice_->setValue("source");
  choice_->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  resultRange_ = quietLabel({}, choiceRow_);
  resultRange_->setObjectName(QStringLiteral("resultRange"));
  row->addWidget(choice_);
  row->addWidget(resultRange_);
  row->addStretch(1);
  connect(choice_, &SegmentRow::chosen, this, [this](const std::string& value) {
    resultChosen_ = value == "result";
    showRange();
    countResult();
  });
  connect(resultHistogram_, &HistogramView::histogramReady, this, &DataPanel::showRange);
  return choiceRow_;
}

void DataPanel::offerResult(bool offered) {
  resultOffered_ = offered;
  showRange();
}

void DataPanel::setResult(const std::shared_ptr<ResidentArray>& result) {
  result_ = result;
  if (!result) {
    counted_.reset();
    resultHistogram_->setArray(nullptr);
  }
  countResult();
  showRange();
}

void DataPanel::countResult() {
  const std::shared_ptr<ResidentArray> result = result_.lock();
  if (!result || !resultChosen_ || !resultOffered_ || counted_.lock() == result) return;
  counted_ = result;
  resultHistogram_->setArray(result, result->spec().extent[3] > 1 ? -1 : 0);
}

void DataPanel::stopCounting() {
  if (resultHistogram_->stopCounting()) counted_.reset();
}

void DataPanel::showRange() {
  const bool any = model_.hasData(), ofResult = resultChosen_ && resultOffered_;
  choiceRow_->setVisible(any && resultOffered_);
  histogram_->setVisible(any && !ofResult);
  resultHistogram_->setVisible(any && ofResult);
  const Histogram& counts = resultHistogram_->histogram();
  resultRange_->setVisible(ofResult && !counts.counts.empty());
  if (counts.counts.empty()) return;
  QString text = formatRange(counts.least, counts.most);
  if (counts.nonFinite > 0) text += QStringLiteral(" · ") + tr("%1 not finite").arg(counts.nonFinite);
  resultRange_->setText(text);
  resultRange_->setToolTip(tr("Range of the result\u2019s values"));
}

QWidget* DataPanel::buildProgress() {
  progressRow_ = new QWidget(this);
  auto* column = bareLayout<QVBoxLayout>(progressRow_);
  progressText_ = new ElidedLabel(progressRow_);
  auto* row = new QHBoxLayout;
  progress_ = new QProgressBar(progressRow_);
  progress_->setAccessibleName(tr("Progress of opening"));
  auto* cancel = toolButton(progressRow_, {.name = "cancelOpening", .text = tr("Cancel")});
  connect(cancel, &QToolButton::clicked, &loader_, &DataLoader::cancel);
  row->addWidget(progress_, 1);
  row->addWidget(cancel);
  column->addWidget(progressText_);
  column->addLayout(row);
  progressRow_->hide();
  return progressRow_;
}

void DataPanel::fillRecent() {
  recentMenu_->clear();
  for (const QString& path : recent_.paths()) {
    QAction* action = recentMenu_->addAction(QFileInfo(path).fileName());
    action->setToolTip(path);
    connect(action, &QAction::triggered, this, [this, path] { loader_.open(path); });
  }
  recentMenu_->setToolTipsVisible(true);
  if (recent_.paths().isEmpty()) recentMenu_->addAction(tr("No recent files"))->setEnabled(false);
  recentMenu_->addSeparator();
  QAction* raw = recentMenu_->addAction(tr("Raw voxels…"));
  raw->setObjectName(QStringLiteral("openRaw"));
  raw->setToolTip(tr("A file without a header and with a known layout"));
  connect(raw, &QAction::triggered, this, &DataPanel::openRaw);
}

void DataPanel::correct() {
  if (!model_.hasData()) return;
  const OpenData& open = model_.data();
  askFor(open.source.path, &open.info, [this](const QString& name) { loader_.correct(name); });
}

void DataPanel::openRaw() {
  chooseFiles(*this, tr("Open raw voxels"), tr("All files (*)"), QStringLiteral("openFolder"),
              [this](const QStringList& paths) {
                askFor(fromQt(paths.front()), nullptr, [this](const QString& name) { loader_.open(name); });
              });
}

void DataPanel::askFor(const std::string& name, const VolumeInfo* info,
                       const std::function<void(const QString&)>& use) {
  auto* dialog = new CorrectionDialog(name, info, io_, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this, [dialog, name, use] {
    if (dialog->name() != name) use(toQt(dialog->name()));
  });
  dialog->open();
}

FactLabel* DataPanel::addRow(const QString& label, const QString& text, const QString& tip) {
  auto* value = new FactLabel(text, this);
  value->setToolTip(Qt::mightBeRichText(tip) ? Qt::convertFromPlainText(tip) : tip);  // texts of files are no markup
  facts_->addRow(quietLabel(label, this), value);
  return value;
}

void DataPanel::makeEditable(FactLabel* row, const char* key, const QString& name, const QString& typed) {
  const std::string& path = model_.data().source.path;
  if (path.empty()) return;  // samples need no correction
  row->setObjectName(QStringLiteral("data") + name);
  row->setAccessibleName(name);
  row->setToolTip(row->toolTip() + (row->toolTip().isEmpty() ? QString() : QStringLiteral("\n")) +
                  tr("Double-click, or press Enter, to correct it"));
  row->setEditable(typed);
  connect(row, &FactLabel::editing, notice_, &Notice::clear);  // a message about an earlier entry
  connect(row, &FactLabel::entered, this, [this, key, path](const QString& text) {
    try {
      Selection selection = parseSelection(path);
      Correction correction = selection.correction;
      correctOne(correction, key, fromQt(text));
      selection.correct(correction);
      if (selection.name() != path) loader_.correct(toQt(selection.name()));
    } catch (const Error& error) {
      notice_->showMessage(Notice::Kind::Error, toQt(error.what()));
    }
  });
}

void DataPanel::showData() {
  while (facts_->rowCount() > 0) facts_->removeRow(0);
  range_ = mean_ = nullptr;
  const bool any = model_.hasData();
  name_->setVisible(any);
  showRange();
  notices_->setVisible(any && !model_.data().info.notices.empty());
  correct_->setVisible(any && !model_.data().source.path.empty());
  madeBy_ = any ? bankThatMade(model_.data().info.metadata) : std::nullopt;
  useFilters_->setVisible(madeBy_.has_value());
  if (!any) {
    histogram_->setVolume(nullptr);
    return;
  }
  const OpenData& open = model_.data();
  const VolumeShape& shape = open.volume->shape();
  const Geometry& geometry = open.volume->geometry();
  const int dimensions = shape.dimensions();
  const QString unit = geometry.unit.empty() ? QString() : QLatin1Char(' ') + unitText(geometry.unit);
  const QString title = dataTitle(open);
  name_->setWholeText(title, toQt(open.source.path));
  QString extents = QStringLiteral("%1 × %2").arg(shape.nx).arg(shape.ny);
  if (dimensions == 3) extents += QStringLiteral(" × %1").arg(shape.nz);
  addRow(tr("Size"), (dimensions == 2 ? tr("%1 pixels") : tr("%1 voxels")).arg(extents));
  QString type = toQt(toString(open.volume->type()));
  if (shape.components > 1) type = tr("%1, %2 components").arg(type).arg(shape.components);
  addRow(tr("Type"), tr("%1 · %2").arg(type, bytesText(open.volume->bytes())));
  constexpr int kShortDigits = 3, kAllDigits = 15;  // a line of the panel; its tooltip
  QString assumed;
  int count = 0;
  for (std::size_t a = 0; a < static_cast<std::size_t>(dimensions); ++a)
    if (geometry.steps[a] == StepSource::Assumed) {
      assumed += QStringLiteral(", ") + tr("%1 assumed").arg(QLatin1Char("xyz"[a]));
      ++count;
    }
  if (count == dimensions) assumed = QStringLiteral(", ") + tr("assumed");
  const auto typed = [&](const std::array<double, 3>& values) { return toQt(lengthsText(values, geometry.unit)); };
  makeEditable(addRow(tr("Spacing"), tripleText(geometry.spacing, dimensions, kShortDigits) + unit + assumed,
                      tripleText(geometry.spacing, dimensions, kAllDigits) + unit),
               "spacing", tr("Spacing"), typed(geometry.spacing));
  makeEditable(addRow(tr("Unit"), geometry.unit.empty() ? tr("none") : unitText(geometry.unit),
                      tr("The unit of the lengths in the file: mm, um, nm, \u2026")),
               "unit", tr("Unit"), toQt(geometry.unit));
  makeEditable(addRow(tr("Origin"), pointText(geometry.origin, dimensions) + unit, directionText(geometry)), "origin",
               tr("Origin"), typed(geometry.origin));
  showAxes(open);
  if (!open.info.metadata.valueUnit.empty()) addRow(tr("Values"), toQt(open.info.metadata.valueUnit));
  addRow(tr("Format"), breakable(toQt(open.info.format)));
  showMade();
  if (open.large) showLarge(*open.large);
  range_ = addRow(tr("Range"), tr("counting…"));
  range_->setObjectName(QStringLiteral("dataRange"));
  mean_ = addRow(tr("Mean"), tr("counting…"));
  QStringList notices;
  for (const std::string& notice : open.info.notices) notices << toQt(notice);
  notices_->setText(breakable(notices.join(QLatin1Char('\n'))));
  countValues();
}

// The axes of the slices in the file, and their directions.
void DataPanel::showAxes(const OpenData& open) {
  const Geometry& geometry = open.volume->geometry();
  const bool flat = open.volume->shape().dimensions() == 2;
  std::string axes = flat ? "yx" : "zyx";
  if (!open.source.path.empty())
    if (const Correction said = parseSelection(open.source.path).correction; !said.axes.empty()) axes = said.axes;
  QString text = toQt(axes),
          tip = tr("The axes of the slices, the slowest first, with all extents but one, as in t3zyx");
  if (!flat && geometry.unit == "mm" && open.info.metadata.inSpace) {
    const Orientation orientation = orientationOf(geometry);
    text += QStringLiteral(" · ") + orientation.letters;
    if (orientation.oblique) text += QStringLiteral(", ") + tr("oblique");
    tip += QLatin1Char('\n') + tr("Directions of x, y and z: L or R, P or A, S or I.\n%1").arg(directionText(geometry));
  } else if (!identityDirection(geometry)) {
    text += QStringLiteral(" · ") + tr("rotated or mirrored");
    tip += QLatin1Char('\n') + directionText(geometry);
  }
  makeEditable(addRow(tr("Axes"), text, tip), "axes", tr("Axes"), toQt(axes));
}

// The provenance in the file.
void DataPanel::showMade() {
  const std::string& text = model_.data().info.metadata.provenance;
  if (text.empty()) return;
  QStringList lines;
  try {
    for (const auto& [name, value] : linesOf(parseProvenance(text)))
      lines << toQt(name) + QStringLiteral(": ") + toQt(value);
  } catch (const Error& error) {
    lines << tr("the provenance in the file cannot be read: %1").arg(toQt(error.what()));
  }
  const QString first = lines.front().section(QStringLiteral(": "), -1);
  addRow(tr("Made by"), breakable(first), lines.join(QLatin1Char('\n')))->setObjectName(QStringLiteral("dataMade"));
}

void DataPanel::useFilters() {
  if (madeBy_) model_.editBank(*madeBy_, tr("Use the filters of %1").arg(dataTitle(model_.data())));
}

void DataPanel::showLarge(const reach::LargeVolume& large) {
  const reach::Overview& overview = large.overview();
  const QString means = overviewText(overview);
  const QString how = !large.holdsPlanes() ? tr("There are no exact slices: %1.").arg(toQt(large.whyNoPlanes()))
                      : large.axis() == 2 && !large.readsPlanes()
                          ? tr("The file is compressed: X unpacks it for exact slices.")
                      : large.axis() == 2 ? tr("Slices across z are read from the file when they are shown.")
                                          : tr("An image has no slices to read one by one.");
  addRow(tr("Overview"), tr("%1 · %2").arg(means, bytesText(overview.means->bytes())),
         tr("The data are larger than the memory for data. %1").arg(how))
      ->setObjectName(QStringLiteral("dataOverview"));
}

void DataPanel::showStatistics(const VolumeStatistics& found, std::int64_t elements) {
  if (!range_) return;
  if (found.nonFinite == elements) {
    range_->setText(tr("no value is finite"));
    mean_->setText(tr("none"));
    return;
  }
  QString text = formatRange(found.minimum, found.maximum);
  if (found.nonFinite > 0) text += QLatin1Char('\n') + tr("%1 not finite").arg(found.nonFinite);
  range_->setText(text);
  mean_->setText(formatNumber(found.mean));
}

void DataPanel::countValues() {
  if (const auto& large = model_.data().large) {
    const reach::Overview& overview = large->overview();
    counting_.cancel();
    histogram_->setNote(overviewText(overview));
    histogram_->setVolume(overview.means, overview.means->shape().components > 1 ? -1 : 0);
    if (overview.level > 0) {
      for (QLabel* each : {range_, mean_}) each->setText(tr("known once all voxels are read"));
      return;
    }
    showStatistics(overview.statistics, large->volume().shape().elements());
    return;
  }
  histogram_->setNote({});
  const std::shared_ptr<const Volume> volume = model_.data().volume;
  histogram_->setVolume(volume, volume->shape().components > 1 ? -1 : 0);
  counting_.start([this, volume](const Control& control) -> BackgroundTask::Finish {
    const VolumeStatistics found = statistics(*volume, control);
    return [this, elements = volume->shape().elements(), found] { showStatistics(found, elements); };
  });
}

}  // namespace sscope

#include "moc_data_panel.cpp"
