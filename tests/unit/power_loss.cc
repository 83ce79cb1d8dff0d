// Power cuts: what a run asks of the file system is recorded, and replayed on a disk that keeps no
// more than it has promised.
//
// The disk: the bytes of a file are those of its last sync, those now, or a part of those now. What
// a name of the folder stands for is what it stood for at the folder's last sync, or anything that
// it has stood for since, each name by itself. That is less than any file system keeps, most of
// which leave renames whole and in their order.
#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>

#include "base/system.h"
#include "tests/unit/train_fixture.h"

namespace tt {
namespace {

// A file's bytes: now, and as of its last sync.
struct Bytes {
  std::string now, synced;
};
using File = std::shared_ptr<Bytes>;  // null: there is none

struct Step {
  std::string name, path, to, bytes;
  int fd = -1;
};

// Everything that is done in a folder while this lives.
class Recording {
 public:
  explicit Recording(const std::string& folder) : folder_(folder) {
    sys::set_witness([this](const sys::Change& change) {
      const auto inside = [&](std::string_view path) {
        return path.empty() || path.starts_with(folder_);
      };
      if (inside(change.path) && inside(change.to))
        steps.push_back({std::string(change.name), std::string(change.path), std::string(change.to),
                         std::string(change.bytes), change.fd});
      else steps.push_back({"other", "", "", "", change.fd});
    });
  }
  ~Recording() { sys::set_witness({}); }
  std::vector<Step> steps;

 private:
  std::string folder_;
};

class Disk {
 public:
  explicit Disk(const std::string& folder) : folder_(folder) {}

  void take(const Step& step) {
    if (step.name == "other")
      open_.erase(step.fd), folder_fd_ = step.fd == folder_fd_ ? -1 : folder_fd_;
    else if (step.name == "open" && step.path == folder_) folder_fd_ = step.fd;
    else if (step.name == "open") {
      File& file = names_[step.path].emplace_back(current(step.path));
      if (!file) file = std::make_shared<Bytes>();
      open_[step.fd] = file;
    } else if (step.name == "write") {
      if (const auto file = open_.find(step.fd); file != open_.end())
        file->second->now += step.bytes;
    } else if (step.name == "sync" && step.fd == folder_fd_) {
      for (auto& [name, history] : names_) history.erase(history.begin(), history.end() - 1);
    } else if (step.name == "sync") {
      if (const auto file = open_.find(step.fd); file != open_.end())
        file->second->synced = file->second->now;
    } else if (step.name == "close") {
      open_.erase(step.fd);
      if (step.fd == folder_fd_) folder_fd_ = -1;
    } else if (step.name == "rename") {
      names_[step.to].push_back(current(step.path));
      names_[step.path].push_back(nullptr);
    } else if (step.name == "unlink") {
      names_[step.path].push_back(nullptr);
    }
  }

  // The files that a power cut leaves, in a folder that is made.
  void leave(const std::string& folder, Random& random) const {
    std::filesystem::create_directory(folder);
    for (const auto& [name, history] : names_) {
      // A name that came up since the last sync may also not be there.
      const auto choice = random.below(static_cast<std::uint32_t>(history.size()));
      const File file = history[choice];
      if (!file) continue;
      std::string bytes = file->synced;
      if (file->now != file->synced) {
        const std::uint32_t kept = random.below(3);
        if (kept > 0) bytes = file->now;
        if (kept == 1) bytes.resize(random.below(static_cast<std::uint32_t>(bytes.size() + 1)));
      }
      Output(folder + name.substr(folder_.size())).write(bytes);
    }
  }

 private:
  File current(const std::string& name) {
    auto& history = names_[name];
    if (history.empty()) history.push_back(nullptr);
    return history.back();
  }

  std::string folder_;
  std::map<std::string, std::vector<File>>
      names_;  // what each stands for, from the last sync of the folder until now
  std::map<int, File> open_;
  int folder_fd_ = -1;
};

TEST_CASE("a run goes on to the same bits after a power cut at any moment") {
  const Workplace place;
  Config config = quick_config();
  config.save_every = 2;
  config.keep_last = config.keep_best = 1;
  config.report_every = 3;
  std::vector<Step> steps;
  {
    Recording recording(place.path("whole"));
    run(config, place.inputs("whole", 1));
    steps = std::move(recording.steps);
  }
  REQUIRE(std::count_if(steps.begin(), steps.end(),
                        [](const Step& s) { return s.name == "rename"; }) > 15);
  const std::string whole = bytes_of(place, "whole");
  // The number of the first of 30 cuts after which the run did not go on to the same bits, or -1.
  const auto first_loss = [&] {
    Random random(5);
    for (int cut = 0; cut < 30; ++cut) {
      // Most of what can go wrong stands around renames.
      auto end = random.below(static_cast<std::uint32_t>(steps.size()));
      while (cut % 2 && end + 1 < steps.size() && steps[end].name != "rename") ++end;
      Disk disk(place.path("whole"));
      for (std::uint32_t i = 0; i <= end; ++i) disk.take(steps[i]);
      disk.leave(place.path("cut"), random);
      bool same = false;
      try {
        run(config, place.inputs("cut", 1));
        same = bytes_of(place, "cut") == whole;
      } catch (const Error& error) {
        UNSCOPED_INFO("cut " << cut << " after step " << end << ", " << steps[end].name << ": "
                             << error.what());
      }
      std::filesystem::remove_all(place.path("cut"));
      if (!same) return cut;
    }
    return -1;
  };
  CHECK(first_loss() == -1);
  // A disk that is never asked to keep anything loses some.
  std::erase_if(steps, [](const Step& s) { return s.name == "sync"; });
  CHECK(first_loss() >= 0);
}

}  // namespace
}  // namespace tt
