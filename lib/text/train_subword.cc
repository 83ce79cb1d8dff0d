#include "text/train_subword.h"

#include <sys/mman.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <regex>
#include <unordered_map>
#include <utility>

#include "base/child_process.h"
#include "base/error.h"
#include "base/file.h"
#include "base/formatted.h"
#include "base/random.h"
#include "base/report.h"
#include "base/setting.h"
#include "base/split.h"
#include "base/unicode.h"
#include "base/utf8.h"
#include "text/canonical_rules.h"
#include "text/context.h"
#include "text/invisible.h"
#include "text/languages.h"
#include "text/model_proto.h"
#include "text/round_trip.h"
#include "text/sentencepiece.h"

namespace tt {
namespace {

constexpr const char* kOwnRules = "nmt_nfc";

// Symbols of a word that the BPE trainer can count: with more, before version 0.2 it writes into
// other words.
constexpr std::size_t kMostSymbols = 32769;
constexpr std::size_t kMostOfByte =
    6;  // characters that normalisation makes of one: U+FDFA gives 18

// The number of symbols of the longest word of a line as the trainer sees it, normalised and with a
// mark before each word.
std::size_t longest_word(const std::string& line, const std::string& normalisation) {
  icu::UnicodeString text = icu::UnicodeString::fromUTF8(line);
  UErrorCode status = U_ZERO_ERROR;
  if (normalisation != "identity") {
    const auto* form = normalisation == kOwnRules ? icu::Normalizer2::getNFCInstance(status)
                       : normalisation.ends_with("_cf")
                           ? icu::Normalizer2::getNFKCCasefoldInstance(status)
                           : icu::Normalizer2::getNFKCInstance(status);
    if (U_SUCCESS(status)) text = form->normalize(text, status);
  }
  TT_CHECK(U_SUCCESS(status));
  const bool own = normalisation == kOwnRules;
  const bool nmt =
      !own && normalisation.starts_with("nmt_");  // which makes spaces of the others, too
  std::size_t longest = 0, symbols = 1;
  for (int i = 0; i < text.length(); i = text.moveIndex32(i, 1)) {
    const UChar32 c = text.char32At(i);
    symbols = c == ' ' || (own && is_space(static_cast<char32_t>(c)) && c != 0x3000) ||
                      (nmt && (u_isUWhiteSpace(c) || is_invisible(static_cast<char32_t>(c))))
                  ? 1
                  : symbols + 1;
    longest = std::max(longest, symbols);
  }
  return longest;
}

// Written by the child process that trains, and read by its parent if it ends.
struct LastWords {
  char text[400] = "";  // of the library
  std::size_t longest = 0, file = 0,
              line = 0;   // the characters of the longest word, and where it is
  bool degraded = false;  // some lines were skipped, or come back changed

  void note(const std::string& said) {
    const std::size_t size = std::min(said.size(), sizeof text - 1);
    std::memcpy(text, said.data(), size);
    text[size] = 0;
  }
};

// Gives the lines of all files, or a sample of them, to SentencePiece. An exception is kept in
// `error` until the library has returned. (The library can sample too, but always the same lines.)
class Lines : public sentencepiece::SentenceIterator {
 public:
  Lines(const std::vector<std::string>& paths, const SubwordOptions& options, LastWords& last)
      : paths_(paths), longest_(static_cast<std::size_t>(options.longest_line)),
        bpe_(options.type == "bpe"), normalisation_(options.normalisation), last_(last) {
    if (options.lines > 0) draw(static_cast<std::size_t>(options.lines), options.seed);
    else Next();
  }

  bool done() const override { return done_; }
  const std::string& value() const override { return line_; }
  SentencePieceStatus status() const override {
    if (!error) return {};
    return {SentencePieceCode::kAborted, "reading failed"};
  }
  void Next() override {
    if (sample_.empty()) return next_of_files();
    done_ = drawn_ == sample_.size();
    if (!done_) line_ = std::move(sample_[drawn_++]);
  }

  std::exception_ptr error;
  std::uint64_t lines = 0, too_long = 0, unreadable = 0;
  std::string first_too_long, first_unreadable;  // "FILE:LINE"
  std::vector<std::string> some;                 // kSome of the lines, drawn at random

 private:
  void next_of_files() {
    try {
      while (!(done_ = !read())) {
        if (line_.size() > longest_) {
          if (too_long++ == 0) first_too_long = reader_->where();
        } else if (take_text()) {
          if (++with_text_; some.size() < kSome) some.push_back(line_);
          else if (const std::uint64_t place = some_.bits() % with_text_; place < kSome)
            some[place] = line_;
          return;
        }
      }
      progress_.wipe();
    } catch (...) {
      error = std::current_exception();
      done_ = true;
    }
  }

  // Makes the line one as models read it, and says whether it has text. U+2585, for which the
  // library skips a line, and NUL become spaces, which is counted.
  bool take_text() {
    if (std::string store; as_read(line_, store).data() != line_.data()) line_.swap(store);
    static const std::string kReserved = "\xe2\x96\x85";
    const std::size_t size = line_.size();
    for (std::size_t at = 0; (at = line_.find(kReserved, at)) != std::string::npos;)
      line_.replace(at, kReserved.size(), " ");
    if ((line_.size() < size || line_.find('\0') != std::string::npos) && unreadable++ == 0)
      first_unreadable = reader_->where();
    std::replace(line_.begin(), line_.end(), '\0', ' ');
    check_words();
    for (const char *at = line_.data(), *const end = at + line_.size(); at < end;)
      if (const char32_t c = next_code_point(at, end);
          c != U' ' && c != U'\u2581' && !is_invisible(c))
        return true;
    return false;
  }

  void check_words() {
    std::size_t characters = 0;
    for (const char *at = line_.data(), *const end = at + line_.size(); at < end;) {
      characters = next_code_point(at, end) == U' ' ? 0 : characters + 1;
      if (characters > last_.longest)
        last_.longest = characters, last_.file = file_ - 1, last_.line = reader_->line_number();
    }
    if (!bpe_ || line_.size() <= kMostSymbols / kMostOfByte) return;
    const std::size_t symbols = longest_word(line_, normalisation_);
    if (symbols > kMostSymbols)
      throw SettingError(reader_->where(), ": a word of ", with_commas(symbols - 1),
                         " characters, and the trainer takes at most ",
                         with_commas(kMostSymbols - 1), "; remove the line, or lower ",
                         Setting{"longest_line"});
  }

  // Reservoir sampling: each line read replaces a kept one with the probability that keeps all
  // lines equally likely.
  void draw(std::size_t count, std::uint64_t seed) {
    Random random(seed);
    std::uint32_t seen = 0;
    for (next_of_files(); !done_; next_of_files()) {
      if (++seen == 0)
        throw Error("a sample of more than 4,294,967,295 lines cannot be drawn; give fewer lines");
      if (sample_.size() < count) sample_.push_back(line_);
      else if (const std::uint32_t place = random.below(seen); place < count)
        sample_[place] = line_;
    }
    if (!sample_.empty()) Next();
  }

  bool read() {
    for (;;) {
      if (!reader_) {
        if (file_ == paths_.size()) return false;
        reader_ = std::make_unique<LineReader>(paths_[file_++]);
      }
      if (reader_->next(line_)) break;
      reader_.reset();
    }
    progress_.update(++lines, paths_.size() == 1 ? reader_->part() : -1);
    const std::size_t bad = first_invalid_utf8(line_);
    if (bad != std::string::npos)
      throw Error(reader_->where(), ": not UTF-8: byte ", bad + 1,
                  " of the line; convert the file with iconv, or remove the line");
    return true;
  }

  static constexpr std::size_t kSome = 2000;

  std::vector<std::string> paths_;
  std::size_t longest_, file_ = 0;
  std::uint64_t with_text_ = 0;
  Random some_{1, 0, 0x736f6d65};
  bool bpe_;
  std::string normalisation_;
  LastWords& last_;
  std::unique_ptr<LineReader> reader_;
  std::string line_;
  Progress progress_{"reading", "lines"};
  std::vector<std::string> sample_;
  std::size_t drawn_ = 0;
  bool done_ = false;
};

// Shows the progress of the library, which is found only in its log: lines that count pieces update
// a progress bar, the message of a failed check becomes its last words, and the rest is dropped.
class TrainingBar {
 public:
  TrainingBar(int vocab_size, LastWords& last)
      : vocab_size_(static_cast<std::uint64_t>(vocab_size)), last_(last) {}

 private:
  // BPE adds pieces until there are enough; unigram starts with too many and drops some in every
  // round.
  void read(const std::string& line) {
    static const std::regex merged("Added: .* size=([0-9]+) "), seeded("Initialized ([0-9]+) seed"),
        pruned("EM sub_iter=.* size=([0-9]+) "), last_words("^[a-z_]+\\.cc\\([0-9]+\\) \\[");
    std::smatch found;
    if (std::regex_search(line, found, merged)) {
      if (!bar_) bar_.emplace("merging", "pieces", vocab_size_);
      bar_->update(std::stoull(found.str(1)));
    } else if (std::regex_search(line, found, seeded)) {
      seeds_ = std::max<std::uint64_t>(std::stoull(found.str(1)), vocab_size_);
      bar_.emplace("pruning", "pieces", seeds_ - vocab_size_);
    } else if (bar_ && std::regex_search(line, found, pruned)) {
      bar_->update(seeds_ - std::min<std::uint64_t>(std::stoull(found.str(1)), seeds_));
    } else if (std::regex_search(line, last_words)) {
      last_.note(line);
    }
  }

  std::uint64_t vocab_size_, seeds_ = 0;
  LastWords& last_;
  std::optional<Progress> bar_;
  SentencePieceLog log_{[this](const std::string& line) { read(line); }};
};

void check_options(const SubwordOptions& options) {
  if (options.type != "bpe" && options.type != "unigram")
    throw Error("the type is ", options.type, "; it must be bpe or unigram");
  if (options.vocab_size < 1)
    throw Error("a vocabulary of ", options.vocab_size, " pieces; it must be positive");
  if (!(options.coverage >= 0.98 && options.coverage <= 1))
    throw Error("coverage is ", options.coverage, "; it must be 0.98 to 1");
  const auto& names = normalisations();
  if (std::find(names.begin(), names.end(), options.normalisation) == names.end())
    throw Error("there is no normalisation ", options.normalisation);
  if (options.lines < 0)
    throw Error("a sample of ", options.lines, " lines; give a positive number, or 0 for all");
  if (options.longest_line < 1) throw Error("the longest line must be positive");
  for (auto symbol = options.user_symbols.begin(); symbol != options.user_symbols.end(); ++symbol) {
    if (symbol->empty()) throw Error("a user symbol is empty");
    if (first_invalid_utf8(*symbol) != std::string::npos)
      throw Error("the user symbol ", escape_invisible(*symbol), " is not UTF-8");
    if (symbol->find('\n') != std::string::npos)
      throw Error("the user symbol ", escape_invisible(*symbol), " contains a line break");
    if (symbol->find(' ') != std::string::npos)
      throw Error("the user symbol ", in_quotes(*symbol),
                  " contains a space, which is \u2581 (U+2581) in pieces; write that");
    static const std::regex reserved("<unk>|<s>|</s>|\u2581|<0x[0-9A-F]{2}>");
    if (std::regex_match(*symbol, reserved))
      throw Error("the user symbol ", *symbol, " is reserved; choose another name");
    if (std::find(options.user_symbols.begin(), symbol, *symbol) != symbol)
      throw Error("the user symbol ", *symbol, " is given twice");
  }
  for (auto name = options.languages.begin(); name != options.languages.end(); ++name)
    for (auto other = options.languages.begin(); other != name; ++other)
      if (language_piece(*other) == language_piece(*name))
        throw Error("the language ", in_quotes(*name), " is given twice");
}

// One field of comma-separated values, in quotes.
std::string quoted(const std::string& value) {
  std::string text = "\"";
  for (const char c : value) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + "\"";
}

// A file in memory with rules of our own, which the library reads by name; without them there is
// none.
class RuleFile {
 public:
  explicit RuleFile(const std::string& rules) {
    if (rules.empty()) return;
    descriptor_ = ::memfd_create("rules", MFD_CLOEXEC);
    std::size_t done = 0;
    for (ssize_t bytes = 0; descriptor_ >= 0 && done < rules.size() && bytes >= 0;
         done += static_cast<std::size_t>(bytes))
      if (bytes = ::write(descriptor_, rules.data() + done, rules.size() - done); bytes < 0) break;
    if (done < rules.size())
      throw Error("no memory for the rules of normalisation: ", std::strerror(errno));
  }
  ~RuleFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  RuleFile(const RuleFile&) = delete;
  RuleFile& operator=(const RuleFile&) = delete;

  std::string path() const {
    return descriptor_ < 0 ? "" : "/proc/self/fd/" + std::to_string(descriptor_);
  }

 private:
  int descriptor_ = -1;
};

std::unordered_map<std::string, std::string> arguments(const SubwordOptions& options,
                                                       const RuleFile& rules) {
  const std::string symbols = join(options.user_symbols, ",", quoted);
  std::string languages(options.separator ? kSeparator : "");
  for (const auto& name : options.languages)
    languages += (languages.empty() ? "" : ",") + quoted(language_piece(name));
  std::unordered_map<std::string, std::string> arguments = {
      {"model_type", options.type},
      {"vocab_size", std::to_string(options.vocab_size)},
      {"character_coverage", formatted("%g", options.coverage)},
      {"byte_fallback", options.byte_fallback ? "true" : "false"},
      {"max_sentence_length",
       std::to_string(
           std::max(options.longest_line, 10))},  // it takes no less, and gets no longer lines
      {"num_threads", "16"},  // the sums of a unigram model depend on it, so it is fixed
      {"minloglevel", "0"},   // TrainingBar reads it all
  };
  if (!symbols.empty()) arguments["user_defined_symbols"] = symbols;
  if (!languages.empty()) arguments["control_symbols"] = languages;
  if (rules.path().empty()) arguments["normalization_rule_name"] = options.normalisation;
  else arguments["normalization_rule_tsv"] = rules.path();
  return arguments;
}

// Translates a message of the library into advice for the user.
[[noreturn]] void explain(const std::string& message, const SubwordOptions& options) {
  std::smatch found;
  if (std::regex_search(message, found, std::regex("Vocabulary size too high.*<= ([0-9]+)")))
    throw SettingError("the text is too small for ", options.vocab_size, " pieces; choose ",
                       Setting{"vocab_size"}, " ", found.str(1), " or less");
  if (std::regex_search(message, found,
                        std::regex("smaller than required_chars\\. [0-9]+ vs ([0-9]+)")))
    throw SettingError(
        options.vocab_size,
        " pieces are too few: the characters of the text and the special pieces alone are ",
        found.str(1), "; choose a larger ", Setting{"vocab_size"}, " or a smaller ",
        Setting{"coverage"});
  if (message.find("!sentences_.empty()") != std::string::npos)
    throw Error("there is no text to train on");
  throw Error("SentencePiece cannot train: ", message);
}

// The bytes of a model.
std::string train(const std::vector<std::string>& paths, const SubwordOptions& options,
                  LastWords& last) {
  Lines lines(paths, options, last);
  if (lines.error) std::rethrow_exception(lines.error);
  std::string bytes;
  const double began = wall_seconds();
  const RuleFile rules(options.normalisation == kOwnRules ? canonical_rules() : "");
  const auto status = [&] {
    const TrainingBar bar(options.vocab_size, last);
    return sentencepiece::SentencePieceTrainer::Train(arguments(options, rules), &lines, &bytes);
  }();
  if (lines.error) std::rethrow_exception(lines.error);
  last.degraded = lines.too_long > 0 || lines.unreadable > 0;
  if (lines.unreadable > 0)
    warn("read NUL or U+2585, which the trainer cannot take, as a space in " +
         with_commas(lines.unreadable) + " of " + count_of(lines.lines, "line") +
         " (first: " + lines.first_unreadable + ")");
  if (lines.too_long > 0)
    warn("skipped " + with_commas(lines.too_long) + " of " + count_of(lines.lines, "line") +
         ", longer than " + count_of(options.longest_line, "byte") +
         " (first: " + lines.first_too_long + ")");
  if (!status.ok()) explain(std::string(status.message()), options);
  if (!rules.path().empty()) bytes = with_rule_name(bytes, options.normalisation);
  const RoundTrip trip = try_round_trip(Subword::parse(bytes, "the trained model"), lines.some);
  // Characters lack a piece as the options ask; changes of normalisation are said in any case, but
  // of odd characters.
  constexpr double kFew = 0.01;
  if (static_cast<double>(trip.changed) > kFew * static_cast<double>(trip.lines))
    warn(text_of(trip, options.normalisation)), last.degraded = true;
  else say(text_of(trip, options.normalisation));
  say(cost_line(lines.lines, "lines", wall_seconds() - began));
  return bytes;
}

}  // namespace

const std::vector<std::string>& normalisations() {
  static const std::vector<std::string> names = {kOwnRules,     "nmt_nfkc", "nfkc",
                                                 "nmt_nfkc_cf", "nfkc_cf",  "identity"};
  return names;
}

Subword train_subword(const std::vector<std::string>& paths, const SubwordOptions& options,
                      bool* degraded) {
  check_options(options);
  const std::unique_ptr<void, void (*)(void*)> shared(
      ::mmap(nullptr, sizeof(LastWords), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0),
      [](void* at) { ::munmap(at, sizeof(LastWords)); });
  if (shared.get() == MAP_FAILED) throw std::bad_alloc();
  LastWords& last = *new (shared.get()) LastWords;
  // The library ends its process where a check of its own fails: when the probabilities of a very
  // long word are no numbers, say.
  ChildResult trained = run_in_child([&] { return train(paths, options, last); });
  if (degraded) *degraded = last.degraded;
  if (trained.ended.empty()) return Subword::parse(std::move(trained.bytes), "the trained model");
  const std::string path =
      last.file < paths.size() && paths[last.file] != "-" ? paths[last.file] : "(stdin)";
  throw SettingError(path, ":", last.line, ": SentencePiece's trainer has ended with ",
                     trained.ended, *last.text ? ", saying " : "",
                     *last.text ? in_quotes(last.text) : "", "; the longest word, of ",
                     with_commas(last.longest),
                     " characters, is on this line: remove it, or lower ", Setting{"longest_line"});
}

}  // namespace tt
