/** Names of members: patterns of `--exclude`, and the names that were asked for. */
export const TAR_NAMES = String.raw`
local function without_slashes(name) return (name:gsub('/+$', '')) end
-- The set at a bracket, as a pattern of lua, and the place behind it.
local function set_at(glob, at)
  local negated, from = glob:match('^([!^]?)', at + 1), at + 1
  from = from + #negated
  local stop = glob:find(']', from + 1, true)
  if not stop then return nil end
  local inside = glob:sub(from, stop - 1)
  if inside:find('[\128-\255]') or inside:find('[:', 1, true) then fail('the pattern ' .. glob .. ' is not available here', 2) end
  return '[' .. (negated ~= '' and '^' or '') .. inside:gsub('[%%%]%[^]', '%%%0') .. ']', stop + 1
end
-- A pattern of names as one of lua; what it stands for may hold a slash.
local function pattern_of(glob)
  local out, at = {}, 1
  while at <= #glob do
    local sign, after = glob:sub(at, at), at + 1
    local set, behind
    if sign == '[' then set, behind = set_at(glob, at) end
    if set then out[#out + 1], after = set, behind
    elseif sign == '*' then out[#out + 1] = '.*'
    elseif sign == '?' then out[#out + 1] = '[^\128-\191][\128-\191]*'
    else
      if sign == '\\' then sign, after = glob:sub(at + 1, at + 1), at + 2 end
      out[#out + 1] = sign:gsub('[^%w\128-\255]', '%%%0')
    end
    at = after
  end
  return '^' .. table.concat(out) .. '$'
end
local function parts_of(name)
  local parts = {}
  for part in (name .. '/'):gmatch('([^/]*)/') do parts[#parts + 1] = part end
  return parts
end
-- Whether a name, or a directory that it is in, is what a pattern says, or ends like it behind a slash.
local function excluding(globs)
  local patterns = {}
  for i, glob in ipairs(globs) do patterns[i] = pattern_of((glob:gsub('/$', ''))) end
  return function(name)
    if #patterns == 0 then return false end
    local parts = parts_of(without_slashes(name))
    for from = 1, #parts do
      for to = from, #parts do
        local text = table.concat(parts, '/', from, to)
        for _, pattern in ipairs(patterns) do if text:match(pattern) then return true end end
      end
    end
    return false
  end
end
-- Members that were asked for: all where no names are.
local function wanting(names)
  local wanted = {}
  for i, name in ipairs(names) do
    local text = name:gsub('(.)/+$', '%1')
    local pattern = flags.wildcards and text:find('[*?[]') and pattern_of(text)
    wanted[i] = { text = text, pattern = pattern, found = false }
  end
  local function has(member)
    if #wanted == 0 then return true end
    local name, found = member:gsub('(.)/+$', '%1'), false
    for _, one in ipairs(wanted) do
      local is_it = name == one.text or name:sub(1, #one.text + 1) == one.text .. '/'
      if not is_it and one.pattern then
        local parts = parts_of(name)
        for to = 1, #parts do is_it = is_it or table.concat(parts, '/', 1, to):match(one.pattern) ~= nil end
      end
      if is_it then one.found, found = true, true end
    end
    return found
  end
  return has, wanted
end
`
