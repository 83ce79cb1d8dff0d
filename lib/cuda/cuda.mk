# CUDA=1: kernels compiled by nvcc, for the GPUs of GPU_ARCH. CUDA=emulated: the same sources compiled by the C++ compiler, for an
# emulated GPU (tests/emulated). Included by the Makefile.
ifdef CUDA
CPPFLAGS += -DTT_CUDA
endif
ifeq ($(CUDA),1)
NVCC      = $(firstword $(wildcard $(CUDA_HOME)/bin/nvcc) nvcc)
CUDA_HOME = /usr/local/cuda
# Machine code for these GPUs (sm_*), and PTX (compute_*) that the driver compiles for all newer ones.
GPU_ARCH  = sm_90 compute_75
NVCCFLAGS = -std=c++20 -O3 -ccbin $(CXX) $(foreach a,$(GPU_ARCH),-gencode arch=$(a:sm_%=compute_%),code=$(a)) --Werror all-warnings \
            -Xcompiler=-Wall,-Wextra,-Werror,-pthread
LDFLAGS  += $(foreach d,$(wildcard $(CUDA_HOME)/lib64),-L$(d) -Wl,-rpath,$(d))
LDLIBS   += -lcublasLt -lcudart
endif

# The sources that nvcc compiles; without CUDA, the unit tests run the same sources on an emulated GPU, and so do the programs with
# CUDA=emulated.
KERNELS := $(sort $(wildcard lib/cuda/*.cu))
EMULATION = $(patsubst %.cu,$(BUILD)/emulated/%.o,$(filter-out %/memory.cu,$(KERNELS))) $(call object,$(sort $(wildcard tests/emulated/*.cc)))
EMULATED = $(if $(CUDA),,$(EMULATION))
GPU      = $(if $(filter 1,$(CUDA)),$(KERNELS:%.cu=$(BUILD)/%.o))$(if $(filter emulated,$(CUDA)),$(EMULATION))

$(BUILD)/emulated/%.o: %.cu $(BUILD)/flags | libraries
	@mkdir -p $(@D)
	$(call step,CXX ,$<)$(CXX) $(CPPFLAGS) $(CXXFLAGS) -MMD -MP -x c++ -c $< -o $@
$(BUILD)/lib/cuda/%.o: lib/cuda/%.cu $(BUILD)/flags | libraries
	@mkdir -p $(@D)
	$(call step,NVCC,$<)$(NVCC) -Ilib -DTT_CUDA $(NVCCFLAGS) -MMD -MP -c $< -o $@
