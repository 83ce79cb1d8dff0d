# The trees of a file of the treebank's sample, which has some pages of text before its first tree.
{ line[NR] = $0 }
/ORIGINAL CDROM/ { from = NR }
END { for (i = from + 1; i <= NR; ++i) if (on || line[i] ~ /^\(/) { on = 1; print line[i] } }
