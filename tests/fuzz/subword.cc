// Fuzz target: any bytes read as a subword model give a one-line Error, or a model that encodes and
// decodes any text.
//
//   make fuzz CXX=clang++
#include "text/subword.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/error.h"
#include "base/random.h"
#include "base/utf8.h"
#include "tests/fuzz/memory_file.h"

namespace {

constexpr const char* kTexts[] = {
    "",
    " ",
    "the old mill  stands",
    "Straße, naïve; 日本語 ﬁ Ⅷ \u200b\u00a0",
    "\xff\xed\xa0\x80",
    "<s></s><unk> ▁▁",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"};

void use(const tt::Subword& model) {
  for (int id = 0; id < model.size(); ++id)
    TT_CHECK(std::isfinite(model.score(id)) &&
             tt::first_invalid_utf8(model.piece(id)) == std::string::npos);
  tt::SubwordEncoder encoder(model);
  for (const char* text : kTexts) {
    std::vector<std::int32_t> ids;
    std::vector<std::string> pieces;
    model.encode(text, ids);
    model.encode(text, pieces);
    TT_CHECK(ids.size() == pieces.size());
    for (const std::int32_t id : ids) TT_CHECK(id >= 0 && id < model.size());
    TT_CHECK(model.decode(ids).find('\n') == std::string::npos);
    TT_CHECK(model.decode(pieces).find('\n') == std::string::npos);
    std::vector<std::int32_t> again;
    encoder.append(text, again);
    TT_CHECK(again == ids);
    if (model.kind() == tt::Subword::Kind::other) continue;
    tt::Random random(1);
    model.sample(text, 0.5f, random, ids);
    for (const std::int32_t id : ids) TT_CHECK(id >= 0 && id < model.size());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  try {
    use(tt::Subword::parse(std::string(reinterpret_cast<const char*>(bytes), size), "fuzz.model"));
  } catch (const tt::Error& error) {
    tt::check_message(error, "");
  }
  return 0;
}
