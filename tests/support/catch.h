#pragma once
// Catch2, for every test.

#include <catch2/catch.hpp>
