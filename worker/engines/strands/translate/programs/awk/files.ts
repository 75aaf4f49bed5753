/** What awk reads and writes, in lua. */
export const AWK_FILES = String.raw`
local buffer, written = {}, 0
local function flush()
  if #buffer > 0 then io.write(table.concat(buffer)); buffer = {} end
end
local quit_at_once = fail
fail = function(...) flush(); quit_at_once(...) end
local outputs = {}
local function put(text, mode, to)
  if not to or to == '/dev/stdout' or to == '-' then
    buffer[#buffer + 1] = text
    if #buffer > 2000 then flush() end
  elseif to == '/dev/stderr' then flush(); io.stderr:write(text)
  else
    local out = outputs[to]
    if not out then
      -- The engine's own appending begins the file anew.
      local old = mode == 'a' and exists(to) and text_of(to)
      -- The engine opens a file in a directory that is not there, and fails as it closes it.
      local directory = to:match('^(.+)/[^/]*$')
      local opened, file = false, nil
      if not directory or is_directory(directory) then opened, file = pcall(io.open, to, 'w') end
      if not opened or not file then fail('fatal: cannot redirect to ' .. to .. ': No such file or directory', 2) end
      if old then file:write(old) end
      out = file
      outputs[to] = out
    end
    out:write(text)
  end
end
local function reader(text) return { text = text, at = 1 } end
local function read_record(from)
  local text, at, by = from.text, from.at, V.RS
  if at > #text then return nil end
  by = str(by)
  local start, stop
  if by == '\n' then start = text:find('\n', at, true); stop = start
  elseif by == '' then
    at = text:find('[^\n]', at)
    if not at then from.at = #text + 1; return nil end
    start, stop = text:find('\n\n+', at)
    if not start then start, stop = text:find('\n+$', at) end
  elseif #by == 1 then start = text:find(by, at, true); stop = start
  else start, stop = search(compiled(by), text, at) end
  if not start then from.at = #text + 1; start = #text + 1
    -- The line break at the end belongs to the last record, unless records end there.
    return text:sub(at)
  end
  from.at = stop + 1
  return text:sub(at, start - 1)
end
local operands, operand_at, current, used_operand = {}, 1, nil, false
local assign_text
local function next_record()
  while true do
    if current then
      local text = read_record(current)
      if text then
        V.NR, V.FNR = num(V.NR) + 1, num(V.FNR) + 1
        return text
      end
      current = nil
    end
    local name = operands[operand_at]
    if name == nil then
      if used_operand then return nil end
      used_operand = true
      current = reader(slurp())
      V.FNR = 0.0
    else
      operand_at = operand_at + 1
      local variable, value = name:match('^([%a_][%w_]*)=(.*)$')
      if variable then assign_text(variable, value)
      elseif name ~= '' then
        used_operand = true
        local text, problem
        if name == '-' then text = slurp() else text, problem = text_of(name) end
        if problem then
          flush()
          if is_directory(name) then io.stderr:write('awk: warning: command line argument ', name, ' is a directory: skipped\n')
          else io.stderr:write('awk: warning: cannot open file ', name, ' for reading: No such file or directory\n'); failed = 2 end
        else
          current = reader(text)
          V.FNR, V.FILENAME = 0.0, name
        end
      end
    end
  end
end
`
