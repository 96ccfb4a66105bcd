" SPDX-License-Identifier: BSD-2-Clause
" SPDX-FileCopyrightText: nfacc contributors
" Filters of nfacc (nfacc-filter(5)). Made by tools/editors/gensyntax.
if exists('b:current_syntax')
  finish
endif
syntax case match
syntax iskeyword @,48-57,_
syntax match nfaccOperator /\v\.\.|-\>|\=\=|!\=|[-|*+?!]/
syntax match nfaccNumber /\v<(0[xX]\x+|\d+)>/
syntax match nfaccOpcode /\v#(0[xX]\x+|\d+)/
syntax match nfaccChannels /\v\@\d+(,\d+)*/
syntax match nfaccCounted /\v\@\h\w*/
syntax match nfaccCharacter /\v'(\\x\x{2}|\\[ntr0\\']|[^'\\])'/
syntax match nfaccGlob /\v"[^"]*"/
syntax keyword nfaccStatement protocol let filter log automaton state counter substream window limit param machine
syntax keyword nfaccFunction Any None
syntax keyword nfaccConstant true any eps tick notick end
syntax keyword nfaccType all start accept reset at pulse latch roll cl from count output when orders
syntax keyword nfaccIn in contained
syntax region nfaccGuard start=/\[/ end=/\]/ contains=nfaccIn,nfaccNumber,nfaccOperator,nfaccComment
syntax match nfaccComment /\/\/.*/
syntax region nfaccComment start=/\/\*/ end=/\*\//
highlight default link nfaccGlob String
highlight default link nfaccCharacter Character
highlight default link nfaccCounted Identifier
highlight default link nfaccChannels Number
highlight default link nfaccOpcode Number
highlight default link nfaccNumber Number
highlight default link nfaccOperator Operator
highlight default link nfaccStatement Statement
highlight default link nfaccFunction Function
highlight default link nfaccConstant Constant
highlight default link nfaccType Type
highlight default link nfaccIn Operator
highlight default link nfaccComment Comment
let b:current_syntax = 'nfacc'
