// Fuzz target: any bytes in place of a file of a COMET model, or of the model that is made of it,
// end in an Error on one line, or in scores. The first byte says which file the others are.
//
//   make fuzz CXX=clang++
#include "exchange/comet.h"

#include <stdlib.h>

#include <filesystem>
#include <stdexcept>

#include "base/file.h"
#include "comet/scorer.h"
#include "nn/device.h"
#include "tests/fuzz/allocation.h"
#include "tests/fuzz/memory_file.h"

namespace {

namespace fs = std::filesystem;
constexpr std::size_t kTimes = 4096;  // which a small folder beside the bytes may need

// A copy of a golden folder, of which one file after the other is replaced.
struct Folder {
  Folder() {
    std::string name = (fs::temp_directory_path() / "tt-fuzz-XXXXXX").string();
    if (!::mkdtemp(name.data())) throw std::runtime_error("mkdtemp failed");
    path = name;
    const char* const root = std::getenv("TT_ROOT");
    fs::copy(std::string(root ? root : ".") + "/tests/golden/comet/regression", path,
             fs::copy_options::recursive | fs::copy_options::overwrite_existing);
    fs::copy(path + "/config.json", path + "/marian.npz");
  }
  ~Folder() { fs::remove_all(path); }
  std::string path;
};

// The file of that name is the one in memory while this exists.
class Replaced {
 public:
  Replaced(const std::string& file, const std::string& by) : file_(file) {
    fs::rename(file_, file_ + ".kept");
    fs::create_symlink(by, file_);
  }
  ~Replaced() {
    fs::remove(file_);
    fs::rename(file_ + ".kept", file_);
  }

 private:
  std::string file_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const tt::MemoryFile memory;
  static const Folder folder;
  static const auto backend = tt::open_backend({});
  if (size == 0) return 0;
  memory.hold(bytes + 1, size - 1);
  const tt::AllocationLimit limit(size + (std::size_t{1} << 20), kTimes);
  const char* const name = bytes[0] == 'h'   ? "/hparams.yaml"
                           : bytes[0] == 'c' ? "/checkpoints/model.ckpt"
                           : bytes[0] == 'j' ? "/config.json"
                           : bytes[0] == 's' ? "/sentencepiece.bpe.model"
                           : bytes[0] == 'm' ? "/marian.npz"
                                             : "";
  try {
    if (*name) {
      const Replaced replaced(folder.path + name, memory.path());
      const std::string path = folder.path + (bytes[0] == 'm' ? name : "");
      if (tt::is_comet(path)) tt::read_comet({path, {}, "", "", {}});
      return 0;
    }
    tt::CometScorer scorer(memory.path(), *backend, tt::WeightForm::float32, true);
    tt::ThreadPool pool(1);
    const tt::CometSegment segment{"ein Haus", "a house", "the house"};
    scorer.score({&segment, 1}, pool);
  } catch (const tt::Error& error) {
    if (std::string(error.what()).find('\n') != std::string::npos) std::abort();
  }
  return 0;
}
