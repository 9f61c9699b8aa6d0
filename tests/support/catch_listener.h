#pragma once
// Catch2 with its listeners; included before all that includes Catch2 without them.

#define CATCH_CONFIG_EXTERNAL_INTERFACES
#include "tests/support/catch.h"
