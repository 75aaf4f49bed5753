import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'

/** IPv4 that is not a host of the public internet (IANA's special-purpose registry, multicast, reserved). */
const SPECIAL_IPV4 = [
  ['0.0.0.0', 8], // this network, unspecified
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // shared, carrier-grade NAT
  ['127.0.0.0', 8], // loopback
  ['169.254.0.0', 16], // link-local, cloud metadata
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.31.196.0', 24], // AS112
  ['192.52.193.0', 24], // AMT
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['192.175.48.0', 24], // AS112
  ['198.18.0.0', 15], // benchmarking
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
] as const

/** What is special within 2000::/3, the global unicast space. Everything outside of it is refused as a whole. */
const SPECIAL_IPV6 = [
  ['2001::', 23], // protocol assignments: Teredo, benchmarking, ORCHID
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4: carries an IPv4 address
  ['2620:4f:8000::', 48], // AS112
  ['3fff::', 20], // documentation
] as const

const special = new BlockList()
for (const [network, prefix] of SPECIAL_IPV4) special.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of SPECIAL_IPV6) special.addSubnet(network, prefix, 'ipv6')

const globalUnicast = new BlockList()
globalUnicast.addSubnet('2000::', 3, 'ipv6')

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** Whether an address is a host of the public internet. False for what is no address. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !special.check(address, 'ipv4')
  return (
    isIPv6(address) &&
    !address.includes('%') &&
    globalUnicast.check(address, 'ipv6') &&
    !special.check(address, 'ipv6')
  )
}

/**
 * Whether an allowed host may be reached at an address. A name may at public ones only, `localhost` at
 * loopback only, and an address at itself, whatever it is: its entry names it. As the engine does.
 */
export function mayConnect(hostname: string, address: string): boolean {
  if (isIP(hostname) !== 0) return address === hostname
  if (hostname === 'localhost') return isLoopback(address)
  return isPublicAddress(address)
}

function isLoopback(address: string): boolean {
  const family = isIP(address)
  return family !== 0 && loopback.check(address, family === 4 ? 'ipv4' : 'ipv6')
}
