#pragma once
// What several test programs share.

#include <cstdint>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string>

#include "core/volume/volume.h"
#include "core/volume/volume_io.h"
#include "tests/support/outcome.h"

// Ends a test case (not in a SECTION: Catch2 would never come to those after it) and shows up as skipped, with the
// reason, in the runner's count.
#define SSCOPE_SKIP(reason)           \
  do {                                \
    ::sscope::test::noteSkip(reason); \
    SUCCEED();                        \
    return;                           \
  } while (false)

namespace sscope::test {

// The folder of real files beside the checkout, where there is one; tests that need it skip when it is missing.
[[nodiscard]] std::optional<std::filesystem::path> sharedData();
// The root of these sources.
[[nodiscard]] std::filesystem::path sourceFolder();

// A fresh folder, removed with everything in it at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

// For TEST_CASE_METHOD: a test case in a folder of its own.
struct InFolder {
  const TemporaryFolder folder;
};

// Deterministic noise over the element type's usual range (floats: -1..1; integers: small enough that sums of a
// few hundred products neither vanish nor always saturate).
[[nodiscard]] Volume randomVolume(const VolumeShape& shape, ElementType type, std::uint64_t seed);

// Elements of random bytes, so of the whole range.
[[nodiscard]] Volume randomBytes(const VolumeShape& shape, ElementType type, std::uint64_t seed);

// The voxels that value(x, y, z, component) gives.
template <class Value>
[[nodiscard]] Volume filledVolume(const VolumeShape& shape, ElementType type, const Value& value) {
  Volume volume(shape, type);
  dispatch(type, [&](auto tag) {
    using T = decltype(tag);
    std::size_t i = 0;
    for (std::int64_t z = 0; z < shape.nz; ++z)
      for (std::int64_t y = 0; y < shape.ny; ++y)
        for (std::int64_t x = 0; x < shape.nx; ++x)
          for (int c = 0; c < shape.components; ++c) volume.elements<T>()[i++] = static_cast<T>(value(x, y, z, c));
  });
  return volume;
}

// A file x.h5 of several datasets that ITK has not written, one of them of 7 x 5 x 4 voxels.
[[nodiscard]] std::string foreignHdf5(const std::filesystem::path& folder, VolumeIo& io);
// Every byte of a file.
[[nodiscard]] std::string contentOf(const std::filesystem::path& path);

}  // namespace sscope::test
