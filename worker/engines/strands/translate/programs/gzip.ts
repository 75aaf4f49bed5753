import { BYTES } from './bytes.ts'
import { CRC } from './gzip/crc.ts'
import { DEFLATE } from './gzip/deflate.ts'
import { GZIP_FORMAT } from './gzip/format.ts'
import { INFLATE } from './gzip/inflate.ts'
import { LENGTHS } from './gzip/lengths.ts'
import { BITS_OF } from './modes.ts'

/** Compression of gzip in both directions, by the names of `gzipped` and `gunzipped`. */
export const GZIP = `${CRC}${LENGTHS}${INFLATE}${DEFLATE}${GZIP_FORMAT}`

/** The words of `gzip`, and what it does with each file. */
const GZIP_MAIN = String.raw`
local prints, keeps, forces, quiet, tests, level, names, at, ended = PRINTS, false, false, false, false, 6, {}, 1, false
local LONG = {
  stdout = 'c', ['to-stdout'] = 'c', decompress = 'd', uncompress = 'd', force = 'f', keep = 'k', ['no-name'] = 'n', name = 'N',
  quiet = 'q', test = 't', fast = '1', best = '9',
}
local function read_letter(letter, option)
  if letter == 'c' then prints = true elseif letter == 'd' then DECODES = true elseif letter == 'k' then keeps = true
  elseif letter == 'f' then forces = true elseif letter == 'q' then quiet = true elseif letter == 't' then DECODES, tests = true, true
  elseif letter:match('[1-9]') then level = tonumber(letter)
  elseif not letter:match('[nN]') then unknown(option) end
end
for i = 1, #arg do
  local option = arg[i]
  if ended or option == '-' or not option:match('^%-') then names[#names + 1] = option
  elseif option == '--' then ended = true
  elseif option:match('^%-%-') then read_letter(LONG[option:sub(3)] or '', option)
  else for letter in option:sub(2):gmatch('.') do read_letter(letter, '-' .. letter) end end
end
if #names == 0 then names[1] = '-' end
-- A warning is status 2, unless there is an error.
local function complain(text, status)
  if status == 1 then failed = 1 elseif failed == 0 then failed = 2 end
  if status == 1 or not quiet then io.stderr:write(text, '\n') end
end
local WRONG = {
  none = 'not in gzip format', cut = 'unexpected end of file', crc = 'invalid compressed data--crc error',
  damaged = 'invalid compressed data--format violated',
}
local function decoded(data, name)
  local text, more = gunzipped(data)
  if text then
    if more then complain('\ngzip: ' .. name .. ': decompression OK, trailing garbage ignored', 2) end
    return text
  end
  if more == 'none' and prints and forces then return data end
  if more == 'big' then fail(name .. ', which has more than ' .. MOST_INFLATED .. ' bytes, is not available here', 2) end
  complain('\ngzip: ' .. name .. ': ' .. WRONG[more], 1)
end
local function of_input()
  local data = input_bytes()
  local out
  if DECODES then out = decoded(data, 'stdin') else out = gzipped(data, level) end
  if out and not tests then put_bytes(out) end
end
-- The name without the suffix of a compressed file.
local function plain_name(name)
  if name:match('[^/]%.t[ag]z$') then return name:sub(1, -3) .. 'ar' end
  return name:match('^(.*[^/])%.gz$') or name:match('^(.*[^/])[-_.]z$') or name:match('^(.*[^/])%-gz$')
end
local function of_file(name)
  local target
  if DECODES and not exists(name) then
    name = plain_name(name) and name or name .. '.gz'
  end
  if not exists(name) then return complain('gzip: ' .. name .. ': No such file or directory', 1) end
  if is_directory(name) then return complain('gzip: ' .. name .. ' is a directory -- ignored', 2) end
  local in_place = not prints and not tests
  if in_place then
    if is_link(name) and not forces then return complain('gzip: ' .. name .. ': Too many levels of symbolic links', 1) end
    if DECODES then
      target = plain_name(name)
      if not target then return complain('gzip: ' .. name .. ': unknown suffix -- ignored', 2) end
    else
      if plain_name(name) and not forces then return quiet or io.stderr:write('gzip: ', name, ' already has ', name:match('[-_.]%a+$'), ' suffix -- unchanged\n') end
      target = name .. '.gz'
    end
    if exists(target) and not forces then return complain('gzip: ' .. target .. ' already exists;\tnot overwritten', 2) end
  end
  local data, why = bytes_of(name)
  if not data then return complain('gzip: ' .. name .. ': ' .. why, 1) end
  local out
  if DECODES then out = decoded(data, name) else out = gzipped(data, level) end
  if not out or tests then return end
  if prints then return put_bytes(out) end
  local mode = output_of('ls -la ' .. safe(name)):match('^%-(%S+)')
  why = write_bytes(target, out)
  if why then return complain('gzip: ' .. target .. ': ' .. why, 1) end
  if mode then os.execute(string.format('chmod %o %s 2> /dev/null', bits_of('-' .. mode), safe(target))) end
  if not keeps then os.execute('rm -f ' .. safe(name)) end
end
guarded(function()
  for _, name in ipairs(names) do
    if name == '-' then of_input() else of_file(name) end
  end
end)`

function gzip(decodes: boolean, prints: boolean): string {
  return `local DECODES, PRINTS = ${decodes}, ${prints}${BYTES}${BITS_OF}${GZIP}${GZIP_MAIN}`
}

/** `gzip`, `gunzip` and `zcat`, which the engine lacks. */
export const GZIP_PROGRAMS: Readonly<Record<string, string>> = {
  gzip: gzip(false, false),
  gunzip: gzip(true, false),
  zcat: gzip(true, true),
}
