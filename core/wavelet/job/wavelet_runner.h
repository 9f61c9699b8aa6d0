#pragma once
// The Wavelet room's pictures while a slider moves: the newest setting wins, the last one is never dropped. Qt-free;
// one worker thread.

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/live/newest_wins.h"
#include "core/wavelet/job/wavelet_job.h"

namespace sscope {

struct WaveletUpdate {
  enum class Stage : std::uint8_t {
    Preview,   // preview: slices of the result that is on its way
    Ready,     // result
    Verified,  // result again, and its verification
    Compared,  // elsewhere: the same on another engine; message says why not
    Failed,    // message says why
    Canceled,  // on demand; superseded work ends silently
    Progress,  // fraction and message of the work under way
  };
  Stage stage = Stage::Ready;
  std::uint64_t request = 0;  // number given by submit()
  std::shared_ptr<const WaveletPreview> preview;
  std::shared_ptr<const WaveletResult> result;
  Verification verification;
  WaveletPipeline::Elsewhere elsewhere;
  std::string message;
  double fraction = 0;
};

class WaveletRunner {
 public:
  // `deliver` is called on the worker thread, in order.
  WaveletRunner(const EngineSet& engines, const VariantTable& variants, std::function<void(WaveletUpdate)> deliver);

  // Returns at once. Replaces a job that has not started. One that runs is stopped, but not before the slices of large
  // data, and not where it differs by its threshold alone and such runs are short: so that a slider dragged without a
  // pause still moves the picture.
  // `compare`: engines to run the first direction on afterwards, for the charts.
  std::uint64_t submit(WaveletJob job, std::vector<std::string> compare = {}) {
    return worker_.submit({std::move(job), std::move(compare)});
  }
  void cancel() { worker_.cancel(); }

 private:
  struct Wish {
    WaveletJob job;
    std::vector<std::string> compare;
  };
  using Worker = NewestWins<Wish>;
  void execute(const Wish& wish, const Worker::Turn& turn);
  // The result and its preview; then, where nothing newer waits, its verification and the other engines.
  void transform(const Wish& wish, const Worker::Turn& turn);
  void compare(const Wish& wish, const Worker::Turn& turn);

  std::function<void(WaveletUpdate)> deliver_;
  std::atomic<bool> verifying_{false};
  std::atomic<double> lastSeconds_{0};  // of the last run that reused its coefficients
  WaveletPipeline pipeline_;
  Worker worker_;
};

}  // namespace sscope
