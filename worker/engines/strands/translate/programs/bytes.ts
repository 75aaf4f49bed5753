/**
 * Reading and writing files byte for byte. Lua reads UTF-8 only. The shell's `read` takes each byte for a character and leaves
 * out a carriage return at the end of a line, of which `tr` tells; what comes of it must have the size of the file.
 */
export const BYTES = String.raw`
local MOST_BYTES = 16 * 1024 * 1024
local input_file, input_stored, is_text, is_raw = nil, nil, false, false
while arg[1] and arg[1]:match('^__ssr_%a+$') do
  local word = table.remove(arg, 1)
  if word == '__ssr_text' then is_text = true
  elseif word == '__ssr_raw' then is_raw = true
  elseif word == '__ssr_file' then input_file = table.remove(arg, 1)
  elseif word == '__ssr_stored' then input_stored = table.remove(arg, 1) end
end
local LATIN = {}
for code = 128, 255 do LATIN[utf8.char(code)] = string.char(code) end
local function size_of(path)
  local shown = is_link(path) and output_of('wc -c ' .. safe(path)) or output_of('ls -la ' .. safe(path)):match('^%S+(%s+%d+)')
  return tonumber((shown or ''):match('%d+') or '')
end
-- Lines as read tells of them, with the carriage returns that another text of the same lines has.
local function with_returns(text, shape)
  local out, at, from = {}, 1, 1
  while true do
    local stop, next_stop = text:find('\n', at, true), shape:find('\n', from, true)
    if not next_stop then
      if from > #shape then break end
      out[#out + 1] = text:sub(at, (stop or #text + 1) - 1)
      if shape:byte(-1) == 13 then out[#out + 1] = '\r' end
      break
    end
    if not stop then return '' end
    out[#out + 1] = text:sub(at, stop - 1)
    if next_stop > from and shape:byte(next_stop - 1) == 13 then out[#out + 1] = '\r' end
    out[#out + 1] = '\n'
    at, from = stop + 1, next_stop + 1
  end
  return table.concat(out)
end
local function binary_of(path)
  local size = size_of(path)
  if not size or size > MOST_BYTES then fail(path .. ', which is no UTF-8 and has more than ' .. MOST_BYTES .. ' bytes, is not available here', 2) end
  local from = 'cat ' .. safe(path) .. ' | '
  local text = output_of([[f() { while IFS= read -r line; do printf '%s\n' "$line"; done; }; ]] .. from .. 'f')
  local whole = text:gsub('[\194\195][\128-\191]', LATIN)
  -- A line break that read has not found stands at the end; else all is right only where nothing is left out.
  if #whole == size + 1 then whole = whole:sub(1, -2)
  else whole = with_returns(whole, output_of(from .. [[tr -c '\r\n' x]])) end
  if #whole ~= size then fail(path .. ', which is no UTF-8, is not available here', 2) end
  return whole
end
-- What a file holds; or nothing, and why.
local function bytes_of(path)
  local opened, file = pcall(io.open, path, 'r')
  if not opened and is_binary(file) then return binary_of(path) end
  local text = opened and file and file:read('*a') or nil
  if opened and file then file:close() end
  if text then return text end
  return nil, is_directory(path) and 'Is a directory' or exists(path) and 'Permission denied' or 'No such file or directory'
end
-- What the files hold that standard input comes from.
local function fed_bytes()
  local texts = {}
  for i, path in ipairs(fed) do texts[i] = bytes_of(path) or '' end
  return table.concat(texts)
end
-- What standard input holds, which may be in a file already.
local function input_bytes()
  if input_file then
    local text, why = bytes_of(input_file)
    return text or fail(input_file .. ': ' .. why)
  end
  if not input_stored then
    local text = io.read('a') or ''
    if text == '' then fail('an input that is empty or no UTF-8 is not available here: name a file', 2) end
    return text
  end
  -- The program that stores it may end before all is there.
  local size, tries = tonumber((io.read('a') or ''):match('%d+') or ''), 0
  while size ~= size_of(input_stored) do
    tries = tries + 1
    if not size or tries > 200 then fail('this input is not available here: name a file', 2) end
    os.execute('sleep 0.005')
  end
  local text = bytes_of(input_stored)
  os.execute('rm -f ' .. safe(input_stored))
  return text or fail('this input is not available here: name a file', 2)
end
-- Writes to standard output, where only text gets further.
local function put_bytes(data)
  if is_text and not utf8.len(data) then fail('an output here that is no UTF-8 is not available here: write it to a file', 2) end
  io.write(data)
end
-- Writes a file. Where it fails the file is gone, and the answer is why. A device has no size.
local function write_bytes(path, data)
  local ok, problem = pcall(function()
    local file = io.open(path, 'w')
    file:write(data)
    file:close()
  end)
  if ok and (path:match('^/dev/') or size_of(path) == #data) then return nil end
  if ok then
    os.execute('rm -f ' .. safe(path))
    return 'File too large'
  end
  local text = tostring(problem)
  if text:find('not enough memory', 1, true) then error(problem, 0) end
  return text:find('is a directory', 1, true) and 'Is a directory' or text:find('no such file', 1, true) and 'No such file or directory' or 'Permission denied'
end
-- Runs all of a program: what does not fit into the memory of lua is told in one line.
local function guarded(run)
  local ok, problem = pcall(run)
  if ok then return end
  if tostring(problem):find('not enough memory', 1, true) then fail('data of this size is not available here', 2) end
  error(problem, 0)
end
`
