#include "core/filter/program_part.h"

namespace sscope {

std::size_t ProgramPart::add(Operator op, std::vector<std::size_t> inputs) {
  nodes.push_back({std::move(op), std::move(inputs)});
  return nodes.size() - 1;
}

}  // namespace sscope
