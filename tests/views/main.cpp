#define CATCH_CONFIG_RUNNER
#include <QApplication>
#include <QFont>
#include <catch2/catch.hpp>

#include "ui/views/vtk_view.h"

int main(int argc, char** argv) {
  Catch::Session session;
  const int bad = session.applyCommandLine(argc, argv);
  if (bad != 0) return bad;
  // Listing needs no display.
  if (session.config().listTests() || session.config().listTestNamesOnly()) return session.run() >= 0 ? 0 : 1;
  sscope::VtkView::setDefaultFormat();
  QApplication application(argc, argv);
  return session.run() == 0 ? 0 : 1;
}
