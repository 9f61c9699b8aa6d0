#pragma once
// The Wavelet room's pictures while a slider moves: the newest setting wins, the last one is never dropped. Qt-free;
// one worker thread.

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

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
  ~WaveletRunner();  // cancels and joins
  WaveletRunner(const WaveletRunner&) = delete;
  WaveletRunner& operator=(const WaveletRunner&) = delete;

  // Returns at once. Replaces a job that has not started. One that runs is stopped, but not before the slices of large
  // data, and not where it differs by its threshold alone and such runs are short: so that a slider dragged without a
  // pause still moves the picture.
  // `compare`: engines to run the first direction on afterwards, for the charts.
  std::uint64_t submit(WaveletJob job, std::vector<std::string> compare = {});
  void cancel();

 private:
  struct Numbered {
    std::uint64_t number = 0;
    WaveletJob job;
    std::vector<std::string> compare;
  };
  void loop(const std::stop_token& ending);
  void execute(const Numbered& numbered, const std::stop_token& stop, const std::stop_token& previewStop);
  void compare(const Numbered& numbered, const Control& control);

  std::function<void(WaveletUpdate)> deliver_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::optional<Numbered> waiting_;
  WaveletJob running_;
  bool working_ = false;
  bool verifying_ = false;
  bool canceled_ = false;
  double lastSeconds_ = 0;        // of the last run that reused its coefficients
  std::stop_source stop_;         // superseded or canceled: ends the whole result
  std::stop_source previewStop_;  // canceled only
  std::uint64_t numbers_ = 0;
  WaveletPipeline pipeline_;
  std::jthread thread_;
};

}  // namespace sscope
