#pragma once
// "-" as a file: piped input is stored in a temporary file while it is read, and output is written to a temporary file
// completely before it is sent to the pipe.

#include <filesystem>
#include <functional>
#include <string>

#include "app/cli/program.h"

namespace sscope::cli {

// Whether the name means the standard input, with or without a selection: "-", "-@t=3", "/dev/stdin".
[[nodiscard]] bool isPipe(const std::string& name);
// Throws Error(Usage) if `name` is the standard input, for commands that do not support it.
void refusePipe(const std::string& name, const std::string& command);

// Runs `work`; in its errors the name `file` is replaced by `words`, unless `file` is empty.
void explained(const std::string& file, const std::string& words, const std::function<void()>& work);

// The file to read for `name`: the file itself, or a copy of the standard input.
class InputFile {
 public:
  // Throws Error(Io) if the standard input cannot be stored, Error(BadData) if it is empty, Error(Unsupported) after 64
  // KiB of an unknown format, Error(Memory) if it exceeds the memory that was free at the start, Canceled.
  InputFile(Program& program, const std::string& name);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }
  // Runs `work`; errors that it throws name the standard input, not the temporary file.
  void explain(const std::function<void()>& work) const;

 private:
  std::string path_;
  std::filesystem::path temporary_;  // empty: none
};

// The file to write for `name`: the file itself, or one that is then sent to the standard output.
class OutputFile {
 public:
  // `format` is the extension of the standard output; empty: nrrd. Throws Error(Usage) if the standard output is a
  // terminal, if the format needs more than one file, or if a format is given for a file.
  OutputFile(Program& program, const std::string& name, const std::string& format);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }
  // Runs `work`; errors that it throws name the standard output, not the temporary file. Then sends it on. Throws
  // Error(Io), Canceled.
  void fill(const std::function<void()>& work) const;

 private:
  Program& program_;
  std::string path_;
  std::filesystem::path temporary_;
};

}  // namespace sscope::cli
