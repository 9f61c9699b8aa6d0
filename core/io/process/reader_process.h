#pragma once
// Reading in a separate process, watched: nothing a file does to its decoder reaches the caller.

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>

#include "core/base/control.h"
#include "core/base/error.h"
#include "core/io/process/protocol.h"
#include "core/io/process/watch.h"
#include "core/volume/volume_io.h"

namespace sscope::io {

// What the reader program answers to a request, and the memory into which it decoded.
class ReaderAnswer {
 public:
  // Waits for it. Throws Error(BadData) when it hangs or answers without end; Error(Io) when it cannot be started;
  // Canceled within 100 ms of a stop request, whatever it does.
  ReaderAnswer(const std::filesystem::path& program, const Request& request, const ReaderLimits& limits,
               const Control& control);
  ~ReaderAnswer();
  ReaderAnswer(const ReaderAnswer&) = delete;
  ReaderAnswer& operator=(const ReaderAnswer&) = delete;

  // Any text: a reader may be in a file's hands.
  [[nodiscard]] const std::string& text() const { return text_; }
  // Why there is no reply in it.
  [[nodiscard]] Error crashed() const;
  // The first `bytes` of the memory; once. Whoever else still has it can no longer take it away. Throws
  // Error(BadData) when there are not so many.
  [[nodiscard]] std::shared_ptr<std::byte> memory(double bytes);

 private:
  struct State;
  std::unique_ptr<State> state_;
  std::string text_;
};

// Runs the reader program on `path`; with `headerOnly` the volume stays empty; else it adopts the shared memory. Throws
// what the reader reports; Error(BadData) when it crashes; and what ReaderAnswer throws.
[[nodiscard]] LoadedVolume readInProcess(const std::filesystem::path& program, const std::string& path, bool headerOnly,
                                         const ReaderLimits& limits, const Control& control);

// sscope-reader beside the running program.
[[nodiscard]] std::filesystem::path defaultReaderProgram();

}  // namespace sscope::io
