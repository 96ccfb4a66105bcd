" SPDX-License-Identifier: BSD-2-Clause
" SPDX-FileCopyrightText: nfacc contributors
" Descriptions of overlays for nfacc. Made by tools/editors/gensyntax.
if exists('b:current_syntax')
  finish
endif
syntax case match
syntax iskeyword @,48-57,_
syntax match nfaccovOperator /\v\.\.|-\>|[=:*]/
syntax match nfaccovNumber /\v<(0[xX]\x+|\d+)>/
syntax keyword nfaccovStatement overlay protocol clique length rings reach decoder bank predecessors lines labels window counters counter_width shadow data memory guards ranges letter_bits time window_after key_ranges keys broadcast state names counts joins label_swap histogram payload payload_tests banks
syntax keyword nfaccovType rows ste bank mask lut5 no yes lut block same own copies memory
syntax match nfaccovComment /\/\/.*/
syntax region nfaccovComment start=/\/\*/ end=/\*\//
highlight default link nfaccovNumber Number
highlight default link nfaccovOperator Operator
highlight default link nfaccovStatement Statement
highlight default link nfaccovType Type
highlight default link nfaccovComment Comment
let b:current_syntax = 'nfaccov'
