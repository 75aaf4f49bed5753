/** Statements in lua: each node of the tree becomes a function. */
export const AWK_STATEMENTS = String.raw`
local exit_status = 0
local RUNS = {
  block = function(node)
    local ones = {}
    for i, one in ipairs(node) do ones[i] = run_of(one) end
    local count = #ones
    return function()
      for i = 1, count do
        local how, value = ones[i]()
        if how then return how, value end
      end
    end
  end,
  expr = function(node) local one = value_of(node[1]); return function() one() end end,
  print = function(node)
    local ones, to = {}, node.to and value_of(node.to)
    for i, one in ipairs(node.args) do ones[i] = value_of(one) end
    local count, mode = #ones, node.mode
    return function()
      local text
      if count == 0 then join_record(); text = record
      elseif count == 1 then text = output(ones[1]())
      else
        local texts = {}
        for i = 1, count do texts[i] = output(ones[i]()) end
        text = table.concat(texts, str(V.OFS))
      end
      put(text .. str(V.ORS), mode, to and str(to()))
    end
  end,
  printf = function(node)
    local text, to = CALLS.sprintf({ name = 'printf', args = #node.args == 1 and node.args[1].t == 'group' and { node.args[1][1] } or node.args }), node.to and value_of(node.to)
    local mode = node.mode
    return function() put(text(), mode, to and str(to())) end
  end,
  ['if'] = function(node)
    local condition, yes, no = value_of(node.condition), run_of(node.body), node.other and run_of(node.other)
    return function()
      if truth(condition()) then return yes() elseif no then return no() end
    end
  end,
  ['for'] = function(node)
    local first, condition, step, inner = node.first and run_of(node.first), node.condition and value_of(node.condition), node.step and run_of(node.step), run_of(node.body)
    return function()
      if first then first() end
      while not condition or truth(condition()) do
        local how, value = inner()
        if how == 'break' then break end
        if how and how ~= 'continue' then return how, value end
        if step then step() end
      end
    end
  end,
  ['do'] = function(node)
    local condition, inner = value_of(node.condition), run_of(node.body)
    return function()
      repeat
        local how, value = inner()
        if how == 'break' then break end
        if how and how ~= 'continue' then return how, value end
      until not truth(condition())
    end
  end,
  each = function(node)
    if environment(node.name) then refused('for (... in ENVIRON)', 'use env') end
    local _, _, set = target_of(node.target)
    local array, inner = array_of(node.name), run_of(node.body)
    return function()
      for _, key in ipairs(keys_of(array())) do
        set(nil, key)
        local how, value = inner()
        if how == 'break' then break end
        if how and how ~= 'continue' then return how, value end
      end
    end
  end,
  jump = function(node) local to = node.to; return function() return to end end,
  exit = function(node)
    local one = node.value and value_of(node.value)
    return function()
      if one then exit_status = math.tointeger(whole(num(one()))) % 256 end
      return 'exit'
    end
  end,
  ['return'] = function(node)
    local one = node.value and value_of(node.value)
    return function() return 'return', one and one() or UNSET end
  end,
  delete = function(node)
    local array, key = array_of(node.name), node.keys and text_key(node.keys)
    return function()
      local one = array()
      if key then drop_element(one, key()) else one.values, one.places, one.last, one.size = {}, {}, 0, 0 end
    end
  end,
}
run_of = function(node)
  local make = RUNS[node.t]
  if not make then wrong() end
  return make(node)
end
`
