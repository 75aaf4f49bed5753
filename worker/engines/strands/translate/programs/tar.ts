import { BYTES } from './bytes.ts'
import { GZIP } from './gzip.ts'
import { BITS_OF } from './modes.ts'
import { TAR_CREATE } from './tar/create.ts'
import { TAR_EXTRACT } from './tar/extract.ts'
import { TAR_HEADER } from './tar/header.ts'
import { TAR_LISTING } from './tar/listing.ts'
import { TAR_NAMES } from './tar/names.ts'
import { TAR_OPTIONS } from './tar/options.ts'

/** One run of `tar`. */
const TAR_MAIN = String.raw`
local OTHER = { bz2 = true, tbz = true, tbz2 = true, tz2 = true, xz = true, txz = true, zst = true, tzst = true, lz = true, lzma = true, Z = true }
local function other() fail('a compression other than that of gzip is not available here: use -z', 2) end
local function enter(one)
  local last = one.directories[#one.directories]
  if last and not is_directory(place_of(one)) then fail(last .. ': Cannot open: No such file or directory' .. FATAL, 2) end
end
local function lines_in(paths)
  local out = {}
  for _, path in ipairs(paths) do
    local text, why
    if path == '-' then text = input_bytes() else text, why = bytes_of(path) end
    if not text then fail(path .. ': Cannot open: ' .. why .. FATAL, 2) end
    for _, line in ipairs(lines_of(text)) do if line ~= '' then out[#out + 1] = line end end
  end
  return out
end
-- Names go to standard error where data goes to standard output; then all that went wrong.
local function answer(data, names)
  if data then
    put_bytes(data)
    io.stderr:write(names)
  else io.write(names) end
  for _, text in ipairs(errors) do io.stderr:write('tar: ', text, '\n') end
  if not has_failed then return end
  io.stderr:write('tar: Exiting with failure status due to previous errors\n')
  os.exit(2)
end
local function create(before, by)
  if not before and #operands == 0 then fail('Cowardly refusing to create an empty archive' .. TRY, 2) end
  local members = gathered(excluded)
  local names = {}
  if flags.verbose then for i, one in ipairs(members) do names[i] = listing_line(one, false) end end
  local data = archive_of(members, before or '')
  if by == 'z' then data = gzipped(data, 6) end
  if archive == '-' then return answer(data, table.concat(names)) end
  local why = write_bytes(archive, data)
  if why then fail(archive .. ': Cannot open: ' .. why .. FATAL, 2) end
  answer(nil, table.concat(names))
end
local function archive_data()
  local data, why
  if archive == '-' then data = input_bytes() else data, why = bytes_of(archive) end
  if not data and mode == 'r' and why == 'No such file or directory' then return nil end
  if not data then fail(archive .. ': Cannot open: ' .. why .. FATAL, 2) end
  if data:match('^BZh') or data:match('^\253' .. '7zXZ%z') or data:match('^\40\181\47\253') then other() end
  return data
end
local function append()
  local data = archive_data()
  if not data then return create() end
  if data:sub(1, 2) == GZIP_SIGN then fail('Cannot update compressed archives' .. FATAL, 2) end
  local _, stop, wrong = members_of(data)
  if wrong then fail('This does not look like a tar archive' .. FATAL, 2) end
  create(data:sub(1, stop - 1))
end
local function uncompressed(data)
  local is_packed = data:sub(1, 2) == GZIP_SIGN
  if not is_packed and compression == 'z' then fail('Child returned status 1: the archive is not in gzip format' .. FATAL, 2) end
  if is_packed and archive == '-' and compression ~= 'z' then fail('Archive is compressed. Use -z option' .. FATAL, 2) end
  if not is_packed then return data end
  local text, why = gunzipped(data)
  if why == 'big' then fail('an archive of more than ' .. MOST_INFLATED .. ' bytes is not available here', 2) end
  return text or fail('the archive is damaged' .. FATAL, 2)
end
local function read()
  local data = uncompressed(archive_data())
  local members, _, wrong = members_of(data)
  data = nil
  local place = place_of({ directories = directories })
  local asked, names, output = {}, {}, {}
  for i, one in ipairs(operands) do asked[i] = one.name end
  local is_wanted, wanted = wanting(asked)
  local is_excluded = excluding(excluded)
  for _, one in ipairs(members) do
    if is_wanted(one.name) and not is_excluded(one.name) then
      if mode == 't' or flags.verbose then names[#names + 1] = listing_line(one, mode == 't' and flags.verbose) end
      if mode == 'x' then
        if flags.stdout then output[#output + 1] = one.content else extract(one, place) end
      end
    end
  end
  end_extraction()
  for _, one in ipairs(wanted) do if not one.found then fault(one.text .. ': Not found in archive') end end
  if wrong == 'none' then fault('This does not look like a tar archive') end
  if wrong == 'cut' then fault('Unexpected EOF in archive' .. FATAL) end
  answer(flags.stdout and mode == 'x' and table.concat(output) or nil, table.concat(names))
end
guarded(function()
  if not mode then fail("You must specify one of the '-Acdtrux', '--delete' or '--test-label' options" .. TRY, 2) end
  for _, one in ipairs(operands) do enter(one) end
  enter({ directories = directories })
  for _, pattern in ipairs(lines_in(excluded_in)) do excluded[#excluded + 1] = pattern end
  for _, name in ipairs(lines_in(listed_in)) do operand(name) end
  local suffix = archive:match('%.(%w+)$') or ''
  if mode == 'c' and compression == 'a' and OTHER[suffix] then other() end
  local by = compression == 'a' and ((suffix == 'gz' or suffix == 'tgz' or suffix == 'taz') and 'z' or nil) or compression
  if mode == 'c' then create(nil, by) elseif mode == 'r' then append() else read() end
end)`

/** `tar` of archives that are plain or by gzip, which the engine lacks. */
export const TAR_PROGRAM: Readonly<Record<string, string>> = {
  tar: `${BYTES}${BITS_OF}${GZIP}${TAR_OPTIONS}${TAR_NAMES}${TAR_HEADER}${TAR_CREATE}${TAR_EXTRACT}${TAR_LISTING}${TAR_MAIN}`,
}
