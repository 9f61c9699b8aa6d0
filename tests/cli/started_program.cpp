#include "tests/cli/program.h"
#include "tests/support/programs.h"

namespace sscope::test {

std::string programUnderTest() { return builtProgram("sscope"); }

}  // namespace sscope::test
