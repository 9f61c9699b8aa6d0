#include "gpu/cuda/cuda_kernel.h"

namespace sscope::cuda {

LoadedModule::~LoadedModule() {
  session_->api().useContext(session_->context());
  session_->api().synchronizeStream(session_->stream());
  session_->api().unloadModule(module_);
}

Kernel::Kernel(std::shared_ptr<const LoadedModule> module, const std::string& entry) : module_(std::move(module)) {
  const Session& session = module_->session();
  session.use();
  session.check("make a kernel of its program",
                session.api().moduleFunction(&function_, module_->handle(), entry.c_str()));
  allowedLocal_ = attribute(FunctionAttribute::MaxDynamicSharedSizeBytes);
}

int Kernel::attribute(FunctionAttribute attribute) const {
  const Session& session = module_->session();
  int value = 0;
  session.use();
  session.check("describe a kernel", session.api().functionAttribute(&value, attribute, function_));
  return value;
}

KernelAttributes Kernel::attributes() const {
  KernelAttributes a;
  a.registers = attribute(FunctionAttribute::NumRegs);
  a.localBytes = attribute(FunctionAttribute::SharedSizeBytes);
  a.privateBytes = attribute(FunctionAttribute::LocalSizeBytes);
  a.constantBytes = attribute(FunctionAttribute::ConstSizeBytes);
  a.largestGroup = attribute(FunctionAttribute::MaxThreadsPerBlock);
  return a;
}

void Kernel::allowLocal(std::int64_t bytes) {
  if (bytes <= allowedLocal_) return;
  const Session& session = module_->session();
  session.use();
  session.check("give so much local memory",
                session.api().setFunctionAttribute(function_, FunctionAttribute::MaxDynamicSharedSizeBytes,
                                                   static_cast<int>(bytes)));
  allowedLocal_ = bytes;
}

}  // namespace sscope::cuda
