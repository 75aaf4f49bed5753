/** Resident memory of this process, in bytes; where the system does not tell, the most that it ever had. */
export function ownMemory(): number {
  try {
    return process.memoryUsage.rss()
  } catch {
    // No /proc, or no descriptor to read it: the most is known without.
    return process.resourceUsage().maxRSS * 1024
  }
}
