import { LINE_OF } from './line-of.ts'

/** `ls` of several operands, with sizes for readers, and of directories themselves, by the engine's own `ls`. */
export const LS_PROGRAM: Readonly<Record<string, string>> = {
  ls: String.raw`
local flags, names, ended = '', {}, false
for i = 1, #arg do
  if arg[i] == '--' and not ended then ended = true
  elseif not ended and arg[i]:match('^%-.') then
    for option in arg[i]:sub(2):gmatch('.') do
      if not ('aAdhl1'):find(option, 1, true) then unknown('-' .. option .. ' of ls with several files') end
    end
    flags = flags .. arg[i]:sub(2)
  else names[#names + 1] = arg[i] end
end
if #names == 0 then names[1] = '.' end
local isLong, isHuman, itself = flags:match('l'), flags:match('h'), flags:match('d')
local options = (flags:match('[aA]') and '-a ' or '') .. (isLong and '-l ' or '')
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
local function list(path)
  local text = output_of('ls ' .. options .. quote(path))
  if not (isLong and isHuman) then return text end
  return (text:gsub('([^\n]+)', function(line)
    local mode, size, rest = line:match('^([-dlcbps][-rwxsStT]+)%s+(%d+)(%s.*)$')
    return mode and string.format('%s %8s%s', mode, shown(size), rest) or line
  end))
end
local function of_itself(name)
  if not isLong then return name .. '\n' end
  local mode, size, line, own = line_of(name)
  if not line then fail(name .. ': ls -ld of this name is not available here', 2) end
  return line:sub(1, #line - #own) .. name .. (own:match(' %-> .*$') or '') .. '\n'
end
local files, directories, status = {}, {}, 0
for _, name in ipairs(names) do
  local path = at(name)
  if not itself and os.execute('[ -d ' .. quote(path .. '/.') .. ' ]') then directories[#directories + 1] = name
  elseif exists(path) then files[#files + 1] = name
  else
    io.stderr:write("ls: cannot access '", name, "': No such file or directory\n")
    status = 2
  end
end
table.sort(files)
table.sort(directories)
for _, name in ipairs(files) do
  if itself then io.write(of_itself(name)) elseif isLong then io.write(list(at(name))) else io.write(name, '\n') end
end
for i, name in ipairs(directories) do
  if i > 1 or #files > 0 then io.write('\n') end
  if #names > 1 then io.write(name, ':\n') end
  io.write(list(at(name) .. '/.'))
end
os.exit(status)`,
}
