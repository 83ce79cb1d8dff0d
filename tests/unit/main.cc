// The entry of the unit tests. Catch2's own main lives in this file alone, because it is what takes long to compile.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
