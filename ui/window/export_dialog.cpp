#include "ui/window/export_dialog.h"

#include <QComboBox>
#include <QDir>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSettings>
#include <QSignalBlocker>
#include <QStandardPaths>
#include <QVBoxLayout>

#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/filter/job/filter_file.h"
#include "core/filter/job/filter_provenance.h"
#include "core/filter/job/memory_need.h"
#include "core/job/output_files.h"
#include "core/session/data_paths.h"
#include "core/volume/fingerprint.h"
#include "core/volume/volume_stream.h"
#include "ui/base/icons.h"
#include "ui/base/look.h"
#include "ui/base/notice.h"
#include "ui/base/open_files.h"
#include "ui/base/text.h"
#include "ui/controls/labels.h"
#include "ui/model/export_offer.h"
#include "ui/model/saving.h"

namespace sscope {

namespace {

const QString kFolderKey = QStringLiteral("exportFolder");

QString dataName(const SessionModel& model) {
  const QString title = dataTitle(model.data());
  return model.data().source.path.empty() ? QString(title).replace(u' ', u'-') : title.section(QLatin1Char('.'), 0, 0);
}

}  // namespace

ExportDialog::ExportDialog(const Toolbox& toolbox, SessionModel& model, LiveController& live, WriteGuard& guard,
                           QWidget* parent)
    : QDialog(parent), toolbox_(toolbox), model_(model), live_(live), guard_(guard) {
  setWindowTitle(tr("Export"));
  what_ = named(new QComboBox(this), "exportWhat", tr("What to export"));
  path_ = named(new QLineEdit(this), "exportPath", tr("File to write"));
  path_->setMinimumWidth(em(this, 26));
  browse_ = new QPushButton(icon("open"), tr("&Browse…"), this);
  hint_ = quietLabel({}, this);
  hint_->setWordWrap(true);
  loss_ = named(new QLabel(this), "exportLoss", tr("What this format cannot store"));
  loss_->setWordWrap(true);
  embolden(loss_);
  notice_ = named(new Notice(tr("Message about the export"), this, Notice::Place::InLayout), "exportNotice");
  progress_ = new QProgressBar(this);
  progress_->setAccessibleName(tr("Progress of the export"));
  export_ = named(new QPushButton(icon("export"), tr("&Export"), this), "exportStart");
  export_->setDefault(true);
  cancel_ = named(new QPushButton(tr("&Close"), this), "exportCancel");

  auto* form = new QFormLayout;
  auto* fileRow = new QHBoxLayout;
  fileRow->addWidget(path_, 1);
  fileRow->addWidget(browse_);
  form->addRow(tr("&What"), what_);
  form->addRow(tr("&File"), fileRow);
  qobject_cast<QLabel*>(form->labelForField(fileRow))->setBuddy(path_);
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(progress_, 1);
  buttons->addStretch(0);
  buttons->addWidget(cancel_);
  buttons->addWidget(export_);
  auto* column = new QVBoxLayout(this);
  column->addLayout(form);
  column->addLayout(buttons);
  // At the bottom, so that nothing moves when they change.
  for (QWidget* each : std::initializer_list<QWidget*>{hint_, loss_, notice_}) column->addWidget(each);
  column->addStretch(1);

  connect(what_, &QComboBox::currentIndexChanged, this, [this] {
    notice_->clear();
    suggest();
  });
  connect(path_, &QLineEdit::textEdited, this, [this] {
    notice_->clear();
    refresh();
  });
  connect(browse_, &QPushButton::clicked, this, &ExportDialog::browse);
  connect(export_, &QPushButton::clicked, this, &ExportDialog::start);
  connect(cancel_, &QPushButton::clicked, this, [this] { task_.busy() ? stop() : static_cast<void>(close()); });
  connect(&live_, &LiveController::wholeReady, this, &ExportDialog::refresh);
  connect(&live_, &LiveController::started, this, &ExportDialog::refresh);
  connect(&model_, &SessionModel::bankChanged, this,
          &ExportDialog::refresh);  // which changes whether there is a result
  connect(&model_, &SessionModel::dataChanged, this, [this] {
    notice_->clear();
    suggest();
  });
  connect(&task_, &BackgroundTask::progressed, this, [this](double fraction, const QString& stage) {
    if (cancel_->isEnabled()) showProgress(progress_, fraction, stage);  // else it is being stopped
  });
  connect(&task_, &BackgroundTask::finished, this, [this] {
    setBusy(false);
    notify(Notice::Kind::Hint, tr("Wrote %1").arg(files_.join(QStringLiteral(", "))));
    QSettings().setValue(kFolderKey, QFileInfo(files_.value(0)).absolutePath());
    Q_EMIT exported(files_);
  });
  connect(&task_, &BackgroundTask::failed, this, &ExportDialog::fail);
  connect(&task_, &BackgroundTask::canceled, this, [this] {
    setBusy(false);
    notify(Notice::Kind::Hint, tr("The export was canceled. No incomplete file was left."));
  });
  setBusy(false);
}

void ExportDialog::setOffers(std::vector<ExportOffer> offers, bool volumes, const QString& stem) {
  const QString before = what_->currentText();
  offers_ = std::move(offers);
  volumes_ = volumes;
  stem_ = stem;
  {
    const QSignalBlocker block(what_);
    what_->clear();
    if (volumes_) what_->addItem(tr("Filtered volume"));
    for (const ExportOffer& offer : offers_) what_->addItem(offer.title);
    what_->setCurrentIndex(std::max(0, what_->findText(before)));
  }
  if (what_->currentText() != before) suggest();
  refresh();
}

void ExportDialog::showEvent(QShowEvent* event) {
  QDialog::showEvent(event);
  makeRoom();
}

void ExportDialog::reject() { task_.busy() ? stop() : QDialog::reject(); }

// The task reports whether it was canceled or had already finished.
void ExportDialog::stop() {
  cancel_->setEnabled(false);
  progress_->setRange(0, 0);
  task_.stop();
}

void ExportDialog::choose(const QString& suffix) {
  // Not in showEvent(), which Qt 6.8 also calls for a visible dialog.
  if (!isVisible() && !task_.busy()) notice_->clear();
  const auto found = std::ranges::find(offers_, suffix, &ExportOffer::suffix);
  const auto place = suffix.isEmpty() || found == offers_.end() ? 0 : found - offers_.begin() + (volumes_ ? 1 : 0);
  what_->setCurrentIndex(static_cast<int>(place));
}

bool ExportDialog::volumesChosen() const { return volumes_ && what_->currentIndex() == 0; }

const ExportOffer* ExportDialog::chosenOffer() const {
  const int index = what_->currentIndex() - (volumes_ ? 1 : 0);
  return index >= 0 && index < static_cast<int>(offers_.size()) ? &offers_[static_cast<std::size_t>(index)] : nullptr;
}

void ExportDialog::setPath(const QString& path) {
  path_->setText(path);
  refresh();
}

// The folder of the last export, or else the user's folder for such files. Not the folder of the data, which may be an
// archive.
QDir ExportDialog::folder() const {
  const bool picture = !volumesChosen() && chosenOffer() != nullptr && !chosenOffer()->volume;
  const auto usual = picture ? QStandardPaths::PicturesLocation : QStandardPaths::DocumentsLocation;
  for (const QString& path : {QSettings().value(kFolderKey).toString(), QStandardPaths::writableLocation(usual)})
    if (!path.isEmpty() && QFileInfo(path).isDir() && QFileInfo(path).isWritable()) return QDir(path);
  return QDir::home();
}

void ExportDialog::suggest() {
  const QString stem = !stem_.isEmpty() ? stem_ : model_.hasData() ? dataName(model_) : QStringLiteral("stencilscope");
  QString name;
  if (volumesChosen()) {
    name = model_.bank().results().size() > 1 ? stem + QStringLiteral("-{}.nrrd")
                                              : stem + QStringLiteral("-filtered.nrrd");
  } else if (const ExportOffer* offer = chosenOffer()) {
    name = stem + offer->suffix;
  }
  setPath(folder().filePath(name));
}

QString ExportDialog::suffixes(const VolumeShape& shape, ElementType type) const {
  QStringList list;
  const auto fits = [&](const std::string& extension) {
    if (shape.voxels() == 0) return true;
    try {
      toolbox_.io->checkWritable("volume" + extension, shape, type);
    } catch (const Error&) {
      return false;
    }
    return true;
  };
  for (const FileFormat& format : toolbox_.io->formats())
    if (format.write)
      for (const std::string& extension : format.extensions)
        if (fits(extension)) list << toQt(extension);
  return list.join(QLatin1Char(' '));
}

std::shared_ptr<const ResidentFilterResult> ExportDialog::keptResult() const {
  return keptOutputs(live_.result(), model_.bank());
}

std::vector<std::string> ExportDialog::resultNames() const {
  return model_.bank().resultNames();
}

QString ExportDialog::largeHint() const {
  const VolumeInfo& info = model_.data().info;
  QStringList formats;
  for (const FileFormat& format : toolbox_.io->formats())
    for (const std::string& extension : format.extensions)
      if (format.write && toolbox_.io->writesSlabs("volume" + extension)) formats << toQt(extension);
  const auto results = static_cast<std::int64_t>(model_.bank().results().size());
  const std::int64_t bytes =
      info.shape.elements() * static_cast<std::int64_t>(bytesOf(model_.bank().outputType(info.type)));
  return tr("The data are larger than memory, so they are filtered from file to file in slabs. The results need %1 of "
            "disk space.")
             .arg(bytesText(results * bytes)) +
         QLatin1Char('\n') + tr("The extension chooses the format: %1").arg(formats.join(QLatin1Char(' ')));
}

QString ExportDialog::volumesHint() const {
  if (model_.bank().results().empty() && !model_.bank().enabled().empty())
    return tr("All filters are intermediate, so there is nothing to export. Make one of them a result.");
  if (live_.large()) return largeHint();
  const std::shared_ptr<const ResidentFilterResult> result = keptResult();
  // Rows that were left out have no result.
  const auto filters = static_cast<int>(result ? result->outputs.size() : model_.bank().results().size());
  const bool each = path_->text().contains(QLatin1String("{}"));
  VolumeShape shape{};
  ElementType type = ElementType::f32;
  if (result && !result->outputs.empty()) {
    const ArraySpec& spec = result->outputs.front()->spec();
    shape = {spec.extent[0], spec.extent[1], spec.extent[2], static_cast<int>(spec.extent[3])};
    type = spec.type;
    if (!each) shape.components *= filters;
  }
  QStringList hints{tr("The extension chooses the format: %1").arg(suffixes(shape, type))};
  if (filters > 1 && each) {
    QStringList names;
    for (const std::filesystem::path& file :
         outputFiles(fromQt(QFileInfo(path_->text()).fileName()), result ? result->names : std::vector<std::string>{}))
      names << toQt(file.string());
    hints << tr("One file for each of the %1 filters, with its name in place of {}: %2")
                 .arg(filters)
                 .arg(breakable(names.join(QStringLiteral(", "))));  // may be wider than the dialog
  } else if (filters > 1) {
    hints << tr("The results of the %1 filters become the components of one file. To get a file for each of them, "
                "write {} in place of its name: result-{}.nrrd")
                 .arg(filters);
  }
  if (!result) hints << tr("The whole result is not ready yet.");
  return hints.join(QLatin1Char('\n'));
}

QString ExportDialog::lossText() const {
  const ExportOffer* const offer = chosenOffer();
  const bool volumes = volumesChosen() && model_.hasData();
  if (!volumes && (offer == nullptr || !offer->volume)) return {};
  // Results have the geometry of their source.
  const Geometry& geometry = volumes ? model_.data().volume->geometry() : offer->geometry;
  const std::string path = fromQt(path_->text().trimmed());
  QStringList notes;
  try {
    toolbox_.io->checkGeometry(path, geometry);
    if (volumes) {
      const std::vector<std::string> names = resultNames();
      OutputPlan plan{outputFiles(path, names), false};
      plan.interleaved = plan.files.size() < names.size();
      for (const std::string& note : droppedNotes(*toolbox_.io, plan, geometry, model_.data().info.metadata))
        notes << toQt(note + ".");
    } else if (const std::string dropped = toolbox_.io->dropped(path, geometry, offer->metadata); !dropped.empty()) {
      notes << toQt(dropped + ".");
    }
  } catch (const Error& error) {
    return toQt(error.what());
  }
  return notes.join(QLatin1Char('\n'));
}

void ExportDialog::refresh() {
  QString hint;
  bool possible = !task_.busy() && !path_->text().trimmed().isEmpty() && (volumesChosen() || chosenOffer() != nullptr);
  if (volumesChosen()) {
    hint = volumesHint();
    possible = possible && (live_.large() ? !model_.bank().results().empty() : keptResult() != nullptr);
  }
  if (const ExportOffer* offer = chosenOffer(); offer && offer->volume)
    hint = tr("The extension chooses the format: %1").arg(suffixes(offer->shape, offer->type));
  hint_->setText(hint);
  const QString loss = lossText();
  loss_->setText(loss);
  loss_->setVisible(!loss.isEmpty());
  export_->setEnabled(possible);
  makeRoom();
}

void ExportDialog::notify(Notice::Kind kind, const QString& message) {
  notice_->showMessage(kind, message);
  makeRoom();
}

void ExportDialog::makeRoom() {
  if (!layout()) return;
  const int needed = layout()->totalHeightForWidth(width());
  if (needed > height()) resize(width(), needed);
}

void ExportDialog::browse() {
  showFileDialog(this, {.title = tr("Export to"), .start = path_->text(), .write = true},
                 [this](const QString& path) { setPath(path); });
}

void ExportDialog::start() {
  notice_->clear();
  // A name without a folder means the suggested folder, not the one in which the program was started.
  const std::string path = fromQt(folder().absoluteFilePath(path_->text().trimmed()));
  const std::shared_ptr<const ResidentFilterResult> result = volumesChosen() ? keptResult() : nullptr;
  const ExportOffer* chosen = chosenOffer();
  const bool large = volumesChosen() && live_.large();
  if (!result && !chosen && !large) return;
  std::vector<std::filesystem::path> files;
  if (chosen && !chosen->volume) {
    files = {path};
  } else {
    const auto volumes = result  ? outputFiles(path, result->names)
                         : large ? outputFiles(path, resultNames())
                                 : std::vector<std::filesystem::path>{path};
    for (const std::filesystem::path& volume : volumes)
      for (std::filesystem::path& file : toolbox_.io->filesWritten(volume)) files.push_back(std::move(file));
  }
  setBusy(true);
  const auto write = [this, result, large, path, offer = chosen ? std::optional(*chosen) : std::nullopt] {
    if (large)
      startLarge(path);
    else
      result ? startVolumes(result, path) : startOffer(*offer, path);
  };
  guard_.ask(this, files, {write, [this](const QString& reason) {
                             setBusy(false);
                             if (!reason.isEmpty()) fail(reason);
                           }});
}

void ExportDialog::fail(const QString& message) {
  setBusy(false);
  notify(Notice::Kind::Error, message);
  Q_EMIT failed(message);
}

namespace {

Provenance resultProvenance(const FilterBank& bank, const ResidentFilterResult& result, const OpenData& open,
                            const Control& control) {
  Provenance made = filterProvenance(bank, result.report.engine, dataOf(sourceOf(open), open.info));
  made.variant = result.report.variant;
  made.data->fingerprint = fingerprintOf(*open.volume, control);
  return made;
}

}  // namespace

void ExportDialog::startVolumes(const std::shared_ptr<const ResidentFilterResult>& result, const std::string& pattern) {
  files_.clear();
  task_.start([this, result, bank = model_.bank(), open = model_.data(),
               pattern](const Control& control) -> BackgroundTask::Finish {
    const GrowingProvenance made(resultProvenance(bank, *result, open, control));
    QStringList files;
    for (const std::filesystem::path& file :
         exportVolumes(*toolbox_.io, *result, open.info.metadata, made, pattern, control))
      files << toQt(file.string());
    return [this, files] { files_ = files; };
  });
}

void ExportDialog::startLarge(const std::string& pattern) {
  // The other half is for the overview and for the planes that are shown.
  const std::int64_t memory = allowedMemory(toolbox_.memory) / 2;
  const Session& session = model_.session();
  FilterJob job;
  job.bank = model_.bank();
  job.engine = session.engine;
  job.variant = session.variant;
  job.threads = session.threads;
  files_.clear();
  task_.start([this, pattern, memory, job, path = model_.data().source.path,
               opened = model_.data().info](const Control& control) -> BackgroundTask::Finish {
    const LargeExport request{*toolbox_.engines, *toolbox_.variants, *toolbox_.io, path, opened, job, memory, pattern};
    QStringList files;
    for (const std::filesystem::path& file : exportLarge(request, control)) files << toQt(file.string());
    return [this, files] { files_ = files; };
  });
}

void ExportDialog::startOffer(const ExportOffer& offer, const std::string& path) {
  files_ = {toQt(path)};
  repaint();  // preparing a picture may take a second
  ExportOffer::Writer write;
  try {
    write = offer.prepare();
  } catch (const Error& error) {
    fail(toQt(error.what()));
    return;
  }
  task_.start([write, path, volume = offer.volume](const Control& control) -> BackgroundTask::Finish {
    if (volume) {
      checkTarget(path);
      write(path, control);
    } else {
      writeAtomically(path, [&](const std::filesystem::path& part) {
        write(part, control);
        control.check();
      });
    }
    return {};
  });
}

void ExportDialog::setBusy(bool busy) {
  progress_->setVisible(busy);
  progress_->setRange(0, 0);
  cancel_->setText(busy ? tr("&Cancel") : tr("&Close"));
  cancel_->setEnabled(true);
  refresh();
  if (busy) export_->setEnabled(false);
}

}  // namespace sscope

#include "moc_export_dialog.cpp"
