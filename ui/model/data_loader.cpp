#include "ui/model/data_loader.h"

#include <QFileInfo>
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/memory.h"
#include "core/base/paths.h"
#include "core/filter/families/bank_file.h"
#include "core/filter/job/memory_need.h"
#include "core/volume/foreign_files.h"
#include "core/volume/not_finite.h"
#include "core/volume/selection.h"
#include "ui/base/text.h"
#include "ui/model/frame_loader.h"
#include "ui/model/slice_paths.h"

namespace sscope {

namespace {

// Sessions and banks are small; a larger .json is the header of a raw file at most and not read here.
constexpr std::uintmax_t kLargestDocument = 64U << 20;

// The "schema" of a JSON document, "" for anything else.
std::string schemaOf(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code code;
  if (!path.ends_with(".json") || !fs::is_regular_file(path, code) || fs::file_size(path, code) > kLargestDocument)
    return {};
  const auto document = nlohmann::json::parse(readTextFile(path), nullptr, false);
  if (!document.is_object() || !document.contains("schema") || !document.at("schema").is_string()) return {};
  return document.at("schema").get<std::string>();
}

bool sameFile(const QString& a, const QString& b) {
  std::error_code code;
  return a == b || std::filesystem::equivalent(fromQt(a), fromQt(b), code);
}

// What is at another place now is opened at the point in time that the session names.
std::string atSameTime(const std::string& path, const std::string& before) {
  const Selection now = parseSelection(path), then = parseSelection(before);
  return now.frame || !then.frame ? path : withFrame(path, then.frame);
}

}  // namespace

DataLoader::DataLoader(const Toolbox& toolbox, SessionModel& model, QObject* parent)
    : QObject(parent), toolbox_(toolbox), model_(model) {
  connect(&task_, &BackgroundTask::progressed, this, &DataLoader::progressed);
  connect(&task_, &BackgroundTask::failed, this, [this](const QString& message) {
    stopFollowing();
    Q_EMIT failed(message);
  });
  connect(&task_, &BackgroundTask::canceled, this, [this] {
    stopFollowing();
    Q_EMIT canceled();
  });
  connect(&model_, &SessionModel::dataWanted, this, &DataLoader::follow);
}

void DataLoader::open(const QString& path) {
  const std::string name = fromQt(path);
  const std::uint64_t identity = ++identities_;
  if (beingWritten(path)) {
    task_.cancel();
    waiting_.reset();
    held_ = path;
    return;
  }
  begin(QFileInfo(path).fileName(), path,
        [this, name, path, bank = model_.bank(), identity](const Control& control) -> BackgroundTask::Finish {
          auto found = std::make_shared<Found>(find(name, bank, identity, control));
          return [this, found, path] { offer(std::move(*found), path); };
        });
}

void DataLoader::begin(const QString& what, const QString& path, BackgroundTask::Work work) {
  stopFollowing();
  waiting_.reset();
  held_.clear();
  reading_ = path;
  task_.start(std::move(work));
  Q_EMIT started(what);
}

bool DataLoader::beingWritten(const QString& path) const {
  return std::ranges::any_of(writing_, [&](const QString& each) { return sameFile(each, path); });
}

void DataLoader::beginWriting(const QString& path) { writing_ << path; }

void DataLoader::endWriting(const QString& path) {
  writing_.removeOne(path);
  const QString again = !held_.isEmpty()                    ? held_
                        : waiting_ && !waiting_->first.kept ? waiting_->second
                        : task_.busy()                      ? reading_
                                                            : QString();
  if (!again.isEmpty() && sameFile(again, path)) open(again);
}

void DataLoader::open(const QStringList& paths) {
  try {
    open(nameOf(paths));
  } catch (const Error& error) {
    Q_EMIT failed(toQt(error.what()));
  }
}

void DataLoader::openSample(const std::string& name, std::int64_t size, std::uint64_t seed) {
  DataSource source;
  source.sample = name;
  source.size = size;
  source.seed = seed;
  const std::uint64_t identity = ++identities_;
  begin(toQt(name), {}, [this, source, identity](const Control& control) -> BackgroundTask::Finish {
    auto found = std::make_shared<Found>();
    found->data = load(source, {}, identity, control);
    return [this, found] { accept(std::move(*found), {}); };
  });
}

void DataLoader::locate(const QString& path) {
  const std::uint64_t identity = ++identities_;
  begin(QFileInfo(path).fileName(), {},
        [this, name = fromQt(path), before = model_.session().data.path, bank = model_.bank(),
         identity](const Control& control) -> BackgroundTask::Finish {
          auto found = std::make_shared<Found>();
          DataSource source;
          source.path = atSameTime(name, before);
          found->data = load(source, bank, identity, control);
          found->located = true;
          return [this, found] { accept(std::move(*found), {}); };
        });
}

void DataLoader::convert(const QString& path, const QString& target) {
  const std::uint64_t identity = ++identities_;
  begin(QFileInfo(path).fileName(), target,
        [this, path, target, bank = model_.bank(), identity](const Control& control) -> BackgroundTask::Finish {
          toolbox_.io->foreignFiles()->convertTo(fromQt(path), fromQt(target), control.part(0, 0.9));
          auto found = std::make_shared<Found>(find(fromQt(target), bank, identity, control.part(0.9, 1)));
          return [this, found, target] { offer(std::move(*found), target); };
        });
}

void DataLoader::correct(const QString& path) {
  const std::uint64_t identity = ++identities_;
  begin(QFileInfo(path).fileName(), {},
        [this, name = fromQt(path), bank = model_.bank(), identity](const Control& control) -> BackgroundTask::Finish {
          auto found = std::make_shared<Found>();
          DataSource source;
          source.path = name;
          found->data = firstFrame(load(source, bank, identity, control), control);
          found->corrected = true;
          return [this, found] { accept(std::move(*found), {}); };
        });
}

void DataLoader::follow() {
  if (returning_) return;
  const DataSource source = model_.session().data;
  if (source == model_.data().source) {
    if (std::exchange(following_, false)) task_.cancel();
    return;
  }
  following_ = false;  // what is wanted by now is this
  const std::uint64_t identity = ++identities_;
  begin(QFileInfo(toQt(source.path)).fileName(), {},
        [this, source, bank = model_.bank(), identity](const Control& control) -> BackgroundTask::Finish {
          auto found = std::make_shared<Found>();
          found->data = load(source, bank, identity, control);
          found->followed = true;
          return [this, found] { accept(std::move(*found), {}); };
        });
  following_ = true;
}

void DataLoader::stopFollowing() {
  if (!std::exchange(following_, false)) return;
  returning_ = true;
  model_.keepData();
  returning_ = false;
}

void DataLoader::restore(const KeptSession& kept) {
  const std::uint64_t identity = ++identities_;
  begin(tr("the kept session"), {}, [this, kept, identity](const Control& control) -> BackgroundTask::Finish {
    auto found = std::make_shared<Found>();
    found->session = kept.session;
    found->changed = kept.changed;
    found->kept = true;
    loadOf(*found, identity, control);
    return [this, found, path = toQt(kept.file)] { offer(std::move(*found), path); };
  });
}

void DataLoader::cancel() {
  if (waiting_ || !held_.isEmpty()) {
    waiting_.reset();
    held_.clear();
    Q_EMIT canceled();
  } else {
    task_.cancel();
  }
}

DataLoader::Found DataLoader::find(const std::string& path, const FilterBank& bank, std::uint64_t identity,
                                   const Control& control) const {
  Found found;
  const std::string schema = schemaOf(path);
  const ForeignFiles* const foreign = toolbox_.io->foreignFiles();
  if (schema.starts_with("stencilscope.session/")) {
    found.session = readSession(path);
    loadOf(found, identity, control);
  } else if (schema.starts_with("stencilscope.bank/")) {
    found.bank = readBankFile(path);
  } else if (schema.starts_with("stencilscope.scaling/")) {
    throw makeError(ErrorKind::Unsupported, tr("%1 is a scaling report").arg(toQt(path)),
                    tr("open the page that sscope-mpi bench writes with --report"));
  } else if (toolbox_.isConfiguration && toolbox_.isConfiguration(path)) {
    found.configuration = true;
  } else if (foreign != nullptr && !foreign->converter().empty() &&
             !(found.foreign = toQt(foreign->makersFormat(path))).isEmpty()) {
    return found;
  } else if (watched_ && !(found.parts = toolbox_.io->parts(path, control)).empty()) {
    return found;
  } else {
    DataSource source;
    source.path = path;
    found.data = firstFrame(load(source, bank, identity, control), control);
  }
  return found;
}

// The data of a session. Where they cannot be read the rest of it is not lost.
void DataLoader::loadOf(Found& found, std::uint64_t identity, const Control& control) const {
  const DataSource& source = found.session->data;
  if (source.empty()) return;
  try {
    found.data = load(source, found.session->bank, identity, control);
  } catch (const Canceled&) {
    throw;
  } catch (const Error& error) {
    found.data.emplace().source = source;
    found.missing = toQt(error.what());
  }
}

bool DataLoader::loadLarge(OpenData& data, const FilterBank& bank, const Control& control, bool pyramid) const {
  const std::int64_t memory = allowedMemory(toolbox_.memory);
  std::string& path = data.source.path;
  std::optional<LargeFile> file = largerThan(memory, *toolbox_.io, path, bank, control);
  // The points in time of a file are seen one by one.
  const int frames = file ? file->input.info.fileFrames : 1;
  const bool first = frames > 1 && !parseSelection(path).frame;
  if (first) {
    path = withFrame(path, 0);
    file = largerThan(memory, *toolbox_.io, path, bank, control);
  }
  if (!file) return false;
  if (!file->input.source) {
    const VolumeInfo& info = file->input.info;
    const VolumeOutline outline{info.shape, info.type, info.geometry};
    if (toolbox_.memory <= 0 && fitsInMemory(outline.bytes())) return false;
    throw tooLarge(path, file->bytes, memory, file->input.whyNot);
  }
  std::optional<reach::Overview> level;
  if (pyramid && watched_)
    level =
        reach::levelOverview(*toolbox_.io, path, file->input.info, reach::LargeVolume::overviewBytes(memory), control);
  std::unique_ptr<VolumeSource>& source = file->input.source;
  data.large = level ? std::make_shared<reach::LargeVolume>(std::move(*level), std::move(source), memory)
                     : std::make_shared<reach::LargeVolume>(std::move(source), memory, control);
  data.volume = std::shared_ptr<const Volume>(data.large, &data.large->volume());
  data.info = data.large->info();
  noteNonFinite(data.info, data.large->overview().statistics.nonFinite);
  if (first)
    data.info.notices.push_back(fromQt(tr("The first of %1 points in time; another one opens by its number, as in %2")
                                           .arg(frames)
                                           .arg(QFileInfo(toQt(withFrame(path, 1))).fileName())));
  return true;
}

void DataLoader::loadFile(OpenData& data, const FilterBank& bank, const Control& control, bool pyramid) const {
  if (loadLarge(data, bank, control, pyramid)) return;
  LoadedVolume loaded = toolbox_.io->read(data.source.path, control);
  data.info = std::move(loaded.info);
  data.volume = std::make_shared<const Volume>(std::move(loaded.volume));
  if (data.info.fileFrames > 1) {
    data.series = data.identity;
    data.frame = parseSelection(data.source.path).frame;
  }
}

OpenData DataLoader::load(const DataSource& source, const FilterBank& bank, std::uint64_t identity,
                          const Control& control, bool pyramid) const {
  OpenData data;
  data.source = source;
  data.identity = identity;
  if (!source.path.empty()) {
    loadFile(data, bank, control, pyramid);
    return data;
  }
  for (const SampleOffer& offer : toolbox_.samples) {
    if (offer.name != source.sample) continue;
    auto volume = std::make_shared<const Volume>(offer.make(source.size, source.seed, control));
    data.info.shape = volume->shape();
    data.info.type = volume->type();
    data.info.geometry = volume->geometry();
    data.info.format = fromQt(tr("built-in sample"));
    data.volume = std::move(volume);
    return data;
  }
  throw makeError(ErrorKind::NotFound, tr("there is no sample %1").arg(toQt(source.sample)),
                  tr("choose one from the Samples menu"));
}

// Asked only now: changes may have been made while the file was read.
void DataLoader::offer(Found found, const QString& path) {
  if (!found.kept && beingWritten(path)) {
    held_ = path;
    return;
  }
  if (!found.session || !model_.dirty()) {
    accept(std::move(found), path);
    return;
  }
  waiting_.emplace(std::move(found), path);
  Q_EMIT wouldReplace();
}

void DataLoader::replace() {
  if (!waiting_) return;
  auto [found, path] = std::move(*waiting_);
  waiting_.reset();
  accept(std::move(found), path);
}

void DataLoader::take(std::shared_ptr<const Volume> volume, VolumeInfo info, const std::string& name) {
  task_.cancel();
  stopFollowing();
  held_.clear();
  OpenData data;
  data.volume = std::move(volume);
  data.info = std::move(info);
  data.name = name;
  data.identity = ++identities_;
  model_.setData(std::move(data));
  Q_EMIT loaded();
}

void DataLoader::accept(Found found, const QString& path) {
  if (found.configuration) {
    Q_EMIT configurationFound(path);
    return;
  }
  if (!found.foreign.isEmpty()) {
    Q_EMIT foreignFound(path, found.foreign);
    return;
  }
  if (!found.parts.empty()) {
    Q_EMIT partsFound(path, found.parts);
    return;
  }
  if (found.corrected) {
    model_.correctData(std::move(*found.data));
    Q_EMIT loaded();
    readAll();
    return;
  }
  if (found.completed) {
    model_.setData(std::move(*found.data), model_.view());
    Q_EMIT completed();
    return;
  }
  following_ = false;
  std::optional<ViewState> view;
  if (found.session) {
    view = found.session->view;
    model_.replaceSession(std::move(*found.session));
    view->shownFilter = model_.view().shownFilter;  // the one that the list has selected
  } else if (found.located || found.followed) {
    view = model_.view();
  }
  const bool session = found.session.has_value();
  const QString missing = found.missing.isEmpty() ? QString() : toQt(found.data->source.path);
  if (found.data) model_.setData(std::move(*found.data), view);
  if (found.bank) model_.editBank(std::move(*found.bank), tr("Open filter bank"));
  if (session) model_.setSaved(path);
  // What is open is not what the file says, though nothing was edited.
  if (found.changed || found.located) model_.undoStack().resetClean();
  if (!path.isEmpty()) Q_EMIT opened(path);
  Q_EMIT loaded();
  if (session) Q_EMIT sessionOpened();
  if (found.kept) Q_EMIT sessionRestored();
  if (!found.missing.isEmpty()) Q_EMIT dataMissing(missing, found.missing);
  readAll();
}

// The overview of a level stands until it is replaced by that of all voxels.
void DataLoader::readAll() {
  const OpenData& data = model_.data();
  if (busy() || !data.large || data.large->overview().level == 0) return;
  const std::uint64_t identity = ++identities_;
  begin(tr("%1, all voxels").arg(dataTitle(data)), {},
        [this, source = data.source, bank = model_.bank(), identity](const Control& control) -> BackgroundTask::Finish {
          auto found = std::make_shared<Found>();
          found->data = load(source, bank, identity, control, false);
          found->completed = true;
          return [this, found] { accept(std::move(*found), {}); };
        });
}

}  // namespace sscope

#include "moc_data_loader.cpp"
