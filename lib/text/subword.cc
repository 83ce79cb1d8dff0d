#include "text/subword.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "base/random.h"
#include "base/unicode.h"
#include "base/utf8.h"
#include "text/invisible.h"
#include "text/model_proto.h"
#include "text/plain_pieces.h"
#include "text/sampling.h"
#include "text/sentencepiece.h"

namespace tt {
namespace {

void check(const SentencePieceStatus& status) {
  if (!status.ok()) throw Error("SentencePiece failed: ", in_quotes(status.message()));
}

// A line that a model can read: the line itself if it is well-formed and has nothing that as_read()
// takes out, otherwise a copy in `store`.
std::string_view readable(std::string_view line, std::string& store,
                          std::vector<Removed>* removed = nullptr) {
  if (first_invalid_utf8(line) == std::string_view::npos) return as_read(line, store, removed);
  const std::string repaired = repair_utf8(line);
  if (as_read(repaired, store, removed).data() == repaired.data()) store = repaired;
  return store;
}

// A piece of a text, and where it stands there.
struct PlacedPiece {
  std::int32_t id = 0;
  std::string text;
  TextRange range{0, 0};
};

// Whether words can be encoded one at a time: BPE merges never cross a word boundary if no piece
// contains one, and normalisation rules that do not involve spaces treat each word separately. (The
// models of tt-bpe train meet both conditions.)
bool words_are_independent(const ModelProto& proto) {
  if (proto.kind != ModelProto::Kind::bpe || proto.whitespace_as_suffix || !proto.dummy_prefix ||
      !proto.remove_extra_whitespace || !proto.escape_whitespace || proto.rules_match_spaces)
    return false;
  bool have_space = false;  // otherwise unknown characters would join across words
  for (const ModelPiece& piece : proto.pieces) {
    if (piece.type != PieceType::normal && piece.type != PieceType::user_defined) continue;
    have_space |= piece.text == kSpacePiece;
    if (piece.text.find(kSpacePiece, 1) != std::string_view::npos ||
        piece.text.find(' ') != std::string_view::npos)
      return false;
  }
  return have_space;
}

}  // namespace

struct Subword::Model {
  std::string bytes;
  ModelProto proto;
  sentencepiece::SentencePieceProcessor processor;
  std::vector<std::int32_t> byte_ids;  // of the bytes 0 to 255; empty without byte fallback
  std::vector<std::int32_t> silent;
  std::optional<PlainPieces> plain;
  int bos = 0;
  bool independent_words = false, split_before_space = true, cut_long_lines = false;

  // Tables for sampling and long lines, which other programs need not wait for.
  struct Tables {
    PieceTable pieces;
    std::unordered_map<std::string_view, std::int32_t> ids;  // of these pieces
    std::unordered_set<char32_t> alphabet;                   // their characters
  };
  mutable std::once_flag tables_made;
  mutable Tables tables_;

  // Pieces behind the vocabulary are unknown.
  std::int32_t numbered(std::int32_t piece) const {
    return piece < proto.vocabulary ? piece : processor.unk_id();
  }

  void look_at_pieces() {
    std::vector<std::int32_t> found;
    bos = processor.bos_id() < 0 ? processor.eos_id() : processor.bos_id();
    // SentencePiece has a number for a control piece alone, and MADLAD-400 begins with <unk>.
    const auto unk = static_cast<std::size_t>(processor.unk_id());
    if (!proto.bos.empty() && proto.bos == proto.pieces[unk].text) bos = processor.unk_id();
    for (std::size_t i = 0; i < proto.pieces.size(); ++i) {
      const ModelPiece& piece = proto.pieces[i];
      const auto id = static_cast<std::int32_t>(i);
      if (piece.type == PieceType::control && id != processor.eos_id() && id < proto.vocabulary)
        silent.push_back(id);
      if (piece.type == PieceType::byte) found.push_back(id);
      if (piece.type != PieceType::normal && piece.type != PieceType::user_defined) continue;
      split_before_space &= piece.text.find(kSpacePiece, 1) == std::string_view::npos;
    }
    if (found.size() == 256) byte_ids = found;
    split_before_space &= !proto.whitespace_as_suffix;
    independent_words = words_are_independent(proto);
    cut_long_lines = byte_ids.empty() && proto.escape_whitespace && !proto.whitespace_as_suffix;
  }

  const Tables& tables() const {
    std::call_once(tables_made, [&] {
      PieceTable& table = tables_.pieces;
      float lowest = 0;
      for (std::size_t i = 0; i < proto.pieces.size(); ++i) {
        const ModelPiece& piece = proto.pieces[i];
        if (piece.type != PieceType::normal && piece.type != PieceType::user_defined) continue;
        table.scores.emplace(piece.text, piece.score);
        tables_.ids.emplace(piece.text, numbered(static_cast<std::int32_t>(i)));
        if (piece.type == PieceType::user_defined) table.symbols.push_back(piece.text);
        if (piece.type == PieceType::normal) lowest = std::min(lowest, piece.score);
        table.longest = std::max(table.longest, piece.text.size());
        for (const char *at = piece.text.data(), *end = at + piece.text.size(); at != end;)
          tables_.alphabet.insert(next_code_point(at, end));
      }
      table.unknown = lowest - 10;  // as SentencePiece has it
      std::stable_sort(table.symbols.begin(), table.symbols.end(),
                       [](auto a, auto b) { return a.size() > b.size(); });
    });
    return tables_;
  }

  // Whether a character is unknown, and so has no part in any piece, whatever stands around it.
  bool unknown(std::string_view character) const {
    const auto& alphabet = tables().alphabet;
    const char* at = character.data();
    if (alphabet.contains(next_code_point(at, at + character.size()))) return false;
    std::string text = normalised(character);
    if (proto.dummy_prefix && text.starts_with(kSpacePiece)) text.erase(0, kSpacePiece.size());
    if (text.empty()) return false;
    for (const char *p = text.data(), *end = p + text.size(); p != end;) {
      const char* const begin = p;
      if (alphabet.contains(next_code_point(p, end)) || std::string_view(begin, p) == kSpacePiece)
        return false;
    }
    return true;
  }

  // Whether the line may be encoded in two parts, up to `cut` and from there: a character on each
  // side is unknown, and no rule of normalisation that begins at `begin` or later reaches over the
  // cut.
  bool parts_at(std::string_view line, std::size_t begin, std::size_t cut) const {
    std::size_t before = cut - 1, after = cut + 1;
    while (before > begin && !begins_character(line[before])) --before;
    while (after < line.size() && !begins_character(line[after])) ++after;
    if (!unknown(line.substr(before, cut - before)) || !unknown(line.substr(cut, after - cut)))
      return false;
    for (std::size_t i = begin; i < cut; ++i)
      if (begins_character(line[i]) && proto.rule_crosses(line, i, cut)) return false;
    return true;
  }

  template <class Piece>
  void encode_part(std::string_view part, std::size_t, std::vector<Piece>& pieces) const {
    check(processor.Encode(part, &pieces));
  }
  void encode_part(std::string_view part, std::size_t begin,
                   std::vector<PlacedPiece>& pieces) const {
    pieces.clear();
    const auto proto = processor.EncodeAsImmutableProto(part);
    for (const auto& piece : proto.pieces())
      pieces.push_back({static_cast<std::int32_t>(piece.id()),
                        std::string(piece.piece()),
                        {begin + piece.begin(), begin + piece.end()}});
  }

  // Encodes a line to numbers or texts of pieces, or both with places. The library's time grows
  // with the square of the length of a run of unknown characters, which it gives as one piece: long
  // lines are encoded in parts that begin and end with such characters, and these put together.
  template <class Piece>
  void encode(std::string_view line, std::vector<Piece>& pieces) const {
    constexpr std::size_t kPart = 2048;
    if (plain) return encode_plain(line, pieces);
    if (line.size() <= 2 * kPart || !cut_long_lines) return encode_part(line, 0, pieces);
    pieces.clear();
    std::vector<Piece> part;
    for (std::size_t begin = 0; begin < line.size();) {
      std::size_t end = std::min(begin + kPart, line.size());
      while (end < line.size() &&
             (!begins_character(line[end]) || !parts_at(line, std::max(begin, end - kPart), end)))
        ++end;
      encode_part(line.substr(begin, end - begin), begin, part);
      auto from = part.begin();
      if (begin > 0) {
        if (from != part.end() && is_prefix(*from)) ++from;
        TT_CHECK(from != part.end() && !pieces.empty());
        join(pieces.back(), *from++);
      }
      pieces.insert(pieces.end(), std::make_move_iterator(from),
                    std::make_move_iterator(part.end()));
      begin = end;
    }
  }

  void encode_plain(std::string_view line, std::vector<std::int32_t>& ids) const {
    ids.clear();
    for (const auto& piece : plain->cut(line)) ids.push_back(piece.id);
  }
  void encode_plain(std::string_view line, std::vector<std::string>& pieces) const {
    pieces.clear();
    for (const auto& piece : plain->cut(line)) pieces.push_back(plain->spelling(line, piece));
  }

  void encode_plain(std::string_view line, std::vector<PlacedPiece>& pieces) const {
    pieces.clear();
    for (const auto& piece : plain->cut(line))
      pieces.push_back({piece.id, plain->spelling(line, piece), piece.range});
  }

  // The text of a piece that a translation has; nothing of those that no text has.
  std::string plain_text(std::int32_t id) const {
    if (id == processor.unk_id()) return std::string(plain_unknown());
    const ModelPiece& piece = proto.pieces[static_cast<std::size_t>(id)];
    return piece.type == PieceType::control ? "" : std::string(piece.text);
  }
  std::string_view plain_unknown() const {
    return proto.plain == ModelProto::Plain::words ? "\u2581\u2047"
                                                   : "\u2047";  // as SentencePiece shows it
  }
  std::string decode_plain(std::span<const std::int32_t> ids,
                           std::vector<TextRange>* ranges) const {
    std::string text;
    for (const std::int32_t id : ids) {
      const std::string piece = plain_text(id);
      const std::size_t begin = piece.empty() ? text.size() : plain->without_mark(text);
      if (ranges && !ranges->empty()) ranges->back().end = std::min(ranges->back().end, begin);
      if (!piece.empty()) plain->append(text, piece);
      if (ranges) ranges->push_back({begin, text.size()});
    }
    text.resize(plain->without_mark(text));
    if (ranges && !ranges->empty()) ranges->back().end = std::min(ranges->back().end, text.size());
    return text;
  }

  // The piece that stands before each line, alone.
  bool is_prefix(std::int32_t id) const {
    return proto.dummy_prefix && id != processor.unk_id() &&
           proto.pieces[static_cast<std::size_t>(id)].text == kSpacePiece;
  }
  bool is_prefix(const std::string& piece) const {
    return proto.dummy_prefix && piece == kSpacePiece;
  }
  bool is_prefix(const PlacedPiece& piece) const { return is_prefix(piece.id); }
  // Puts the unknown characters at the beginning of a part to those before it.
  void join(std::int32_t, std::int32_t) const {}
  void join(std::string& before, const std::string& piece) const {
    before += proto.dummy_prefix && piece.starts_with(kSpacePiece)
                  ? piece.substr(kSpacePiece.size())
                  : piece;
  }
  void join(PlacedPiece& before, const PlacedPiece& piece) const {
    join(before.text, piece.text);
    before.range.end = piece.range.end;
  }

  // The line as normalised by SentencePiece: the concatenation of its pieces.
  std::string normalised(std::string_view line) const {
    std::string store, text;
    std::vector<PlacedPiece> pieces;
    encode(readable(line, store), pieces);
    for (const PlacedPiece& piece : pieces) {
      const auto byte = std::find(byte_ids.begin(), byte_ids.end(), piece.id);
      if (byte != byte_ids.end()) text.push_back(static_cast<char>(byte - byte_ids.begin()));
      else text += piece.text;
    }
    return text;
  }

  // Samples a segmentation of a line and calls put(text, id) for each piece. Consecutive unknown
  // characters become one piece.
  template <class Put>
  void draw(std::string_view line, float strength, Random& random, const Put& put) const {
    const PieceTable& table = tables().pieces;
    const auto& ids = tables().ids;
    const std::string store = normalised(line);
    const std::string_view text = store;
    std::vector<std::string_view> pieces;
    if (proto.kind == ModelProto::Kind::bpe) {
      for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = split_before_space
                                    ? std::min(text.find(kSpacePiece, at + 1), text.size())
                                    : text.size();
        sample_merges(text.substr(at, end - at), table, strength, random, pieces);
        at = end;
      }
    } else if (proto.kind == ModelProto::Kind::unigram) {
      sample_lattice(text, table, strength, random, pieces);
    } else {
      throw Error("segmentations can be sampled only from BPE and unigram models");
    }
    std::size_t begin = 0, position = 0;  // of the pending unknown characters
    const auto put_unknown = [&] {
      if (begin < position) put(text.substr(begin, position - begin), processor.unk_id());
    };
    for (const auto piece : pieces) {
      const auto found = ids.find(piece);
      if (found != ids.end()) {
        put_unknown();
        put(piece, found->second);
      } else if (!byte_ids.empty()) {
        for (const char byte : piece) {
          const std::int32_t id = byte_ids[static_cast<unsigned char>(byte)];
          put(proto.pieces[static_cast<std::size_t>(id)].text, numbered(id));
        }
      }
      position += piece.size();
      if (found != ids.end() || !byte_ids.empty()) begin = position;
    }
    put_unknown();
  }
};

Subword Subword::load(const std::string& path) {
  return parse(read_file(path), path == "-" ? "(stdin)" : path);
}

Subword Subword::parse(std::string bytes, const std::string& name) {
  auto model = std::make_shared<Model>();
  model->bytes = std::move(bytes);
  model->proto = read_model_proto(model->bytes, name);
  const auto refuse = [&](std::string_view reason) {
    throw Error(name, ": not a usable SentencePiece model: ", in_quotes(reason));
  };
  try {
    const auto status = model->processor.LoadFromSerializedProto(model->bytes);
    if (!status.ok()) refuse(status.message());
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {  // whose message does not name the file
    refuse(error.what());
  }
  for (const auto& [id, text] : {std::pair{model->processor.unk_id(), "<unk>"},
                                 std::pair{model->processor.eos_id(), "</s>"}})
    if (id < 0 || id >= model->proto.vocabulary)
      throw Error(name, ": the model has no piece ", text, "; train one that has it");
  model->look_at_pieces();
  if (model->proto.plain != ModelProto::Plain::no)
    model->plain.emplace(model->proto, model->processor.unk_id(), name);
  return Subword(std::move(model));
}

const std::string& Subword::bytes() const { return model_->bytes; }

Subword::Kind Subword::kind() const {
  return model_->proto.kind == ModelProto::Kind::bpe       ? Kind::bpe
         : model_->proto.kind == ModelProto::Kind::unigram ? Kind::unigram
                                                           : Kind::other;
}

int Subword::size() const { return model_->proto.vocabulary; }
int Subword::unk() const { return model_->processor.unk_id(); }
int Subword::bos() const { return model_->bos; }
int Subword::eos() const { return model_->processor.eos_id(); }

const std::vector<std::int32_t>& Subword::silent() const { return model_->silent; }

std::string Subword::piece(int id) const {
  TT_CHECK(id >= 0 && id < size());
  return std::string(model_->proto.pieces[static_cast<std::size_t>(id)].text);
}

float Subword::score(int id) const {
  TT_CHECK(id >= 0 && id < size());
  return model_->proto.pieces[static_cast<std::size_t>(id)].score;
}

std::int32_t Subword::find(std::string_view text) const {
  const auto& pieces = model_->proto.pieces;
  const auto end = pieces.begin() + size();  // there may be more, which have no number
  const auto found = std::find_if(pieces.begin(), end,
                                  [&](const ModelPiece& piece) { return piece.text == text; });
  return found == end ? -1 : static_cast<std::int32_t>(found - pieces.begin());
}

void Subword::encode(std::string_view line, std::vector<std::int32_t>& ids) const {
  std::string store;
  model_->encode(readable(line, store), ids);
  if (model_->proto.vocabulary == static_cast<int>(model_->proto.pieces.size())) return;
  for (std::int32_t& id : ids) id = model_->numbered(id);
}

std::vector<std::int32_t> Subword::encode(std::string_view line) const {
  std::vector<std::int32_t> ids;
  encode(line, ids);
  return ids;
}

void Subword::encode(std::string_view line, std::vector<std::string>& pieces) const {
  std::string store;
  model_->encode(readable(line, store), pieces);
}

void Subword::sample(std::string_view line, float strength, Random& random,
                     std::vector<std::int32_t>& ids) const {
  ids.clear();
  model_->draw(line, strength, random,
               [&](std::string_view, std::int32_t id) { ids.push_back(id); });
}

void Subword::sample(std::string_view line, float strength, Random& random,
                     std::vector<std::string>& pieces) const {
  pieces.clear();
  model_->draw(line, strength, random,
               [&](std::string_view text, std::int32_t) { pieces.emplace_back(text); });
}

std::string Subword::decode(std::span<const std::int32_t> ids) const {
  std::vector<int> known(ids.begin(), ids.end());
  for (int& id : known)
    if (id < 0 || id >= size()) id = unk();
  if (model_->plain) return model_->decode_plain(known, nullptr);
  std::string text;
  check(tt::decode(model_->processor, known, text));
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

TextRange Subword::read_part(std::string_view text, TextRange r) const {
  std::size_t begin = r.begin, end = r.end;  // behind what is dropped before, and before it
  bool read = false;
  for (const char *at = text.data() + r.begin, *const last = text.data() + r.end; at < last;) {
    const char* const first = at;
    const char32_t c = next_code_point(at, last);
    const auto behind = static_cast<std::size_t>(at - text.data());
    if ((c < 0x20 || c >= 0x7F) && drops({first, at})) {
      if (!read) begin = behind;
    } else if (!is_space(c)) {
      read = true;
      end = behind;
    }
  }
  return {begin, read ? end : r.end};
}

std::vector<TextRange> Subword::encoded_ranges(std::string_view line) const {
  std::string store;
  std::vector<Removed> removed;
  std::vector<PlacedPiece> pieces;
  const std::string_view text = readable(line, store, &removed);
  model_->encode(text, pieces);
  std::vector<TextRange> ranges;
  for (const PlacedPiece& piece : pieces) ranges.push_back(read_part(text, piece.range));
  place_as_given(ranges, removed);
  return ranges;
}

bool Subword::drops(std::string_view character) const {
  const ModelProto& proto = model_->proto;
  const char* at = character.data();
  const char32_t c = next_code_point(at, at + character.size());
  if (const auto by = proto.rule_for(character);
      by && by->find_first_not_of(' ') == std::string_view::npos)
    return by->empty() || !is_space(c);
  return proto.escape_whitespace && !model_->plain && character == kSpacePiece;
}

bool Subword::has_words() const { return model_->proto.plain == ModelProto::Plain::words; }

std::vector<TextRange> Subword::decoded_ranges(std::span<const std::int32_t> ids) const {
  std::vector<int> known(ids.begin(), ids.end());
  for (int& id : known)
    if (id < 0 || id >= size()) id = unk();
  std::vector<TextRange> ranges;
  if (model_->plain) return model_->decode_plain(known, &ranges), ranges;
  const auto text = model_->processor.DecodeIdsAsImmutableProto(known);
  for (const auto& piece : text.pieces()) ranges.push_back({piece.begin(), piece.end()});
  return ranges;
}

std::string Subword::decode(const std::vector<std::string>& pieces) const {
  std::string text;
  if (model_->plain) {
    for (const std::string& piece : pieces) model_->plain->append(text, piece);
    text.resize(model_->plain->without_mark(text));
    return text;
  }
  check(tt::decode(model_->processor, pieces, text));
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

// A cache of words, indexed by hash; a new word replaces the old one. There are two tables, for
// numbers and for texts, each made when first needed, since few programs need both.
struct SubwordEncoder::State {
  template <class Value>
  struct Slot {
    std::string word;
    Value value;
  };
  static constexpr std::size_t kSlots = 1 << 16,
                               kLongest = 64;  // words; maximum bytes of a cached word

  explicit State(const Subword& s) : subword(s) {}

  Subword subword;
  std::vector<Slot<std::vector<std::int32_t>>> ids;
  std::vector<Slot<std::vector<std::string>>> texts;

  template <class Value, class Put>
  void each_word(std::vector<Slot<Value>>& slots, std::string_view line, const Put& put) {
    std::string store;
    line = readable(line, store);
    Slot<Value> whole;
    if (!subword.model_->independent_words || line.find("\xe2\x96\x81") != std::string_view::npos) {
      subword.encode(line, whole.value);
      return put(whole.value);
    }
    if (slots.empty()) slots.resize(kSlots);
    for (std::size_t begin = 0; begin < line.size();) {
      const std::size_t end = std::min(line.find(' ', begin + 1), line.size());
      const std::string_view word = line.substr(begin, end - begin);
      begin = end + 1;
      if (word.empty()) continue;
      const bool keep = word.size() <= kLongest;
      Slot<Value>& slot = keep ? slots[std::hash<std::string_view>{}(word) % kSlots] : whole;
      if (!keep || slot.word != word) {
        subword.encode(word, slot.value);
        slot.word = word;
      }
      put(slot.value);
    }
  }
};

SubwordEncoder::SubwordEncoder(const Subword& subword) : state_(std::make_unique<State>(subword)) {}
SubwordEncoder::~SubwordEncoder() = default;
SubwordEncoder::SubwordEncoder(SubwordEncoder&&) noexcept = default;

void SubwordEncoder::append(std::string_view line, std::vector<std::int32_t>& ids) {
  state_->each_word(state_->ids, line, [&](const std::vector<std::int32_t>& word) {
    ids.insert(ids.end(), word.begin(), word.end());
  });
}

void SubwordEncoder::append(std::string_view line, std::string& text) {
  bool first = true;
  state_->each_word(state_->texts, line, [&](const std::vector<std::string>& word) {
    for (const auto& piece : word) {
      if (!first) text.push_back(' ');
      text += piece;
      first = false;
    }
  });
}

}  // namespace tt
