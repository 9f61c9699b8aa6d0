#include <QApplication>

#include "tests/support/catch_session.h"
#include "tests/support/outcome.h"
#include "ui/views/opengl.h"

int main(int argc, char** argv) {
  Catch::Session session;
  sscope::test::makeStrict(session);
  const int bad = session.applyCommandLine(argc, argv);
  if (bad != 0) return bad;
  if (sscope::test::onlyLists(session)) {
    session.run();
    return 0;
  }
  sscope::setDefaultOpenGlFormat();
  QApplication application(argc, argv);
  return sscope::test::exitStatus(session.run());
}
