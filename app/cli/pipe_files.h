#pragma once
// "-" as a file: what comes through a pipe is kept in a temporary file while it is read, and what goes into one is
// written whole before the first byte of it leaves.

#include <filesystem>
#include <functional>
#include <string>

#include "app/cli/program.h"

namespace sscope::cli {

// The standard input, with a choice behind it or not: "-", "-@t=3", "/dev/stdin".
[[nodiscard]] bool isPipe(const std::string& name);
// Throws Error(Usage) where `name` is the standard input: for what is read in other ways.
void refusePipe(const std::string& name, const std::string& command);

// The file to read for `name`: itself, or what the standard input holds.
class InputFile {
 public:
  // Throws Error(Io) when the standard input cannot be kept, Error(BadData) when it is empty, Canceled.
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

// The file to write for `name`: itself, or one whose bytes go to the standard output.
class OutputFile {
 public:
  // `format` is the extension of the standard output; empty: nrrd. Throws Error(Usage) where the standard output is a
  // terminal, the format takes more than one file, or a format is given and no pipe.
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
