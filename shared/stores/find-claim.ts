import type { Paged } from '#shared/platform/db/page.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { StoreDomain } from './store-domain.ts'

/** A domain that the store claims. Throws `resource.not_found`. */
export async function findClaim(tx: StoreTx, id: string): Promise<StoreDomain> {
  const claim = await StoreDomain.in(tx).findById(id)
  if (!claim) throw CommonErrors.notFound()
  return claim
}

/** A page of the domains that the store claims, oldest first. */
export const listDomains = (tx: StoreTx, { page, page_size }: Paged) =>
  StoreDomain.in(tx)
    .orderBy('id')
    .page(page - 1, page_size)
