#pragma once
// Loads the time points of the open file in the background. The newest request wins; filters, view and undo are kept.

#include <QObject>
#include <cstdint>
#include <functional>
#include <optional>

#include "core/live/newest_wins.h"
#include "core/live/news.h"
#include "ui/base/event_bridge.h"
#include "ui/base/toolbox.h"
#include "ui/model/data_loader.h"
#include "ui/model/session_model.h"

namespace sscope {

// If all frames take more bytes than this, the file is read again for each frame.
inline constexpr std::int64_t kMostKeptBytes = std::int64_t{1} << 30;

// The first frame of data that hold all frames, with all of them kept unless they are too large. Returns other data
// unchanged. Throws what frameOf() throws.
[[nodiscard]] OpenData firstFrame(OpenData data, const Control& control);

class FrameLoader : public QObject {
  Q_OBJECT
 public:
  FrameLoader(const Toolbox& toolbox, SessionModel& model, DataLoader& loader, QObject* parent = nullptr);

  // Frames count from 0; empty: all of them, as components. Ignored if the open data have no such frame.
  void show(std::optional<std::int64_t> frame);
  // Moves from the last requested frame; stops at both ends.
  void step(int by);
  // The last requested frame, else the open one.
  [[nodiscard]] std::optional<std::int64_t> wanted() const;
  void cancel();
  [[nodiscard]] bool busy() const { return busy_; }

 Q_SIGNALS:
  void changed();  // wanted(), busy() or the data
  void failed(const QString& message);

 private:
  struct Request {
    OpenData from;  // of the same file
    std::optional<std::int64_t> frame;
    std::uint64_t identity = 0;
  };
  using Worker = NewestWins<Request>;
  void execute(const Request& request, const Worker::Turn& turn);
  [[nodiscard]] OpenData load(const Request& request, const Control& control) const;
  using FrameNews = News<OpenData>;
  void receive(const FrameNews& news);
  void accept(std::uint64_t number, const OpenData& data);
  void forget();

  const Toolbox& toolbox_;
  SessionModel& model_;
  DataLoader& loader_;
  std::optional<std::int64_t> wanted_;
  std::uint64_t series_ = 0;  // of the file
  std::uint64_t request_ = 0, firstWanted_ = 0;
  bool busy_ = false;
  EventBridge<FrameNews> bridge_;
  std::function<void(FrameNews)> report_;
  Worker worker_;  // last member, so that its thread ends before the others are destroyed
};

}  // namespace sscope
