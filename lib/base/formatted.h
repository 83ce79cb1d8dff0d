// Numbers as text.
#pragma once

#include <string>

namespace tt {

// As printf() prints them.
[[gnu::format(printf, 1, 2)]] std::string formatted(const char* pattern, ...);

// Six digits, as of scores: those behind them depend on the processor.
std::string six_digits(double x);

}  // namespace tt
