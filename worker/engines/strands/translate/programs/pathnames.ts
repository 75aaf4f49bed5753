/**
 * Names of files for the patterns of a command, in lua.
 *
 * Arguments: `words` (quoted words, for `eval`) or `fields` (each ends with the bytes 1 and 2); `x`, or `xi` and the value of IFS; then
 * for each word `w` and its parts: `l` and a text that is literal, `p` and unquoted text of the script, `u` and the value of an
 * unquoted expansion. A word that matches nothing stays as it is.
 */
export const PATHNAMES: Readonly<Record<string, string>> = {
  __names: String.raw`
local separators = arg[2] == 'x' and ' \t\n' or arg[2]:sub(3)
local blanks = {}
for char in separators:gmatch(utf8.charpattern) do blanks[char] = char:match('^[ \t\n]$') and 'blank' or 'sign' end

-- A field is a list of characters; those that are quoted stand for themselves.
local function fields_of(parts)
  local fields, field, after_blank = {}, nil, false
  local function close() fields[#fields + 1] = field or {}; field = nil end
  for _, part in ipairs(parts) do
    local kind, text, escaped = part:sub(1, 1), part:sub(2), false
    if kind ~= 'u' then field = field or {}; after_blank = false end
    for char in text:gmatch(utf8.charpattern) do
      local separates = kind == 'u' and blanks[char]
      if kind == 'p' and char == '\\' and not escaped then escaped = true
      elseif separates == 'blank' then
        if field then close(); after_blank = true end
      elseif separates == 'sign' then
        if field or not after_blank then close() end
        after_blank = false
      else
        field = field or {}
        after_blank = false
        if not (escaped and char == '\n') then field[#field + 1] = { char = char, quoted = kind == 'l' or escaped } end
        escaped = false
      end
    end
  end
  if field then close() end
  return fields
end

local function plain(field)
  local out = {}
  for i, one in ipairs(field) do out[i] = one.char end
  return table.concat(out)
end

local CLASSES = { alpha = '%a', digit = '%d', alnum = '%w', upper = '%u', lower = '%l', space = '%s', blank = '[ \t]', punct = '%p', cntrl = '%c', xdigit = '%x', graph = '[!-~]', print = '[ -~]' }

-- The set that begins at a bracket, and the index after it; nothing where no bracket closes it.
local function set_of(field, at)
  local set, from = { negated = false }, at + 1
  local function sign(i, char) local one = field[i]; return one and not one.quoted and one.char == char end
  if sign(from, '!') or sign(from, '^') then set.negated = true; from = from + 1 end
  local i = from
  while field[i] do
    if sign(i, ']') and i > from then return set, i + 1 end
    if sign(i, '[') and sign(i + 1, ':') then
      local name, j = '', i + 2
      while field[j] and field[j].char:match('^%l$') do name = name .. field[j].char; j = j + 1 end
      if sign(j, ':') and sign(j + 1, ']') then
        set[#set + 1] = { class = CLASSES[name] or '[^%z\1-\255]' }
        i = j + 2
        goto continue
      end
    end
    if sign(i, '\\') and field[i + 1] then i = i + 1 end
    if sign(i + 1, '-') and field[i + 2] and not sign(i + 2, ']') then
      local last = i + 2
      if sign(last, '\\') and field[last + 1] then last = last + 1 end
      set[#set + 1] = { first = utf8.codepoint(field[i].char), last = utf8.codepoint(field[last].char) }
      i = last + 1
    else
      local code = utf8.codepoint(field[i].char)
      set[#set + 1] = { first = code, last = code }
      i = i + 1
    end
    ::continue::
  end
end

-- What a part of a path matches, and whether it is a pattern at all.
local function pattern_of(field)
  local pattern, special, i = {}, false, 1
  while field[i] do
    local one, set, after = field[i], nil, nil
    if one.quoted then pattern[#pattern + 1] = one.char
    elseif one.char == '*' then pattern[#pattern + 1] = { star = true }; special = true
    elseif one.char == '?' then pattern[#pattern + 1] = { any = true }; special = true
    elseif one.char == '\\' and field[i + 1] then i = i + 1; pattern[#pattern + 1] = field[i].char
    else
      if one.char == '[' then set, after = set_of(field, i) end
      pattern[#pattern + 1] = set and { set = set } or one.char
      special = special or set ~= nil
    end
    i = after or i + 1
  end
  return pattern, special
end

local function in_set(set, char)
  local code = utf8.codepoint(char)
  for _, item in ipairs(set) do
    if item.class then
      if char:match('^' .. item.class .. '$') then return not set.negated end
    elseif code >= item.first and code <= item.last then return not set.negated end
  end
  return set.negated
end

local function matches(pattern, name)
  local chars = {}
  for char in name:gmatch(utf8.charpattern) do chars[#chars + 1] = char end
  local p, c, star, from = 1, 1, nil, nil
  while c <= #chars do
    local one = pattern[p]
    if type(one) == 'table' and one.star then star = p; from = c; p = p + 1
    elseif one ~= nil and (one == chars[c] or (type(one) == 'table' and (one.any or (one.set and in_set(one.set, chars[c])))))
    then p = p + 1; c = c + 1
    elseif star then p = star + 1; from = from + 1; c = from
    else return false end
  end
  while type(pattern[p]) == 'table' and pattern[p].star do p = p + 1 end
  return pattern[p] == nil
end

local function path_of(directory)
  if directory == '' then return './' end
  return directory:match('^%-') and './' .. directory or directory
end
local listed = {}
-- Names in a directory, which is empty or ends with a slash. find tells names with line breaks apart, and does not follow links.
local function names_in(directory)
  local names = listed[directory]
  if names then return names end
  names = {}
  listed[directory] = names
  local path = path_of(directory)
  for found in output_of('find ' .. quote(path) .. ' -maxdepth 1 -mindepth 1 -print0 2>/dev/null'):gmatch('([^%z]+)') do
    names[#names + 1] = found:match('([^/]*)$')
  end
  if #names == 0 then
    for name in output_of('ls -a ' .. quote(path .. '.') .. ' 2>/dev/null'):gmatch('([^\n]+)') do
      if not name:find('/') then names[#names + 1] = name end
    end
  end
  return names
end
local function is_directory(path)
  path = path_of(path)
  return os.execute('[ -d ' .. quote(path .. '/.') .. ' ]') == true
end
local function is_listed(path)
  local directory, name = path:match('^(.*/)([^/]*)$')
  for _, one in ipairs(names_in(directory or '')) do if one == (name or path) then return true end end
  return false
end

-- Paths that a field matches; nothing where it is no pattern.
local function paths_of(field)
  local parts, part = {}, {}
  for _, one in ipairs(field) do
    if one.char == '/' then parts[#parts + 1] = part; part = {} else part[#part + 1] = one end
  end
  parts[#parts + 1] = part
  local paths, any, sure = { '' }, false, true
  for i, one in ipairs(parts) do
    local pattern, special = pattern_of(one)
    local slash, found = i < #parts and '/' or '', {}
    any = any or special
    for _, before in ipairs(paths) do
      if not special then found[#found + 1] = before .. table.concat(pattern) .. slash
      else
        local hidden = pattern[1] == '.'
        for _, name in ipairs(names_in(before)) do
          if name ~= '.' and name ~= '..' and (hidden or name:sub(1, 1) ~= '.') and matches(pattern, name) then
            if slash == '' or #parts > i + 1 or is_directory(before .. name) then found[#found + 1] = before .. name .. slash end
          end
        end
      end
    end
    paths = found
    if special then sure = true elseif any and #one > 0 then sure = false end
  end
  if not any then return nil end
  local there = {}
  for _, path in ipairs(paths) do
    if sure then there[#there + 1] = path
    elseif path:sub(-1) == '/' then
      if is_directory(path:sub(1, -2)) then there[#there + 1] = path end
    elseif is_listed(path) then there[#there + 1] = path end
  end
  table.sort(there)
  return there
end

local out = {}
local function put(word) out[#out + 1] = arg[1] == 'words' and quote(word) or word .. '\1\2' end
local function finish(parts)
  for _, field in ipairs(fields_of(parts)) do
    local paths = paths_of(field)
    if paths == nil or #paths == 0 then put(plain(field)) else for _, path in ipairs(paths) do put(path) end end
  end
end
local parts
for i = 3, #arg do
  if arg[i] == 'w' then
    if parts then finish(parts) end
    parts = {}
  else parts[#parts + 1] = arg[i] end
end
if parts then finish(parts) end
io.write(table.concat(out, arg[1] == 'words' and ' ' or ''))`,
}
