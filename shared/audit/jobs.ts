import { definePlatformJob } from '#shared/platform/jobs/define-job.ts'

/** Verifies the audit logs of all stores and of the platform. */
export const verifyAuditLogs = definePlatformJob(
  'verify-audit-logs',
  {},
  { concurrency: 1, retries: 4, retryDelaySeconds: 300, expireInSeconds: 4 * 3_600 },
)
