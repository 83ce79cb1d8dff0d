// The models of a folder, and the pairs of languages that they translate.
//
// A file FROM-TO.tt, perhaps with words around, as in opus-mt-en-de.small.tt, translates from one
// language to the other. Any other file *.tt is of several languages, which are those of its
// pieces, or of its text before sources; where it has none on one side, its name says that:
// FROM-WORD.tt. Such files are read only where the names of the others do not answer a question. Of
// several files for a pair the first counts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "text/languages.h"

namespace tt::cgi {

// A translation from one language to another by one model.
struct Step {
  std::string file;     // path, without ".tt"
  LanguageNames codes;  // as those who ask are told
  LanguageNames names;  // as the model has them
};

class Models {
 public:
  // Throws Error if there is no such folder, or it has no model.
  explicit Models(const std::string& folder);

  // The languages that are translated from or into, in the order of their codes, and into which one
  // of them is, itself and those through English too.
  std::vector<std::string> languages();
  std::vector<std::string> targets(const std::string& source);
  // The steps from a language to another, by any names of them: one, two through English, or none
  // where they are the same. Throws Refusal if there is no way.
  std::vector<Step> route(const std::string& from, const std::string& to);

 private:
  struct Named {
    std::string code, name;
  };
  // A file that translates from each of some languages to each of others.
  struct Offer {
    std::string file;
    std::vector<Named> from, to;
  };
  std::optional<Step> step(const std::string& from, const std::string& to) const;
  std::vector<std::string> codes() const;
  void read_rest();
  void read(const std::string& file);

  std::vector<Offer> offers_;
  std::vector<std::string> rest_;  // files whose names do not say all, until they are read
};

// Which of some codes is that of a language, by any name of it: "zh-Hans" for "zh". None: it is not
// among them.
std::optional<std::string> find_language(const std::string& name,
                                         const std::vector<std::string>& codes);

}  // namespace tt::cgi
