#include "tools/metric_settings.h"

#include <algorithm>

#include "tools/main.h"

namespace tt {

void add_metric_settings(std::vector<Group>& groups, metrics::MetricSettings& settings,
                         const Words& but) {
  for (const auto& [metric, name, target, help, least, most] : metrics::list_settings(settings)) {
    if (std::ranges::find(but, metric) != but.end() || std::ranges::find(but, name) != but.end())
      continue;
    const auto value = [least = least, most = most](auto* to) {
      if constexpr (std::is_same_v<decltype(to), bool*>) return toggle(*to);
      else return number(*to, least, most);
    };
    auto group = std::ranges::find(groups, metric, &Group::title);
    if (group == groups.end()) group = groups.insert(group, {metric, {}});
    group->options.push_back({std::string("--") + name, std::visit(value, target), help});
  }
}

std::string TokenizerFlags::apply(metrics::BleuOptions& bleu) const {
  std::string language;
  if (!languages.empty()) {
    language = metrics::target_language(languages);
    bleu.tokenize = metrics::tokenizer_for(language);
  }
  if (!tokenize.empty()) bleu.tokenize = tokenize;
  metrics::check_tokenizer(bleu.tokenize, bleu.files);
  return language;
}

std::unique_ptr<metrics::Metric> TokenizerFlags::make_metric(
    const std::string& name, metrics::MetricSettings& settings) const {
  return refused_as_usage([&] {
    apply(settings.bleu);
    return std::move(metrics::make_metrics({name}, settings)[0]);
  });
}

std::vector<Option> tokenizer_options(TokenizerFlags& flags, metrics::BleuOptions& bleu) {
  return {
      {"-t,--tokenize",
       text(flags.tokenize, {}, metrics::tokenizer_names()).as("NAME").initially(bleu.tokenize),
       "BLEU's tokenizer", kBrief},
      {"-l,--language-pair", text(flags.languages).as("PAIR"),
       "such as en-zh: use the tokenizer of the target language", kBrief},
      {"--spm-model", file(bleu.files.spm_model), "the SentencePiece model of spm, flores101, ..."},
      {"--mecab-dictionary", folder(bleu.files.mecab_dictionary),
       "the dictionary of ja-mecab or ko-mecab"},
  };
}

std::vector<Option> comet_options(CometChoice& comet) {
  std::vector<Option> rows{
      {"--model", file(comet.model), "COMET's model, which tt-import has written"},
      {"--int8", toggle(comet.int8), "COMET with products of 8 bits",
       excludes("--precision") + needs("--model")}};
  for (Option& option : device_options(comet.device)) {
    option.rules.needs = {"--model"};
    rows.push_back(std::move(option));
  }
  return rows;
}

}  // namespace tt
