import { raw } from '../db/model.ts'
import { CommonErrors } from '../errors.ts'
import { now } from '../time/clock.ts'

interface Versioned {
  updatedAt: Date
}

/** The ETag of a row. It changes with each update of the row. */
export const entityTag = ({ updatedAt }: Versioned): string => `"${updatedAt.getTime().toString(36)}"`

/** Throws 412 `resource.changed` when `If-Match` does not name the row's current ETag. */
export function assertUnchanged(row: Versioned, ifMatch: string | undefined): void {
  if (!ifMatch || ifMatch.trim() === '*') return
  const tags = ifMatch.split(',').map((tag) => tag.trim())
  if (!tags.includes(entityTag(row))) throw CommonErrors.changed()
}

/** The `updatedAt` of a changed row: now, but at least 1 ms after the previous one, so that the ETag changes. */
export const nextUpdatedAt = ({ updatedAt }: Versioned): Date =>
  new Date(Math.max(now().getTime(), updatedAt.getTime() + 1))

/** As `nextUpdatedAt`, in SQL, for an update of many rows. */
export const nextUpdatedAtSql = () =>
  raw("greatest(?::timestamptz, updated_at + interval '1 millisecond')", [now()])
