#pragma once
// A Zarr store: a folder of many small files, each found under its key, as "0/c/1/2".

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/io/base/descriptor.h"

namespace sscope::io {

// Whether the folder is a store, or a part of one: it says so in a file of its own.
[[nodiscard]] bool isZarrStore(const std::filesystem::path& folder);

class ZarrStore {
 public:
  // Throws Error(NotFound, Io).
  explicit ZarrStore(std::string path);

  [[nodiscard]] const std::string& path() const { return path_; }

  // One file, opened from the store's folder downwards, part by part: no key, whoever wrote it, leads out of the store,
  // and no link is followed. (openat2 could say the same in one call, but its flags lie in memory, where the reader's
  // filter of system calls does not see whether a file is opened for writing.)
  struct File {
    Descriptor descriptor;
    std::int64_t bytes = 0;
  };
  // Empty where there is none. Throws Error(Unsupported) for a link, Error(BadData) for a key that is none, Error(Io).
  [[nodiscard]] std::optional<File> open(const std::string& key) const;
  // All of a file of at most `most` bytes; empty where there is none. Throws as above, and Error(BadData) for a longer
  // one.
  [[nodiscard]] std::optional<std::string> readText(const std::string& key, std::int64_t most) const;
  // Throws Error(BadData) where the file ends before.
  void read(const File& file, const std::string& key, std::int64_t offset, std::span<std::byte> out) const;
  // The names in a folder, in natural order; at most some thousands.
  [[nodiscard]] std::vector<std::string> names(const std::string& key) const;

  // "x.zarr:/0", for errors about a part of it.
  [[nodiscard]] std::string shown(const std::string& key) const;

 private:
  // Of the folder that holds the key's last part; null where it is not there.
  [[nodiscard]] const Descriptor* folderOf(const std::string& folder, const std::string& key) const;

  std::string path_;
  Descriptor root_;
  // The folder that was used last: chunks follow each other in it.
  mutable std::string lastName_;
  mutable Descriptor last_;
  mutable bool lastMissing_ = false;
};

// "a/b" of "a" and "b".
[[nodiscard]] std::string joinedKey(const std::string& folder, const std::string& name);

}  // namespace sscope::io
