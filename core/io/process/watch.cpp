#include "core/io/process/watch.h"

#include <algorithm>
#include <filesystem>

#include "core/io/base/file_error.h"

namespace sscope::io {

namespace {

// What one look may add to the time without progress. A caller that was stopped itself (Ctrl-Z, a machine that froze)
// looks late, and then nothing is known of what the reader could have done.
constexpr double kLongestLook = 0.1;

}  // namespace

Watch::Watch(const std::string& path, const ReaderLimits& limits) : path_(path), limits_(limits) {
  std::error_code code;
  const auto size = std::filesystem::file_size(path, code);
  if (!code) fileBytes_ = static_cast<std::int64_t>(size);
}

void Watch::look(const Child& child, bool spoke, const Control& control) {
  idle_ += std::min(sinceLook_.restart(), kLongestLook);
  const std::int64_t written = child.voxelBytes(), read = child.bytesRead(), resident = child.residentPages();
  const double computed = child.processorSeconds();
  if (spoke || written > written_ || read > read_ || resident > resident_) {
    idle_ = 0;
    computedBefore_ = computed;
  }
  written_ = std::max(written_, written);
  read_ = std::max(read_, read);
  resident_ = std::max(resident_, resident);
  const double computing = computed - computedBefore_, waiting = idle_ - computing;
  const double mebibytesRead = static_cast<double>(read_) / (1 << 20);
  if (waiting > limits_.waitingSeconds || computing > limits_.computingSeconds + mebibytesRead)
    throw cannotRead(ErrorKind::BadData, path_,
                     "its decoder made no progress for " + std::to_string(static_cast<int>(idle_)) + " s",
                     "the file is probably damaged; get another copy of it");
  const std::int64_t total = child.voxelSize();
  if (total <= 0) return;
  const double byVoxels = static_cast<double>(written) / static_cast<double>(total);
  const double byFile = fileBytes_ > 0 ? static_cast<double>(read) / static_cast<double>(fileBytes_) : 0;
  best_ = std::max(best_, std::min(0.99, std::max(byVoxels, byFile)));
  control.report(best_, "reading");
}

}  // namespace sscope::io
