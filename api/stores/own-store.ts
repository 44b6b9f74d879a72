import { CommonErrors } from '#shared/platform/errors.ts'
import type { Store } from '#shared/stores/store.ts'

/** A session opens its own store alone: 404 `resource.not_found` for any other, whether it exists or not. */
export function assertOwn({ id }: Store, asked: string): void {
  if (asked.toLowerCase() !== id) throw CommonErrors.notFound()
}
