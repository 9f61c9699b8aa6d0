#pragma once
// What the tests of files share.

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "core/base/error.h"
#include "core/io/volume_io.h"
#include "core/volume/volume_io.h"
#include "tests/support/support.h"

namespace sscope::test {

// For TEST_CASE_METHOD: a test case with a folder of its own.
struct IoFolder : InFolder {
  const std::unique_ptr<VolumeIo> io = makeVolumeIo();
};

// Whether this build has the formats that need ITK's libraries.
[[nodiscard]] bool hasItk(const VolumeIo& io);

// Spacing, origin and a rotation with a flipped axis, none of them round.
[[nodiscard]] Geometry obliqueGeometry();

[[nodiscard]] bool sameVoxels(const Volume& a, const Volume& b);
// Spacing, origin and direction within `tolerance`.
[[nodiscard]] bool sameGeometry(const Geometry& a, const Geometry& b, double tolerance);

// A sentence for the user: one line, no ITK class names, not empty, no trailing period.
[[nodiscard]] bool isOneSentence(const std::string& text);

// The error that reading gives; fails the test when reading succeeds.
[[nodiscard]] Error errorOfReading(VolumeIo& io, const std::string& path);

// Whether a notice holds `part`.
[[nodiscard]] bool says(const VolumeInfo& info, const std::string& part);

// For WriteOptions: of a filter with a name that takes escapes.
[[nodiscard]] std::function<std::string(const std::string&)> someProvenance();

void put(const std::filesystem::path& path, const std::string& content);

[[nodiscard]] std::size_t entriesOf(const std::filesystem::path& folder);

}  // namespace sscope::test
