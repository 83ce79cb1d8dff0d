// SentencePiece, with what its versions call differently under one name: from 0.2.2 on it speaks in types of Abseil, and logs by it.
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

// What its functions return: sentencepiece::util::Status, or absl::Status.
using SentencePieceStatus = decltype(std::declval<const sentencepiece::SentencePieceProcessor&>().status());
using SentencePieceCode = decltype(std::declval<const SentencePieceStatus&>().code());

// The text of `pieces`, which are numbers or strings. Later versions want a view of them, earlier ones the vector itself.
template <class Processor, class Piece>
SentencePieceStatus decode(const Processor& processor, const std::vector<Piece>& pieces, std::string& text) {
  if constexpr (requires { processor.Decode(std::span(pieces), &text); }) return processor.Decode(std::span(pieces), &text);
  else return processor.Decode(pieces, &text);
}

// While it exists, each line of SentencePiece's log is given to `read` instead of stderr; one at a time, from any thread. The last
// words of a check that failed, after which the library ends the program, are "file.cc(12) [what]".
class SentencePieceLog {
 public:
  explicit SentencePieceLog(std::function<void(const std::string&)> read);
  ~SentencePieceLog();

 private:
  struct Tap;
  std::unique_ptr<Tap> tap_;
};

}  // namespace tt
