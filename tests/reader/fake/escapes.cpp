#include "tests/reader/fake/escapes.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <functional>
#include <system_error>
#include <thread>

#include "core/io/reader/sandbox.h"

extern char** environ;

namespace sscope::io {

namespace {

bool opens(const std::string& path, int flags) {
  const int file = ::open(path.c_str(), flags, 0600);
  if (file >= 0) ::close(file);
  return file >= 0;
}

bool lists(const std::string& folder) {
  DIR* open = ::opendir(folder.c_str());
  if (open == nullptr) return false;
  const bool listed = ::readdir(open) != nullptr;
  ::closedir(open);
  return listed;
}

bool connects(int family) {
  const int made = ::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (made >= 0) ::close(made);
  return made >= 0;
}

bool forks() {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  if (child > 0) ::waitpid(child, nullptr, 0);
  return child > 0;
}

// In place of this program, which the caller would miss.
bool executes() {
  char name[] = "/bin/true";
  char* const arguments[] = {name, nullptr};
  ::execve(name, arguments, environ);
  return false;
}

bool startsThread() {
  try {
    std::thread([] {}).join();
    return true;
  } catch (const std::system_error&) {
    return false;
  }
}

bool readsMemoryOf(pid_t other) {
  char byte = 0;
  iovec own{&byte, 1}, theirs{reinterpret_cast<void*>(&environ), 1};
  return ::process_vm_readv(other, &own, 1, &theirs, 1, 0) == 1;
}

bool mapsCode() {
  void* page = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return page != MAP_FAILED;
}

}  // namespace

std::vector<std::string> tryToEscape(const std::string& path) {
  const std::string beside = (std::filesystem::path(path).parent_path() / "beside").string();
  const std::string made = (std::filesystem::path(path).parent_path() / "made").string();
  const std::vector<std::pair<const char*, std::function<bool()>>> attempts = {
      {"its own file", [&] { return opens(path, O_RDONLY); }},
      {"a file beside it", [&] { return opens(beside, O_RDONLY); }},
      {"a file elsewhere", [] { return opens("/etc/passwd", O_RDONLY); }},
      {"memory of the caller", [] { return opens("/proc/" + std::to_string(::getppid()) + "/mem", O_RDONLY); }},
      {"listing a folder", [] { return lists("/"); }},
      {"writing its own file", [&] { return opens(path, O_WRONLY); }},
      {"making a file", [&] { return opens(made, O_WRONLY | O_CREAT); }},
      {"a temporary file", [] { return opens("/tmp", O_TMPFILE | O_RDWR); }},
      {"removing a file", [&] { return ::unlink(beside.c_str()) == 0; }},
      {"renaming a file", [&] { return ::rename(beside.c_str(), made.c_str()) == 0; }},
      {"a link", [&] { return ::symlink("/", made.c_str()) == 0; }},
      {"rights of a file", [&] { return ::chmod(path.c_str(), 0700) == 0; }},
      {"a socket of the internet", [] { return connects(AF_INET); }},
      {"a socket of this machine", [] { return connects(AF_UNIX); }},
      {"a process", forks},
      {"a program", executes},
      {"a thread", startsThread},
      {"a signal to the caller", [] { return ::kill(::getppid(), 0) == 0; }},
      {"a signal to a thread of the caller", [] { return ::syscall(SYS_tgkill, ::getppid(), ::getppid(), 0) == 0; }},
      {"tracing the caller", [] { return ::ptrace(PTRACE_SEIZE, ::getppid(), nullptr, nullptr) == 0; }},
      {"reading the caller", [] { return readsMemoryOf(::getppid()); }},
      {"new code", mapsCode},
      {"more memory to share", [] { return ::memfd_create("more", 0) >= 0; }},
      {"another session", [] { return ::setsid() >= 0; }},
      {"a ring", [] { return ::syscall(SYS_io_uring_setup, 1, nullptr) >= 0 || errno == EFAULT; }},
  };
  std::vector<std::string> outcome;
  for (const auto& [name, attempt] : attempts)
    outcome.push_back(std::string(name) + ": " + (attempt() ? "allowed" : "refused"));
  outcome.push_back(std::string("files confined: ") + (confinement().files ? "yes" : "no"));
  outcome.push_back(std::string("system calls confined: ") + (confinement().systemCalls ? "yes" : "no"));
  return outcome;
}

std::vector<std::string> surroundings() {
  std::vector<std::string> found;
  for (char** one = environ; *one != nullptr; ++one) found.push_back("variable: " + std::string(*one));
  const auto limit = [&](const char* name, __rlimit_resource_t resource) {
    rlimit now{};
    ::getrlimit(resource, &now);
    const bool none = now.rlim_max == RLIM_INFINITY;
    found.push_back(std::string(name) + ": " + (none ? "unlimited" : std::to_string(now.rlim_max)));
  };
  limit("core", RLIMIT_CORE);
  limit("descriptors", RLIMIT_NOFILE);
  limit("processes", RLIMIT_NPROC);
  limit("seconds", RLIMIT_CPU);
  limit("file", RLIMIT_FSIZE);
  limit("memory", RLIMIT_AS);
  std::string open;
  for (int descriptor = 0; descriptor < 1024; ++descriptor)
    if (::fcntl(descriptor, F_GETFD) >= 0) open += (open.empty() ? "" : " ") + std::to_string(descriptor);
  found.push_back("open: " + open);
  return found;
}

}  // namespace sscope::io
