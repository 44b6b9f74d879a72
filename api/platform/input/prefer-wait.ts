import { SECOND_MS } from '#shared/platform/time/clock.ts'
import type { RequestInfo } from '../pipeline/operation.ts'

const WAIT_MS = 5 * SECOND_MS

/** How long to wait for a worker, in milliseconds: 5 seconds, or 0 with `Prefer: respond-async` (RFC 7240). */
export const preferWait = ({ headers }: RequestInfo): number =>
  /\brespond-async\b/.test(String(headers.prefer ?? '')) ? 0 : WAIT_MS
