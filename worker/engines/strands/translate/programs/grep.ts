import { EXPRESSION } from './expression.ts'
import { GREP_OPTIONS } from './grep-options.ts'
import { GREP_PERL } from './grep-perl.ts'
import { REGEX } from './regex.ts'

/** `grep` by way of the engine's own, with its patterns as those of the engine; and for patterns of Perl's that it lacks, in lua. */
export const GREP_PROGRAM: Readonly<Record<string, string>> = {
  'grep-perl': `${REGEX}${GREP_OPTIONS}${GREP_PERL}`,
  grep: `${EXPRESSION}${GREP_OPTIONS}${String.raw`
local recursive = set.r or set.R
if recursive and not set.h and #operands > 1 then
  for _, name in ipairs(operands) do if name:match('^%.?/*$') then refused(name .. ' beside other places') end end
end
if set.m and (set.A or set.B or set.C or set.m == '0') then unknown('-m ' .. set.m .. ' with these options') end
-- A text that is no pattern of Perl's own reads the same in the engine.
if mode == 'perl' then
  if #patterns > 1 or patterns[1]:match('%(%?[^:]') or patterns[1]:match('\\[%dKGRXQEgk]') or patterns[1]:match('[*+?}]%+') then
    refused('this construct of -P')
  end
end
if #patterns == 0 then os.exit(1) end
local pattern = mode == 'perl' and patterns[1] or expression(patterns, mode, set.o)
if set.w then pattern = '\\b{start-half}(?:' .. pattern .. ')\\b{end-half}' end
local status, files, stdin = 0, {}, nil
for _, name in ipairs(operands) do
  if name == '-' then
    if #operands > 1 then refused('- beside other files') end
  else
    local problem = not exists(name) and 'No such file or directory' or not recursive and is_directory(name) and 'Is a directory'
    if not problem then files[#files + 1] = name
    else
      if not set.s then io.stderr:write('grep: ', name, ': ', problem, '\n') end
      status = 2
    end
  end
end
if #files == 0 and (#operands == 0 or operands[1] == '-') and not recursive then
  if set.H then unknown('-H of the standard input') end
  stdin = input_file()
elseif #files == 0 and #operands > 0 then os.exit(status) end
for _, letter in ipairs({ 'i', 'v', 'c', 'n', 'o', 'q', 'r', 'R', 'x', 'h', 'H' }) do
  if set[letter] then options[#options + 1] = '-' .. letter end
end
for _, letter in ipairs({ 'm', 'A', 'B', 'C' }) do
  if set[letter] then options[#options + 1] = '-' .. letter; options[#options + 1] = set[letter] end
end
local words = { 'grep', '-E' }
for _, option in ipairs(options) do words[#words + 1] = quote(option) end
words[#words + 1] = '-e ' .. quote(pattern)
local names = set.l or set.L
if names and not recursive then
  -- Of one file the engine prints an empty name.
  local found = false
  for _, name in ipairs(stdin and { stdin } or files) do
    local ok = os.execute('grep -q' .. (set.i and 'i' or '') .. (set.v and 'v' or '') .. (set.x and 'x' or '') .. 'E -e ' .. quote(pattern) .. ' -- ' .. quote(name))
    -- With -L a file that has a match makes the status 0, too.
    found = found or ok == true
    if (ok == true) == (set.l == true) and not set.q then
      io.write(stdin and '(standard input)' or name, '\n')
    end
  end
  if stdin then os.remove(stdin) end
  os.exit(status == 0 and not found and 1 or status)
end
if set.l then words[#words + 1] = '-l' elseif set.L then words[#words + 1] = '-L' end
if stdin then words[#words + 1] = '< ' .. stdin
else
  -- One of several that are there is not the only one.
  if #operands > 1 and #files == 1 and not set.h then words[#words + 1] = '-H' end
  words[#words + 1] = '--'
  for _, name in ipairs(files) do words[#words + 1] = quote(name) end
end
if set.s then words[#words + 1] = '2> /dev/null' end
local command = table.concat(words, ' ')
-- The engine's names of what is in the current directory have no dot before them, and of an empty match it prints an empty line.
local dotted = recursive and not set.h and #files == 1 and files[1]:match('^%./*$')
local prints = set.o and not (set.c or set.q or set.v or names)
local code
if dotted or prints then
  if prints and (set.H or recursive or #files > 1) and os.execute("printf '\\n' | grep -qE -e " .. quote(pattern)) then
    refused('what may be empty with -o and names of files')
  end
  local empty = set.n and '^%d+:$' or '^$'
  -- A pipe has no messages.
  local said = input_file('')
  local lines = lines_of(output_of(command .. (set.s and '' or ' 2> ' .. said) .. "; printf '%s\\n' \"$?\""))
  io.stderr:write(text_of(said) or '')
  os.remove(said)
  code = tonumber(table.remove(lines))
  for _, line in ipairs(lines) do
    if not (prints and line:match(empty)) then io.write(dotted and line ~= '--' and './' or '', line, '\n') end
  end
else
  local _
  _, _, code = os.execute(command)
end
if stdin then os.remove(stdin) end
os.exit(set.q and code == 0 and 0 or status > 0 and status or code)`}`,
}
