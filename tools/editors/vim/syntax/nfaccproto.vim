" SPDX-License-Identifier: BSD-2-Clause
" SPDX-FileCopyrightText: nfacc contributors
" Descriptions of protocols for nfacc. Made by tools/editors/gensyntax.
if exists('b:current_syntax')
  finish
endif
syntax case match
syntax iskeyword @,48-57,_
syntax match nfaccprotoOperator /\v\.\.|-\>|[-=:*!?|<>+&^~@]/
syntax match nfaccprotoNumber /\v<(0[xX]\x+|\d+)>/
syntax match nfaccprotoSized /\v<\d+'[bdh]\x+>/
syntax match nfaccprotoPlace /\v"[^"]*"/
syntax keyword nfaccprotoStatement protocol extends header opcode idle address payload groups channels types event field pair join misses param use clock reset signal tap register queue
syntax keyword nfaccprotoConstant past stable rose fell
syntax keyword nfaccprotoType except line from on broadcast of by in order put take auto as at with or when rising falling
syntax match nfaccprotoComment /\/\/.*/
syntax region nfaccprotoComment start=/\/\*/ end=/\*\//
highlight default link nfaccprotoPlace String
highlight default link nfaccprotoSized Number
highlight default link nfaccprotoNumber Number
highlight default link nfaccprotoOperator Operator
highlight default link nfaccprotoStatement Statement
highlight default link nfaccprotoConstant Constant
highlight default link nfaccprotoType Type
highlight default link nfaccprotoComment Comment
let b:current_syntax = 'nfaccproto'
