#include "ui/model/frame_loader.h"

#include <algorithm>
#include <utility>

#include "core/base/words.h"
#include "core/volume/selection.h"
#include "ui/base/text.h"

namespace sscope {

namespace {

void take(OpenData& data, LoadedVolume loaded) {
  data.info = std::move(loaded.info);
  data.volume = std::make_shared<const Volume>(std::move(loaded.volume));
}

std::int64_t bytesOfAll(const OpenData& data) {
  return data.volume->bytes() / data.info.metadata.frames * data.info.fileFrames;
}

// Data with every frame; shares their memory, which stays unchanged.
std::shared_ptr<const LoadedVolume> allOf(const OpenData& data) {
  auto all = std::make_shared<LoadedVolume>();
  all->info = data.info;
  all->volume = Volume(data.volume->shape(), data.volume->type(), data.volume->geometry(),
                       std::shared_ptr<std::byte>(data.volume, const_cast<std::byte*>(data.volume->data())));
  return all;
}

}  // namespace

OpenData firstFrame(OpenData data, const Control& control) {
  if (data.info.metadata.frames < 2 || data.frame) return data;
  const std::shared_ptr<const LoadedVolume> all = allOf(data);
  if (data.volume->bytes() <= kMostKeptBytes) data.allFrames = all;
  take(data, frameOf(*all, 0, control));
  data.source.path = withFrame(data.source.path, 0);
  data.frame = 0;
  return data;
}

FrameLoader::FrameLoader(const Toolbox& toolbox, SessionModel& model, DataLoader& loader, QObject* parent)
    : QObject(parent),
      toolbox_(toolbox),
      model_(model),
      loader_(loader),
      bridge_([this](const FrameNews& news) { receive(news); }),
      report_(bridge_.entrance()),
      worker_([this](const Request& request, const Worker::Turn& turn) { execute(request, turn); },
              // A frame in memory is quick: a moving slider shows it, too.
              [](const Request& running, const Request& /*next*/) { return running.from.allFrames != nullptr; }) {
  connect(&loader, &DataLoader::started, this, &FrameLoader::cancel);
  connect(&model, &SessionModel::dataChanged, this, [this] {
    if (busy_ && model_.data().series != series_) forget();  // other data
    Q_EMIT changed();
  });
}

std::optional<std::int64_t> FrameLoader::wanted() const {
  if (busy_) return wanted_;
  return model_.hasData() ? model_.data().frame : std::nullopt;
}

void FrameLoader::show(std::optional<std::int64_t> frame) {
  if (!model_.hasData() || model_.data().frames() < 2 || frame == wanted()) return;
  if (frame && (*frame < 0 || *frame >= model_.data().frames())) return;
  wanted_ = frame;
  series_ = model_.data().series;
  busy_ = true;
  request_ = worker_.submit({model_.data(), frame, loader_.newIdentity()});
  Q_EMIT changed();
}

void FrameLoader::step(int by) {
  if (!model_.hasData() || model_.data().frames() < 2) return;
  show(std::clamp<std::int64_t>(wanted().value_or(0) + by, 0, model_.data().frames() - 1));
}

void FrameLoader::cancel() {
  if (!busy_) return;
  forget();
  Q_EMIT changed();
}

void FrameLoader::forget() {
  worker_.cancel();
  firstWanted_ = request_ + 1;
  busy_ = false;
}

void FrameLoader::execute(const Request& request, const Worker::Turn& turn) {
  try {
    report_({turn.number, load(request, {turn.stop, {}})});
  } catch (const Canceled&) {
    // A newer request replaced this one, or cancel() was called.
  } catch (const std::exception& error) {
    report_({turn.number, FailedNews{wordsOf(error)}});
  }
}

OpenData FrameLoader::load(const Request& request, const Control& control) const {
  OpenData data = request.from;
  data.identity = request.identity;
  const std::string all = withFrame(data.source.path, std::nullopt);
  if (!data.allFrames && !data.frame) {
    data.allFrames = allOf(data);
  } else if (!data.allFrames && (!request.frame || bytesOfAll(data) <= kMostKeptBytes)) {
    data.allFrames = std::make_shared<const LoadedVolume>(toolbox_.io->read(all, control));
  }
  const bool kept = bytesOfAll(data) <= kMostKeptBytes;
  data.source.path = withFrame(all, request.frame);
  data.frame = request.frame;
  if (!request.frame) {
    data.info = data.allFrames->info;
    data.volume = std::shared_ptr<const Volume>(data.allFrames, &data.allFrames->volume);
  } else if (data.allFrames) {
    take(data, frameOf(*data.allFrames, *request.frame, control));
  } else {
    take(data, toolbox_.io->read(data.source.path, control));
  }
  if (!kept) data.allFrames.reset();
  return data;
}

void FrameLoader::receive(const FrameNews& news) {
  if (news.request < firstWanted_) return;
  if (const auto* data = news.as<OpenData>()) accept(news.request, *data);
  const auto* failure = news.as<FailedNews>();
  if (failure == nullptr || news.request != request_) return;
  busy_ = false;
  Q_EMIT changed();
  Q_EMIT failed(toQt(failure->message));
}

void FrameLoader::accept(std::uint64_t number, const OpenData& data) {
  ViewState view = model_.view();
  if (view.component >= data.volume->shape().components) view.component = 0;
  if (number == request_) busy_ = false;
  model_.setData(data, std::move(view));
}

}  // namespace sscope

#include "moc_frame_loader.cpp"
