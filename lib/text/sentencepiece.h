// One interface to all versions of SentencePiece: since 0.2.2 it uses the types of Abseil, and logs
// through it.
#pragma once

#include <sentencepiece_processor.h>
#include <sentencepiece_trainer.h>

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tt {

// Return type of its functions: sentencepiece::util::Status or absl::Status.
using SentencePieceStatus =
    decltype(std::declval<const sentencepiece::SentencePieceProcessor&>().status());
using SentencePieceCode = decltype(std::declval<const SentencePieceStatus&>().code());

// The text of `pieces`, which are numbers or strings. Newer versions take a view of them, older
// ones the vector itself.
template <class Processor, class Piece>
SentencePieceStatus decode(const Processor& processor, const std::vector<Piece>& pieces,
                           std::string& text) {
  if constexpr (requires { processor.Decode(std::span(pieces), &text); })
    return processor.Decode(std::span(pieces), &text);
  else return processor.Decode(pieces, &text);
}

// While it exists, SentencePiece's log goes line by line to `read` instead of stderr; one line at a
// time, from any thread. The message of a failed check, after which the library ends the program,
// begins with "file.cc(12) [condition]".
class SentencePieceLog {
 public:
  explicit SentencePieceLog(std::function<void(const std::string&)> read);
  ~SentencePieceLog();

 private:
  struct Tap;
  std::unique_ptr<Tap> tap_;
};

}  // namespace tt
