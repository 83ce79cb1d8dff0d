// Fuzz target: any text read as a training log gives a one-line Error, or curves that can be drawn.
//
//   make fuzz CXX=clang++
#include "plot/training_log.h"

#include "plot/terminal.h"
#include "tests/fuzz/memory_file.h"

using namespace tt::plot;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const tt::MemoryFile memory;
  memory.hold(bytes, size);
  try {
    const TrainingLog log = read_training_log(memory.path());
    for (const std::string& axis : log_axes())
      for (const bool logarithmic : {false, true}) try {
          const Figure figure = log_figure({log}, log_panels(), {axis, logarithmic, logarithmic});
          Terminal terminal;
          if (!figure.panels.empty()) TT_CHECK(!draw_terminal(figure, terminal).empty());
        } catch (const tt::Error& error) {
          tt::check_message(error, "");
        }
  } catch (const tt::Error& error) {
    tt::check_message(error, "");
  }
  return 0;
}
