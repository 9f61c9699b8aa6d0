#pragma once
// Valid inputs for every target, made by our own writers.

#include <string>
#include <vector>

namespace sscope::test {

using Seeds = std::vector<std::string>;

[[nodiscard]] Seeds nrrdSeeds();
[[nodiscard]] Seeds metaSeeds();
[[nodiscard]] Seeds rawSeeds();
[[nodiscard]] Seeds npySeeds();
[[nodiscard]] Seeds npzSeeds();
[[nodiscard]] Seeds mrcSeeds();
[[nodiscard]] Seeds niftiSeeds();
[[nodiscard]] Seeds tiffSeeds();
[[nodiscard]] Seeds jpegSeeds();
[[nodiscard]] Seeds bmpSeeds();
[[nodiscard]] Seeds vtkSeeds();
[[nodiscard]] Seeds vtiSeeds();
[[nodiscard]] Seeds dicomSeeds();
[[nodiscard]] Seeds nerscSeeds();
[[nodiscard]] Seeds limeSeeds();
[[nodiscard]] Seeds milcSeeds();
[[nodiscard]] Seeds sessionSeeds();
[[nodiscard]] Seeds bankSeeds();
[[nodiscard]] Seeds replySeeds();
[[nodiscard]] Seeds requestSeeds();
[[nodiscard]] Seeds filterSeeds();
[[nodiscard]] Seeds selectionSeeds();
[[nodiscard]] Seeds formulaSeeds();

}  // namespace sscope::test
