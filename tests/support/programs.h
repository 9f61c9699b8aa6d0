#pragma once
// Programs of the running test's own build. They are looked for beside it and not named to the compiler: test programs
// are then the same objects in every build folder.

#include <filesystem>
#include <string>

namespace sscope::test {

// The path of a program of this build, whether it was built or not.
[[nodiscard]] std::string builtProgram(const std::string& name);

// Whether this build reads and writes files with ITK and VTK.
[[nodiscard]] bool hasItk();

// A folder that is kept between runs, for what programs under test cache: ceilings, say, are measured once.
[[nodiscard]] std::filesystem::path keptCache();

}  // namespace sscope::test
