/** Records and their fields, in lua. */
export const AWK_RECORDS = String.raw`
local record, fields, split_done, stale = '', {}, true, false
local count_of_fields = 0
local function new_array() return { values = {}, places = {}, last = 0, size = 0 } end
local globals = {}
local frame
local function regex_of(value) return compiled(str(value)) end
local function split_text(text, by)
  local out, n = {}, 0
  if text == '' then return out, 0 end
  if by == ' ' then
    for field in text:gmatch('[^ \t\n]+') do n = n + 1; out[n] = field end
    return out, n
  elseif by == '' then
    for i, char in ipairs(chars_of(text)) do out[i] = char; n = i end
    return out, n
  end
  if #by == 1 and by ~= '\\' then
    local at = 1
    while true do
      local stop = text:find(by, at, true)
      n = n + 1
      if not stop then out[n] = text:sub(at); return out, n end
      out[n] = text:sub(at, stop - 1)
      at = stop + 1
    end
  end
  local one, at, from = compiled(by), 1, 1
  while from <= #text do
    local start, stop = search(one, text, from)
    if not start then break end
    if stop >= start then
      n = n + 1
      out[n] = text:sub(at, start - 1)
      at, from = stop + 1, stop + 1
    else from = start + #(char_at(text, start) or ' ') end
  end
  out[n + 1] = text:sub(at)
  return out, n + 1
end
-- The separators of the record: those of when it was read.
local record_fs, record_rs
local function separator()
  local by = str(record_fs or V.FS)
  return (record_rs or V.RS) == '' and by ~= ' ' and by ~= '\n' and (#by == 1 and '[' .. (by:match('^[\\^%]]$') and '\\' or '') .. by .. '\n]' or '(' .. by .. ')|\n') or by
end
local function split_record()
  if split_done then return end
  split_done = true
  fields, count_of_fields = split_text(record, separator())
end
local function join_record()
  if not stale then return end
  stale = false
  local texts = {}
  for i = 1, count_of_fields do texts[i] = fields[i] and str(fields[i]) or '' end
  record = table.concat(texts, str(V.OFS))
end
local function set_record(text)
  record, split_done, stale = text, false, false
  record_fs, record_rs = V.FS, V.RS
end
local function field(at)
  if at == 0 then join_record(); return input_value(record) end
  if at < 0 then fail('fatal: attempt to access field ' .. string.format('%d', at), 2) end
  split_record()
  local value = fields[at]
  if value == nil then return UNSET end
  return type(value) == 'string' and input_value(value) or value
end
local function set_count(count)
  if count < 0 then fail('fatal: NF set to negative value', 2) end
  split_record()
  for i = count + 1, count_of_fields do fields[i] = nil end
  count_of_fields, stale = count, true
end
local function set_field(at, value)
  if at == 0 then set_record(str(value)); return end
  if at < 0 then fail('fatal: attempt to access field ' .. string.format('%d', at), 2) end
  split_record()
  -- What is assigned keeps its kind: a number stays one, and a text is none.
  fields[at] = type(value) == 'string' and { s = value, n = prefix(value), text = true } or value
  if at > count_of_fields then count_of_fields = at end
  stale = true
end
`
