/** A filter of `jq` that is a plain path. */
export const JQ_PATH: RegExp = /^\.(?:[A-Za-z_]\w*|\[\d*\])?(?:\.[A-Za-z_]\w*|\[\d*\])*$/

/** Reads and runs filters that are plain paths, in lua: the rest of `jq` takes longer to read than such a filter takes to run. */
export const JQ_PATHS = String.raw`
local depth
local function parse_filter(text)
  local steps, at = {}, 1
  while at <= #text do
    local name, after = text:match('^%.?([%a_][%w_]*)()', at)
    if name then steps[#steps + 1] = name
    else
      name, after = text:match('^%.?%[(%d*)%]()', at)
      if name then steps[#steps + 1] = tonumber(name) or true
      elseif text == '.' then break
      else fail('a filter that is not written out is not available here', 2) end
    end
    at = after
  end
  return steps
end
local function check() end
local function run(steps, _, value, _, emit)
  local function from(i, one)
    local step = steps[i]
    if step == nil then return emit(one) end
    if step == true then return each(one, function(_, inner) from(i + 1, inner) end) end
    return from(i + 1, index_of(one, step))
  end
  return from(1, value)
end
`
