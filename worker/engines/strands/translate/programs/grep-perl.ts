/** A pattern of Perl's that the engine's `grep` has no match for: it looks around, or tells where what is printed begins. */
export const OF_PERL: RegExp = /\(\?(?!:)|\\[KDh1-9]/

/** `grep -P` of one pattern in files or standard input, in lua. */
export const GREP_PERL = String.raw`
for name in pairs(set) do if not name:match('^[onciqvhHlsamrR]$') then unknown('-' .. name) end end
local recursive = set.r or set.R
local chosen = ''
for _, option in ipairs(options) do
  local include = recursive and chosen == '' and option:match('^%-%-include=(.+)$')
  if not include then unknown(option) end
  chosen = ' -name ' .. quote(include)
end
if mode ~= 'perl' or #patterns ~= 1 or patterns[1]:find('\n', 1, true) then refused_expression('this use of -P') end
local pattern, folds = patterns[1]:gsub('^%(%?i%)', '')
local find = regex(pattern, true, set.i or folds > 0, false, true)
local is_here = recursive and #operands == 0
local names = not set.h and (set.H or #operands > 1 or is_here or recursive and is_directory(operands[1]))
local most = tonumber(set.m or math.huge)
local out, found_any, status = {}, false, 0
local function look(name)
  local text, problem = '', nil
  if name == '-' then text = io.read('a') or '' else text, problem = text_of(name) end
  if problem then
    if not set.s then io.stderr:write('grep: ', problem, '\n') end
    status = 2
    return
  end
  local label = name == '-' and '(standard input)' or name
  local function tell(number, line)
    out[#out + 1] = (names and label .. ':' or '') .. (set.n and number .. ':' or '') .. line .. '\n'
  end
  local count = 0
  for number, line in ipairs(lines_of(text)) do
    if count >= most then break end
    local chars = chars_of(line)
    local first, stop = find(chars, 1)
    if (first == nil) == (set.v == true) then
      count = count + 1
      if set.q then os.exit(0) end
      if not set.c and not set.l and not set.o then tell(number, line) end
      while first and set.o and not set.c and not set.l do
        if stop > first then tell(number, table.concat(chars, '', first, stop - 1)) end
        first, stop = find(chars, math.max(stop, first + 1))
      end
    end
  end
  found_any = found_any or count > 0
  if set.l then
    if count > 0 then out[#out + 1] = label .. '\n' end
  elseif set.c then out[#out + 1] = (names and label .. ':' or '') .. count .. '\n' end
end
if #operands == 0 then operands[1] = recursive and '.' or '-' end
for _, name in ipairs(operands) do
  if recursive and name ~= '-' and is_directory(name) then
    for _, file in ipairs(lines_of(output_of('find ' .. safe(name) .. ' -type f' .. chosen))) do
      look(is_here and file:gsub('^%./', '') or file)
    end
  else look(name) end
end
io.write(table.concat(out))
os.exit(status > 0 and status or found_any and 0 or 1)`
