#include "ui/rooms/filter/large_link.h"

#include <utility>

#include "core/base/error.h"
#include "core/base/words.h"
#include "ui/base/text.h"

namespace sscope {

LargeLink::LargeLink(SessionModel& model, VolumeViews& views, QObject* parent)
    : QObject(parent),
      model_(model),
      views_(views),
      bridge_([this](const PlaneNews& news) { receive(news); }),
      worker_([deliver = bridge_.entrance()](const Wish& wish, const NewestWins<Wish>::Turn& turn) {
        deliver(read(wish, turn));
      }) {
  connect(&model, &SessionModel::dataChanged, this, &LargeLink::follow);
  connect(&model, &SessionModel::crosshairChanged, this, &LargeLink::follow);
}

void LargeLink::follow() {
  const auto& large = model_.data().large;
  if (!large) {
    worker_.cancel();
    newest_ = 0;
    return;
  }
  // The rows of an image are no slices of it.
  if (!large->readsPlanes() || large->axis() != 2) return;
  const std::int64_t at = model_.crosshair()[2];
  newest_ = worker_.submit({large, at});
}

// What is being read is finished though a newer wish waits: who goes through the slices without a pause sees some.
LargeLink::PlaneNews LargeLink::read(const Wish& wish, const NewestWins<Wish>::Turn& turn) {
  try {
    return {turn.number,
            Plane{std::make_shared<const Volume>(wish.of->plane(wish.at, {turn.canceled, {}})), wish.of, wish.at}};
  } catch (const Canceled&) {
    return {turn.number, CanceledNews{}};
  } catch (const std::exception& error) {
    return {turn.number, FailedNews{wordsOf(error)}};
  }
}

void LargeLink::receive(const PlaneNews& news) {
  if (const auto* plane = news.as<Plane>()) {
    if (plane->of.lock() == model_.data().large && model_.data().large)
      views_.setSourceSlice(model_.data().large->axis(), plane->at, plane->slice);
  } else if (const auto* failure = news.as<FailedNews>(); failure && news.request == newest_) {
    Q_EMIT failed(toQt(failure->message));
  }
}

}  // namespace sscope

#include "moc_large_link.cpp"
