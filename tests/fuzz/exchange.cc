// Fuzz target: any bytes as a file of another program end in an Error on one line, or in tensors
// and vocabularies. The first byte says which kind of file the others are.
//
//   make fuzz CXX=clang++
#include <nlohmann/json.hpp>

#include "base/bytes.h"
#include "exchange/ctranslate2_file.h"
#include "exchange/format.h"
#include "exchange/json_settings.h"
#include "exchange/marian_file.h"
#include "exchange/npy.h"
#include "exchange/pickle.h"
#include "exchange/safetensors.h"
#include "exchange/tokenizer_json.h"
#include "exchange/tokenizer_pieces.h"
#include "exchange/torch_file.h"
#include "exchange/vocabulary.h"
#include "tests/fuzz/allocation.h"
#include "tests/fuzz/memory_file.h"
#include "text/merges.h"
#include "text/subword.h"

namespace {

// A node of JSON or of a pickle takes some hundred bytes, and a model may have what most_from()
// allows.
constexpr std::size_t kTimes = 512;

void take_all(tt::ForeignTensors tensors) {
  for (const std::string& name : tensors.names()) tensors.take(name);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const tt::MemoryFile memory;
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(bytes) + 1, size - 1);
  memory.hold(bytes + 1, size - 1);
  const tt::AllocationLimit limit(size, kTimes);
  try {
    switch (bytes[0]) {
      case 'm': take_all(tt::read_marian_file(memory.path()).tensors); break;
      case 'p': take_all(tt::read_torch(memory.path())); break;
      case 'P': {
        const std::string name = "fuzz";
        tt::ByteReader reader(text, name);
        tt::PickleMachine machine(reader, name, tt::PickleObjects::inert);
        machine.as_json(machine.run());
        break;
      }
      case 'T': take_all(tt::read_torch_checkpoint(memory.path(), {"model"}).tensors); break;
      case 'C':
        if (tt::Merges::are(text)) tt::Merges(text, "fuzz").cut("a word of a text");
        break;
      case 's': take_all(tt::read_safetensors(memory.path())); break;
      case 'c':
        take_all(tt::read_ctranslate2_file(tt::map_file(memory.path()), memory.path()).variables);
        break;
      case 'n': tt::read_npy(text, text.size(), "fuzz").numbers(text, "fuzz"); break;
      case 'o': {
        const tt::JsonSettings options = tt::JsonSettings::of_yaml(text, "fuzz");
        options.integer("a", 1, 0, 9), options.number("b", 1, 0, 9), options.yes("c", true);
        break;
      }
      case 'j': tt::read_json_vocabulary(text, "fuzz"); break;
      case 'J': {
        const tt::JsonSettings settings(text, "fuzz");
        settings.integer("a", 1, 0, 9), settings.number("b", 1, 0, 9), settings.yes("c", true);
        break;
      }
      case 't': tt::read_tokenizer_json(memory.path(), 64); break;
      case 'O': tt::kOpenNmt.read({memory.path(), {}, "", "", {}}); break;
      case 'F': tt::kFairseq.read({memory.path(), {}, "", "", {}}); break;
      case 'y': {
        tt::Vocabulary vocabulary;
        vocabulary.path = "fuzz";
        vocabulary.pieces = tt::read_yaml_vocabulary(text, "fuzz");
        const tt::Subword subword = tt::Subword::parse(
            tt::number_pieces("", vocabulary, tt::SubwordSide::target, "fuzz"), "fuzz");
        TT_CHECK(subword.size() == static_cast<int>(vocabulary.pieces.size()));
        break;
      }
      case 'u': {  // a tokenizer.json, whose SentencePiece model may be none that can cut
        const std::string model = tt::read_subword(memory.path());
        std::vector<std::int32_t> ids;
        tt::Subword::parse(model, "fuzz").encode("the old mill", ids);
        break;
      }
      case 'v': {  // a SentencePiece model, whose own pieces are numbered backwards
        const std::string model(text);
        tt::Vocabulary vocabulary = tt::vocabulary_of(model, "fuzz");
        TT_CHECK(tt::number_pieces(model, vocabulary, tt::SubwordSide::target, "fuzz") == model);
        vocabulary.pieces = {vocabulary.pieces.rbegin(), vocabulary.pieces.rend()};
        const tt::Subword subword = tt::Subword::parse(
            tt::number_pieces(model, vocabulary, tt::SubwordSide::source, "fuzz"), "fuzz");
        std::vector<std::int32_t> ids;
        subword.encode("the old mill", ids);
        for (const std::int32_t id : ids) TT_CHECK(id >= 0 && id < subword.size());
        TT_CHECK(nlohmann::json::accept(
            tt::make_tokenizer_json(model, tt::vocabulary_of(model, "fuzz"), {}, {})));
        break;
      }
      default: break;
    }
  } catch (const tt::Error& error) {
    tt::check_message(error, "");
  }
  return 0;
}
