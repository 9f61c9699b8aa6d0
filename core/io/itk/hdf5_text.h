#pragma once
// The text that says how an HDF5 file was made: an attribute of its root, which ITK leaves alone.

#include <filesystem>
#include <string>

namespace sscope::io {

// Empty where there is none.
[[nodiscard]] std::string provenanceOfHdf5(const std::string& path);
// Into a file that is complete and closed, called `shown`. Throws Error(Io).
void putProvenanceOfHdf5(const std::filesystem::path& file, const std::filesystem::path& shown,
                         const std::string& text);

}  // namespace sscope::io
