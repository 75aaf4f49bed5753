import { Keys } from '../keys.ts'
import { requireClusterName, requireRedis } from '../redis-options.ts'
import { JobQueue } from './job-queue.ts'

/**
 * The queue of a cluster for who only runs jobs: that needs no token.
 *
 * @throws {SandboxConfigError} naming `redis` or `cluster`
 */
export async function openJobQueue(redis: unknown, cluster: unknown): Promise<JobQueue> {
  const url = requireRedis(redis)
  return JobQueue.open(url, new Keys(requireClusterName(cluster)).jobs)
}
