/** What differs between two arrays from 0 to their sizes, as GNU's `diff` finds it: the algorithm of Myers from both ends. */
export const LINE_CHANGES = String.raw`
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
