// One QApplication for all test cases of this program, with settings and caches of its own.

#include <QApplication>
#include <memory>

#include "tests/support/catch_listener.h"
#include "tests/support/support.h"
#include "ui/base/language.h"
#include "ui/views/opengl.h"

namespace {

class ApplicationListener : public Catch::EventListenerBase {
 public:
  using Catch::EventListenerBase::EventListenerBase;

  void testRunStarting(const Catch::TestRunInfo& /*info*/) override {
    folder_ = std::make_unique<sscope::test::TemporaryFolder>();
    qputenv("XDG_CONFIG_HOME", folder_->path().c_str());
    qputenv("XDG_CACHE_HOME", folder_->path().c_str());
    qputenv("QT_QPA_PLATFORM", "xcb");
    sscope::setDefaultOpenGlFormat();
    QApplication::setOrganizationName(QStringLiteral("Stencilscope"));
    QApplication::setApplicationName(QStringLiteral("stencilscope-test"));
    static int argc = 1;
    static char name[] = "test_ui";
    static char* argv[] = {name, nullptr};
    application_ = std::make_unique<QApplication>(argc, argv);
    sscope::installPlurals(*application_);
  }
  void testRunEnded(const Catch::TestRunStats& /*stats*/) override {
    application_.reset();
    folder_.reset();
  }

 private:
  std::unique_ptr<sscope::test::TemporaryFolder> folder_;
  std::unique_ptr<QApplication> application_;
};

CATCH_REGISTER_LISTENER(ApplicationListener)

}  // namespace
