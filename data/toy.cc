// toy: writes the embedded corpus, English sentences with their Japanese translations, made by the
// grammar of this folder.
//
//   toy FOLDER         train.en train.ja dev.en dev.ja test.en test.ja in FOLDER, which is created
//                      if necessary; and test.links, which says which words of the test set belong
//                      together, as far as that is sure (data/links.h)
//   toy --documents FOLDER
//                      the same of documents, with an empty line behind each, but links;
//                      numbers are those of documents. And contrast.en contrast.ja: documents up
//                      to each sentence with "he" or "she"; other.en other.ja: with the other
//                      word in the last, and in the other style
//   toy -              the training part on stdout, as TSV
//
// Invariant: no source sentence occurs twice, and those of dev and test never occur in train, for
// any seeds and sizes: a hash of the English decides the part of a sentence. A translation is a
// function of its source; two translations of a sentence are an error.
#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "base/error.h"
#include "base/file.h"
#include "base/random.h"
#include "data/grammar.h"
#include "data/links.h"
#include "tools/main.h"

namespace {

using tt::toy::Pair;

// FNV-1a, 64 bits, folded, since the low bits depend only on the low bits of the text.
std::uint64_t hash(const std::string& text) {
  std::uint64_t h = 14695981039346656037u;
  for (const unsigned char c : text) h = (h ^ c) * 1099511628211u;
  return h ^ (h >> 32);
}

// One of the three parts: its files, or null for stdout, and the number of pairs it still needs.
struct Part {
  const char* name;
  std::uint64_t missing;
  std::vector<Pair> pairs;
};

int write_corpus(const std::string& folder, std::uint64_t seed, std::uint64_t train,
                 std::uint64_t dev, std::uint64_t test) {
  const bool to_stdout = folder == "-";
  Part parts[] = {
      {"train", train, {}}, {"dev", to_stdout ? 0 : dev, {}}, {"test", to_stdout ? 0 : test, {}}};
  tt::Random random(seed);
  tt::toy::Phrases phrases(random);
  std::unordered_map<std::string, std::string> known;
  std::uint64_t idle = 0;
  while (parts[0].missing + parts[1].missing + parts[2].missing > 0) {
    if (++idle > 10'000'000)
      throw tt::Error(
          "the grammar does not have enough sentences for a corpus of this size; ask for fewer");
    const Pair pair = tt::toy::sentence(phrases);
    const auto [place, fresh] = known.emplace(pair.en, pair.ja);
    if (place->second != pair.ja) {
      throw tt::Error("the grammar is broken: \"", pair.en, "\" means ", place->second, " and ",
                      pair.ja);
    }
    const std::uint64_t bucket = hash(pair.en) % 20;
    Part& part = parts[bucket < 2 ? 1 + bucket : 0];
    if (!fresh || part.missing == 0) continue;
    part.pairs.push_back(pair);
    --part.missing;
    idle = 0;
  }
  if (to_stdout) {
    tt::Output out("-");
    for (const Pair& pair : parts[0].pairs) out.line(pair.en + "\t" + pair.ja);
    out.close();
    return tt::kDone;
  }
  tt::NewFolders(folder).keep();
  for (const Part& part : parts) {
    tt::AtomicFile en(folder + "/" + part.name + ".en"), ja(folder + "/" + part.name + ".ja");
    for (const Pair& pair : part.pairs) {
      en.write(pair.en + "\n");
      ja.write(pair.ja + "\n");
    }
    en.commit();
    ja.commit();
  }
  tt::AtomicFile links(folder + "/test.links");
  for (const Pair& pair : parts[2].pairs) links.write(tt::toy::sure_links(pair) + "\n");
  links.commit();
  return tt::kDone;
}

int write_documents(const std::string& folder, std::uint64_t seed, std::uint64_t train,
                    std::uint64_t dev, std::uint64_t test) {
  using Document = std::vector<tt::toy::DocumentSentence>;
  const auto first = [](const Document& d) { return d[0].right.en + d[1].right.en; };
  tt::Random random(seed);
  tt::toy::Phrases phrases(random);
  std::unordered_set<std::string> known;
  std::vector<std::pair<const char*, std::uint64_t>> missing{
      {"train", train}, {"dev", dev}, {"test", test}};
  std::vector<Document> documents[3];
  while (documents[0].size() < train || documents[1].size() < dev || documents[2].size() < test) {
    Document d = tt::toy::document(phrases);
    const std::uint64_t bucket = hash(first(d)) % 20;
    std::vector<Document>& part = documents[bucket < 2 ? 1 + bucket : 0];
    if (part.size() < missing[bucket < 2 ? 1 + bucket : 0].second && known.insert(first(d)).second)
      part.push_back(std::move(d));
  }
  tt::NewFolders(folder).keep();
  const auto write = [&](const std::string& name, const auto& each) {
    tt::AtomicFile en(folder + "/" + name + ".en"), ja(folder + "/" + name + ".ja");
    each([&](const std::string& one, const std::string& other) {
      en.write(one + "\n"), ja.write(other + "\n");
    });
    en.commit(), ja.commit();
  };
  for (std::size_t p = 0; p < 3; ++p)
    write(missing[p].first, [&](const auto& put) {
      for (const Document& d : documents[p]) {
        for (const auto& s : d) put(s.right.en, s.right.ja);
        put("", "");
      }
    });
  for (const bool other : {false, true})
    write(other ? "other" : "contrast", [&](const auto& put) {
      for (const Document& d : documents[2]) {
        if (d[1].right.en == d[1].other.en) continue;
        for (std::size_t last = 1; last < d.size(); ++last) {
          for (std::size_t i = 0; i <= last; ++i) {
            const tt::toy::Pair& pair = other && i == last ? d[i].other : d[i].right;
            put(pair.en, pair.ja);
          }
          put("", "");
        }
      }
    });
  return tt::kDone;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace tt;
  std::string folder;
  std::uint64_t seed = 1, train = 20000, dev = 500, test = 500;
  bool documents = false;
  const double most = std::uint64_t{1} << 32;
  const std::vector<Option> rows{
      {"PATH",
       file(folder),
       "where train.en, train.ja, dev.*, test.* go; -: the training part as TSV to stdout",
       {.required = true}},
      seed_option(seed),
      {"--train", number(train, 0, most), "training pairs"},
      {"--dev", number(dev, 0, most), "pairs to validate with"},
      {"--test", number(test, 0, most), "pairs to test with"},
      {"--documents", toggle(documents), "write documents, of a number that these options give"},
  };
  return run_tool(
      argc, argv,
      {.name = "toy",
       .summary = "Writes the embedded corpus: English sentences and their Japanese translations.",
       .groups = {{"Options", rows}},
       .work = [&] {
         return (documents ? write_documents : write_corpus)(folder, seed, train, dev, test);
       }});
}
