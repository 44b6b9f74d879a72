import { now } from '#shared/platform/time/clock.ts'
import { raw } from './model.ts'

/**
 * Returns the `updatedAt` of a changed row: now, but at least 1 ms after the previous one, so that the ETag changes.
 */
export const nextUpdatedAt = ({ updatedAt }: { updatedAt: Date }): Date =>
  new Date(Math.max(now().getTime(), updatedAt.getTime() + 1))

/** SQL of `nextUpdatedAt`, for an update of many rows. */
export const nextUpdatedAtSql = () =>
  raw("greatest(?::timestamptz, updated_at + interval '1 millisecond')", [now()])
