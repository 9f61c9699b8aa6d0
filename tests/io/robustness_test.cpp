// Nothing a file does reaches the program: mutations, cancellation, processes and descriptors.

#include <catch2/catch.hpp>

#include <sys/wait.h>

#include <cerrno>
#include <chrono>
#include <fstream>
#include <random>
#include <stop_token>
#include <thread>

#include "core/io/volume_io.h"
#include "tests/io/io_support.h"
#include "tests/support/support.h"

namespace sscope {

namespace {

std::string contentOf(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string mutated(std::string content, std::mt19937& random) {
  std::uniform_int_distribution<std::size_t> count(1, 8);
  for (std::size_t n = count(random); n > 0; --n) {
    // Mostly headers: that is where decoders trip.
    const std::size_t reach = random() % 4 == 0 ? content.size() : std::min<std::size_t>(content.size(), 400);
    content[random() % reach] = static_cast<char>(random());
  }
  if (random() % 8 == 0) content.resize(1 + random() % content.size());
  return content;
}

std::size_t openDescriptors() { return test::entriesOf("/proc/self/fd"); }

}  // namespace

TEST_CASE("mutated files never take the program down") {
  const auto io = makeVolumeIo();
  const test::TemporaryFolder folder;
  const Volume volume = test::randomVolume({6, 5, 4, 1}, ElementType::u8, 4),
               picture = test::randomVolume({9, 7, 1, 3}, ElementType::u8, 4);
  std::mt19937 random(20);
  int readable = 0, refused = 0;
  for (const char* name :
       {"v.nrrd", "v.json", "v.mha", "v.nii", "v.nii.gz", "v.tif", "v.vti", "v.vtk", "v.h5", "p.png", "p.jpg"}) {
    const Volume& content = name[0] == 'p' ? picture : volume;
    try {
      io->checkWritable(name, content.shape(), content.type());
    } catch (const Error&) {
      continue;
    }
    io->write(folder / name, content, {});
    const std::string whole = contentOf(folder / name);
    for (int n = 0; n < 14; ++n) {
      std::ofstream(folder / name, std::ios::binary) << mutated(whole, random);
      CAPTURE(name, n);
      try {
        static_cast<void>(io->read((folder / name).string(), {}));
        ++readable;
      } catch (const Error& error) {
        CHECK(test::isOneSentence(error.what()));
        ++refused;
      }
    }
  }
  CHECK(readable + refused >= 28);
  CHECK(refused > 0);
}

TEST_CASE("reading leaves no process and no descriptor behind") {
  const auto io = makeVolumeIo();
  const test::TemporaryFolder folder;
  io->write(folder / "v.nrrd", test::randomVolume({16, 16, 16, 1}, ElementType::u16, 4), {});
  static_cast<void>(io->read((folder / "v.nrrd").string(), {}));
  const std::size_t before = openDescriptors();
  for (int n = 0; n < 4; ++n) {
    static_cast<void>(io->read((folder / "v.nrrd").string(), {}));
    static_cast<void>(test::errorOfReading(*io, (folder / "none.nrrd").string()));
  }
  CHECK(openDescriptors() == before);
  CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);
  CHECK(errno == ECHILD);
}

TEST_CASE("a stop request ends reading and writing") {
  const auto io = makeVolumeIo();
  const test::TemporaryFolder folder;
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
