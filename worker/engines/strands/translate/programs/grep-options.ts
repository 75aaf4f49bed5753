/** The words of `grep` in lua: flags in `set`, choices of files in `options`, `patterns`, how they are written in `mode`, and `operands`. */
export const GREP_OPTIONS = String.raw`
local LONG = {
  ['extended-regexp'] = 'E', ['fixed-strings'] = 'F', ['basic-regexp'] = 'G', ['perl-regexp'] = 'P', ['ignore-case'] = 'i',
  ['invert-match'] = 'v', count = 'c', ['line-number'] = 'n', ['files-with-matches'] = 'l', ['files-without-match'] = 'L',
  ['only-matching'] = 'o', quiet = 'q', silent = 'q', recursive = 'r', ['dereference-recursive'] = 'R', ['word-regexp'] = 'w',
  ['line-regexp'] = 'x', ['no-filename'] = 'h', ['with-filename'] = 'H', ['no-messages'] = 's', text = 'a', regexp = 'e',
  file = 'f', ['max-count'] = 'm', ['after-context'] = 'A', ['before-context'] = 'B', context = 'C',
}
local set, options, patterns, given, operands = {}, {}, {}, false, {}
local mode, at, ended = 'basic', 1, false
local function take(letter, value)
  if value == nil then fail('option requires an argument -- ' .. letter, 2) end
  if letter == 'e' then patterns[#patterns + 1] = value; given = true
  elseif letter == 'f' then
    local lines = lines_of(slurp(value))
    for _, line in ipairs(lines) do patterns[#patterns + 1] = line end
    given = true
  else
    if not value:match('^%d+$') then fail('invalid context length argument', 2) end
    set[letter] = value
  end
end
local function flag(letter)
  if letter == 'E' then mode = 'extended' elseif letter == 'F' then mode = 'fixed' elseif letter == 'G' then mode = 'basic'
  elseif letter == 'P' then mode = 'perl'
  elseif letter == 'y' then set.i = true
  elseif not letter:match('[ivcnlLoqrRwxhHsaI]') then unknown('-' .. letter)
  else set[letter] = true end
end
while arg[at] do
  local word = arg[at]
  if ended or word == '-' or not word:match('^%-') then operands[#operands + 1] = word
  elseif word == '--' then ended = true
  elseif word:match('^%-%-') then
    local name, value = word:match('^%-%-([%a-]+)=?(.*)$')
    local attached = word:find('=', 1, true) ~= nil
    if name == 'color' or name == 'colour' then
      if value == 'always' then unknown(word) end
    elseif name == 'include' or name == 'exclude' or name == 'exclude-dir' then
      if not attached then at = at + 1; value = arg[at] or '' end
      options[#options + 1] = '--' .. name .. '=' .. value
    elseif not LONG[name] then unknown(word)
    elseif LONG[name]:match('[efmABC]') then
      if not attached then at = at + 1; value = arg[at] end
      take(LONG[name], value)
    else flag(LONG[name]) end
  elseif word:match('^%-%d+$') then set.C = word:sub(2)
  else
    local i = 2
    while i <= #word do
      local letter = word:sub(i, i)
      if letter:match('[efmABC]') then
        local value = word:sub(i + 1)
        if value == '' then at = at + 1; value = arg[at] end
        take(letter, value)
        break
      end
      flag(letter)
      i = i + 1
    end
  end
  at = at + 1
end
if not given then
  if #operands == 0 then fail('no pattern', 2) end
  patterns[1] = table.remove(operands, 1)
end
`
