import { LINE_OF } from './line-of.ts'

/**
 * `ls` of several operands, with sizes for readers, with a total and `.` and `..`, and of directories themselves, by the
 * engine's own `ls`.
 */
export const LS_PROGRAM: Readonly<Record<string, string>> = {
  ls: String.raw`
local flags, names, ended = '', {}, false
for i = 1, #arg do
  if arg[i] == '--' and not ended then ended = true
  elseif not ended and arg[i]:match('^%-.') then
    for option in arg[i]:sub(2):gmatch('.') do
      if not ('aAdhl1RrSpF'):find(option, 1, true) then unknown('-' .. option .. ' of ls') end
    end
    flags = flags .. arg[i]:sub(2)
  else names[#names + 1] = arg[i] end
end
if #names == 0 then names[1] = '.' end
local isLong, isHuman, itself = flags:match('l'), flags:match('h'), flags:match('d')
local recursive = flags:match('R') and not itself
local reversed, by_size, marked = flags:match('r'), flags:match('S'), flags:match('F') or flags:match('p')
if recursive and (reversed or by_size or marked) then unknown('-R beside -r, -S, -p or -F of ls') end
if itself and (by_size or marked) then unknown('-d beside -S, -p or -F of ls') end
local options = (flags:match('[aA]') and '-a ' or '') .. (isLong and '-l ' or '') .. (recursive and '-R ' or '')
${LINE_OF}
local function at(name) return name:match('^%-') and './' .. name or name end
local function shown(size)
  local number = tonumber(size)
  if number < 1024 then return size end
  local unit = 0
  while number >= 1024 do number = number / 1024; unit = unit + 1 end
  local small = math.ceil(number * 10) / 10
  local text = small < 10 and string.format('%.1f', small) or tostring(math.ceil(number))
  return text .. ('KMGT'):sub(unit, unit)
end
local sizes = {}
local function with_size(line)
  local mode, size, rest = line:match('^([-dlcbps][-rwxsStT]+)%s+(%d+)(%s.*)$')
  local row = mode and isHuman and string.format('%s %8s%s', mode, shown(size), rest) or line
  sizes[row] = tonumber(size) or 0
  return row
end
local function list(path)
  return (output_of('ls ' .. options .. quote(path)):gsub('([^\n]+)', function(line) return isLong and with_size(line) or line end))
end
local function of_itself(name)
  if not isLong then return name .. '\n' end
  local mode, size, line, own = line_of(name)
  if not line then fail(name .. ': ls -ld of this name is not available here', 2) end
  return with_size(line:sub(1, #line - #own)) .. name .. (own:match(' %-> .*$') or '') .. '\n'
end
-- What stands in a directory, with what is in it for the directory itself and the one above, and the total in blocks of 4 KiB.
local function completed(path, rows)
  if flags:match('a') then
    local up = { '.', '..' }
    for i = 2, 1, -1 do
      local row = up[i]
      if isLong then
        local _, _, line, own = line_of((output_of('cd ' .. quote(path .. '/' .. up[i]) .. ' && pwd -P'):gsub('\n$', '')))
        row = line and with_size(line:sub(1, #line - #own)) .. up[i]
      end
      if row then table.insert(rows, 1, row) end
    end
  end
  if not isLong then return rows end
  local total = 0
  for _, row in ipairs(rows) do
    local kind, size = row:match('^(%S)%S+%s+([%d.]+)')
    total = total + (kind == 'd' and 4 or kind == '-' and math.ceil(sizes[row] / 4096) * 4 or 0)
  end
  table.insert(rows, 1, 'total ' .. (isHuman and total > 0 and shown(tostring(total * 1024)) or total))
  return rows
end
-- The rows of names in another order, with marks behind the names. Each name is looked up for its mode and size.
local function arranged(rows, place)
  if not (reversed or by_size or marked) then return rows end
  local head = isLong and rows[1] and rows[1]:match('^total ') and table.remove(rows, 1)
  local found, long = {}, {}
  if by_size or marked then
    for _, line in ipairs(lines_of(output_of('ls -la ' .. quote(place)))) do
      local mode, size, shown = line:match('^(%S+)%s+(%d+)%s+%a+%s+%d+%s+%S+ (.*)$')
      if shown then long[mode:sub(1, 1) == 'l' and shown:match('^(.*) %-> ') or shown] = { mode = mode, size = tonumber(size) } end
    end
  end
  for at, row in ipairs(rows) do
    local own = row
    if isLong then own = row:match('^%S+%s+[%d.]+%a?%s+%a+%s+%d+%s+%S+ (.*)$') or row end
    if isLong and row:match('^l') then own = own:match('^(.*) %-> ') or own end
    local one = long[own] or {}
    if (by_size or marked) and not one.mode and own ~= '.' and own ~= '..' then fail(own .. ': this name is not available here with -S, -p or -F', 2) end
    local kind = (one.mode or 'd'):sub(1, 1)
    local mark = ''
    if kind == 'd' then mark = '/'
    elseif flags:match('F') and kind == 'l' then mark = isLong and '' or '@'
    elseif flags:match('F') and kind == '-' and one.mode:find('x') then mark = '*' end
    if by_size and (kind == 'd' or kind == 'l') then fail('directories and links are not available here with -S: their sizes are others than in bash', 2) end
    if isLong and flags:match('F') and kind == 'l' then fail('links are not available here with -lF', 2) end
    found[at] = { text = row .. (marked and mark or ''), size = one.size, at = at }
  end
  if by_size then table.sort(found, function(a, b) if a.size ~= b.size then return a.size > b.size end return a.at < b.at end) end
  local out = { head or nil }
  for at = 1, #found do out[#out + 1] = found[reversed and #found - at + 1 or at].text end
  return out
end
local function write_rows(rows) for _, row in ipairs(rows) do io.write(row, '\n') end end
-- The engine names what is below the current directory without its dot.
local function list_below(name)
  local path, rows
  local function flush() if path then write_rows(completed(at(path), rows)) end end
  local lines = lines_of(list(at(name)))
  for i, line in ipairs(lines) do
    local header = (i == 1 or lines[i - 1] == '') and line:match('^(.*):$')
    if header then
      flush()
      if path then io.write('\n') end
      path, rows = name:match('^%./*$') and i > 1 and './' .. header or header, {}
      io.write(path, ':\n')
    elseif line ~= '' then rows[#rows + 1] = line end
  end
  flush()
end
local files, directories, status = {}, {}, 0
-- A link that is named is itself in a long list.
local function is_shown_link(name) return isLong and not name:match('/$') and is_link(at(name)) end
for _, name in ipairs(names) do
  local path = at(name)
  if not itself and not is_shown_link(name) and os.execute('[ -d ' .. quote(path .. '/.') .. ' ]') then directories[#directories + 1] = name
  elseif exists(path) then files[#files + 1] = name
  else
    io.stderr:write("ls: cannot access '", name, "': No such file or directory\n")
    status = 2
  end
end
table.sort(files)
table.sort(directories)
if #files > 0 and (by_size or marked) then fail('files as operands are not available here with -S, -p or -F', 2) end
if reversed then
  table.sort(files, function(a, b) return a > b end)
  table.sort(directories, function(a, b) return a > b end)
end
for _, name in ipairs(files) do
  if itself or is_shown_link(name) then io.write(of_itself(name)) elseif isLong then io.write(list(at(name))) else io.write(name, '\n') end
end
for i, name in ipairs(directories) do
  if i > 1 or #files > 0 then io.write('\n') end
  if recursive then list_below(name)
  else
    if #names > 1 then io.write(name, ':\n') end
    -- Of a link with a slash behind it the engine lists the link.
    local place = at(name)
    if isLong and is_link((place:gsub('/+$', ''))) then place = output_of('cd ' .. quote(place) .. ' && pwd -P'):gsub('\n$', '') end
    write_rows(arranged(completed(place, lines_of(list(place .. '/.'))), place .. '/.'))
  end
end
os.exit(status)`,
}
