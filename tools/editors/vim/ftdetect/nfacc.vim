" SPDX-License-Identifier: BSD-2-Clause
" SPDX-FileCopyrightText: nfacc contributors
" A file that ends in .re is a filter of nfacc if one of its lines begins like a statement. Reason has
" that ending, too. A file that ends in .nfa is the text of an automaton.
autocmd BufRead,BufNewFile *.re,*.nfa
  \ if search('^\s*\(protocol\|filter\|automaton\|substream\|log\)\>', 'nw') |
  \   set filetype=nfacc |
  \ endif
" A file that ends in .proto is a description if it has this statement. Protocol Buffers have that
" ending, too.
autocmd BufRead,BufNewFile *.proto
  \ if search('^\s*protocol\s\+[A-Za-z0-9_-]\+\s*;', 'nw') |
  \   set filetype=nfaccproto |
  \ endif
autocmd BufRead,BufNewFile *.coh set filetype=nfacccoh
autocmd BufRead,BufNewFile *.ov set filetype=nfaccov
