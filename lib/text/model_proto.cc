#include "text/model_proto.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "base/utf8.h"

namespace tt {
namespace {

constexpr std::uint64_t kVocabulary = 7474, kPlain = 7475,
                        kMerges = 7476;  // of a ModelProto: extensions that are nobody else's

// Iterates over the fields of a message. After next(), number() is the field's number, and
// integer() or bytes() its value.
class Fields {
 public:
  explicit Fields(std::string_view message) : left_(message) {}

  // False at the end and at the first damaged field; damaged() tells them apart.
  bool next() {
    if (left_.empty()) return false;
    std::uint64_t key = 0, size = 0;
    if (!varint(key) || key >> 3 == 0) return fail();
    number_ = key >> 3;
    type_ = key & 7;
    bytes_ = {};
    integer_ = 0;
    switch (type_) {
      case 0: return varint(integer_) || fail();
      case 1: return take(8) || fail();
      case 2: return (varint(size) && take(size)) || fail();
      case 5: return take(4) || fail();
      default: return fail();
    }
  }

  bool damaged() const { return damaged_; }
  std::uint64_t number() const { return number_; }
  std::uint64_t integer() const { return integer_; }
  std::string_view bytes() const { return bytes_; }  // of a string, message or fixed number

  // A string or message with this number. One of another type is none of the message's fields, as
  // the library has it.
  bool is_bytes(std::uint64_t number) const { return number_ == number && type_ == 2; }

 private:
  bool varint(std::uint64_t& value) {
    value = 0;
    for (int shift = 0; shift < 64 && !left_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(left_.front());
      left_.remove_prefix(1);
      value |= std::uint64_t{byte & 0x7Fu} << shift;
      if (byte < 0x80) return true;
    }
    return false;
  }

  bool take(std::uint64_t size) {
    if (size > left_.size()) return false;
    bytes_ = left_.substr(0, size);
    left_.remove_prefix(size);
    return true;
  }

  bool fail() {
    damaged_ = true;
    return false;
  }

  std::string_view left_, bytes_;
  std::uint64_t number_ = 0, type_ = 0, integer_ = 0;
  bool damaged_ = false;
};

// Calls field(fields) for every field; false if the message is damaged.
template <class Field>
bool for_each_field(std::string_view message, const Field& field) {
  Fields fields(message);
  while (fields.next()) field(fields);
  return !fields.damaged();
}

ModelPiece read_piece(std::string_view message, bool& good) {
  ModelPiece piece;
  good &= for_each_field(message, [&](const Fields& f) {
    if (f.is_bytes(1)) piece.text = f.bytes();
    if (f.number() == 2 && f.bytes().size() == sizeof piece.score)
      std::memcpy(&piece.score, f.bytes().data(), sizeof piece.score);
    if (f.number() == 3) piece.type = static_cast<PieceType>(f.integer());
  });
  good &= piece.type >= PieceType::normal && piece.type <= PieceType::byte &&
          std::isfinite(piece.score) && first_invalid_utf8(piece.text) == std::string_view::npos;
  return piece;
}

std::uint32_t unit_at(const char* units, std::size_t i) {
  std::uint32_t unit;
  std::memcpy(&unit, units + i * sizeof unit, sizeof unit);
  return unit;
}

// The place of the trie's children of unit `i`: the one by byte c is at it ^ c, if its label
// is c.
std::size_t children_of(std::size_t i, std::uint32_t unit) {
  return i ^ (std::size_t{unit >> 10} << ((unit & 1u << 9) >> 6));
}

// The rules of normalisation are a double-array trie of 32-bit units, preceded by its size and
// followed by the NUL-terminated texts that the trie's values point to. The library follows both
// without bounds checks, so a damaged file could make it read anywhere: this checks every unit that
// a text could reach. Source: the format of Darts-clone (label, offset and leaf bits of a unit).
// `spaces` is set if a rule may replace a sequence of characters that contains U+0020.
bool rules_are_sound(std::string_view rules, bool& spaces) {
  std::uint32_t bytes = 0;
  if (rules.empty()) return true;
  if (rules.size() < sizeof bytes) return false;
  std::memcpy(&bytes, rules.data(), sizeof bytes);
  rules.remove_prefix(sizeof bytes);
  if (bytes % sizeof(std::uint32_t) != 0 || bytes == 0 || bytes >= rules.size() ||
      rules.back() != '\0')
    return false;
  std::vector<std::uint32_t> units(bytes / sizeof(std::uint32_t));
  std::memcpy(units.data(), rules.data(), bytes);
  const std::string_view texts = rules.substr(bytes);
  if (first_invalid_utf8(texts) != std::string_view::npos) return false;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const std::uint32_t unit = units[i];
    if (unit >> 31) continue;  // a value; no text leads through it
    const std::size_t children = children_of(i, unit);
    if ((children | 0xFF) >= units.size()) return false;
    spaces |= (units[children ^ ' '] & 0x800000FF) == ' ';
    const std::uint32_t value = units[children] & 0x7FFFFFFF;
    if ((unit >> 8 & 1) && (value >= texts.size() || !begins_character(texts[value]))) return false;
  }
  return true;
}

}  // namespace

bool ModelProto::rule_crosses(std::string_view text, std::size_t begin, std::size_t cut) const {
  if (rules.empty()) return false;
  const char* const units = rules.data() + sizeof(std::uint32_t);
  for (std::size_t p = begin, at = 0; p < text.size(); ++p) {
    const auto byte = static_cast<unsigned char>(text[p]);
    at = children_of(at, unit_at(units, at)) ^ byte;
    if ((unit_at(units, at) & 0x800000FF) != byte) return false;
    if (p >= cut) return true;
  }
  return false;
}

std::optional<std::string_view> ModelProto::rule_for(std::string_view character) const {
  if (rules.empty()) return {};
  const std::uint32_t size = unit_at(rules.data(), 0);
  const char* const units = rules.data() + sizeof size;
  const std::string_view texts = rules.substr(sizeof size + size);
  std::size_t at = 0;
  for (const char c : character) {
    const auto byte = static_cast<unsigned char>(c);
    at = children_of(at, unit_at(units, at)) ^ byte;
    if ((unit_at(units, at) & 0x800000FF) != byte) return {};
  }
  if (!(unit_at(units, at) >> 8 & 1)) return {};
  const std::size_t value = unit_at(units, children_of(at, unit_at(units, at))) & 0x7FFFFFFF;
  return texts.substr(value, texts.find('\0', value) - value);
}

ModelProto read_model_proto(std::string_view bytes, const std::string& name) {
  ModelProto model;
  bool good = true, ignored = false;
  good &= for_each_field(bytes, [&](const Fields& part) {
    if (part.is_bytes(1)) model.pieces.push_back(read_piece(part.bytes(), good));
    if (part.number() == kVocabulary) {
      good &= part.integer() > 0 && part.integer() <= INT32_MAX;
      model.vocabulary = static_cast<int>(part.integer());
    }
    if (part.number() == kPlain) {
      good &= part.integer() <= static_cast<std::uint64_t>(ModelProto::Plain::characters);
      model.plain = static_cast<ModelProto::Plain>(part.integer());
    }
    if (part.number() == kMerges) model.merges = part.bytes();
    if (part.number() == 2)
      good &= for_each_field(part.bytes(), [&](const Fields& f) {
        if (f.number() == 3) model.kind = static_cast<ModelProto::Kind>(f.integer());
        if (f.number() == 24) model.whitespace_as_suffix = f.integer() != 0;
        if (f.number() == 46) model.bos = f.bytes();
      });
    if (part.number() == 3 || part.number() == 5)  // normaliser and denormaliser
      good &= for_each_field(part.bytes(), [&](const Fields& f) {
        good &= f.number() != 2 ||
                rules_are_sound(f.bytes(), part.number() == 3 ? model.rules_match_spaces : ignored);
      });
    if (part.number() == 3)
      good &= for_each_field(part.bytes(), [&](const Fields& f) {
        if (f.number() == 2) model.rules = f.bytes();
        if (f.number() == 3) model.dummy_prefix = f.integer() != 0;
        if (f.number() == 4) model.remove_extra_whitespace = f.integer() != 0;
        if (f.number() == 5) model.escape_whitespace = f.integer() != 0;
      });
  });
  good &= model.kind >= ModelProto::Kind::unigram && model.kind <= ModelProto::Kind::character;
  if (model.vocabulary == 0) model.vocabulary = static_cast<int>(model.pieces.size());
  good &= model.vocabulary <= static_cast<std::int64_t>(model.pieces.size());
  if (!good || model.pieces.empty())
    throw Error(name, ": not a SentencePiece model; train one with tt-bpe");
  return model;
}

namespace {

void put_varint(std::string& to, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) to.push_back(static_cast<char>(value | 0x80));
  to.push_back(static_cast<char>(value));
}

void put_bytes(std::string& to, std::uint64_t number, std::string_view bytes) {
  put_varint(to, number << 3 | 2);
  put_varint(to, bytes.size());
  to += bytes;
}

void put_integer(std::string& to, std::uint64_t number, std::uint64_t value) {
  put_varint(to, number << 3);
  put_varint(to, value);
}

}  // namespace

std::string empty_model(ModelProto::Kind kind, const Normalisation& normalisation, bool bytes) {
  std::string model, trainer, normalizer;
  put_integer(trainer, 3, static_cast<std::uint64_t>(kind));
  put_integer(trainer, 35, bytes);
  put_bytes(normalizer, 1, normalisation.rules.empty() ? "identity" : "user_defined");
  if (!normalisation.rules.empty()) put_bytes(normalizer, 2, normalisation.rules);
  put_integer(normalizer, 3, normalisation.dummy_prefix);
  put_integer(normalizer, 4, normalisation.remove_extra_whitespace);
  put_integer(normalizer, 5, normalisation.escape_whitespace);
  put_bytes(model, 2, trainer);
  put_bytes(model, 3, normalizer);
  return model;
}

std::string plain_model(ModelProto::Plain plain, std::string_view merges) {
  const bool words = plain == ModelProto::Plain::words;
  std::string model, trainer, normalizer;
  put_integer(
      trainer, 3,
      static_cast<std::uint64_t>(words ? ModelProto::Kind::word : ModelProto::Kind::character));
  put_bytes(normalizer, 1, "identity");
  put_integer(normalizer, 3, words);  // a space before the line
  put_integer(normalizer, 4, words);  // fewer spaces
  put_integer(normalizer, 5, 1);
  put_bytes(model, 2, trainer);
  put_bytes(model, 3, normalizer);
  put_integer(model, kPlain, static_cast<std::uint64_t>(plain));
  if (!merges.empty()) put_bytes(model, kMerges, merges);
  return model;
}

std::string without_plain(std::string_view bytes) {
  std::string model;
  for_each_field(bytes, [&](const Fields& part) {
    if (part.number() == kVocabulary) put_integer(model, kVocabulary, part.integer());
    else if (part.number() != kPlain && part.number() != kMerges)
      put_bytes(model, part.number(), part.bytes());
  });
  return model;
}

std::string with_pieces(std::string_view bytes, std::span<const ModelPiece> pieces,
                        const SpecialPieces& special, int vocabulary) {
  std::string model, field;
  for (const ModelPiece& piece : pieces) {
    field.clear();
    put_bytes(field, 1, piece.text);
    put_varint(field, 2 << 3 | 5);
    field.append(reinterpret_cast<const char*>(&piece.score), sizeof piece.score);
    put_integer(field, 3, static_cast<std::uint64_t>(piece.type));
    put_bytes(model, 1, field);
  }
  // All but the pieces, sentences that the model tests itself with (4), and what was said of the
  // vocabulary before.
  for_each_field(bytes, [&](const Fields& part) {
    if (part.number() == 2 || part.number() == 3 || part.number() == 5)
      put_bytes(model, part.number(), part.bytes());
    if (part.number() == kPlain) put_integer(model, kPlain, part.integer());
    if (part.number() == kMerges) put_bytes(model, kMerges, part.bytes());
  });
  // A message that is there twice is one: what comes later counts.
  field.clear();
  for (const auto& [number, name] :
       {std::pair(45, &special.unk), {46, &special.bos}, {47, &special.eos}})
    if (!name->empty()) put_bytes(field, static_cast<std::uint64_t>(number), *name);
  if (!field.empty()) put_bytes(model, 2, field);
  if (vocabulary != static_cast<int>(pieces.size()))
    put_integer(model, kVocabulary, static_cast<std::uint64_t>(vocabulary));
  return model;
}

std::string with_rule_name(std::string_view bytes, const std::string& name) {
  std::string model, normaliser;
  for_each_field(bytes, [&](const Fields& part) {
    if (part.number() != 3) return put_bytes(model, part.number(), part.bytes());
    put_bytes(normaliser, 1, name);
    for_each_field(part.bytes(), [&](const Fields& f) {
      if (f.number() == 2) put_bytes(normaliser, 2, f.bytes());
      if (f.number() >= 3 && f.number() <= 5) put_integer(normaliser, f.number(), f.integer());
    });
    put_bytes(model, 3, normaliser);
  });
  return model;
}

}  // namespace tt
