import { SURE_INPUT } from './digests.ts'

/** What differs between two arrays from 0 to their sizes, as GNU's `diff` finds it: the algorithm of Myers from both ends. */
const CHANGES = String.raw`
local function compare(x, y, mark_x, mark_y)
  local forward, backward = {}, {}
  local function middle(x_from, x_to, y_from, y_to)
    local low, high = x_from - y_to, x_to - y_from
    local f_low, b_low = x_from - y_from, x_to - y_to
    local f_high, b_high = f_low, b_low
    local odd = (f_low - b_low) % 2 == 1
    forward[f_low], backward[b_low] = x_from, x_to
    while true do
      if f_low > low then f_low = f_low - 1; forward[f_low - 1] = -1 else f_low = f_low + 1 end
      if f_high < high then f_high = f_high + 1; forward[f_high + 1] = -1 else f_high = f_high - 1 end
      for d = f_high, f_low, -2 do
        local before, behind = forward[d - 1], forward[d + 1]
        local at = before < behind and behind or before + 1
        while at < x_to and at - d < y_to and x[at] == y[at - d] do at = at + 1 end
        forward[d] = at
        if odd and b_low <= d and d <= b_high and backward[d] <= at then return at, at - d end
      end
      if b_low > low then b_low = b_low - 1; backward[b_low - 1] = math.maxinteger else b_low = b_low + 1 end
      if b_high < high then b_high = b_high + 1; backward[b_high + 1] = math.maxinteger else b_high = b_high - 1 end
      for d = b_high, b_low, -2 do
        local before, behind = backward[d - 1], backward[d + 1]
        local at = before < behind and before or behind - 1
        while x_from < at and y_from < at - d and x[at - 1] == y[at - d - 1] do at = at - 1 end
        backward[d] = at
        if not odd and f_low <= d and d <= f_high and at <= forward[d] then return at, at - d end
      end
    end
  end
  local function search(x_from, x_to, y_from, y_to)
    while x_from < x_to and y_from < y_to and x[x_from] == y[y_from] do x_from, y_from = x_from + 1, y_from + 1 end
    while x_from < x_to and y_from < y_to and x[x_to - 1] == y[y_to - 1] do x_to, y_to = x_to - 1, y_to - 1 end
    if x_from == x_to then for i = y_from, y_to - 1 do mark_y(i) end
    elseif y_from == y_to then for i = x_from, x_to - 1 do mark_x(i) end
    else
      local x_middle, y_middle = middle(x_from, x_to, y_from, y_to)
      search(x_from, x_middle, y_from, y_middle)
      search(x_middle, x_to, y_middle, y_to)
    end
  end
  search(0, x.size, 0, y.size)
end
-- Lines that the other file does not have are changed; runs of lines that it has often are left out with them.
local function discarded(keys, counts)
  local many, rest, marks = 5, keys.size // 64 >> 2, {}
  while rest > 0 do many, rest = many * 2, rest >> 2 end
  for i = 0, keys.size - 1 do
    local count = counts[keys[i]] or 0
    marks[i] = count == 0 and 1 or count > many and 2 or 0
  end
  local i = 0
  while i < keys.size do
    if marks[i] == 2 then marks[i] = 0
    elseif marks[i] == 1 then
      local stop, unsure = i, 0
      while stop < keys.size and marks[stop] ~= 0 do
        if marks[stop] == 2 then unsure = unsure + 1 end
        stop = stop + 1
      end
      while stop > i and marks[stop - 1] == 2 do stop, unsure = stop - 1, unsure - 1; marks[stop] = 0 end
      local length = stop - i
      if unsure * 4 > length then
        for j = i, stop - 1 do if marks[j] == 2 then marks[j] = 0 end end
      else
        local least, quarter = 1, length >> 4
        while quarter > 0 do least, quarter = least << 1, quarter >> 2 end
        least = least + 1
        local j, run = 0, 0
        while j < length do
          if marks[i + j] ~= 2 then run = 0
          else
            run = run + 1
            if run == least then j = j - run elseif run > least then marks[i + j] = 0 end
          end
          j = j + 1
        end
        local function trim(first, step)
          local sure = 0
          for k = 0, length - 1 do
            local place = first + k * step
            if k >= 8 and marks[place] == 1 then return end
            if marks[place] == 1 then sure = sure + 1 else sure = 0; marks[place] = 0 end
            if sure == 3 then return end
          end
        end
        trim(i, 1)
        i = i + length - 1
        trim(i, -1)
      end
    end
    i = i + 1
  end
  return marks
end
-- Moves runs of changed lines to where they join others, or as far down as they go.
local function shift(changed, other, keys)
  local i, j, size = 0, 0, keys.size
  while true do
    while i < size and not changed[i] do
      while other[j] do j = j + 1 end
      j, i = j + 1, i + 1
    end
    if i == size then return end
    local start, run, matching = i, nil, nil
    while changed[i] do i = i + 1 end
    while other[j] do j = j + 1 end
    local function back()
      start, i = start - 1, i - 1
      changed[start], changed[i] = true, nil
    end
    repeat
      run = i - start
      while start > 0 and keys[start - 1] == keys[i - 1] do
        back()
        while changed[start - 1] do start = start - 1 end
        repeat j = j - 1 until not other[j]
      end
      matching = other[j - 1] and i or size
      while i ~= size and keys[start] == keys[i] do
        changed[start], changed[i] = nil, true
        start, i = start + 1, i + 1
        while changed[i] do i = i + 1 end
        j = j + 1
        while other[j] do matching, j = i, j + 1 end
      end
    until run == i - start
    while matching < i do
      back()
      repeat j = j - 1 until not other[j]
    end
  end
end
-- Of the lines that are alike at both ends as many take part as are shown around a change.
local function changes_of(a, b, around)
  local first, last = 1, 0
  while first <= #a and first <= #b and a[first] == b[first] do first = first + 1 end
  first = math.max(first - around, 1)
  while #a - last >= first and #b - last >= first and a[#a - last] == b[#b - last] do last = last + 1 end
  last = math.max(last - around, 0)
  local function part(keys)
    local found, counts = { size = #keys - last - first + 1 }, {}
    for i = 0, found.size - 1 do
      found[i] = keys[first + i]
      counts[found[i]] = (counts[found[i]] or 0) + 1
    end
    return found, counts
  end
  local x, in_x = part(a)
  local y, in_y = part(b)
  local changed_x, changed_y = {}, {}
  local function kept(keys, marks, changed)
    local found, places = { size = 0 }, {}
    for i = 0, keys.size - 1 do
      if marks[i] ~= 0 then changed[i] = true
      else
        found[found.size], places[found.size] = keys[i], i
        found.size = found.size + 1
      end
    end
    return found, function(i) changed[places[i]] = true end
  end
  local kept_x, mark_x = kept(x, discarded(x, in_y), changed_x)
  local kept_y, mark_y = kept(y, discarded(y, in_x), changed_y)
  compare(kept_x, kept_y, mark_x, mark_y)
  shift(changed_x, changed_y, x)
  shift(changed_y, changed_x, y)
  local found, i, j = {}, 0, 0
  while i < x.size or j < y.size do
    if changed_x[i] or changed_y[j] then
      local one = { a = first + i, b = first + j }
      while changed_x[i] do i = i + 1 end
      while changed_y[j] do j = j + 1 end
      one.a_end, one.b_end = first + i - 1, first + j - 1
      found[#found + 1] = one
    end
    i, j = i + 1, j + 1
  end
  return found
end
`

/** Programs that compare files. */
export const COMPARING_PROGRAMS: Readonly<Record<string, string>> = {
  diff: String.raw`${SURE_INPUT}${CHANGES}
local files, labels, context, brief, tells_same, folds, spaces = {}, {}, nil, false, false, false, nil
local at, ended = 1, false
while arg[at] do
  local option = arg[at]
  if ended or option == '-' or not option:match('^%-') then files[#files + 1] = option
  elseif option == '--' then ended = true
  elseif option == '--brief' then brief = true
  elseif option == '--unified' then context = 3
  elseif option:match('^%-%-unified=%d+$') then context = tonumber(option:sub(11))
  elseif option:match('^%-%-label=') then labels[#labels + 1] = option:sub(9)
  elseif option == '--label' then at = at + 1; labels[#labels + 1] = arg[at]
  elseif option == '-L' then at = at + 1; labels[#labels + 1] = arg[at]
  elseif option == '-U' then at = at + 1; context = tonumber(arg[at]) or fail('invalid context length', 2)
  elseif option:match('^%-U%d+$') then context = tonumber(option:sub(3))
  elseif option:match('^%-%-') then unknown(option)
  else
    for letter in option:sub(2):gmatch('.') do
      if letter == 'u' then context = 3 elseif letter == 'q' then brief = true
      elseif letter == 's' then tells_same = true elseif letter == 'i' then folds = true
      elseif letter == 'w' or (letter == 'b' and spaces ~= 'w') then spaces = letter
      elseif letter ~= 'b' then unknown('-' .. letter) end
    end
  end
  at = at + 1
end
if #files ~= 2 then fail('expected two files', 2) end
if is_directory(files[1]) or is_directory(files[2]) then fail('a directory is not available here: compare files', 2) end
local texts, missing = {}, false
for i, file in ipairs(files) do
  local text, problem = sure_input(file)
  if not text then
    io.stderr:write('diff: ', problem, '\n')
    missing = true
  end
  texts[i] = text
end
if missing then os.exit(2) end
local lines, keys = {}, {}
for side = 1, 2 do
  lines[side], keys[side] = lines_of(texts[side]), {}
  local is_ended = texts[side]:sub(-1) == '\n'
  for i, line in ipairs(lines[side]) do
    local key = folds and line:lower() or line
    if spaces == 'w' then key = key:gsub('%s+', '') elseif spaces == 'b' then key = key:gsub('%s+$', ''):gsub('%s+', ' ') end
    -- A last line without a line break is another one.
    if i == #lines[side] and not is_ended then
      if not spaces then key = key .. '\0' end
      lines[side][i] = line .. '\n\\ No newline at end of file'
    end
    keys[side][i] = key
  end
end
local changes = changes_of(keys[1], keys[2], context or 0)
if #changes == 0 then
  if tells_same then io.write('Files ', files[1], ' and ', files[2], ' are identical\n') end
  os.exit(0)
end
if brief then
  io.write('Files ', files[1], ' and ', files[2], ' differ\n')
  os.exit(1)
end
local function put(sign, side, from, to) for i = from, to do io.write(sign, lines[side][i], '\n') end end
if not context then
  local function range(from, to) return from < to and from .. ',' .. to or tostring(to) end
  for _, one in ipairs(changes) do
    local removes, adds = one.a_end >= one.a, one.b_end >= one.b
    io.write(range(one.a, one.a_end), removes and adds and 'c' or adds and 'a' or 'd', range(one.b, one.b_end), '\n')
    put('< ', 1, one.a, one.a_end)
    if removes and adds then io.write('---\n') end
    put('> ', 2, one.b, one.b_end)
  end
  os.exit(1)
end
io.write('--- ', labels[1] or files[1], '\n+++ ', labels[2] or files[2], '\n')
local function range(from, to)
  local count = to - from + 1
  if count == 1 then return tostring(from) end
  return (count == 0 and from - 1 or from) .. ',' .. count
end
local first = 1
while first <= #changes do
  local last = first
  while changes[last + 1] and changes[last + 1].a - changes[last].a_end - 1 <= 2 * context do last = last + 1 end
  local a_from, b_from = math.max(changes[first].a - context, 1), math.max(changes[first].b - context, 1)
  local above = math.min(changes[first].a - a_from, changes[first].b - b_from)
  a_from, b_from = changes[first].a - above, changes[first].b - above
  local below = math.min(context, #lines[1] - changes[last].a_end)
  local a_to, b_to = changes[last].a_end + below, changes[last].b_end + below
  io.write('@@ -', range(a_from, a_to), ' +', range(b_from, b_to), ' @@\n')
  local line = a_from
  for i = first, last do
    put(' ', 1, line, changes[i].a - 1)
    put('-', 1, changes[i].a, changes[i].a_end)
    put('+', 2, changes[i].b, changes[i].b_end)
    line = changes[i].a_end + 1
  end
  put(' ', 1, line, a_to)
  first = last + 1
end
os.exit(1)`,
  cmp: String.raw`${SURE_INPUT}
local files, silent = {}, false
for i = 1, #arg do
  if arg[i] == '-s' or arg[i] == '--silent' or arg[i] == '--quiet' then silent = true
  elseif arg[i]:match('^%-.') then unknown(arg[i])
  else files[#files + 1] = arg[i] end
end
if #files ~= 2 then fail('expected two files', 2) end
local texts = {}
for i, file in ipairs(files) do
  local text, problem = sure_input(file)
  if not text then
    if not silent then io.stderr:write('cmp: ', problem, '\n') end
    os.exit(2)
  end
  texts[i] = text
end
local a, b = texts[1], texts[2]
if a == b then os.exit(0) end
if silent then os.exit(1) end
local at, line = 1, 1
while at <= #a and at <= #b and a:byte(at) == b:byte(at) do
  if a:byte(at) == 10 then line = line + 1 end
  at = at + 1
end
if at <= #a and at <= #b then io.write(files[1], ' ', files[2], ' differ: byte ', at, ', line ', line, '\n')
else
  local shorter = #a < #b and 1 or 2
  local place = at == 1 and ' which is empty' or ' after byte ' .. at - 1 .. ', ' .. (texts[shorter]:sub(-1) == '\n' and 'line ' .. line - 1 or 'in line ' .. line)
  io.stderr:write('cmp: EOF on ', files[shorter], place, '\n')
end
os.exit(1)`,
}
