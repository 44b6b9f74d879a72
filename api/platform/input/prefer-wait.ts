import type { RequestInfo } from '#api/platform/operation/request-info.ts'
import { config } from '#shared/platform/config/config.ts'

/** Returns the time to wait for a worker in milliseconds; 0 with `Prefer: respond-async` (RFC 7240). */
export const preferWait = ({ headers }: RequestInfo): number =>
  /\brespond-async\b/.test(String(headers.prefer ?? '')) ? 0 : config().WORKER_WAIT_MS
