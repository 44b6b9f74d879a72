import { CommonErrors } from '#shared/platform/errors.ts'

interface Versioned {
  updatedAt: Date
}

/** Returns the ETag of a row. It changes with each update of the row. */
export const entityTag = ({ updatedAt }: Versioned): string => `"${updatedAt.getTime().toString(36)}"`

/** Throws `resource.changed` if `If-Match` is given and is not the row's present ETag. */
export function assertUnchanged(row: Versioned, ifMatch: string | undefined): void {
  if (!ifMatch || ifMatch.trim() === '*') return
  const tags = ifMatch.split(',').map((tag) => tag.trim())
  if (!tags.includes(entityTag(row))) throw CommonErrors.changed()
}
