#pragma once
// What a run under Oclgrind without complaints leaves behind: the keys of its launches, and the bytes that were read.

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace sscope::test {

class OclgrindRecord {
 public:
  // Null without SSCOPE_OCLGRIND_RECORD.
  static OclgrindRecord* ofThisRun();
  // Says how much was looked at.
  ~OclgrindRecord();
  OclgrindRecord(const OclgrindRecord&) = delete;
  OclgrindRecord& operator=(const OclgrindRecord&) = delete;

  [[nodiscard]] std::uint64_t salt() const { return salt_; }
  // What an earlier run left under this key, if anything; it stays in the record.
  [[nodiscard]] std::optional<std::vector<std::byte>> find(std::uint64_t key);
  void keep(std::uint64_t key, std::span<const std::byte> bytes);
  // A launch that was put off, or ran.
  void count(bool known);

 private:
  explicit OclgrindRecord(const std::string& path);

  std::mutex mutex_;
  std::uint64_t salt_;
  std::map<std::uint64_t, std::vector<std::byte>> earlier_;
  std::set<std::uint64_t> written_;
  std::ofstream next_;
  std::int64_t known_ = 0, looked_ = 0;
};

}  // namespace sscope::test
