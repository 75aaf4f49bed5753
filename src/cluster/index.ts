export {
  ClusterClient,
  type ClusterClientOptions,
  type ClusterConfig,
  type ClusterMapOptions,
  type ClusterSession,
  type MapProgress,
} from './client.ts'
export type { ClusterJob, ClusterJobOptions, JobContent } from './jobs/job-options.ts'
export { type ClusterNode, clusterNode } from './node.ts'
export type { ClusterNodeOptions } from './node-options.ts'
export type { Located, NodeFields, NodeInfo } from './registry.ts'
