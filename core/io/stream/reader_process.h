#pragma once
// Reading in a separate, monitored process, so that no file can harm the caller through its decoder.

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "core/base/control.h"
#include "core/base/error.h"
#include "core/io/process/protocol.h"
#include "core/io/process/watch.h"
#include "core/volume/volume_io.h"

namespace sscope::io {

// The reader program's reply to a request, and the memory it decoded into.
class ReaderAnswer {
 public:
  // Waits for the reply. Throws Error(BadData) when the reader hangs or its reply is too long; Error(Io) when it cannot
  // be started; Canceled within 100 ms of a stop request in any case.
  ReaderAnswer(const std::filesystem::path& program, const Request& request, const ReaderLimits& limits,
               const Control& control);
  ~ReaderAnswer();
  ReaderAnswer(const ReaderAnswer&) = delete;
  ReaderAnswer& operator=(const ReaderAnswer&) = delete;

  // Untrusted: a malicious file may control the reader.
  [[nodiscard]] const std::string& text() const { return text_; }
  // The error when the text holds no reply.
  [[nodiscard]] Error crashed() const;
  // The first `bytes` bytes of the memory; may be called once. The reader can no longer shrink it. Throws
  // Error(BadData) when it holds fewer.
  [[nodiscard]] std::shared_ptr<std::byte> memory(double bytes);

 private:
  struct State;
  std::unique_ptr<State> state_;
  std::string text_;
};

// Runs the reader program on `path`; with `headerOnly` the volume stays empty, else it adopts the shared memory. Throws
// what the reader reports, Error(BadData) when it crashes, and what ReaderAnswer throws.
[[nodiscard]] LoadedVolume readInProcess(const std::filesystem::path& program, const std::string& path, bool headerOnly,
                                         const ReaderLimits& limits, const Control& control);

// The place of voxels that lie in a file as they are used (isPlain()), else the voxels. Throws as above.
[[nodiscard]] std::variant<LoadedVolume, LocatedVolume> sourceInProcess(const std::filesystem::path& program,
                                                                        const std::string& path,
                                                                        const ReaderLimits& limits,
                                                                        const Control& control);

// The place of the voxels of a file. Throws as above, and Error(Unsupported) where they cannot be read by slabs.
[[nodiscard]] LocatedVolume locateInProcess(const std::filesystem::path& program, const std::string& path,
                                            const ReaderLimits& limits, const Control& control);

// The same as VolumeIo::parts, whatever the format.
[[nodiscard]] std::vector<FilePart> partsInProcess(const std::filesystem::path& program, const std::string& path,
                                                   const ReaderLimits& limits, const Control& control);

// sscope-reader, next to the running program.
[[nodiscard]] std::filesystem::path defaultReaderProgram();

}  // namespace sscope::io
