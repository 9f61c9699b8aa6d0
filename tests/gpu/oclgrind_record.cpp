#include "tests/gpu/oclgrind_record.h"

#include <cstdlib>
#include <iostream>
#include <stdexcept>

#include "core/base/encoding.h"

namespace sscope::test {

namespace {

std::string variableOf(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

template <class T>
void put(std::ostream& to, const T& value) {
  to.write(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class T>
bool get(std::istream& from, T& value) {
  return static_cast<bool>(from.read(reinterpret_cast<char*>(&value), sizeof value));
}

}  // namespace

OclgrindRecord* OclgrindRecord::ofThisRun() {
  static const std::string path = variableOf("SSCOPE_OCLGRIND_RECORD");
  if (path.empty()) return nullptr;
  static OclgrindRecord record(path);
  return &record;
}

// Entries: key, number of bytes, bytes. What a file that was cut short lacks is looked at again.
OclgrindRecord::OclgrindRecord(const std::string& path)
    : salt_(hashOf(variableOf("SSCOPE_OCLGRIND_SALT"))), next_(path + ".new", std::ios::binary | std::ios::trunc) {
  if (!next_) throw std::runtime_error("cannot write " + path + ".new");
  std::ifstream file(path, std::ios::binary);
  std::uint64_t key = 0, size = 0;
  while (get(file, key) && get(file, size) && size < (std::uint64_t{1} << 30)) {
    std::vector<std::byte> bytes(size);
    if (!file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size))) break;
    earlier_[key] = std::move(bytes);
  }
}

OclgrindRecord::~OclgrindRecord() {
  std::cout << "oclgrind: looked at " << looked_ << " launches; " << known_
            << " are unchanged since a run without complaints (SSCOPE_TEST_ALL=1 looks at all)" << std::endl;
}

std::optional<std::vector<std::byte>> OclgrindRecord::find(std::uint64_t key) {
  const auto found = earlier_.find(key);
  if (found == earlier_.end()) return std::nullopt;
  keep(key, found->second);
  return found->second;
}

void OclgrindRecord::keep(std::uint64_t key, std::span<const std::byte> bytes) {
  const std::lock_guard lock(mutex_);
  if (!written_.insert(key).second) return;
  put(next_, key);
  put(next_, static_cast<std::uint64_t>(bytes.size()));
  next_.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

void OclgrindRecord::count(bool known) {
  const std::lock_guard lock(mutex_);
  ++(known ? known_ : looked_);
}

}  // namespace sscope::test
