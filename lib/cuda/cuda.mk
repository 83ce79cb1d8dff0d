# CUDA=1: kernels compiled by nvcc, for the GPUs of GPU_ARCH. CUDA=emulated: the same sources compiled by the C++ compiler, for an
# emulated GPU (tests/emulated). Included by the Makefile.
CUDA_HOME ?= $(or $(patsubst %/bin/nvcc,%,$(realpath $(shell command -v nvcc))),/usr/local/cuda)
NVCC      := $(firstword $(wildcard $(CUDA_HOME)/bin/nvcc) $(shell command -v nvcc))
# Machine code for these GPUs (sm_*), and PTX (compute_*) that the driver compiles for all newer ones. Without CUDA=1 they are compiled
# for tests alone, which no GPU runs.
GPU_ARCH  = sm_90 compute_75 $(if $(CUDA),compute_80)
NVCCFLAGS = -std=c++20 -O3 -lineinfo -ccbin $(CXX) $(foreach a,$(GPU_ARCH),-gencode arch=$(a:sm_%=compute_%),code=$(a)) --Werror all-warnings \
            -Xcompiler=-Wall,-Wextra,-Werror,-pthread
CUDA_LIBS = $(foreach d,$(wildcard $(CUDA_HOME)/lib64),-L$(d) -Wl,-rpath,$(d)) -lcublasLt -lcudart
# With MPI=1, GPUs exchange gradients by NCCL where it is installed, and otherwise through the memory of their hosts.
NCCL := $(firstword $(wildcard $(CUDA_HOME)/include/nccl.h /usr/include/nccl.h))
ifdef CUDA
CPPFLAGS += -DTT_CUDA
endif
ifeq ($(CUDA),1)
LDLIBS   += $(CUDA_LIBS)
ifneq ($(and $(MPI),$(NCCL)),)
CPPFLAGS += -DTT_NCCL
LDLIBS   += -lnccl
endif
endif

# The sources that nvcc compiles; without CUDA, the unit tests run the same sources on an emulated GPU, and so do the programs with
# CUDA=emulated.
KERNELS := $(sort $(filter-out %/link.cu,$(wildcard lib/cuda/*.cu)))
EMULATION = $(patsubst %.cu,$(BUILD)/emulated/%.o,$(filter-out %/memory.cu,$(KERNELS))) $(call object,$(sort $(wildcard tests/emulated/*.cc)))
EMULATED = $(if $(CUDA),,$(EMULATION))
GPU      = $(if $(filter 1,$(CUDA)),$(KERNELS:%.cu=$(BUILD)/%.o) $(if $(and $(MPI),$(NCCL)),$(BUILD)/lib/cuda/link.o))$(if $(filter emulated,$(CUDA)),$(EMULATION))

# TSan looks at the kernels, whose threads it is told of, and not at the emulation itself.
$(call object,$(sort $(wildcard tests/emulated/*.cc))): private CXXFLAGS += $(if $(filter tsan,$(MODE)),-fno-sanitize=thread -DTT_TSAN)
$(BUILD)/emulated/%.o: %.cu $(BUILD)/flags | libraries
	@mkdir -p $(@D)
	$(call step,CXX ,$<)$(CXX) $(CPPFLAGS) $(CXXFLAGS) -MMD -MP -x c++ -c $< -o $@
$(BUILD)/lib/cuda/%.o: lib/cuda/%.cu $(BUILD)/flags | libraries
	@mkdir -p $(@D)
	$(call step,NVCC,$<)$(or $(NVCC),$(error CUDA=1 needs nvcc, in $(CUDA_HOME)/bin or on the PATH)) -Ilib -DTT_CUDA $(NVCCFLAGS) -MMD -MP -c $< -o $@
# Variants of programs for tests: with the kernels, and with MPI and NCCL, in a build without CUDA=1.
CUDA_VARIANT = $(if $(and $(NVCC),$(filter release,$(MODE)),$(if $(CUDA),,yes)),$(BUILD)/cuda/tt-translate $(if $(and $(NCCL),$(call pkg,--libs,ompi-c)),$(BUILD)/cuda/tt-train))
$(BUILD)/cuda/tt-train: $(BUILD)/tools/tt-train.o $(call object,$(SHARED)) $(BUILD)/mpi/ranks.o $(BUILD)/cuda/device-nccl.o $(KERNELS:%.cu=$(BUILD)/%.o) $(BUILD)/lib/cuda/link.o $(BUILD)/libtt.a
	$(call link,$(CUDA_LIBS) -lnccl $(call pkg,--libs,ompi-c))
$(BUILD)/cuda/tt-%: $(BUILD)/tools/tt-%.o $(call object,$(SHARED)) $(BUILD)/cuda/device.o $(KERNELS:%.cu=$(BUILD)/%.o) $(BUILD)/libtt.a
	$(call link,$(CUDA_LIBS))
$(BUILD)/cuda/device.o: private CPPFLAGS += -DTT_CUDA
$(BUILD)/cuda/device-nccl.o: private CPPFLAGS += -DTT_CUDA -DTT_NCCL
$(BUILD)/cuda/device-nccl.o: lib/nn/device.cc $(BUILD)/flags | libraries
	@mkdir -p $(@D)
	$(call step,CXX ,$@)$(CXX) $(CPPFLAGS) $(CXXFLAGS) -MMD -MP -c $< -o $@
$(BUILD)/cuda/%.o: lib/nn/%.cc $(BUILD)/flags | libraries
	@mkdir -p $(@D)
	$(call step,CXX ,$@)$(CXX) $(CPPFLAGS) $(CXXFLAGS) -MMD -MP -c $< -o $@
