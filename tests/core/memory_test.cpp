// How much memory there is, as the machine and control groups say.
#include "core/base/memory.h"

#include <cstdlib>
#include <fstream>
#include <new>

#include "core/base/error.h"
#include "core/base/words.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;

namespace {

// A tree of files that stands for the system's.
struct Tree {
  test::TemporaryFolder folder;

  void write(const std::string& name, const std::string& text) const {
    const auto path = folder / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  [[nodiscard]] std::int64_t available() const {
    return availableMemory({folder / "meminfo", folder / "groups", folder / "cgroup"});
  }
};

constexpr std::int64_t kMebibyte = 1 << 20;

std::string mebibyteLine(std::int64_t count) { return std::to_string(count * kMebibyte) + "\n"; }

}  // namespace

TEST_CASE("without control groups the machine's free memory counts") {
  const Tree tree;
  CHECK(tree.available() == 0);  // unknown
  tree.write("meminfo", "MemTotal:  9000 kB\nMemFree:  1000 kB\nMemAvailable:   4096 kB\n");
  CHECK(tree.available() == 4 * kMebibyte);
  tree.write("groups", "0::/\n");
  CHECK(tree.available() == 4 * kMebibyte);
  CHECK(availableMemory() > 0);  // of this machine
}

TEST_CASE("a control group of version 2 may allow less, and so may one around it") {
  const Tree tree;
  tree.write("meminfo", "MemAvailable:  102400 kB\n");
  tree.write("groups", "0::/batch/job\n");
  tree.write("cgroup/batch/job/memory.max", "max\n");
  tree.write("cgroup/batch/job/memory.current", mebibyteLine(30));
  CHECK(tree.available() == 100 * kMebibyte);
  tree.write("cgroup/batch/job/memory.max", mebibyteLine(64));
  CHECK(tree.available() == 34 * kMebibyte);
  tree.write("cgroup/batch/job/memory.stat", "anon 5\ninactive_file " + mebibyteLine(10) + "active_file 7\n");
  CHECK(tree.available() == 44 * kMebibyte);  // cached files would be dropped
  tree.write("cgroup/batch/memory.max", mebibyteLine(40));
  tree.write("cgroup/batch/memory.current", mebibyteLine(35));
  CHECK(tree.available() == 5 * kMebibyte);
  tree.write("cgroup/batch/memory.current", mebibyteLine(41));
  CHECK(tree.available() == 1);  // nothing, which is not "unknown"
}

TEST_CASE("a container sees its own control group at the root") {
  const Tree tree;
  tree.write("meminfo", "MemAvailable:  102400 kB\n");
  tree.write("groups", "0::/system.slice/container-12345\n");  // a path of the host
  tree.write("cgroup/memory.max", mebibyteLine(20));
  tree.write("cgroup/memory.current", mebibyteLine(8));
  CHECK(tree.available() == 12 * kMebibyte);
}

TEST_CASE("control groups of version 1 count as well") {
  const Tree tree;
  tree.write("meminfo", "MemAvailable:  102400 kB\n");
  tree.write("groups", "12:cpu,cpuacct:/job\n7:memory:/slurm/job_1\n1:name=systemd:/\n");
  tree.write("cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");  // none
  tree.write("cgroup/memory/memory.usage_in_bytes", mebibyteLine(90));
  CHECK(tree.available() == 100 * kMebibyte);
  tree.write("cgroup/memory/slurm/job_1/memory.limit_in_bytes", mebibyteLine(50));
  tree.write("cgroup/memory/slurm/job_1/memory.usage_in_bytes", mebibyteLine(20));
  tree.write("cgroup/memory/slurm/job_1/memory.stat", "cache 1\ntotal_inactive_file " + mebibyteLine(5));
  CHECK(tree.available() == 35 * kMebibyte);
}

TEST_CASE("files that make no sense are ignored") {
  const Tree tree;
  tree.write("meminfo", "MemAvailable:  1024 kB\n");
  tree.write("groups", "no colons\n:\n0::relative/../path\n\n");
  tree.write("cgroup/memory.max", "-what?\n");
  tree.write("cgroup/memory.current", "");
  CHECK(tree.available() == kMebibyte);
}

TEST_CASE("memory that ran out ends as a sentence") {
  CHECK(wordsOf(std::bad_alloc()).find("not enough memory") != std::string::npos);
  CHECK(wordsOf(std::bad_alloc()).find("bad_alloc") == std::string::npos);
  CHECK(wordsOf(std::bad_array_new_length()).find("not enough memory") != std::string::npos);
  CHECK(wordsOf(Error(ErrorKind::Usage, "that failed", "try another")) == "that failed; try another");
}

TEST_CASE("more memory than there are addresses is refused without asking") {
  for (const std::size_t bytes : {std::size_t{1} << 47, std::size_t{1} << 62, ~std::size_t{0}})
    CHECK(allocateAligned(bytes) == nullptr);
  void* const some = allocateAligned(1);
  CHECK(some != nullptr);
  std::free(some);
}
