// Files of microscopes' makers, which a program named bfconvert converts where one asks for it.

#include <QFileDialog>
#include <QPushButton>
#include <filesystem>

#include "core/base/paths.h"
#include "tests/support/catch.h"
#include "tests/support/environment.h"
#include "tests/support/processes.h"
#include "tests/support/programs.h"
#include "tests/ui/test_window.h"
#include "ui/base/notice.h"
#include "ui/base/text.h"
#include "ui/window/bars.h"

using namespace sscope;
using namespace sscope::test;
namespace fs = std::filesystem;

namespace {

struct ForeignWindow {
  ForeignWindow() {
    writeTextFile(in, "ZISRAWFILE and what only others read");
    if (hasItk()) test.workshop.io->write(folder / "sample.ome.tif", volume, {});
  }
  // Its script, after which $last is the name of the output.
  void install(const std::string& script) const {
    writeTextFile(folder / "bfconvert",
                  "#!/bin/sh\nhere='" + folder.path().string() + "'\nfor last; do :; done\n" + script);
    fs::permissions(folder / "bfconvert", fs::perms::owner_all);
  }
  // Opens the file, presses the button that is offered then and chooses where to store the result.
  void convert() {
    test.window->loader().open(toQt(in));
    REQUIRE_SOON(bar.isVisibleTo(test.window.get()));
    CHECK(bar.message().contains("a Zeiss file (CZI)"_q));
    test.click("convertForeign");
    auto& dialog = test.find<QFileDialog>("foreignDialog");
    CHECK(dialog.selectedFiles().value(0).endsWith("cells.ome.tif"_q));
    Q_EMIT dialog.fileSelected(toQt(out));
    dialog.close();
    CHECK_FALSE(bar.isVisibleTo(test.window.get()));
  }
  [[nodiscard]] bool leftNothing() const {
    return !fs::exists(out) && std::ranges::none_of(readableEntries(folder.path()), [](const fs::path& each) {
      return each.filename().string().starts_with(".part-");
    });
  }

  TemporaryFolder folder;
  std::string in = folder / "cells.czi", out = folder / "out.ome.tif";
  Volume volume = randomVolume({6, 5, 4, 1}, ElementType::u16, 3);
  Variable path{"PATH", folder.path().string() + ":/usr/bin:/bin"};
  TestWindow test;
  OfferBar& bar = test.find<OfferBar>("foreignData");
};

}  // namespace

TEST_CASE("a maker's file is converted by the button that is offered, and opened") {
  if (!hasItk()) SSCOPE_SKIP("this build reads no TIFF");
  ForeignWindow scene;
  scene.install("cp \"$here/sample.ome.tif\" \"$last\"\n");
  scene.convert();
  REQUIRE_SOON(scene.test.model().hasData());
  CHECK(scene.test.model().session().data.path == scene.out);
  CHECK(scene.test.model().data().volume->value(5, 4, 3) == scene.volume.value(5, 4, 3));
}

TEST_CASE("a conversion in the window that fails or is canceled leaves nothing") {
  ForeignWindow scene;
  const Notice& notice = scene.test.find<Notice>("dataNotice");
  scene.install("echo half > \"$last\"\necho 'unknown compression 31'\nexit 3\n");
  scene.convert();
  REQUIRE_SOON(!notice.message().isEmpty());
  CHECK(notice.message().contains("unknown compression 31"_q));
  CHECK(scene.leftNothing());
  scene.install("echo half > \"$last\"\necho $$ > \"$here/process\"\n: > \"$here/begun\"\nexec sleep 600\n");
  scene.convert();
  REQUIRE_SOON(fs::exists(scene.folder / "begun"));
  scene.test.window->loader().cancel();
  CHECK_SOON(scene.leftNothing());
  const pid_t process = std::stoi(readTextFile(scene.folder / "process"));
  CHECK(eventually([&] { return commandLineOf(process).empty(); }));
}

TEST_CASE("without the converter a maker's file is an error that names it") {
  ForeignWindow scene;
  const Notice& notice = scene.test.find<Notice>("dataNotice");
  scene.test.window->loader().open(toQt(scene.in));
  REQUIRE_SOON(!notice.message().isEmpty());
  CHECK(notice.message().contains("bfconvert cells.czi cells.ome.tif"_q));
  CHECK_FALSE(scene.bar.isVisibleTo(scene.test.window.get()));
}
