import { EXPRESSION } from './expression.ts'

/** `sed` by way of the engine's own, with its expressions as those of the engine. What that does otherwise is refused. */
export const SED_PROGRAM: Readonly<Record<string, string>> = {
  sed: `${EXPRESSION}${String.raw`
local scripts, options, operands, mode, at, ended = {}, { '-E' }, {}, 'basic', 1, false
local function script_of(path) return (slurp(path):gsub('\n$', '')) end
while arg[at] do
  local word = arg[at]
  local long, value = word:match('^%-%-([%a-]+)=?(.*)$')
  if ended or word == '-' or not word:match('^%-') then operands[#operands + 1] = word
  elseif word == '--' then ended = true
  elseif long == 'expression' then scripts[#scripts + 1] = value
  elseif long == 'file' then scripts[#scripts + 1] = script_of(value)
  elseif long == 'regexp-extended' then mode = 'extended'
  elseif long == 'quiet' or long == 'silent' then options[#options + 1] = '-n'
  elseif long == 'in-place' then options[#options + 1] = '-i' .. value
  elseif long then unknown(word)
  else
    local i = 2
    while i <= #word do
      local letter = word:sub(i, i)
      if letter == 'i' then
        options[#options + 1] = '-i' .. word:sub(i + 1)
        break
      elseif letter == 'e' or letter == 'f' then
        local text = word:sub(i + 1)
        if text == '' then at = at + 1; text = arg[at] end
        if not text then fail('option requires an argument -- ' .. letter) end
        scripts[#scripts + 1] = letter == 'e' and text or script_of(text)
        break
      elseif letter == 'E' or letter == 'r' then mode = 'extended'
      elseif letter == 'n' or letter == 's' then options[#options + 1] = '-' .. letter
      else unknown('-' .. letter) end
      i = i + 1
    end
  end
  at = at + 1
end
if #scripts == 0 then
  if #operands == 0 then fail('no script specified') end
  scripts[1] = table.remove(operands, 1)
end
local text, place, out = table.concat(scripts, '\n'), 1, {}
local function lacks(what) fail(what .. ' is not available here: use lua', 2) end
local function put(piece) out[#out + 1] = piece end
local function skip(signs) place = text:match('^' .. signs .. '*()', place) end
-- The text up to a delimiter, with the signs that stand for it, and behind it.
local function section(delimiter, in_expression)
  local pieces, depth = {}, false
  while true do
    local char = text:sub(place, place)
    if char == '' or (char == '\n' and in_expression) then fail('unterminated expression or command') end
    if char == delimiter and not depth then
      place = place + 1
      return table.concat(pieces)
    end
    if char == '\\' and not depth then
      local sign = text:sub(place + 1, place + 1)
      if sign == delimiter and in_expression and sign:match('[][.*+?(){}|^$n]') then lacks('a delimiter that is a sign of expressions') end
      pieces[#pieces + 1] = sign == delimiter and sign or '\\' .. sign
      place = place + 2
    else
      if in_expression and char == '[' and not depth then
        local open = text:match('^%[%^?%]?', place)
        pieces[#pieces + 1] = open
        place = place + #open
        depth = true
      else
        if char == ']' and depth then depth = false end
        local class = depth and text:match('^%[:%l+:%]', place)
        pieces[#pieces + 1] = class or char
        place = place + #(class or char)
      end
    end
  end
end
local function converted_text(written, prints)
  if written == '' then lacks('an empty expression') end
  return expression({ written }, mode, prints, true)
end
local MARK = '\1'
local function address()
  local char = text:sub(place, place)
  local number = text:match('^%d+', place)
  if number or char == '$' then
    place = place + #(number or char)
    put(number or char)
    if number == '0' then lacks('the address 0') end
  elseif char == '/' or char == '\\' then
    if char == '\\' then place = place + 1 end
    local delimiter = text:sub(place, place)
    place = place + 1
    put('/' .. converted_text(section(delimiter, true), false):gsub('/', '\\/') .. '/')
    if text:match('^[IM]', place) then lacks('the flag ' .. text:sub(place, place) .. ' of an address') end
  else return false end
  return true
end
local function substitution()
  local delimiter = text:sub(place, place)
  place = place + 1
  local pattern = converted_text(section(delimiter, true), true)
  local replacement = section(delimiter, false)
  if replacement:match('\\[ULEulcdox]') then lacks('this escape in a replacement') end
  local flags = text:match('^[%dgpIi]*', place)
  place = place + #flags
  if text:match('^[emMw]', place) or flags:match('%d.*g') or flags:match('g.*%d') then lacks('this flag of s') end
  if pattern:find(MARK, 1, true) or replacement:find(MARK, 1, true) then lacks('a control character') end
  put('s' .. MARK .. pattern .. MARK .. replacement .. MARK .. flags)
end
local depth = 0
while place <= #text do
  skip('[%s;]')
  if place > #text then break end
  if text:match('^#', place) then
    if place == 1 and text:match('^#n\n') then lacks('#n') end
    place = text:match('^[^\n]*()', place)
    goto continue
  end
  if address() then
    skip(' ')
    if text:sub(place, place) == ',' then
      place = place + 1
      skip(' ')
      put(',')
      if not address() then lacks('this address') end
    end
    if text:match('^[~+]', place) then lacks('this address') end
    skip(' ')
  end
  while text:sub(place, place) == '!' do
    put('!')
    place = place + 1
    skip(' ')
  end
  do
    local command = text:sub(place, place)
    place = place + 1
    if command == 's' then substitution()
    elseif command == '{' then depth = depth + 1; put('{'); goto continue
    elseif command == '}' then
      if depth == 0 then fail('unexpected }') end
      depth = depth - 1
      put('}')
    elseif command:match('^[aic]$') then
      local rest = text:match('^[^\n]*', place)
      while rest:match('\\$') do rest = rest .. '\n' .. text:match('^[^\n]*', place + #rest + 1) end
      put(command .. rest)
      place = place + #rest
    elseif command == 'y' then
      local start = place
      local delimiter = text:sub(place, place)
      place = place + 1
      section(delimiter, false)
      section(delimiter, false)
      put('y' .. text:sub(start, place - 1))
    elseif command:match('^[dpqnNhHgGxPD]$') then put(command)
    else lacks("the command '" .. command .. "'") end
    skip(' ')
    if not text:match('^[\n;}#]', place) and place <= #text then fail("extra characters after command") end
  end
  put('\n')
  ::continue::
end
if depth > 0 then fail('unmatched {') end
local words = { 'sed' }
for _, option in ipairs(options) do words[#words + 1] = quote(option) end
words[#words + 1] = '-e ' .. quote((table.concat(out):gsub('\n$', '')))
local stdin
local status, files = 0, {}
for _, name in ipairs(operands) do
  local problem = name ~= '-' and (not exists(name) and "can't read " .. name .. ': No such file or directory' or is_directory(name) and 'read error on ' .. name .. ': Is a directory')
  if problem then
    io.stderr:write('sed: ', problem, '\n')
    status = is_directory(name) and 4 or math.max(status, 2)
  else files[#files + 1] = name end
end
if #operands > 0 and #files == 0 then os.exit(status) end
operands = files
if #operands == 0 or (#operands == 1 and operands[1] == '-') then
  stdin = input_file()
  words[#words + 1] = '< ' .. stdin
else
  words[#words + 1] = '--'
  for _, name in ipairs(operands) do
    if name == '-' then lacks('- beside other files') end
    words[#words + 1] = quote(name)
  end
end
local _, _, code = os.execute(table.concat(words, ' '))
if stdin then os.remove(stdin) end
os.exit(code == 0 and status or code)`}`,
}
