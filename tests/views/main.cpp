#define CATCH_CONFIG_RUNNER
#include <QApplication>
#include <catch2/catch.hpp>

#include "ui/views/opengl.h"

int main(int argc, char** argv) {
  Catch::Session session;
  const int bad = session.applyCommandLine(argc, argv);
  if (bad != 0) return bad;
  if (session.config().listTests() || session.config().listTestNamesOnly()) {  // needs no display
    session.run();
    return 0;
  }
  sscope::setDefaultOpenGlFormat();
  QApplication application(argc, argv);
  return session.run() == 0 ? 0 : 1;
}
