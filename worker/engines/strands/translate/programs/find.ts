/** `find` with `-printf`, and with places that are not there: the engine's own leaves those out without a word. */
export const FIND_PROGRAM: Readonly<Record<string, string>> = {
  find: String.raw`
local starts, rest, format = {}, {}, nil
for i = 1, #arg do
  if #rest == 0 and not arg[i]:match('^[-(!]') then starts[#starts + 1] = arg[i]
  else rest[#rest + 1] = arg[i] end
end
if #starts == 0 then starts[1] = '.' end
if rest[#rest - 1] == '-printf' then
  format = rest[#rest]
  rest[#rest] = nil
  rest[#rest] = '-print0'
end
for _, word in ipairs(rest) do if word == '-printf' then fail('-printf before other words is not available here', 2) end end
-- A script that is run for what was found: the engine's own tells neither its messages nor its status.
local script, at_once
for i, word in ipairs(rest) do
  if word == '-exec' and (rest[i + 2] or ''):match('/__shell$') then
    script, at_once = { table.unpack(rest, i + 1, #rest - 1) }, rest[#rest] == '+'
    rest = { table.unpack(rest, 1, i - 1) }
    rest[#rest + 1] = '-print0'
    break
  end
end
local function run(words)
  for i, word in ipairs(words) do words[i] = quote(word) end
  local ok, _, code = os.execute(table.concat(words, ' ') .. ' < /dev/null')
  if code == 1000 then os.exit(2) end
  return ok
end
local found = {}
local ESCAPES = { n = '\n', t = '\t', ['0'] = '\0', ['\\'] = '\\' }
local function shown(path, start)
  local base = path:match('([^/]+)/*$') or '/'
  local head = path:match('^(.*)/[^/]+/*$')
  local fields = { p = path, f = base, h = head == '' and '/' or head or '.', ['%'] = '%' }
  fields.P = path == start and '' or path:sub(#start + 1):gsub('^/', '')
  local function escape(char) return ESCAPES[char] or fail('\\' .. char .. ' of -printf is not available here', 2) end
  local function field(char) return fields[char] or fail('%' .. char .. ' of -printf is not available here', 2) end
  local out, at = {}, 1
  while at <= #format do
    local sign, char = format:sub(at, at), format:sub(at + 1, at + 1)
    if sign == '\\' then out[#out + 1] = escape(char) elseif sign == '%' then out[#out + 1] = field(char) end
    if sign == '\\' or sign == '%' then at = at + 2 else out[#out + 1] = sign; at = at + 1 end
  end
  return table.concat(out)
end
local status, words = 0, {}
for i, word in ipairs(rest) do words[i] = quote(word) end
local tail = ' ' .. table.concat(words, ' ')
for _, start in ipairs(starts) do
  if not exists(start) then
    io.stderr:write("find: '", start, "': No such file or directory\n")
    status = 1
  elseif script then
    for path in output_of('find ' .. quote(start) .. tail):gmatch('([^%z]*)%z') do found[#found + 1] = path end
  elseif format then
    for path in output_of('find ' .. quote(start) .. tail):gmatch('([^%z]*)%z') do io.write((shown(path, start))) end
  else
    local _, _, code = os.execute('find ' .. quote(start) .. tail)
    if code and code ~= 0 then status = code end
  end
end
if script and at_once then
  if #found > 0 then
    local words = { table.unpack(script, 1, #script - 1) }
    for _, path in ipairs(found) do words[#words + 1] = path end
    if not run(words) then status = 1 end
  end
elseif script then
  for _, path in ipairs(found) do
    local words = {}
    for i, word in ipairs(script) do words[i] = word:gsub('{}', (path:gsub('%%', '%%%%'))) end
    run(words)
  end
end
os.exit(status)`,
}
