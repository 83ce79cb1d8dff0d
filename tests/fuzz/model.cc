// Fuzz target: any bytes read as a model give a one-line Error, or a model that translates.
//
//   make fuzz CXX=clang++
#include "cpu/cpu.h"
#include "decode/loaded_model.h"
#include "decode/translator.h"
#include "tests/fuzz/memory_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const tt::MemoryFile memory;
  static const tt::CpuBackend backend;
  memory.hold(bytes, size);
  try {
    const tt::LoadedModel loaded = tt::load_model(memory.path(), backend);
    tt::TranslateOptions options;
    options.search.beam = 2;
    options.search.extra_length = 3;
    options.longest = 10;
    const tt::Translator translator({{loaded.model.get(), &loaded.source}}, loaded.target, options);
    tt::Tape tape(backend, loaded.model->params());
    const tt::Request lines[] = {{"the old mill"}, {""}, {"\xff a b c d e f g h i j k l"}};
    TT_CHECK(translator.texts(lines, tape).size() == 3);
  } catch (const tt::Error& error) {
    tt::check_message(error, "");
  }
  return 0;
}
