#include "tests/mpi/launch.h"

#include <cstdlib>

namespace sscope::test {

bool hasMpirun() {
  static const bool works = !std::string(SSCOPE_PROGRAM).empty() && launch(2, "true", {}).status == 0;
  return works;
}

Arguments ranksOf(int count, const std::string& program, const Arguments& arguments) {
  // More ranks than cores wait for each other a lot.
  Arguments all{
      "--oversubscribe", "--allow-run-as-root", "--bind-to", "none", "-q", "-n", std::to_string(count), program};
  return joined(std::move(all), arguments);
}

}  // namespace sscope::test
