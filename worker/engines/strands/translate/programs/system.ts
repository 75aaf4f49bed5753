import { BYTES } from './bytes.ts'
import { LINE_OF } from './line-of.ts'

/** Programs that tell of the system and its files, and those that run others, in lua. */
export const SYSTEM_PROGRAMS: Readonly<Record<string, string>> = {
  xargs: String.raw`
local most, replace, delimiter, skip_empty, per_line, from = nil, nil, nil, false, nil, 1
local function value(option, name)
  local attached = option:match('^' .. name .. '(.+)$')
  if attached then return attached end
  from = from + 1
  return arg[from] or fail('option requires an argument -- ' .. name:sub(-1))
end
while arg[from] and arg[from]:match('^%-.') do
  local option = arg[from]
  if option == '--' then from = from + 1; break
  elseif option == '-0' or option == '--null' then delimiter = '\0'
  elseif option == '-r' or option == '--no-run-if-empty' then skip_empty = true
  elseif option:match('^%-n') then most = tonumber(value(option, '%-n'))
  elseif option:match('^%-L') then per_line = tonumber(value(option, '%-L'))
  elseif option:match('^%-I') then replace = value(option, '%-I')
  elseif option:match('^%-d') then delimiter = value(option, '%-d'):gsub('\\n', '\n'):gsub('\\t', '\t'):gsub('\\0', '\0')
  elseif option:match('^%-P') then value(option, '%-P')
  elseif option == '-0n1' then delimiter = '\0'; most = 1
  else unknown(option) end
  from = from + 1
end
local command = {}
for i = from, #arg do command[#command + 1] = arg[i] end
if #command == 0 then command = { 'echo' } end
local function words_of(text, where)
  local words, at = {}, 1
  while true do
    at = text:match('^[ \t\n]*()', at)
    if at > #text then return words end
    local word = {}
    while at <= #text and not text:match('^[ \t\n]', at) do
      local char = text:sub(at, at)
      if char == '\\' then word[#word + 1] = text:sub(at + 1, at + 1); at = at + 2
      elseif char == '"' or char == "'" then
        local stop = text:find(char, at + 1, true)
        if not stop or text:sub(at + 1, stop):find('\n') then fail('unmatched ' .. (char == '"' and 'double' or 'single') .. ' quote; by default quotes are special to xargs unless you use the -0 option') end
        word[#word + 1] = text:sub(at + 1, stop - 1)
        at = stop + 1
      else word[#word + 1] = char; at = at + 1 end
    end
    words[#words + 1] = table.concat(word)
  end
end
local text = io.read('a') or ''
local groups = {}
if delimiter then
  local items = {}
  for item in text:gmatch('([^' .. (delimiter == '\0' and '%z' or delimiter:gsub('%W', '%%%0')) .. ']*)') do items[#items + 1] = item end
  if items[#items] == '' then items[#items] = nil end
  for i, item in ipairs(items) do groups[i] = { item } end
elseif replace then
  for _, line in ipairs(lines_of(text)) do
    local stripped = line:match('^[ \t]*(.*)$')
    if stripped ~= '' then groups[#groups + 1] = { table.concat(words_of(stripped:gsub('[ \t]', '\\%0')), ' ') } end
  end
elseif per_line then
  for _, line in ipairs(lines_of(text)) do
    local words = words_of(line)
    if #words > 0 then groups[#groups + 1] = words end
  end
else
  for _, word in ipairs(words_of(text)) do groups[#groups + 1] = { word } end
end
local status = 0
local function run(words)
  local quoted = {}
  for i, word in ipairs(words) do quoted[i] = quote(word) end
  local ok, _, code = os.execute(table.concat(quoted, ' ') .. ' < /dev/null')
  if ok then return end
  if code == 127 or code == 126 then os.exit(code) end
  if code == 1000 then os.exit(2) end
  status = code == 255 and 124 or 123
  if code == 255 then os.exit(124) end
end
if replace then
  for _, group in ipairs(groups) do
    local words = {}
    for i, word in ipairs(command) do
      local pattern = replace:gsub('%W', '%%%0')
      words[i] = word:gsub(pattern, (group[1]:gsub('%%', '%%%%')))
    end
    run(words)
  end
else
  local size = per_line or most or 5000
  if #groups == 0 and not skip_empty then run(command) end
  for first = 1, #groups, size do
    local words = { table.unpack(command) }
    for i = first, math.min(first + size - 1, #groups) do
      for _, word in ipairs(groups[i]) do words[#words + 1] = word end
    end
    run(words)
  end
end
os.exit(status)`,
  tee: String.raw`${BYTES}
local appends, ended, files = false, false, {}
for _, word in ipairs(arg) do
  if ended or not word:match('^%-.') then files[#files + 1] = word
  elseif word == '--' then ended = true
  elseif word == '-a' or word == '--append' then appends = true
  else unknown(word) end
end
local text = io.read('a') or ''
io.write(text)
-- The engine's own appending begins the file anew.
local function put(path)
  if path == '/dev/stderr' then io.stderr:write(text) return nil end
  if path == '/dev/stdout' then io.write(text) return nil end
  if path == '' then return 'No such file or directory' end
  local old = appends and exists(path) and not is_directory(path) and text_of(path) or ''
  local why = write_bytes(path, old .. text)
  if why and old ~= '' then write_bytes(path, old) end
  return why
end
for _, path in ipairs(files) do
  local why = put(path)
  if why then
    io.stderr:write('tee: ', path == '' and "''" or path, ': ', why, '\n')
    failed = 1
  end
end`,
  wc: String.raw`
local show, from, any, is_file = {}, 1, false, false
${LINE_OF}local bytes_of
if arg[1] == '__file' then
  is_file, bytes_of = true, arg[2]
  table.remove(arg, 1)
  table.remove(arg, 1)
end
while arg[from] and arg[from]:match('^%-.') do
  if arg[from] == '--' then from = from + 1; break end
  local long = ({ ['--lines'] = 'l', ['--words'] = 'w', ['--bytes'] = 'c', ['--chars'] = 'm' })[arg[from]]
  for option in (long or arg[from]:sub(2)):gmatch('.') do
    if not option:match('[lwcm]') then unknown('-' .. option) end
    show[option] = true
    any = true
  end
  from = from + 1
end
if not any then show = { l = true, w = true, c = true } end
local order = {}
for _, kind in ipairs({ 'l', 'w', 'm', 'c' }) do if show[kind] then order[#order + 1] = kind end end
local rows, total, width, failed = {}, {}, 1, false
-- Of what is no UTF-8 there are its size and its lines, by the engine's own wc.
local function own_count(option, path) return tonumber(output_of('wc ' .. option .. ' ' .. safe(path)):match('%d+')) or 0 end
local fed_counts
read_fed = function()
  fed_counts = { c = 0, l = 0 }
  for _, path in ipairs(fed) do
    fed_counts.c = fed_counts.c + own_count('-c', path)
    fed_counts.l = fed_counts.l + own_count('-l', path)
  end
  return ''
end
local function add(row)
  for _, kind in ipairs({ 'l', 'w', 'm', 'c' }) do
    if row[kind] then total[kind] = (total[kind] or 0) + row[kind] end
  end
  rows[#rows + 1] = row
end
-- Of a file that is no UTF-8 nothing is read.
local function count(text, name, path)
  if fed_counts and not path then
    if show.w or show.m then fail('words of an input that is no UTF-8 are not available here', 2) end
    return add({ name = name, c = fed_counts.c, l = fed_counts.l })
  end
  local size = text == '' and path and path ~= '' and select(2, line_of(path)) or 0
  if tonumber(size) > 0 and is_directory(path) == false and not is_link(path) then
    if show.w or show.m then fail((name or path) .. ', which is no UTF-8, is not available here', 2) end
    return add({ name = name, c = tonumber(size), l = own_count('-l', path) })
  end
  add({
    name = name,
    l = select(2, text:gsub('\n', '')),
    w = select(2, text:gsub('[^%s]+', '')),
    m = select(2, text:gsub('[%z\1-\127\192-\255]', '')),
    c = #text,
  })
end
if #arg < from then
  count(io.read('a') or '', nil, bytes_of)
  if #order > 1 then width = is_file and #tostring(total.c) or 7 end
else
  local piped = false
  for i = from, #arg do
    if arg[i] == '-' then count(io.read('a') or '', '-'); piped = not is_file
    else
      local ok, file = pcall(io.open, arg[i], 'r')
      local text = ok and file and file:read('a')
      if ok and file then file:close() end
      if not ok and is_binary(file) then text = '' end
      if text then count(text, arg[i], arg[i])
      else
        local is_tree = is_directory(arg[i])
        rows[#rows + 1] = { problem = arg[i] .. (is_tree and ': Is a directory\n' or ': No such file or directory\n') }
        if is_tree then rows[#rows + 1], piped = { name = arg[i] }, true end
        failed = true
      end
    end
  end
  if #arg > from or #order > 1 then width = math.max(width, #tostring(total.c or 0)) end
  if piped then width = 7 end
  if #arg > from then
    total.name = 'total'
    rows[#rows + 1] = total
  end
end
for _, row in ipairs(rows) do
  local cells = {}
  for i, kind in ipairs(order) do cells[i] = string.format('%' .. width .. 'd', row[kind] or 0) end
  if row.problem then io.stderr:write('wc: ', row.problem)
  else io.write(table.concat(cells, ' '), row.name and ' ' .. row.name or '', '\n') end
end
os.exit(failed and 1 or 0)`,
  stat: String.raw`
-- stat -c FORMAT FILE..., of what the engine's ls tells.
local format, files, failed = nil, {}, false
local at = 1
while arg[at] do
  local option = arg[at]
  if option == '-c' or option == '--format' then at = at + 1; format = arg[at]
  elseif option:match('^%-%-format=') then format = option:sub(10)
  elseif option:match('^%-c.') then format = option:sub(3)
  elseif option:match('^%-.') then unknown(option)
  else files[#files + 1] = option end
  at = at + 1
end
if not format then fail('the output without -c is not available here: use stat -c FORMAT', 2) end
if #files == 0 then fail('missing operand') end
${LINE_OF}local KINDS = { ['-'] = 'regular file', d = 'directory', l = 'symbolic link', c = 'character special file' }
for _, name in ipairs(files) do
  local mode, size = line_of(name)
  if not mode then
    io.stderr:write("stat: cannot statx '", name, "': No such file or directory\n")
    failed = true
  else
    local octal = 0
    for i = 2, 10 do octal = octal * 2 + (mode:sub(i, i) ~= '-' and 1 or 0) end
    local kind = KINDS[mode:sub(1, 1)]
    if kind == 'regular file' and size == '0' then kind = 'regular empty file' end
    local wrong
    local out = format:gsub('%%(.)', function(letter)
      if letter == 's' and kind ~= 'directory' then return size end
      if letter == 'n' then return name end
      if letter == 'A' then return mode end
      if letter == 'a' then return string.format('%o', octal) end
      if letter == 'F' and kind then return kind end
      if letter == '%' then return '%' end
      -- A message is told where no function of lua's own is between.
      wrong = letter
      return ''
    end)
    if wrong then fail('%' .. wrong .. ' of -c is not available here', 2) end
    io.write(out, '\n')
  end
end
os.exit(failed and 1 or 0)`,
  whoami: String.raw`
io.write(os.getenv('USER') or 'lash', '\n')`,
  hostname: String.raw`
io.write(os.getenv('HOSTNAME') or 'sandbox', '\n')`,
  uname: String.raw`
local values = { s = 'Linux', n = os.getenv('HOSTNAME') or 'sandbox', r = '0', v = '#0', m = 'x86_64', o = 'GNU/Linux' }
local asked = {}
for i = 1, #arg do
  if not arg[i]:match('^%-[asnrvmo]+$') then unknown(arg[i]) end
  for letter in arg[i]:sub(2):gmatch('.') do asked[letter] = true end
end
if #arg == 0 then asked.s = true end
local out = {}
for letter in ('snrvmo'):gmatch('.') do
  if asked.a or asked[letter] then out[#out + 1] = values[letter] end
end
io.write(table.concat(out, ' '), '\n')`,
  id: String.raw`
local user = os.getenv('USER') or 'lash'
local option = arg[1]
if option == nil then io.write('uid=1000(', user, ') gid=1000(', user, ') groups=1000(', user, ')\n')
elseif option == '-u' or option == '-g' then io.write('1000\n')
elseif option == '-un' or option == '-gn' or option == '-nu' then io.write(user, '\n')
else unknown(option) end`,
  printenv: String.raw`
local status = 0
if #arg == 0 then os.execute('env') end
for i = 1, #arg do
  local value = os.getenv(arg[i])
  if value then io.write(value, '\n') else status = 1 end
end
os.exit(status)`,
  tree: String.raw`
local depth, directories_only, hidden, from = nil, false, false, 1
local roots = {}
while arg[from] do
  local option = arg[from]
  if option == '-L' then from = from + 1; depth = tonumber(arg[from])
  elseif option == '-d' then directories_only = true
  elseif option == '-a' then hidden = true
  elseif option:match('^%-.') then unknown(option)
  else roots[#roots + 1] = option end
  from = from + 1
end
if #roots == 0 then roots[1] = '.' end
local directories, files = 0, 0
for _, root in ipairs(roots) do
  local is_directory, children = {}, {}
  for _, path in ipairs(lines_of(output_of('find ' .. quote(root) .. ' -type d'))) do is_directory[path] = true end
  if not is_directory[root] then io.write(root, '  [error opening dir]\n'); goto continue end
  for _, path in ipairs(lines_of(output_of('find ' .. quote(root) .. ' -mindepth 1'))) do
    local parent, name = path:match('^(.*)/([^/]*)$')
    if hidden or not name:match('^%.') then
      children[parent] = children[parent] or {}
      table.insert(children[parent], name)
    end
  end
  io.write(root, '\n')
  directories = directories + 1
  local function show(path, prefix, level)
    if depth and level > depth then return end
    local names = {}
    for _, name in ipairs(children[path] or {}) do
      if not directories_only or is_directory[path .. '/' .. name] then names[#names + 1] = name end
    end
    table.sort(names)
    for i, name in ipairs(names) do
      local last = i == #names
      io.write(prefix, last and '\u{2514}\u{2500}\u{2500} ' or '\u{251c}\u{2500}\u{2500} ', name, '\n')
      local child = path .. '/' .. name
      if is_directory[child] then
        directories = directories + 1
        show(child, prefix .. (last and '    ' or '\u{2502}   '), level + 1)
      else files = files + 1 end
    end
  end
  show(root, '', 1)
  ::continue::
end
io.write('\n', directories, directories == 1 and ' directory' or ' directories')
if not directories_only then io.write(', ', files, files == 1 and ' file' or ' files') end
io.write('\n')`,
}
