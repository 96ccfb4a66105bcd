;;; nfacc-mode.el --- Filters and descriptions of nfacc -*- lexical-binding: t -*-
;; SPDX-License-Identifier: BSD-2-Clause
;; SPDX-FileCopyrightText: nfacc contributors
;;; Commentary:
;; Colours filters and descriptions. Made by tools/editors/gensyntax. In ~/.emacs:
;; (require 'nfacc-mode)
;;; Code:

(defvar nfacc-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?/ ". 124b" table)
    (modify-syntax-entry ?* ". 23" table)
    (modify-syntax-entry ?\n "> b" table)
    (modify-syntax-entry ?_ "_" table)
    (modify-syntax-entry ?# "." table)
    (modify-syntax-entry ?' "." table)
    (modify-syntax-entry ?| "." table)
    table)
  "Comments, names and strings of all languages of nfacc.")

;; In a character such as '"' no string begins.
(defconst nfacc-syntax-propertize
  (syntax-propertize-rules ("'\\(\"\\)'" (1 ".")))
  "Marks quotes that begin no string.")

(defconst nfacc-font-lock-keywords
  (list
   (cons "'\\(?:\\\\x[0-9a-fA-F]\\{2\\}\\|\\\\[ntr0\\\\']\\|[^'\\\\]\\)'" 'font-lock-string-face)
   (cons "@[A-Za-z_][A-Za-z0-9_]*" 'font-lock-variable-name-face)
   (cons "@[0-9]+\\(?:,[0-9]+\\)*" 'font-lock-constant-face)
   (cons "#\\(?:0[xX][0-9a-fA-F]+\\|[0-9]+\\)" 'font-lock-constant-face)
   (cons "\\_<\\(?:0[xX][0-9a-fA-F]+\\|[0-9]+\\)\\_>" 'font-lock-constant-face)
   (cons (regexp-opt '("protocol" "let" "filter" "log" "automaton" "state" "counter" "substream" "window" "limit" "param" "machine") 'symbols)
         'font-lock-keyword-face)
   (cons (regexp-opt '("Any" "None") 'symbols)
         'font-lock-builtin-face)
   (cons (regexp-opt '("true" "any" "eps" "tick" "notick" "end") 'symbols)
         'font-lock-constant-face)
   (cons (regexp-opt '("all" "start" "accept" "reset" "at" "pulse" "latch" "roll" "cl" "from" "count" "output" "when" "orders") 'symbols)
         'font-lock-type-face)
   '("\\[" ("\\_<in\\_>" (save-excursion (skip-chars-forward "^]") (point)) nil
            (0 'font-lock-keyword-face)))
   )
  "What is coloured in `nfacc-mode'.")

;;;###autoload
(define-derived-mode nfacc-mode prog-mode "nfacc"
  "Filters of nfacc (nfacc-filter(5))."
  :syntax-table nfacc-syntax-table
  (setq-local comment-start "// " comment-end ""
              syntax-propertize-function nfacc-syntax-propertize
              font-lock-defaults '(nfacc-font-lock-keywords)))

(defconst nfacc-proto-font-lock-keywords
  (list
   (cons "\\_<[0-9]+'[bdh][0-9a-fA-F]+\\_>" 'font-lock-constant-face)
   (cons "\\_<\\(?:0[xX][0-9a-fA-F]+\\|[0-9]+\\)\\_>" 'font-lock-constant-face)
   (cons (regexp-opt '("protocol" "extends" "header" "opcode" "idle" "address" "payload" "groups" "channels" "types" "event" "field" "pair" "join" "misses" "param" "use" "clock" "reset" "signal" "tap" "register" "queue") 'symbols)
         'font-lock-keyword-face)
   (cons (regexp-opt '("past" "stable" "rose" "fell") 'symbols)
         'font-lock-constant-face)
   (cons (regexp-opt '("except" "line" "from" "on" "broadcast" "of" "by" "in" "order" "put" "take" "auto" "as" "at" "with" "or" "when" "rising" "falling") 'symbols)
         'font-lock-type-face)
   )
  "What is coloured in `nfacc-proto-mode'.")

;;;###autoload
(define-derived-mode nfacc-proto-mode prog-mode "nfacc-proto"
  "Descriptions of protocols for nfacc."
  :syntax-table nfacc-syntax-table
  (setq-local comment-start "// " comment-end ""
              syntax-propertize-function nfacc-syntax-propertize
              font-lock-defaults '(nfacc-proto-font-lock-keywords)))

(defconst nfacc-coh-font-lock-keywords
  (list
   (cons "\\_<\\(?:0[xX][0-9a-fA-F]+\\|[0-9]+\\)\\_>" 'font-lock-constant-face)
   (cons (regexp-opt '("protocol" "checker" "variable" "legal" "ignore" "message" "node" "order" "flight" "tap" "group" "start" "event" "home") 'symbols)
         'font-lock-keyword-face)
   (cons (regexp-opt '("between" "at" "known" "from" "any" "in") 'symbols)
         'font-lock-type-face)
   )
  "What is coloured in `nfacc-coh-mode'.")

;;;###autoload
(define-derived-mode nfacc-coh-mode prog-mode "nfacc-coh"
  "Rules of coherence for nfacc."
  :syntax-table nfacc-syntax-table
  (setq-local comment-start "// " comment-end ""
              syntax-propertize-function nfacc-syntax-propertize
              font-lock-defaults '(nfacc-coh-font-lock-keywords)))

(defconst nfacc-ov-font-lock-keywords
  (list
   (cons "\\_<\\(?:0[xX][0-9a-fA-F]+\\|[0-9]+\\)\\_>" 'font-lock-constant-face)
   (cons (regexp-opt '("overlay" "protocol" "clique" "length" "rings" "reach" "decoder" "bank" "predecessors" "lines" "labels" "window" "counters" "counter_width" "shadow" "data" "memory" "guards" "ranges" "letter_bits" "time" "window_after" "key_ranges" "keys" "broadcast" "state" "names" "counts" "joins" "label_swap" "histogram" "payload" "payload_tests" "banks") 'symbols)
         'font-lock-keyword-face)
   (cons (regexp-opt '("rows" "ste" "bank" "mask" "lut5" "no" "yes" "lut" "block" "same" "own" "copies" "memory") 'symbols)
         'font-lock-type-face)
   )
  "What is coloured in `nfacc-ov-mode'.")

;;;###autoload
(define-derived-mode nfacc-ov-mode prog-mode "nfacc-ov"
  "Descriptions of overlays for nfacc."
  :syntax-table nfacc-syntax-table
  (setq-local comment-start "// " comment-end ""
              syntax-propertize-function nfacc-syntax-propertize
              font-lock-defaults '(nfacc-ov-font-lock-keywords)))

(defun nfacc-file-p (ending line)
  "Does the file's name end in ENDING, and does a line of it match LINE?"
  (and buffer-file-name (string-match-p ending buffer-file-name)
       (save-excursion (goto-char (point-min)) (re-search-forward line nil t))))

;; Other languages have these endings, too, so the content decides.
(defun nfacc-filter-p ()
  "Is the buffer a filter, or the text of an automaton?"
  (nfacc-file-p "\\.\\(?:re\\|nfa\\)\\'"
                "^[ \t]*\\(?:protocol\\|filter\\|automaton\\|substream\\|log\\)\\_>"))
(defun nfacc-proto-p ()
  "Is the buffer the description of a protocol?"
  (nfacc-file-p "\\.proto\\'" "^[ \t]*protocol[ \t]+[A-Za-z0-9_-]+[ \t]*;"))
(add-to-list 'magic-mode-alist '(nfacc-filter-p . nfacc-mode))
(add-to-list 'magic-mode-alist '(nfacc-proto-p . nfacc-proto-mode))
(add-to-list 'auto-mode-alist '("\\.coh\\'" . nfacc-coh-mode))
(add-to-list 'auto-mode-alist '("\\.ov\\'" . nfacc-ov-mode))

(provide 'nfacc-mode)
;;; nfacc-mode.el ends here
