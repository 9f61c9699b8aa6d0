#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

#include "tests/support/support.h"

int main(int argc, char** argv) {
  const int failed = Catch::Session().run(argc, argv);
  return failed == 0 ? 0 : 1;
}
