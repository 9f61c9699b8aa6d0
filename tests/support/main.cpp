#include "tests/support/catch_session.h"
#include "tests/support/outcome.h"

int main(int argc, char** argv) {
  Catch::Session session;
  sscope::test::makeStrict(session);
  return sscope::test::exitStatus(session.run(argc, argv));
}
