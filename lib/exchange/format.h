// A format of another program: what it is called, which files it has, its reader, and the kinds of
// models that are written, each with the settings that it can express.
#pragma once

#include <string>
#include <vector>

#include "exchange/foreign_setting.h"
#include "exchange/portable.h"

namespace tt {

// A kind of models that a format has, which can be written.
struct ForeignKind {
  const char* title;  // "a model with ... cannot be TITLE"
  // Beside the sizes that all of them express. A setting without a row can only have its default:
  // one that is new cannot be lost in silence.
  ForeignTable settings;
  void (*write)(PortableModel, const std::string& folder);
  // Why a model with such settings cannot be written all the same, behind its path; null: it can.
  std::vector<std::string> (*obstacles)(const PortableModel&) = nullptr;
};

struct ForeignFormat {
  const char* name;  // on the command line
  std::vector<std::string>
      files;  // by which a folder is taken for one of this format, or which have its tensors
  PortableModel (*read)(const ImportRequest&);
  bool takes_files = false;             // a model may be a file, and not only a folder
  bool takes_vocabularies = false;      // which may lie elsewhere
  bool asks_source_eos = false;         // its files may not say whether a source ends with </s>
  std::vector<ForeignKind> kinds = {};  // none: models of the format are only read
  // Sets how the program searches with what is kept of a model's settings of search; `kept` are the
  // model's own that all programs have, with length_penalty "length", and those of a Config.
  void (*keep_search)(const SearchSettings& model, SearchSettings& kept) = nullptr;
  // How the program itself translates otherwise than such a model was trained to, as a sentence;
  // empty if it does not.
  std::string (*departure)(const Architecture& model) = nullptr;
  bool (*has)(const std::string& path) = nullptr;  // whether a path is one; null: see recognise()
};

// All formats, each in a file of its own.
extern const ForeignFormat kMarian, kHuggingFace, kCTranslate2, kFairseq, kOpenNmt, kArgos;

}  // namespace tt
