// Nothing a read or write does is left behind: cancellation, processes and descriptors.

#include <sys/wait.h>

#include <cerrno>
#include <stop_token>

#include "core/io/volume_io.h"
#include "tests/io/io_support.h"
#include "tests/support/catch.h"
#include "tests/support/processes.h"
#include "tests/support/support.h"

namespace sscope {

namespace {

std::size_t openDescriptors() { return test::readableEntries("/proc/self/fd").size(); }

bool noChildLeft() {
  siginfo_t info{};
  return ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == -1 && errno == ECHILD;
}

}  // namespace

TEST_CASE_METHOD(test::IoFolder, "reading leaves no process and no descriptor behind") {
  io->write(folder / "v.nrrd", test::randomVolume({16, 16, 16, 1}, ElementType::u16, 4), {});
  static_cast<void>(io->read((folder / "v.nrrd").string(), {}));
  const std::size_t before = openDescriptors();
  for (int n = 0; n < 4; ++n) {
    static_cast<void>(io->read((folder / "v.nrrd").string(), {}));
    static_cast<void>(test::errorOfReading(*io, (folder / "none.nrrd").string()));
  }
  // Readers that were killed are reaped beside the caller.
  CHECK(test::eventually([&] { return openDescriptors() == before; }));
  CHECK(test::eventually(noChildLeft));
}

TEST_CASE_METHOD(test::IoFolder, "a stop request ends reading and writing") {
  const Volume volume = test::randomVolume({256, 256, 64, 1}, ElementType::f32, 4);
  io->write(folder / "v.nrrd", volume, {});
  std::stop_source already;
  already.request_stop();
  const Control stopped{already.get_token(), {}};
  CHECK_THROWS_AS(static_cast<void>(io->read((folder / "v.nrrd").string(), stopped)), Canceled);
  CHECK_THROWS_AS(io->write(folder / "w.nrrd", volume, stopped), Canceled);
  for (const char* name : {"w.nrrd", "w.nii.gz", "w.tif", "w.mha", "w.json"}) {
    try {
      io->checkWritable(name, volume.shape(), volume.type());
    } catch (const Error&) {
      continue;
    }
    // Stopped by its own first progress report: in the middle of the work.
    std::stop_source source;
    Control control{source.get_token(), [&](double, std::string_view) { source.request_stop(); }};
    CAPTURE(name);
    CHECK_THROWS_AS(io->write(folder / name, volume, control), Canceled);
  }
  CHECK(test::entriesOf(folder.path()) == 1);
}

}  // namespace sscope
