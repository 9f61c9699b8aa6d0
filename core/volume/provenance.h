#pragma once
// A file's record of how it was made: JSON of schema "stencilscope.provenance/1" (docs/manual/file-formats.md). Equal
// inputs and commands give equal bytes: it contains no date, folder, machine, or name that may be a patient's.

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/volume/volume_io.h"

namespace sscope {

struct Provenance {
  // The input.
  struct Data {
    std::string name{};       // of the file, without its folder; empty: none, or one that may be a patient's
    std::string selection{};  // the selection after the file's name: "@t=3", ":/entry/data"
    std::string sample{};     // a built-in sample, instead of a file
    std::int64_t size = 0;    // of the sample; 0: its default
    std::uint64_t seed = 1;   // of the sample
    std::string fingerprint{};
    std::optional<std::array<double, 3>> spacing{};  // of a file; lengths in `options` refer to it
    std::string unit{};                              // of it
    nlohmann::json provenance{};                     // its own record, if any
  };
  // The result of the comparison with the reference.
  struct Verified {
    double relativeL2 = 0, maximumUlp = 0;
    std::int64_t compared = 0;  // elements
  };

  std::string version;     // of the program
  std::string command;     // "filter", "dwt forward", "convert"
  nlohmann::json options;  // of the command, if they affect values: the bank of a filter
  std::optional<Data> data;
  std::string engine, variant;       // the variant that ran
  std::vector<std::string> results;  // the rows of the bank that the file holds, one after the other
  std::optional<Verified> verified;
  std::string fingerprint;           // of the file's voxels
  std::vector<std::string> leftOut;  // members that were too long

  // At most kLongestProvenance bytes of ASCII, in one line, without < > and &. Its length does not depend on whether
  // variant, fingerprints and `verified` are known, so that a header can be written before. Members that are too long
  // are left out and listed in "left_out".
  [[nodiscard]] std::string text() const;
};

inline constexpr std::size_t kLongestProvenance = 60000;  // the size of a JPEG segment

// The key of the text in files, or its first part.
inline constexpr const char* kProvenanceKey = "stencilscope.provenance";

// The record of this version of the program.
[[nodiscard]] Provenance provenanceOf(std::string command, nlohmann::json options,
                                      std::optional<Provenance::Data> data);

// The record of files that are being written, while missing members become known.
class GrowingProvenance {
 public:
  explicit GrowingProvenance(Provenance first);

  void learn(const std::function<void(Provenance& made)>& what);
  // For WriteOptions::provenance, of a file with these results. Callable on any thread; may outlive this.
  [[nodiscard]] std::function<std::string(const std::string&)> of(std::vector<std::string> results = {}) const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

// Throws Error(BadData) for invalid text, Error(Unsupported) for a newer version.
[[nodiscard]] Provenance parseProvenance(const std::string& text);

// Replaces a text in a file that cannot be read: "it is compressed".
[[nodiscard]] std::string unreadable(const std::string& why);
// Copies a file's text into the metadata, with a notice if it is damaged. Does nothing for an empty text.
void takeProvenance(const std::string& text, VolumeInfo& info);

// A file with the name `path`, as for VolumeIo::read.
[[nodiscard]] Provenance::Data dataNamed(const std::string& path, const VolumeInfo& info);
// The name with its selection, in `folder`.
[[nodiscard]] std::string pathOf(const Provenance::Data& data, const std::string& folder);

// For display: lines of a name and a value.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> linesOf(const Provenance& provenance);

}  // namespace sscope
