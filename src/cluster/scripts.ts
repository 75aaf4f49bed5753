/**
 * What Redis does in one step. Scripts that write and need no memory run when Redis is out of it, so that nodes keep their leases.
 */

const renewing = '#!lua flags=allow-oom\n'

/** Another run of Redis, or one that was emptied: what nodes have may be forgotten until each lease of before has ended. */
const noticeRun = `
local function noticeRun(run, young, id, lease)
  if redis.call('GET', run) == id then return end
  redis.call('SET', run, id)
  redis.call('SET', young, '1', 'PX', lease)
end
`

/**
 * Keys: run, young, nodes, node. Arguments: run, lease, instance, then fields and values of the node. Answers 1 where the node was
 * there.
 */
export const RENEW = `${renewing}${noticeRun}
noticeRun(KEYS[1], KEYS[2], ARGV[1], ARGV[2])
local was = redis.call('EXISTS', KEYS[4])
redis.call('HSET', KEYS[4], unpack(ARGV, 4))
redis.call('PEXPIRE', KEYS[4], ARGV[2])
redis.call('SADD', KEYS[3], ARGV[3])
return was
`

/**
 * Keys: fence, sessions, then those of sessions. Arguments: instance, url, then id and fence of each. Writes down what Redis has
 * forgotten. Answers the ids that another node has taken.
 */
export const RECLAIM = `${renewing}
local taken = {}
local highest = tonumber(redis.call('GET', KEYS[1]) or '0')
for index = 3, #KEYS do
  local id = ARGV[2 * index - 3]
  local fence = tonumber(ARGV[2 * index - 2])
  local held = redis.call('HMGET', KEYS[index], 'instance', 'fence')
  local seen = tonumber(held[2] or '0')
  if held[1] ~= ARGV[1] and (seen > fence or (held[1] and seen == fence)) then
    taken[#taken + 1] = id
  elseif held[1] ~= ARGV[1] then
    redis.call('HSET', KEYS[index], 'instance', ARGV[1], 'url', ARGV[2], 'fence', fence)
    redis.call('HDEL', KEYS[index], 'released')
    redis.call('SADD', KEYS[2], id)
  end
  if fence > highest then highest = fence end
end
redis.call('SET', KEYS[1], highest)
return taken
`

/**
 * Keys: run, young, fence, sessions, session, node. Arguments: run, lease, instance, url, id, the fence of the store, whether the
 * session is known there, and what the keys of nodes begin with. Answers a word, and what belongs to it.
 */
export const CLAIM = `${noticeRun}
noticeRun(KEYS[1], KEYS[2], ARGV[1], ARGV[2])
if redis.call('EXISTS', KEYS[6]) == 0 then return {'lapsed'} end
local owner = redis.call('HGET', KEYS[5], 'instance')
if owner and owner ~= ARGV[3] and redis.call('EXISTS', ARGV[8] .. owner) == 1 then return {'taken'} end
local released = redis.call('HGET', KEYS[5], 'released')
if owner ~= ARGV[3] and ARGV[7] == '1' and released ~= ARGV[1] then
  local wait = redis.call('PTTL', KEYS[2])
  if wait > 0 then return {'young', wait} end
end
local fence = math.max(
  tonumber(redis.call('GET', KEYS[3]) or '0'),
  tonumber(redis.call('HGET', KEYS[5], 'fence') or '0'),
  tonumber(ARGV[6])
) + 1
redis.call('SET', KEYS[3], fence)
redis.call('HSET', KEYS[5], 'instance', ARGV[3], 'url', ARGV[4], 'fence', fence)
redis.call('HDEL', KEYS[5], 'released')
redis.call('SADD', KEYS[4], ARGV[5])
redis.call('HINCRBY', KEYS[6], 'sessions', 1)
return {'claimed', fence}
`

/**
 * Keys: session, sessions, node. Arguments: run, instance, fence, id, and 1 where it was closed for good. A release counts for the run of
 * Redis that it names: what another run has written down may be older than who has the session.
 */
export const RELEASE = `${renewing}
local held = redis.call('HMGET', KEYS[1], 'instance', 'fence')
if held[1] ~= ARGV[2] or held[2] ~= ARGV[3] then return 0 end
if ARGV[5] == '1' then
  redis.call('DEL', KEYS[1])
  redis.call('SREM', KEYS[2], ARGV[4])
else
  redis.call('HDEL', KEYS[1], 'instance', 'url')
  redis.call('HSET', KEYS[1], 'released', ARGV[1])
end
if redis.call('EXISTS', KEYS[3]) == 1 then redis.call('HINCRBY', KEYS[3], 'sessions', -1) end
return 1
`

/** Keys: session. Arguments: what the keys of nodes begin with. Answers who has it, where, with which fence, while their lease lasts. */
export const LOCATE = `
local held = redis.call('HMGET', KEYS[1], 'instance', 'url', 'fence')
if not held[1] or redis.call('EXISTS', ARGV[1] .. held[1]) == 0 then return {} end
return held
`

/** Keys: nodes. Arguments: what the keys of nodes begin with. Answers the fields of each node whose lease lasts. */
export const NODES = `${renewing}
local nodes = {}
for _, instance in ipairs(redis.call('SMEMBERS', KEYS[1])) do
  local fields = redis.call('HGETALL', ARGV[1] .. instance)
  if #fields == 0 then
    redis.call('SREM', KEYS[1], instance)
  else
    fields[#fields + 1] = 'instance'
    fields[#fields + 1] = instance
    nodes[#nodes + 1] = fields
  end
end
return nodes
`

/** Keys: nodes, node. Arguments: instance. The node is gone. */
export const LEAVE = `${renewing}
redis.call('SREM', KEYS[1], ARGV[1])
return redis.call('DEL', KEYS[2])
`
