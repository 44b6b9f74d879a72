import { raw } from 'objection'
import { CommonErrors } from '../errors.ts'
import { now } from '../time/clock.ts'

interface Versioned {
  updatedAt: Date
}

/** The ETag of a row that staff edit: another one after each of their changes. */
export const entityTag = ({ updatedAt }: Versioned): string => `"${updatedAt.getTime().toString(36)}"`

/** Throws 412 `resource.changed` when a request's `If-Match` names an earlier state of the row than it has. */
export function assertUnchanged(row: Versioned, ifMatch: string | undefined): void {
  if (!ifMatch || ifMatch.trim() === '*') return
  const tags = ifMatch.split(',').map((tag) => tag.trim())
  if (!tags.includes(entityTag(row))) throw CommonErrors.changed()
}

/** The `updatedAt` of a changed row: now, and later than before even within a millisecond, so that its tag is new. */
export const nextUpdatedAt = ({ updatedAt }: Versioned): Date =>
  new Date(Math.max(now().getTime(), updatedAt.getTime() + 1))

/** The same of many rows at once, in SQL. */
export const nextUpdatedAtSql = () =>
  raw("greatest(?::timestamptz, updated_at + interval '1 millisecond')", [now()])
