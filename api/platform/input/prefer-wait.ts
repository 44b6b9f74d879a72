import { SECOND_MS } from '#shared/platform/time/clock.ts'
import type { RequestInfo } from '../pipeline/endpoint.ts'

const WAIT_MS = 5 * SECOND_MS

/** How long the caller waits for a worker: a few seconds, unless it sends `Prefer: respond-async` (RFC 7240). */
export const preferWait = ({ headers }: RequestInfo): number =>
  /\brespond-async\b/.test(String(headers.prefer ?? '')) ? 0 : WAIT_MS
