// Loaded models that translate together, with what each thread needs to compute with them.
#pragma once

#include <cstddef>
#include <deque>
#include <span>
#include <vector>

#include "decode/loaded_model.h"
#include "decode/translator.h"
#include "lines/languages.h"
#include "nn/worker.h"

namespace tt {

class LoadedTranslator {
 public:
  // Models and backend must outlive it, and all models have the target vocabulary of the first.
  // Chooses threads and batches by the backend: a device has fewer threads, each with memory there,
  // and a limit to batches where `options` has none.
  LoadedTranslator(std::span<const LoadedModel> models, const Backend& backend,
                   TranslateOptions options, int threads);

  int threads() const { return threads_; }
  std::size_t block() const;  // lines that a thread had best translate together
  std::vector<Tape*> tapes(int thread);
  const std::vector<Member>& members() const { return members_; }
  const LineLanguages& languages() const { return languages_; }
  const Translator& operator*() const { return translator_; }
  const Translator* operator->() const { return &translator_; }
  void add_to(Meter& meter);  // what all threads have computed

 private:
  const Backend& backend_;
  int threads_;
  const LineLanguages languages_;
  std::vector<Member> members_;
  std::deque<Workers> workers_;  // of each member
  Translator translator_;
};

}  // namespace tt
