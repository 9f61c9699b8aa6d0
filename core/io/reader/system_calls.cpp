// The system calls that decoding needs, as a seccomp filter. Everything else is refused as if the kernel did not know
// it: no network, no other processes or threads, no signals to others, no tracing, no file opened for writing, no new
// code in memory.

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/io/process/protocol.h"
#include "core/io/reader/sandbox.h"

namespace sscope::io {

#if defined(__x86_64__) || defined(__aarch64__)

namespace {

#ifdef __x86_64__
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#else
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#endif
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the low half of an argument comes first");

// Allowed whatever their arguments are.
constexpr int kPlain[] = {
    // Files that are open or are opened for reading.
    __NR_read, __NR_pread64, __NR_readv, __NR_preadv, __NR_lseek, __NR_close, __NR_fstat, __NR_newfstatat, __NR_statx,
    __NR_statfs, __NR_fstatfs, __NR_faccessat, __NR_faccessat2, __NR_readlinkat, __NR_getdents64, __NR_getcwd,
    __NR_flock, __NR_fadvise64, __NR_readahead,
#ifdef __x86_64__
    __NR_stat, __NR_lstat, __NR_access, __NR_readlink, __NR_getdents, __NR_poll, __NR_select, __NR_time,
#endif
    // Memory; mmap and mprotect are below.
    __NR_munmap, __NR_mremap, __NR_madvise, __NR_brk, __NR_mincore,
    // Time, waiting, and what the C library asks of its own process.
    __NR_clock_gettime, __NR_clock_getres, __NR_clock_nanosleep, __NR_nanosleep, __NR_gettimeofday, __NR_times,
    __NR_ppoll, __NR_pselect6, __NR_futex, __NR_sched_yield, __NR_sched_getaffinity, __NR_getcpu, __NR_getrusage,
    __NR_sysinfo, __NR_uname, __NR_getrandom, __NR_getpid, __NR_getppid, __NR_gettid, __NR_getuid, __NR_geteuid,
    __NR_getgid, __NR_getegid, __NR_getrlimit, __NR_setrlimit, __NR_rt_sigaction, __NR_rt_sigprocmask,
    __NR_rt_sigreturn, __NR_sigaltstack, __NR_restart_syscall, __NR_set_robust_list, __NR_exit, __NR_exit_group};

// Allowed when one argument, its low half, passes.
struct Checked {
  int call;
  int argument;
  enum class Rule { Equals, AtMost, NoneOf } rule;
  std::uint32_t value;
};

constexpr std::uint32_t kWriting = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND | (O_TMPFILE & ~O_DIRECTORY);

std::vector<Checked> checkedCalls() {
  using enum Checked::Rule;
  return {
      {__NR_openat, 2, NoneOf, kWriting},
#ifdef __x86_64__
      {__NR_open, 1, NoneOf, kWriting},
#endif
      {__NR_write, 0, AtMost, kReplyDescriptor},  // the reply, and the silenced outputs
      {__NR_fcntl, 1, AtMost, F_SETLKW},          // flags and locks; not the receiver of signals, which comes next
      {__NR_ftruncate, 0, Equals, kVoxelDescriptor},
      {__NR_mmap, 2, NoneOf, PROT_EXEC},
      {__NR_mprotect, 2, NoneOf, PROT_EXEC},
      {__NR_prlimit64, 0, Equals, 0},                                    // its own
      {__NR_tgkill, 0, Equals, static_cast<std::uint32_t>(::getpid())},  // abort()
  };
}

sock_filter statement(unsigned code, std::uint32_t value) { return BPF_STMT(static_cast<std::uint16_t>(code), value); }

sock_filter jump(unsigned code, std::uint32_t value, std::uint8_t ifTrue, std::uint8_t ifFalse) {
  return BPF_JUMP(static_cast<std::uint16_t>(code), value, ifTrue, ifFalse);
}

const sock_filter kAllow = statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);

sock_filter refuse(int errnoValue) {
  return statement(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(errnoValue));
}

sock_filter load(std::size_t offset) { return statement(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)); }

// On to the next instruction when the rule holds, else to the one behind it.
sock_filter test(const Checked& check) {
  switch (check.rule) {
    case Checked::Rule::Equals: return jump(BPF_JMP | BPF_JEQ | BPF_K, check.value, 0, 1);
    case Checked::Rule::AtMost: return jump(BPF_JMP | BPF_JGT | BPF_K, check.value, 1, 0);
    case Checked::Rule::NoneOf: break;
  }
  return jump(BPF_JMP | BPF_JSET | BPF_K, check.value, 1, 0);
}

std::vector<sock_filter> filterProgram() {
  std::vector<sock_filter> program = {load(offsetof(seccomp_data, arch)),
                                      jump(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0), refuse(ENOSYS),
                                      load(offsetof(seccomp_data, nr))};
  for (const int call : kPlain) {
    program.push_back(jump(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 1));
    program.push_back(kAllow);
  }
  for (const Checked& check : checkedCalls()) {
    program.push_back(jump(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(check.call), 0, 4));
    program.push_back(load(offsetof(seccomp_data, args) + 8 * static_cast<std::size_t>(check.argument)));
    program.push_back(test(check));
    program.push_back(kAllow);
    program.push_back(refuse(EACCES));
  }
  program.push_back(refuse(ENOSYS));
  return program;
}

}  // namespace

bool confineSystemCalls() {
  std::vector<sock_filter> program = filterProgram();
  const sock_fprog filter{static_cast<unsigned short>(program.size()), program.data()};
  return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

#else

bool confineSystemCalls() { return false; }

#endif

}  // namespace sscope::io
