" SPDX-License-Identifier: BSD-2-Clause
" SPDX-FileCopyrightText: nfacc contributors
" A file that ends in .re is a filter of nfacc if one of its lines begins like a statement. Reason has
" that ending, too.
autocmd BufRead,BufNewFile *.re
  \ if search('^\s*\(protocol\|filter\|automaton\|substream\|log\)\>', 'nw') |
  \   set filetype=nfacc |
  \ endif
