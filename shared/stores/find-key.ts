import type { Paged } from '#shared/platform/db/page.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { PublishableKey } from './publishable-key.ts'

/** A key of the store. Throws `resource.not_found`. */
export async function findKey(tx: StoreTx, id: string): Promise<PublishableKey> {
  const key = await PublishableKey.in(tx).findById(id)
  if (!key) throw CommonErrors.notFound()
  return key
}

/** The same, locked: its changes are made one after another. */
export async function lockKey(tx: StoreTx, id: string): Promise<PublishableKey> {
  const key = await PublishableKey.in(tx).findById(id).forNoKeyUpdate()
  if (!key) throw CommonErrors.notFound()
  return key
}

/** A page of the store's keys, newest first, those that open nothing any more too. */
export const listKeys = (tx: StoreTx, { page, page_size }: Paged) =>
  PublishableKey.in(tx)
    .orderBy('id', 'desc')
    .page(page - 1, page_size)
