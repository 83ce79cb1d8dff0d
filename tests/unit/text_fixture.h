// Shared by the tests of text: sentences generated from a seed, models trained on them, and
// temporary files.
#pragma once

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "base/random.h"
#include "base/report.h"
#include "tests/catch.h"
#include "text/train_subword.h"

namespace tt {

// A folder that is removed with everything in it.
class Scratch {
 public:
  Scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "tt-text-XXXXXX").string();
    if (!::mkdtemp(name.data())) throw std::runtime_error("mkdtemp failed");
    path_ = name;
  }
  ~Scratch() { std::filesystem::remove_all(path_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::string path(const std::string& name) const { return path_ + "/" + name; }

  // Writes a file and returns its path.
  std::string file(const std::string& name, const std::string& bytes) const {
    Output out(path(name));
    out.write(bytes);
    out.close();
    return path(name);
  }

 private:
  std::string path_;
};

// Captures stderr until stop().
class CapturedErrors {
 public:
  explicit CapturedErrors(const std::string& path) : path_(path), old_(::dup(2)) {
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    ::dup2(fd, 2), ::close(fd);
  }
  ~CapturedErrors() { stop(); }
  std::string stop() {
    if (old_ >= 0) ::dup2(old_, 2), ::close(old_), old_ = -1;
    return read_file(path_);
  }

 private:
  std::string path_;
  int old_;
};

// Sentences of 1 to 12 words of 1 to 4 syllables; some of the syllables are not ASCII.
inline std::vector<std::string> made_up_lines(std::size_t count, std::uint64_t seed) {
  static const std::vector<std::string> syllables = {"ka", "ro", "mi", "ten", "s",  "ül", "da",
                                                     "ße", "go", "n",  "è",   "lu", "ja", "日"};
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < count; ++i) {
    Random random(seed, i);
    std::string line;
    for (std::uint32_t words = 1 + random.below(12); words > 0; --words) {
      if (!line.empty()) line += ' ';
      for (std::uint32_t left = 1 + random.below(4); left > 0; --left) {
        const auto r = static_cast<std::uint32_t>(syllables.size());
        line += syllables[std::min(random.below(r), random.below(r))];  // the first ones more often
      }
    }
    lines.push_back(line);
  }
  return lines;
}

inline std::string as_text(const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines) text += line + "\n";
  return text;
}

inline Subword train_on(const std::vector<std::string>& lines, const SubwordOptions& options) {
  const Scratch scratch;
  set_quiet(true);
  return train_subword({scratch.file("text", as_text(lines))}, options);
}

// A model of 120 pieces; trained once for each type.
inline const Subword& made_up_model(const char* type) {
  const auto train = [](const char* name) {
    SubwordOptions options;
    options.type = name;
    options.vocab_size = 120;
    return train_on(made_up_lines(1500, 1), options);
  };
  static const Subword bpe = train("bpe"), unigram = train("unigram");
  return std::string_view(type) == "bpe" ? bpe : unigram;
}

// The text of the Error that an action throws, or "" if it throws none.
template <class Action>
std::string error_of(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace tt
