# The trees of a file of the treebank's sample, which has some pages of text before its first tree; of other files, all.
{ line[NR] = $0 }
/ORIGINAL CDROM/ { from = NR }
END { for (i = from + 1; i <= NR; ++i) if (on || line[i] ~ (from ? "^\\(" : "[^ \t]")) { on = 1; print line[i] } }
