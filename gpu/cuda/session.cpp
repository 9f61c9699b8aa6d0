#include "gpu/cuda/session.h"

#include <utility>

namespace sscope::cuda {

namespace {

constexpr double kPauseSeconds = 8e-6;  // two events and a launch are queued in less
constexpr const char* kPauseSource = R"(
extern "C" __global__ void pause(long long cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
}
)";

}  // namespace

Session::Session(std::shared_ptr<const Driver> driver, const NvrtcCompiler& compiler, Ordinal ordinal, std::string name,
                 const std::string& architecture, int clockKhz)
    : driver_(std::move(driver)), ordinal_(ordinal), name_(std::move(name)) {
  check("give a context", api().retainContext(&context_, ordinal_));
  try {
    use();
    check("make a stream", api().createStream(&stream_, kStreamNonBlocking));
    const auto image = compiler.compile("pause", kPauseSource, architecture);
    check("load a kernel", api().loadModule(&pauseModule_, image.data()));
    check("find a kernel", api().moduleFunction(&pause_, pauseModule_, "pause"));
    pauseCycles_ = static_cast<long long>(kPauseSeconds * 1e3 * clockKhz);
  } catch (...) {
    release();
    throw;
  }
}

Session::~Session() { release(); }

// What fails here fails because the device is gone, and its memory with it.
void Session::release() {
  api().useContext(context_);
  if (stream_ != nullptr) {
    api().synchronizeStream(stream_);
    api().destroyStream(stream_);
  }
  if (pauseModule_ != nullptr) api().unloadModule(pauseModule_);
  api().releaseContext(ordinal_);
}

void Session::use() const { check("use its context", api().useContext(context_)); }

void Session::pauseIfIdle(std::size_t launches) const {
  if (api().queryStream(stream_) != kSuccess) return;
  long long cycles = pauseCycles_ * static_cast<long long>(launches + 1) / 2;
  void* parameters[] = {&cycles};
  check("run a kernel", api().launch(pause_, 1, 1, 1, 1, 1, 1, 0, stream_, parameters, nullptr));
}

}  // namespace sscope::cuda
