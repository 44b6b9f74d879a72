import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { StoreDomain } from './store-domain.ts'

/** Gives up a domain, verified or only claimed: the next request to it finds no store. */
export async function removeDomain(tx: StoreTx, id: string): Promise<void> {
  const removed = await StoreDomain.in(tx).deleteById(id)
  if (!removed) throw CommonErrors.notFound()
}
