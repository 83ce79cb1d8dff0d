// tt-model: what is in a model's file, and how to get it out.
#include <cstdio>

#include "base/error.h"
#include "base/file.h"
#include "base/report.h"
#include "model/model.h"
#include "model/stored_subword.h"
#include "model/weight_form.h"
#include "text/languages.h"
#include "tools/main.h"

namespace tt {
namespace {

struct Flags {
  std::string path, name, side = "source", output = "-";
};

const char* kind_of(const Subword& subword) {
  return subword.kind() == Subword::Kind::bpe       ? "bpe"
         : subword.kind() == Subword::Kind::unigram ? "unigram"
                                                    : "other";
}

int show(const Flags& flags) {
  const TensorFile file = open_model(flags.path);
  const Config config = stored_config(file);
  const auto model = make_model(config);
  check_tensors(file, stored_tensors(model->params(), stored_form(file)));
  const Subword source = stored_subword(file, SubwordSide::source),
                target = stored_subword(file, SubwordSide::target);
  check_pieces(flags.path, config, source, target);
  std::uint64_t bytes = 0;
  for (const NamedTensor& tensor : file.tensors())
    if (!is_subword(tensor.name)) bytes += tensor.bytes();
  Output out("-");
  const auto line = [&](const std::string& key, const std::string& value) {
    out.line(printable(key) + "\t" + printable(value));
  };
  line("type", get_field(config, "type"));
  line("layers",
       std::to_string(config.encoder_layers) + " + " + std::to_string(config.decoder_layers));
  line("d_model", std::to_string(config.d_model));
  for (const Field& field : fields()) {
    const std::string name = field.name, value = get_field(config, field);
    const bool above = name == "type" || name == "d_model" || name.ends_with("coder_layers") ||
                       name.ends_with("_vocab");
    if (field.group == FieldGroup::model && !above && value != get_field(Config(), field))
      line(name, value);
  }
  line("parameters", with_commas(model->params().count()) + ", " + human_bytes(bytes));
  for (const auto& [name, subword] : {std::pair("source", &source), {"target", &target}})
    line(name, std::to_string(subword->size()) + " pieces, " + kind_of(*subword) +
                   (has_joint_subword(file) ? ", joint" : ""));
  // Its history, and whatever else stands there; the configuration has a command of its own.
  for (const auto& [key, value] : file.metadata())
    if (key != "config" && key != "decisive_keys" && key != "kind" && key != "validation")
      line(key, value);
  out.close();
  return kDone;
}

// Names, and the pieces that stand for them.
int languages(const Flags& flags) {
  const TensorFile file = open_model(flags.path);
  const bool in_source = stored_config(file).target_language == TargetLanguage::source;
  const Subword subword =
      stored_subword(file, in_source ? SubwordSide::source : SubwordSide::target);
  const LanguageTable table(subword);
  Output out("-");
  for (const SourcePrefix& p : parse_source_prefixes(stored_config(file).source_prefixes))
    out.line(p.from + "-" + p.to + "\t" + p.text);
  for (const Language& language : table.all())
    out.line(language.name + "\t" + subword.piece(language.piece));
  out.close();
  return kDone;
}

int config(const Flags& flags) {
  AtomicFile out(flags.output, AtomicFile::Content::text);
  out.write(to_json(stored_config(open_model(flags.path)), true));
  out.commit();
  return kDone;
}

int tensors(const Flags& flags) {
  const TensorFile file(flags.path);
  Output out("-");
  for (const NamedTensor& tensor : file.tensors())
    out.line(printable(tensor.name) + "\t" +
             (tensor.type == Dtype::f32   ? "F32"
              : tensor.type == Dtype::i32 ? "I32"
                                          : "U8") +
             "\t" + to_string(tensor.shape));
  out.close();
  return kDone;
}

// Rows of numbers that read back to the same bits; bytes as they are.
int tensor(const Flags& flags) {
  const TensorFile file(flags.path);
  const NamedTensor* const found = file.find(flags.name);
  if (!found)
    throw Error(flags.path, ": has no tensor ", in_quotes(flags.name),
                "; tt-model tensors prints those it has");
  AtomicFile out(flags.output, AtomicFile::Content::text);
  if (found->type == Dtype::u8) {
    out.write({static_cast<const char*>(found->data), found->bytes()});
  } else {
    const std::size_t count = found->bytes() / 4,
                      columns =
                          found->shape.empty() ? 1 : static_cast<std::size_t>(found->shape.back());
    std::string row;
    for (std::size_t i = 0; i < count; ++i) {
      char text[32];
      if (found->type == Dtype::f32)
        std::snprintf(text, sizeof text, "%.9g",
                      static_cast<double>(static_cast<const float*>(found->data)[i]));
      else std::snprintf(text, sizeof text, "%d", static_cast<const std::int32_t*>(found->data)[i]);
      row += text;
      const bool last = (i + 1) % columns == 0;
      row += last ? '\n' : '\t';
      if (!last) continue;
      out.write(row);
      row.clear();
    }
  }
  out.commit();
  return kDone;
}

int subword(const Flags& flags) {
  const TensorFile file = open_model(flags.path);
  const Subword found =
      stored_subword(file, flags.side == "source" ? SubwordSide::source : SubwordSide::target);
  write_file(flags.output, found.bytes());
  return kDone;
}

}  // namespace
}  // namespace tt

int main(int argc, char** argv) {
  using namespace tt;
  Flags flags;
  const Option model = model_option(flags.path),
               output{"-o,--output", file(flags.output), "the file to write; -: stdout", kBrief},
               name{"NAME", text(flags.name), "the tensor", kRequired},
               side{"--side", choice(flags.side, {"source", "target"}),
                    "whose, where there are two", kBrief};
  const auto command = [&](const char* called, const char* summary, std::vector<Option> rows,
                           int (*work)(const Flags&)) {
    return Command{called, summary, {{"Options", std::move(rows)}}, [&flags, work] {
                     check_not_read(flags.output, {{flags.path}});
                     return work(flags);
                   }};
  };
  return run_tool(
      argc, argv,
      {.name = "tt-model",
       .summary = "Prints the contents of a model file, and writes parts of it to files.",
       .example = "tt-model show -m model.tt",
       .commands = {
           command("show", "print the kind of the model, its size and its history", {model}, show),
           command("config", "print its settings as JSON, as tt-train --config reads them",
                   {model, output}, config),
           command("tensors", "print name, type and shape of every tensor", {model}, tensors),
           command("tensor", "print the numbers of one tensor", {name, model, output}, tensor),
           command("languages", "print the languages of a model of many, and their pieces", {model},
                   languages),
           command("subword", "write its subword model", {model, output, side}, subword),
       }});
}
