// tt-model: what is in a model's file, and how to get it out.
#include <cstdio>
#include <memory>

#include "base/error.h"
#include "base/file.h"
#include "base/report.h"
#include "model/model.h"
#include "model/stored_subword.h"
#include "tools/main.h"
#include "tools/values.h"

namespace tt {
namespace {

struct Flags {
  std::string path, name, side = "source", output = "-";
};

const char* kind_of(const Subword& subword) {
  return subword.kind() == Subword::Kind::bpe ? "bpe" : subword.kind() == Subword::Kind::unigram ? "unigram" : "other";
}

int show(const Flags& flags) {
  const TensorFile file = open_model(flags.path);
  const Config config = stored_config(file);
  std::uint64_t bytes = 0;
  for (const NamedTensor& tensor : file.tensors())
    if (!is_subword(tensor.name)) bytes += tensor.bytes();
  Output out("-");
  const auto line = [&](const std::string& key, const std::string& value) { out.line(printable(key) + "\t" + printable(value)); };
  line("type", get_field(config, *find_field("type")));
  line("layers", std::to_string(config.encoder_layers) + " + " + std::to_string(config.decoder_layers));
  line("d_model", std::to_string(config.d_model));
  for (const Field& field : fields()) {
    const std::string name = field.name, value = get_field(config, field);
    const bool above = name == "type" || name == "d_model" || name.ends_with("coder_layers") || name.ends_with("_vocab");
    if (field.group == FieldGroup::model && !above && value != get_field(Config(), field)) line(name, value);
  }
  line("parameters", with_commas(static_cast<std::uint64_t>(make_model(config)->params().count())) + ", " + human_bytes(bytes));
  for (const auto& [name, side] : {std::pair("source", SubwordSide::source), {"target", SubwordSide::target}}) {
    const Subword subword = stored_subword(file, side);
    line(name, std::to_string(subword.size()) + " pieces, " + kind_of(subword) + (has_joint_subword(file) ? ", joint" : ""));
  }
  // Its history, and whatever else stands there; the configuration has a command of its own.
  for (const auto& [key, value] : file.metadata())
    if (key != "config" && key != "decisive_keys" && key != "kind" && key != "validation") line(key, value);
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
  if (!found) throw Error(flags.path, ": has no tensor ", in_quotes(flags.name), "; tt-model tensors prints those it has");
  AtomicFile out(flags.output, AtomicFile::Content::text);
  if (found->type == Dtype::u8) {
    out.write({static_cast<const char*>(found->data), found->bytes()});
  } else {
    const std::size_t count = found->bytes() / 4,
                      columns = found->shape.empty() ? 1 : static_cast<std::size_t>(found->shape.back());
    std::string row;
    for (std::size_t i = 0; i < count; ++i) {
      char text[32];
      if (found->type == Dtype::f32)
        std::snprintf(text, sizeof text, "%.9g", static_cast<double>(static_cast<const float*>(found->data)[i]));
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
  const Subword found = stored_subword(file, flags.side == "source" ? SubwordSide::source : SubwordSide::target);
  AtomicFile out(flags.output);
  out.write(found.bytes());
  out.commit();
  return kDone;
}

}  // namespace
}  // namespace tt

int main(int argc, char** argv) {
  using namespace tt;
  return run_tool(argc, argv, "tt-model", "Prints what is in a model's file, and writes it out.", [](CLI::App& app) {
    auto flags = std::make_shared<Flags>();
    app.require_subcommand(1);
    app.fallthrough();
    CLI::App* const show_app = app.add_subcommand("show", "print what the model is, and its history");
    CLI::App* const config_app = app.add_subcommand("config", "print its settings as JSON, as tt-train --config reads them");
    CLI::App* const tensors_app = app.add_subcommand("tensors", "print name, type and shape of every tensor");
    CLI::App* const tensor_app = app.add_subcommand("tensor", "print the numbers of one tensor");
    CLI::App* const subword_app = app.add_subcommand("subword", "write its subword model");
    for (CLI::App* const command : {show_app, config_app, tensors_app, tensor_app, subword_app}) add_model(*command, flags->path);
    for (CLI::App* const command : {config_app, tensor_app, subword_app})
      command->add_option("-o,--output", flags->output, "the file to write; -: stdout")->type_name("FILE");
    tensor_app->add_option("NAME", flags->name, "the tensor")->required()->type_name("");
    subword_app->add_option("--side", flags->side, "whose, where there are two")
        ->check(one_of({"source", "target"}))
        ->type_name("NAME");
    return [=] {
      check_not_read(flags->output, {{flags->path}});
      if (show_app->parsed()) return show(*flags);
      if (config_app->parsed()) return config(*flags);
      if (tensors_app->parsed()) return tensors(*flags);
      return tensor_app->parsed() ? tensor(*flags) : subword(*flags);
    };
  });
}
