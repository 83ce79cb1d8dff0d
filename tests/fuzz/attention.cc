// Fuzz target: any text read as an attention record gives a one-line Error, or heads that can be
// chosen, drawn and printed.
//
//   make fuzz CXX=clang++
#include "plot/attention.h"

#include "plot/terminal.h"
#include "tests/fuzz/memory_file.h"

using namespace tt::plot;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  try {
    const auto record =
        parse_attention({reinterpret_cast<const char*>(bytes), size}, "fuzz.jsonl:1");
    for (const char* kind : {"cross", "encoder", "decoder"})
      for (const bool mean : {false, true}) try {
          const auto heads = choose_heads(record, kind, 0, 0, mean);
          for (const auto& head : heads)
            TT_CHECK(head.weights.size() ==
                     static_cast<std::size_t>(head.rows) * static_cast<std::size_t>(head.columns));
          const Figure figure = attention_figure(record, heads);
          Terminal terminal;
          for (const auto mode : {TerminalMode::truecolor, TerminalMode::ascii}) {
            terminal.mode = mode;
            TT_CHECK(!draw_terminal(figure, terminal).empty());
          }
          tt::Output out("/dev/null");
          write_attention_tsv(out, record, heads);
        } catch (const tt::Error& error) {
          tt::check_message(error, "");
        }
  } catch (const tt::Error& error) {
    tt::check_message(error, "fuzz.jsonl:1: ");
  }
  return 0;
}
