#include "gpu/opencl/opencl_binary.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace sscope {

namespace {

struct Head {
  char magic[4] = {'S', 'S', 'O', '1'};
  std::int32_t registers = 0;
};

}  // namespace

int reportedRegisters(const std::string& log) {
  const std::size_t used = log.find("Used ");
  if (used == std::string::npos || log.find(" registers", used) == std::string::npos) return 0;
  return std::atoi(log.c_str() + used + 5);
}

std::vector<std::byte> packed(const OpenClBinary& binary) {
  Head head;
  head.registers = binary.registers;
  std::vector<std::byte> bytes(sizeof head + binary.driver.size());
  std::memcpy(bytes.data(), &head, sizeof head);
  if (!binary.driver.empty()) std::memcpy(bytes.data() + sizeof head, binary.driver.data(), binary.driver.size());
  return bytes;
}

std::optional<OpenClBinary> unpacked(std::span<const std::byte> bytes) {
  const Head expected;
  Head head;
  if (bytes.size() <= sizeof head) return std::nullopt;
  std::memcpy(&head, bytes.data(), sizeof head);
  if (std::memcmp(head.magic, expected.magic, sizeof head.magic) != 0 || head.registers < 0) return std::nullopt;
  return OpenClBinary{head.registers, bytes.subspan(sizeof head)};
}

}  // namespace sscope
