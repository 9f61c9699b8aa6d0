// A small subset that touches every kernel, quick enough for a simulator that watches every memory access (see the
// test "gpu: under oclgrind" in CMakeLists.txt).

#include "tests/gpu/gpu_support.h"
#include "tests/support/catch.h"

namespace sscope::test {

TEST_CASE("every kernel agrees with the reference on tiny volumes", "[tiny]") {
  SSCOPE_EACH_DEVICE(engine);
  INFO(engine->info().name);
  const Volume components = randomVolume({5, 3, 2, 2}, ElementType::u8, 1);
  const Volume wide = randomVolume({19, 2, 3, 1}, ElementType::f32, 2);
  const Stencil lines = separableFilter({{3, 2, 3}, {5, 0, 0}}), dense = faintFilter({3, 2, 2}, {2, 0, 1});
  for (const Boundary boundary : {Boundary::constant, Boundary::mirror}) {
    const FilterWorkload bytes({lines, dense}, boundary, 2, components.spec(), ElementType::i16);
    requireRight(bytes, components, runOn(*engine, bytes, components, "auto"));
    const FilterWorkload floats({lines, dense}, boundary, 2, wide.spec(), ElementType::f32);
    requireRight(floats, wide, runOn(*engine, floats, wide, "auto"));
    requireRight(floats, wide, runOn(*engine, floats, wide, "auto", {0, 5000}));
    requireRight(floats, wide, runOn(*engine, floats, wide, "dense-baked"));
  }
}

}  // namespace sscope::test
