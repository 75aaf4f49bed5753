import { QUOTE_IN_LUA } from '../../quoting.ts'
import { REFUSALS } from '../directory.ts'

/** What the programs in lua share: reading lines of files or standard input, words of commands, and messages. */
export const COMMON = String.raw`
-- The files that standard input comes from, where that is known.
local fed
if arg[1] == '__ssr_fed' then
  fed = {}
  table.remove(arg, 1)
  while arg[1] and arg[1] ~= '__ssr_end' do fed[#fed + 1] = table.remove(arg, 1) end
  table.remove(arg, 1)
end
-- Under 2>&1 messages are part of the output.
if arg[1] == '__ssr_both' then
  table.remove(arg, 1)
  io.stderr = { write = function(_, ...) io.write(...) end }
end
-- The status at the end of a program that goes on behind a file that is missing.
local failed = 0
local function fail(text, status)
  if text:find('is not available here', 1, true) then
    local opened, told = pcall(io.open, '${REFUSALS}', 'w')
    if opened and told then
      told:write(NAME, ': ', text, '\n')
      told:close()
    end
  end
  io.stderr:write(NAME, ': ', text, '\n')
  os.exit(status or 1)
end
local function unknown(option)
  fail('the option ' .. option .. ' is not available here', 2)
end
${QUOTE_IN_LUA}
-- A path that is no operator and no option.
local function safe(path) return quote(path:match('^[^%w_./]') and './' .. path or path) end
local function exists(path) return os.execute('[ -e ' .. safe(path) .. ' ] || [ -L ' .. safe(path) .. ' ]') end
local function output_of(command)
  local pipe = io.popen(command)
  local text = pipe:read('a') or ''
  pipe:close()
  return text
end
local function is_directory(path) return os.execute('[ -d ' .. safe(path) .. ' ]') == true end
local function is_link(path) return os.execute('[ -L ' .. safe(path) .. ' ]') == true end
-- Whether a file could not be read for bytes that are no UTF-8.
local function is_binary(problem)
  return tostring(problem):find(': in%a+ utf%-8 ') ~= nil
end
-- What reads an input of bytes in a program that can.
local read_fed
if fed and #fed > 0 then
  local read = io.read
  io.read = function(format)
    io.read = read
    local text = read(format)
    if text and text ~= '' then return text end
    for _, path in ipairs(fed) do
      if os.execute('[ -f ' .. safe(path) .. ' ] && [ -s ' .. safe(path) .. ' ]') then
        return read_fed and read_fed() or fail('an input that is no UTF-8 is not available here', 2)
      end
    end
    return text
  end
end
local function text_of(path)
  local opened, file = pcall(io.open, path, 'r')
  if not opened and is_binary(file) then
    fail(path .. ', which is no UTF-8, is not available here', 2)
  end
  local text = opened and file and file:read('*a') or nil
  if opened and file then file:close() end
  if text == nil then return nil, path .. (is_directory(path) and ': Is a directory' or ': No such file or directory') end
  return text
end
local function slurp(path)
  if path == nil or path == '-' then return io.read('*a') or '' end
  local text, problem = text_of(path)
  return text or fail(problem)
end
local function lines_of(text)
  local lines = {}
  for line in text:gmatch('([^\n]*)\n') do lines[#lines + 1] = line end
  local rest = text:match('([^\n]+)$')
  if rest then lines[#lines + 1] = rest end
  return lines
end
local function inputs(from, each)
  local texts = {}
  for i = from, #arg do
    local text, problem
    if arg[i] == '-' then text = slurp() else text, problem = text_of(arg[i]) end
    if problem then
      io.stderr:write(NAME, ': ', problem, '\n')
      failed = 1
    end
    if each then each(text or '') else texts[#texts + 1] = text end
  end
  if #arg < from then texts[1] = slurp() end
  if each and texts[1] then each(texts[1]) end
  return texts
end
`
