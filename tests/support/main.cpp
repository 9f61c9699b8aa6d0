#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

#include "tests/support/outcome.h"
#include "tests/support/strict.h"

int main(int argc, char** argv) {
  Catch::Session session;
  session.configData().warnings = sscope::test::kStrict;
  return sscope::test::exitStatus(session.run(argc, argv));
}
