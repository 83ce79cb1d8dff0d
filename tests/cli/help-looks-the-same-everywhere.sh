# --help is laid out by tools/help.cc, whatever the version of CLI11: options, operands, defaults, commands.
tt-average --help
tt-bpe --help
tt-bpe vocab --help
