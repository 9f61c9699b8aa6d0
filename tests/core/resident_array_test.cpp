// Results in host memory, behind the interface of those on devices.

#include <array>
#include <cstring>
#include <vector>

#include "core/base/error.h"
#include "core/engine/resident_array.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;

TEST_CASE("parts of a result in host memory are read in place") {
  // Large enough to be copied by several threads.
  const auto volume = std::make_shared<const Volume>(test::randomVolume({211, 103, 17, 2}, ElementType::i16, 1));
  const auto array = hostArray("cpu:scalar", volume);
  CHECK(array->engine() == "cpu:scalar");
  CHECK(array->deviceBytes() == 0);
  CHECK(array->spec() == volume->spec());
  CHECK(array->host({}) == volume);

  Volume whole({211, 103, 17, 2}, ElementType::i16);
  double furthest = 0;
  array->copyTo(whole.view(), {{}, [&](double fraction, std::string_view) { furthest = fraction; }});
  CHECK(std::memcmp(whole.data(), volume->data(), static_cast<std::size_t>(whole.bytes())) == 0);
  CHECK(furthest == 1);

  const auto differing = [&](const Box& box, const ArrayView& view) {
    const BoxCopy copy{box, view};
    array->read({&copy, 1}, {});
    std::int64_t count = 0;
    for (std::int64_t z = 0; z < box.size(2); ++z)
      for (std::int64_t y = 0; y < box.size(1); ++y)
        for (std::int64_t x = 0; x < box.size(0); ++x)
          for (int c = 0; c < 2; ++c)
            if (static_cast<double>(view.as<std::int16_t>()[view.offset(x, y, z, c)]) !=
                volume->value(x + box.begin[0], y + box.begin[1], z + box.begin[2], c))
              ++count;
    return count;
  };
  Volume sagittal({1, 103, 17, 2}, ElementType::i16), coronal({211, 1, 17, 2}, ElementType::i16);
  CHECK(differing(sliceBox(array->spec(), 0, 210), sagittal.view()) == 0);
  CHECK(differing(sliceBox(array->spec(), 1, 51), coronal.view()) == 0);
  std::vector<std::int16_t> planar(5 * 4 * 3 * 2);
  const Box box{{200, 99, 14}, {205, 103, 17}};
  CHECK(differing(box, {ElementType::i16, reinterpret_cast<std::byte*>(planar.data()), {5, 4, 3, 2}, {12, 1, 4, 60}}) ==
        0);
}

TEST_CASE("a part that a result does not have is refused, and so is a view that it does not fit") {
  const auto array =
      hostArray("cpu:scalar", std::make_shared<const Volume>(test::randomVolume({5, 4, 3, 1}, ElementType::f32, 1)));
  Volume slice({5, 4, 1, 1}, ElementType::f32), other({5, 4, 1, 1}, ElementType::u32);
  const auto refused = [&](const Box& box, const ArrayView& view) {
    const BoxCopy copy{box, view};
    try {
      array->read({&copy, 1}, {});
    } catch (const Error& error) {
      return error.kind() == ErrorKind::Usage;
    }
    return false;
  };
  CHECK(!refused(sliceBox(array->spec(), 2, 2), slice.view()));
  CHECK(refused(sliceBox(array->spec(), 2, 3), slice.view()));
  CHECK(refused(sliceBox(array->spec(), 2, -1), slice.view()));
  CHECK(refused(sliceBox(array->spec(), 1, 2), slice.view()));
  CHECK(refused(sliceBox(array->spec(), 2, 2), other.view()));
  CHECK_THROWS_AS(array->copyTo(slice.view(), {}), Error);
}

TEST_CASE("short rows go where they belong, with gaps between them and without") {
  const Volume dense = test::randomVolume({1, 7, 5, 3}, ElementType::u16, 3);
  for (const std::array<std::int64_t, 4>& stride :
       {std::array<std::int64_t, 4>{3, 3, 21, 1}, {3, 4, 28, 1}, {3, 3, 30, 1}, {4, 15, 3, 1}, {3, 1, 7, 35}}) {
    INFO(stride[0] << " " << stride[1] << " " << stride[2] << " " << stride[3]);
    std::vector<std::uint16_t> memory(200, 0xabcd), expected = memory;
    const ArrayView to{ElementType::u16, reinterpret_cast<std::byte*>(memory.data()), {1, 7, 5, 3}, stride};
    for (std::int64_t z = 0; z < 5; ++z)
      for (std::int64_t y = 0; y < 7; ++y)
        for (int c = 0; c < 3; ++c)
          expected[static_cast<std::size_t>(to.offset(0, y, z, c))] =
              static_cast<std::uint16_t>(dense.value(0, y, z, c));
    scatterBox(dense.data(), to);
    CHECK(memory == expected);
  }
}
