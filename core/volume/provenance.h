#pragma once
// How a file was made, as it says itself: JSON of schema "stencilscope.provenance/1" (docs/manual/file-formats.md).
// Equal inputs and commands give equal bytes: there is no date in it, no folder, no machine and no name that may be a
// patient's.

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
  // What it was made from.
  struct Data {
    std::string name{};       // of the file, without its folder; empty: it had none, or one that may be a patient's
    std::string selection{};  // what follows the file's name: "@t=3", ":/entry/data"
    std::string sample{};     // a built-in one, instead of a file
    std::int64_t size = 0;    // of the sample; 0: its default
    std::uint64_t seed = 1;   // of the sample
    std::string fingerprint{};
    std::optional<std::array<double, 3>> spacing{};  // of a file; lengths in `options` are steps of it
    std::string unit{};                              // of it
    nlohmann::json provenance{};                     // its own, if any
  };
  // What was found when it was compared with the reference.
  struct Verified {
    double relativeL2 = 0, maximumUlp = 0;
    std::int64_t compared = 0;  // elements
  };

  std::string version;     // of the program
  std::string command;     // "filter", "dwt forward", "convert"
  nlohmann::json options;  // of that command, those that change values: the bank of a filter
  std::optional<Data> data;
  std::string engine, variant;       // the variant as it was resolved
  std::vector<std::string> results;  // the rows of the bank that the file holds, one after the other
  std::optional<Verified> verified;
  std::string fingerprint;           // of the file's voxels
  std::vector<std::string> leftOut;  // members that took too much room

  // At most kLongestProvenance bytes of ASCII, in one line, without < > and &. Of equal length whether variant,
  // fingerprints and `verified` are known or not: a header can be written before they are. What takes too much room is
  // left out, and "left_out" says so.
  [[nodiscard]] std::string text() const;
};

inline constexpr std::size_t kLongestProvenance = 60000;  // what a segment of JPEG holds

// The key, or the first part of it, by which files hold the text.
inline constexpr const char* kProvenanceKey = "stencilscope.provenance";

// By this version of the program.
[[nodiscard]] Provenance provenanceOf(std::string command, nlohmann::json options,
                                      std::optional<Provenance::Data> data);

// That of files which are being written, while what is missing becomes known.
class GrowingProvenance {
 public:
  explicit GrowingProvenance(Provenance first);

  void learn(const std::function<void(Provenance& made)>& what);
  // For WriteOptions::provenance, of a file with these results; on any thread. It may outlive this.
  [[nodiscard]] std::function<std::string(const std::string&)> of(std::vector<std::string> results = {}) const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

// Throws Error(BadData) for what is no such text, Error(Unsupported) for that of a newer version.
[[nodiscard]] Provenance parseProvenance(const std::string& text);

// Stands for a text that is in the file and cannot be read: "it is compressed".
[[nodiscard]] std::string unreadable(const std::string& why);
// Takes the text that a file holds into the metadata; a notice says where it is damaged. Does nothing for none.
void takeProvenance(const std::string& text, VolumeInfo& info);

// A file that was named `path`, as VolumeIo::read takes it.
[[nodiscard]] Provenance::Data dataNamed(const std::string& path, const VolumeInfo& info);
// The name and what follows it, beside `folder`.
[[nodiscard]] std::string pathOf(const Provenance::Data& data, const std::string& folder);

// For people: lines of a name and a value.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> linesOf(const Provenance& provenance);

}  // namespace sscope
