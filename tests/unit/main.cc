// The entry point of the unit tests. The parts of Catch2 that take long to compile are compiled
// only here.
#define CATCH_CONFIG_RUNNER
#include "tests/catch.h"

int main(int argc, char** argv) { return Catch::Session().run(argc, argv); }
