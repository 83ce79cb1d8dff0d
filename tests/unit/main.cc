// The entry of the unit tests. What of Catch2 takes long to compile is compiled in this file alone.
#define CATCH_CONFIG_RUNNER
#include "tests/catch.h"

int main(int argc, char** argv) { return Catch::Session().run(argc, argv); }
