import { REGEX } from './regex.ts'

/** What `sed` says of a file that it cannot read; 4: it reads none behind it. */
export const UNREADABLE = String.raw`
local function tell(name, in_place, status)
  local is_tree = is_directory(name)
  local why = is_tree and (in_place and "couldn't edit " .. name .. ': not a regular file' or 'read error on ' .. name .. ': Is a directory')
  io.stderr:write('sed: ', why or "can't read " .. name .. ': No such file or directory', '\n')
  return is_tree and 4 or math.max(status, 2)
end
`

/** `sed` of GNU in lua. The engine's own loses its way in blocks, and takes what follows a text for a part of it. */
export const SED_PROGRAM: Readonly<Record<string, string>> = {
  sed: `${REGEX}${UNREADABLE}${String.raw`
local pieces, quiet, extended, in_place, separate, operands, at, ended = {}, false, false, nil, false, {}, 1, false
local function lacks(what) fail(what .. ' is not available here: use lua', 2) end
local function script_of(path) return (slurp(path):gsub('\n$', '')) end
while arg[at] do
  local word = arg[at]
  local long, value = word:match('^%-%-([%a-]+)=?(.*)$')
  if ended or word == '-' or not word:match('^%-') then operands[#operands + 1] = word
  elseif word == '--' then ended = true
  elseif long == 'expression' or long == 'file' then
    if not word:find('=', 1, true) then at = at + 1; value = arg[at] or '' end
    pieces[#pieces + 1] = long == 'expression' and value or script_of(value)
  elseif long == 'regexp-extended' then extended = true
  elseif long == 'quiet' or long == 'silent' then quiet = true
  elseif long == 'separate' then separate = true
  elseif long == 'in-place' then in_place, separate = value, true
  elseif long and long ~= 'unbuffered' and long ~= 'posix' then unknown(word)
  else
    local i = 2
    while i <= #word do
      local letter = word:sub(i, i)
      if letter == 'i' then
        in_place, separate = word:sub(i + 1), true
        break
      elseif letter == 'e' or letter == 'f' then
        local text = word:sub(i + 1)
        if text == '' then at = at + 1; text = arg[at] end
        if not text then fail('option requires an argument -- ' .. letter) end
        pieces[#pieces + 1] = letter == 'e' and text or script_of(text)
        break
      elseif letter == 'E' or letter == 'r' then extended = true
      elseif letter == 'n' then quiet = true
      elseif letter == 's' then separate = true
      elseif letter ~= 'u' then unknown('-' .. letter) end
      i = i + 1
    end
  end
  at = at + 1
end
if #pieces == 0 then
  if #operands == 0 then fail('no script specified') end
  pieces[1] = table.remove(operands, 1)
end
-- Reads the script.
local text, place = table.concat(pieces, '\n'), 1
local function wrong(why) fail('-e expression #1, char ' .. math.min(place, #text) .. ': ' .. why) end
local function peek() return text:sub(place, place) end
local function skip(signs) place = text:match('^' .. signs .. '*()', place) end
-- The text up to a delimiter, and behind it. In an expression a bracket has the delimiter as a character.
local function section(delimiter, in_expression)
  local out = {}
  while true do
    local char = peek()
    if char == '' or (char == '\n' and in_expression) then wrong(in_expression and 'unterminated address regex' or "unterminated 's' command") end
    if char == delimiter then
      place = place + 1
      return table.concat(out)
    end
    if char == '\\' then
      local sign = text:sub(place + 1, place + 1)
      if sign == delimiter and in_expression and sign:match('[][.*+?(){}|^$n]') then lacks('a delimiter that is a sign of expressions') end
      out[#out + 1] = sign == delimiter and (in_expression or sign ~= '&') and sign or '\\' .. sign
      place = place + 2
    elseif char == '[' and in_expression then
      local open = text:match('^%[%^?%]?', place)
      place = place + #open
      out[#out + 1] = open
      while peek() ~= ']' do
        local piece = text:match('^%[:%l+:%]', place) or peek()
        if piece == '' then wrong("unterminated 's' command") end
        out[#out + 1] = piece
        place = place + #piece
      end
    else
      out[#out + 1] = char
      place = place + 1
    end
  end
end
local last_regex
local function compiled(pattern, flags)
  if pattern == '' then return { last = true } end
  local find, groups = regex(pattern, extended, flags:find('I') ~= nil, flags:find('M') ~= nil)
  return { find = find, groups = groups }
end
local function find_in(one, chars, from)
  if one.last then
    if not last_regex then fail('no previous regular expression') end
    one = last_regex
  end
  last_regex = one
  return one.find(chars, from)
end
local function address()
  local char = peek()
  local number = text:match('^%d+', place)
  if number then
    place = place + #number
    local step = text:match('^~(%d+)', place)
    if step then
      place = place + 1 + #step
      return { kind = 'step', first = tonumber(number), step = tonumber(step) }
    end
    return { kind = 'line', line = tonumber(number) }
  elseif char == '$' then
    place = place + 1
    return { kind = 'last' }
  elseif char == '/' or char == '\\' then
    if char == '\\' then place = place + 1 end
    local delimiter = peek()
    place = place + 1
    local pattern = section(delimiter, true)
    local flags = text:match('^[IM]*', place)
    place = place + #flags
    return { kind = 'regex', regex = compiled(pattern, flags) }
  end
end
-- A replacement as texts, groups and changes of case.
local function replacement_of(written)
  local out, i = {}, 1
  local function put(piece)
    if type(piece) == 'string' and type(out[#out]) == 'string' then out[#out] = out[#out] .. piece else out[#out + 1] = piece end
  end
  while i <= #written do
    local char, following = written:sub(i, i), written:sub(i + 1, i + 1)
    if char == '&' then put({ group = 0 }); i = i + 1
    elseif char ~= '\\' or following == '' then put(char); i = i + 1
    else
      if following:match('%d') then put({ group = tonumber(following) })
      elseif following:match('[ULEul]') then put({ case = following })
      elseif following:match('[cdox]') then lacks('this escape in a replacement')
      else put(({ n = '\n', t = '\t', r = '\r', f = '\f', v = '\v', a = '\a' })[following] or following) end
      i = i + 2
    end
  end
  return out
end
local commands, blocks, labels = {}, {}, {}
local TEXT_ESCAPES = { a = '\a', f = '\f', n = '\n', r = '\r', t = '\t', v = '\v' }
local function text_argument()
  skip('[ \t]')
  if text:match('^\\[ \t]*\n', place) then place = text:match('^\\[ \t]*\n()', place)
  elseif peek() == '\\' then place = place + 1 end
  if place > #text then wrong("expected \\ after 'a', 'c' or 'i'") end
  local out = {}
  while place <= #text and peek() ~= '\n' do
    if peek() == '\\' then
      place = place + 1
      local sign = peek()
      if sign:match('^[cdox]$') then fail('\\' .. sign .. ' in a text is not available here', 2) end
      out[#out + 1] = TEXT_ESCAPES[sign] or sign
    else out[#out + 1] = peek() end
    place = place + 1
  end
  return table.concat(out) .. '\n'
end
while place <= #text do
  skip('[%s;]')
  if place > #text then break end
  local one = { at = place }
  if peek() == '#' then
    if place == 1 and text:match('^#n\n') then quiet = true end
    place = text:match('^[^\n]*()', place)
    goto continue
  end
  one.first = address()
  if one.first then
    skip('[ \t]')
    if peek() == ',' then
      place = place + 1
      skip('[ \t]')
      local sign, number = text:match('^([+~])(%d+)', place)
      if sign then
        one.last = { kind = sign, count = tonumber(number) }
        place = place + 1 + #number
      else one.last = address() end
      if not one.last then wrong('unexpected ,') end
      if one.last.kind == 'step' then lacks('this address') end
    end
    if one.first.kind == 'line' and one.first.line == 0 and not (one.last and one.last.kind == 'regex') then wrong('invalid usage of line address 0') end
  end
  skip('[ \t]')
  while peek() == '!' do
    one.negated = true
    place = place + 1
    skip('[ \t]')
  end
  one.name = peek()
  place = place + 1
  if one.name == '' then wrong('missing command')
  elseif one.name == '{' then
    blocks[#blocks + 1] = one
    commands[#commands + 1] = one
    goto continue
  elseif one.name == '}' then
    if #blocks == 0 then wrong('unexpected }') end
    if one.first then wrong('} doesn\'t want any addresses') end
    table.remove(blocks).stop = #commands + 1
  elseif one.name == 's' then
    local delimiter = peek()
    place = place + 1
    local pattern = section(delimiter, true)
    one.replacement = replacement_of(section(delimiter, false))
    local flags = text:match('^[%dgpIiMm]*', place)
    place = place + #flags
    if text:match('^[ew]', place) then lacks('this flag of s') end
    one.global, one.prints, one.number = flags:find('g') ~= nil, flags:find('p') ~= nil, tonumber(flags:match('%d+'))
    if one.number == 0 then wrong('number option to s command may not be zero') end
    one.regex = compiled(pattern, (flags:gsub('[im]', string.upper)))
    for _, piece in ipairs(one.replacement) do
      if type(piece) == 'table' and (piece.group or 0) > (one.regex.groups or 9) then wrong('invalid reference \\' .. piece.group .. " on 's' command's RHS") end
    end
  elseif one.name == 'y' then
    local delimiter = peek()
    place = place + 1
    local function signs()
      local out = {}
      for _, char in ipairs(chars_of((section(delimiter, false):gsub('\\n', '\n'):gsub('\\\\', '\\')))) do out[#out + 1] = char end
      return out
    end
    local from, to = signs(), signs()
    if #from ~= #to then wrong('strings for y command are different lengths') end
    one.map = {}
    for i, char in ipairs(from) do one.map[char] = one.map[char] or to[i] end
  elseif one.name:match('^[aic]$') then one.text = text_argument()
  elseif one.name:match('^[:btT]$') then
    one.label = text:match(one.name == ':' and '^[ \t]*([^\n;]*)' or '^[ \t]*([^\n;}]*)', place):gsub('%s+$', '')
    place = text:match(one.name == ':' and '^[^\n;]*()' or '^[^\n;}]*()', place)
    if one.name == ':' then labels[one.label] = #commands + 1 end
  elseif one.name == 'r' or one.name == 'w' then
    if one.name == 'w' then lacks("the command 'w'") end
    one.path = text:match('^[ \t]*([^\n]*)', place)
    place = text:match('^[^\n]*()', place)
  elseif one.name == 'q' or one.name == 'Q' then
    one.code = tonumber(text:match('^[ \t]*(%d+)', place) or '0')
    place = text:match('^[ \t]*%d*()', place)
  elseif not one.name:match('^[=dDgGhHnNpPx]$') then
    if one.name:match('^[elFRWvz]$') then lacks("the command '" .. one.name .. "'") end
    place = place - 1
    wrong("unknown command: '" .. one.name .. "'")
  end
  if one.name ~= '}' then commands[#commands + 1] = one end
  skip('[ \t]')
  if place <= #text and not text:match('^[\n;}#]', place) then wrong('extra characters after command') end
  ::continue::
end
if #blocks > 0 then
  place = 0
  wrong('unmatched {')
end
for _, one in ipairs(commands) do
  if one.label and one.name ~= ':' and one.label ~= '' and not labels[one.label] then fail("can't find label for jump to '" .. one.label .. "'") end
end
-- Reads the files.
local status, sources = 0, {}
if #operands == 0 then operands[1] = '-' end
for _, name in ipairs(operands) do
  if name ~= '-' and (not exists(name) or is_directory(name)) then
    status = tell(name, in_place, status)
    if status == 4 then break end
  elseif name == '-' and in_place then lacks('- with -i')
  else sources[#sources + 1] = { name = name, text = slurp(name) } end
end
local line_number, hold, hold_ends = 0, '', true
local out, needs_break
local function write(piece)
  if needs_break then out[#out + 1] = '\n' end
  needs_break = false
  out[#out + 1] = piece
end
local function write_line(piece, ends)
  write(piece)
  if ends then out[#out + 1] = '\n' else needs_break = true end
end
local function run_over(lines, is_final)
  local space, ends, position, appended, replaced = nil, true, 0, {}, false
  local ranges = {}
  local function is_last() return position >= #lines end
  local function matches(one, which)
    if which.kind == 'line' then return line_number == which.line end
    if which.kind == 'last' then return is_last() end
    if which.kind == 'step' then
      return which.step < 1 and line_number == which.first or which.step > 0 and line_number >= which.first and (line_number - which.first) % which.step == 0
    end
    return find_in(which.regex, chars_of(space), 1) ~= nil
  end
  local function selects(one)
    if not one.first then return true end
    if not one.last then return matches(one, one.first) end
    local range, last = ranges[one], one.last
    if not range then
      if one.first.kind == 'line' and one.first.line == 0 then
        if line_number ~= 1 or one.begun then return false end
        one.begun = true
        range = { from = 0 }
      elseif not matches(one, one.first) then return false
      else
        range = { from = line_number }
        local stop = last.kind == 'line' and last.line or last.kind == '+' and line_number + last.count
        if last.kind == '~' then stop = last.count == 0 and line_number or math.ceil(line_number / last.count) * last.count end
        range.stop = stop
        if (stop and stop <= line_number) or (last.kind == 'last' and is_last()) then return true end
        ranges[one] = range
        return true
      end
      ranges[one] = range
    end
    if range.stop and line_number >= range.stop then
      ranges[one] = nil
      return line_number == range.stop or last.kind ~= 'line' or line_number < range.stop
    end
    if not range.stop and matches(one, last) then ranges[one] = nil end
    return true
  end
  local function flush()
    for _, piece in ipairs(appended) do
      if piece.path then
        local opened, file = pcall(io.open, piece.path, 'r')
        if not opened and is_binary(file) then fail(piece.path .. ', which is no UTF-8, is not available here', 2) end
        local content = opened and file and file:read('a')
        if opened and file then file:close() end
        if content and content ~= '' then write(content) end
      else write(piece.text) end
    end
    appended = {}
  end
  local function next_line()
    position, line_number = position + 1, line_number + 1
    local line = lines[position]
    return line.text, line.ends
  end
  local function cased(texts)
    local result, mode, once = {}, nil, nil
    for _, piece in ipairs(texts) do
      if type(piece) == 'table' then
        if piece.case == 'u' or piece.case == 'l' then once = piece.case else mode, once = piece.case ~= 'E' and piece.case or nil, nil end
      elseif piece ~= '' then
        if (mode or once) and piece:find('[\128-\255]') then lacks('a change of case beside letters that are not ASCII') end
        local changed = mode == 'U' and piece:upper() or mode == 'L' and piece:lower() or piece
        if once then
          changed = (once == 'u' and string.upper or string.lower)(changed:sub(1, 1)) .. changed:sub(2)
          once = nil
        end
        result[#result + 1] = changed
      end
    end
    return table.concat(result)
  end
  local function substitute(one)
    local chars = chars_of(space)
    local result, from, count, done, after = {}, 1, 0, false, nil
    while from <= #chars + 1 do
      local start, stop, starts, stops = find_in(one.regex, chars, from)
      if not start then break end
      -- An empty match directly behind a match counts as none.
      if start == stop and start == after then
        result[#result + 1] = chars[from] or ''
        from, after = from + 1, nil
      else
        count = count + 1
        result[#result + 1] = table.concat(chars, '', from, start - 1)
        if count >= (one.number or 1) then
          local texts = {}
          for i, piece in ipairs(one.replacement) do
            if type(piece) == 'table' and piece.group then
              local a, b = piece.group == 0 and start or starts[piece.group], piece.group == 0 and stop or stops[piece.group]
              texts[i] = a and table.concat(chars, '', a, b - 1) or ''
            else texts[i] = piece end
          end
          result[#result + 1] = cased(texts)
          done = true
        else result[#result + 1] = table.concat(chars, '', start, stop - 1) end
        if start == stop then
          result[#result + 1] = chars[start] or ''
          from, after = start + 1, nil
        else from, after = stop, stop end
        if done and not one.global then break end
      end
    end
    if not done then return false end
    space = table.concat(result) .. table.concat(chars, '', from, #chars)
    return true
  end
  local restarts = false
  while restarts or position < #lines do
    if not restarts then space, ends = next_line() end
    restarts, replaced = false, false
    local i, prints, quits = 1, not quiet, nil
    while i <= #commands do
      local one = commands[i]
      local name = one.name
      i = i + 1
      if selects(one) == (one.negated == true) then
        if name == '{' then i = one.stop end
      elseif name == 's' then
        if substitute(one) then
          replaced = true
          if one.prints then write_line(space, ends) end
        end
      elseif name == 'p' then write_line(space, ends)
      elseif name == 'd' then prints = false; break
      elseif name == 'D' then
        prints = false
        local rest = space:match('\n(.*)$')
        if rest then space, restarts = rest, true end
        break
      elseif name == 'n' then
        if is_last() then
          quits = 0
          break
        end
        if not quiet then write_line(space, ends) end
        flush()
        space, ends = next_line()
      elseif name == 'N' then
        if is_last() then
          quits = 0
          break
        end
        flush()
        local more
        more, ends = next_line()
        space = space .. '\n' .. more
      elseif name == 'P' then write_line(space:match('^[^\n]*'), true)
      elseif name == 'g' then space, ends = hold, ends or hold_ends
      elseif name == 'G' then space, ends = space .. '\n' .. hold, ends or hold_ends
      elseif name == 'h' then hold, hold_ends = space, ends
      elseif name == 'H' then hold = hold .. '\n' .. space
      elseif name == 'x' then space, hold, ends, hold_ends = hold, space, hold_ends, ends
      elseif name == 'y' then
        local chars = chars_of(space)
        for k, char in ipairs(chars) do chars[k] = one.map[char] or char end
        space = table.concat(chars)
      elseif name == '=' then write(string.format('%d\n', line_number))
      elseif name == 'i' then write(one.text)
      elseif name == 'a' or name == 'r' then appended[#appended + 1] = one
      elseif name == 'c' then
        if not one.last or one.negated or not ranges[one] then write(one.text) end
        prints = false
        break
      elseif name == 'b' or (name == 't' and replaced) or (name == 'T' and not replaced) then
        i = one.label == '' and #commands + 1 or labels[one.label]
        if name == 't' then replaced = false end
      elseif name == 'T' then replaced = false
      elseif name == 'q' then quits, ends = one.code, true; break
      elseif name == 'Q' then quits, prints = one.code, false; break end
    end
    if prints then write_line(space, ends) end
    flush()
    if quits then
      if commands[i - 1] and commands[i - 1].name:match('[qQ]') then return quits end
      break
    end
  end
end
local function lines_in(content)
  local lines = {}
  for piece in content:gmatch('[^\n]*\n?') do
    if piece ~= '' then lines[#lines + 1] = { text = piece:gsub('\n$', ''), ends = piece:sub(-1) == '\n' } end
  end
  return lines
end
local function begin() out, needs_break = {}, false end
if separate then
  for _, source in ipairs(sources) do
    if in_place or not out then begin() end
    line_number = 0
    local lines = lines_in(source.text)
    local code = run_over(lines)
    if in_place then
      local function put(path, content)
        local file = io.open(path, 'w')
        file:write(content)
        file:close()
      end
      if in_place ~= '' then put(in_place:find('*', 1, true) and lacks('* in -i') or source.name .. in_place, source.text) end
      put(source.name, table.concat(out))
      begin()
    end
    if code then
      io.write(table.concat(out))
      os.exit(code)
    end
  end
  io.write(table.concat(out or {}))
  os.exit(status)
end
begin()
local lines = {}
for k, source in ipairs(sources) do
  local more = lines_in(source.text)
  -- Between files the last line has its line break.
  if k < #sources and #more > 0 then more[#more].ends = true end
  for _, line in ipairs(more) do lines[#lines + 1] = line end
end
local code = run_over(lines)
io.write(table.concat(out))
os.exit(code and code ~= 0 and code or status)`}`,
}
