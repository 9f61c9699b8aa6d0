#define CATCH_CONFIG_RUNNER
#include <QApplication>
#include <catch2/catch.hpp>

#include "tests/support/outcome.h"
#include "tests/support/strict.h"
#include "ui/views/opengl.h"

int main(int argc, char** argv) {
  Catch::Session session;
  session.configData().warnings = sscope::test::kStrict;
  const int bad = session.applyCommandLine(argc, argv);
  if (bad != 0) return bad;
  if (session.config().listTests() || session.config().listTestNamesOnly()) {  // needs no display
    session.run();
    return 0;
  }
  sscope::setDefaultOpenGlFormat();
  QApplication application(argc, argv);
  return sscope::test::exitStatus(session.run());
}
