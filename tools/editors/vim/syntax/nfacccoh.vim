" SPDX-License-Identifier: BSD-2-Clause
" SPDX-FileCopyrightText: nfacc contributors
" Rules of coherence for nfacc. Made by tools/editors/gensyntax.
if exists('b:current_syntax')
  finish
endif
syntax case match
syntax iskeyword @,48-57,_
syntax match nfacccohOperator /\v-\>|\<\=|\>\=|!\=|[-!?|=:<>#*~&+]/
syntax match nfacccohNumber /\v<(0[xX]\x+|\d+)>/
syntax keyword nfacccohStatement protocol checker variable legal ignore message node order flight tap group start event home
syntax keyword nfacccohType between at known from any in
syntax match nfacccohComment /\/\/.*/
syntax region nfacccohComment start=/\/\*/ end=/\*\//
highlight default link nfacccohNumber Number
highlight default link nfacccohOperator Operator
highlight default link nfacccohStatement Statement
highlight default link nfacccohType Type
highlight default link nfacccohComment Comment
let b:current_syntax = 'nfacccoh'
