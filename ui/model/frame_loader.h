#pragma once
// The points in time of the open file, one after the other, beside the window. The newest wish wins; filters, view and
// undo stay as they are.

#include <QObject>
#include <cstdint>
#include <functional>
#include <optional>

#include "core/live/newest_wins.h"
#include "core/live/news.h"
#include "ui/base/event_bridge.h"
#include "ui/model/data_loader.h"
#include "ui/model/session_model.h"
#include "ui/toolbox.h"

namespace sscope {

// Files whose frames take more bytes than this are read anew for each.
inline constexpr std::int64_t kMostKeptBytes = std::int64_t{1} << 30;

// Of data that hold every frame of their file: the first, with all of them at hand unless they are too large. Other
// data as they are. Throws as frameOf() does.
[[nodiscard]] OpenData firstFrame(OpenData data, const Control& control);

class FrameLoader : public QObject {
  Q_OBJECT
 public:
  FrameLoader(const Toolbox& toolbox, SessionModel& model, DataLoader& loader, QObject* parent = nullptr);

  // Frames count from 0; empty: all of them, as components. Ignored where the open data have no such frame.
  void show(std::optional<std::int64_t> frame);
  // From the newest that was asked for; stops at both ends.
  void step(int by);
  // The newest that was asked for, or the one that is open.
  [[nodiscard]] std::optional<std::int64_t> wanted() const;
  void cancel();
  [[nodiscard]] bool busy() const { return busy_; }

 Q_SIGNALS:
  void changed();  // wanted(), busy() or the data
  void failed(const QString& message);

 private:
  struct Wish {
    OpenData from;  // of the same file
    std::optional<std::int64_t> frame;
    std::uint64_t identity = 0;
  };
  using Worker = NewestWins<Wish>;
  void execute(const Wish& wish, const Worker::Turn& turn);
  [[nodiscard]] OpenData load(const Wish& wish, const Control& control) const;
  using FrameNews = News<OpenData>;
  void receive(const FrameNews& news);
  void accept(std::uint64_t number, const OpenData& data);
  void forget();

  const Toolbox& toolbox_;
  SessionModel& model_;
  DataLoader& loader_;
  std::optional<std::int64_t> wanted_;
  std::uint64_t series_ = 0;  // that it is of
  std::uint64_t request_ = 0, firstWanted_ = 0;
  bool busy_ = false;
  EventBridge<FrameNews> bridge_;
  std::function<void(FrameNews)> tell_;
  Worker worker_;  // last: its thread ends before the rest goes
};

}  // namespace sscope
