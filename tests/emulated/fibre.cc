// See tests/emulated/fibre.h. Switching is in assembly for two architectures, where it takes a few
// nanoseconds; elsewhere it uses POSIX functions, which make two system calls per switch.
// Sanitizers are told which stack is in use.
#include "tests/emulated/fibre.h"

#include <sys/mman.h>
#include <ucontext.h>

#include <cstdint>

#include "base/error.h"

#if defined(__SANITIZE_ADDRESS__)
#define TT_ASAN
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TT_ASAN
#endif
#endif
#if defined(TT_ASAN)
#include <sanitizer/common_interface_defs.h>
#elif defined(TT_TSAN)
#include <sanitizer/tsan_interface.h>
extern "C" void AnnotateIgnoreWritesBegin(const char* file, int line);
extern "C" void AnnotateIgnoreWritesEnd(const char* file, int line);
#endif

#if defined(__x86_64__) || defined(__aarch64__)
// Saves the callee-saved registers, and the stack pointer to *from; continues with the stack
// pointer `to`.
extern "C" void tt_switch_stack(void** from, void* to);
#endif
#if defined(__x86_64__)
asm(R"(
  .text
  .type tt_switch_stack,@function
tt_switch_stack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
)");
#elif defined(__aarch64__)
asm(R"(
  .text
  .type tt_switch_stack,%function
tt_switch_stack:
  sub sp, sp, #160
  stp x19, x20, [sp]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x2, sp
  str x2, [x0]
  mov sp, x1
  ldp x19, x20, [sp]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  ret
)");
#endif

namespace tt {
namespace {

constexpr std::size_t kStack = std::size_t{128} << 10;
thread_local Fibre* starting = nullptr;  // the fibre that is about to be entered for the first time

}  // namespace

struct Fibre::Context {
  void* stack;
#if defined(__x86_64__) || defined(__aarch64__)
  void *mine = nullptr, *caller = nullptr;  // stack pointers, of who is not running
#else
  ucontext_t mine = {}, caller = {};
#endif
#if defined(TT_ASAN)
  void *my_frames = nullptr, *caller_frames = nullptr;
  const void* caller_stack = nullptr;
  std::size_t caller_size = 0;
#elif defined(TT_TSAN)
  void *mine_watched = __tsan_create_fiber(0), *caller_watched = nullptr;
#endif

  static void first();
  void prepare();
  void into();
  void out();
};

void Fibre::Context::first() {
  Fibre* self = starting;
#if defined(TT_ASAN)
  Context& c = *self->context_;
  __sanitizer_finish_switch_fiber(nullptr, &c.caller_stack, &c.caller_size);
#endif
  Fibre::enter(self);
}

void Fibre::Context::prepare() {
#if defined(__x86_64__) || defined(__aarch64__)
  // The stack as a call of tt_switch_stack in the first line of first() would have left it.
  auto* top = reinterpret_cast<std::uintptr_t*>(static_cast<std::byte*>(stack) + kStack);
#if defined(__x86_64__)
  top -= 8;  // six registers, where to return to, and what stands in place of first()'s own return
             // address
  for (int i = 0; i < 8; ++i) top[i] = 0;
  top[6] = reinterpret_cast<std::uintptr_t>(&Context::first);
#else
  top -= 20;
  for (int i = 0; i < 20; ++i) top[i] = 0;
  top[11] = reinterpret_cast<std::uintptr_t>(&Context::first);
#endif
  mine = top;
#else
  TT_CHECK(::getcontext(&mine) == 0);
  mine.uc_stack.ss_sp = stack;
  mine.uc_stack.ss_size = kStack;
  mine.uc_link = nullptr;
  ::makecontext(&mine, &Context::first, 0);
#endif
}

void Fibre::Context::into() {
#if defined(TT_ASAN)
  __sanitizer_start_switch_fiber(&caller_frames, stack, kStack);
#elif defined(TT_TSAN)
  caller_watched = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(mine_watched, __tsan_switch_to_fiber_no_sync);
#endif
#if defined(__x86_64__) || defined(__aarch64__)
  tt_switch_stack(&caller, mine);
#else
  ::swapcontext(&caller, &mine);
#endif
#if defined(TT_ASAN)
  __sanitizer_finish_switch_fiber(caller_frames, nullptr, nullptr);
#endif
}

void Fibre::Context::out() {
#if defined(TT_ASAN)
  __sanitizer_start_switch_fiber(&my_frames, caller_stack, caller_size);
#elif defined(TT_TSAN)
  __tsan_switch_to_fiber(caller_watched, __tsan_switch_to_fiber_no_sync);
#endif
#if defined(__x86_64__) || defined(__aarch64__)
  tt_switch_stack(&mine, caller);
#else
  ::swapcontext(&mine, &caller);
#endif
#if defined(TT_ASAN)
  __sanitizer_finish_switch_fiber(my_frames, &caller_stack, &caller_size);
#endif
}

Fibre::Fibre() : context_(new Context{}) {
  // A page that nothing may touch lies below, where a stack would run over.
  constexpr std::size_t kPage = std::size_t{64} << 10;
  void* at = ::mmap(nullptr, kStack + kPage, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  TT_CHECK(at != MAP_FAILED && ::mprotect(at, kPage, PROT_NONE) == 0);
  context_->stack = static_cast<std::byte*>(at) + kPage;
  context_->prepare();
}

Fibre::~Fibre() {
  constexpr std::size_t kPage = std::size_t{64} << 10;
#if defined(TT_TSAN)
  __tsan_destroy_fiber(context_->mine_watched);
#endif
  ::munmap(static_cast<std::byte*>(context_->stack) - kPage, kStack + kPage);
  delete context_;
}

// Runs one function after another, for ever: a fibre that has ended is resumed where it last
// paused.
void Fibre::enter(Fibre* self) {
  for (;;) {
    (*self->function_)();
    self->function_ = nullptr;
    self->context_->out();
  }
}

void Fibre::start(const std::function<void()>& function) {
  TT_CHECK(done());
  function_ = &function;
}

void Fibre::resume() {
  starting = this;
  context_->into();
}

void Fibre::pause() { context_->out(); }

#if defined(TT_TSAN)
void happens_before(void* place) { __tsan_release(place); }
void happens_after(void* place) { __tsan_acquire(place); }
Unwatched::Unwatched() { AnnotateIgnoreWritesBegin(__FILE__, __LINE__); }
Unwatched::~Unwatched() { AnnotateIgnoreWritesEnd(__FILE__, __LINE__); }
#else
void happens_before(void*) {}
void happens_after(void*) {}
Unwatched::Unwatched() = default;
Unwatched::~Unwatched() = default;
#endif

}  // namespace tt
