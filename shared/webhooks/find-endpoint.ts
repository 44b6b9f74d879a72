import type { Paged } from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { WebhookEndpoint } from './endpoint.ts'

/** An endpoint of the store that was not deleted. Throws `resource.not_found`. */
export async function findEndpoint(tx: StoreTx, id: string): Promise<WebhookEndpoint> {
  const endpoint = await WebhookEndpoint.in(tx).findById(id).whereNull('deleted_at')
  if (!endpoint) throw CommonErrors.notFound()
  return endpoint
}

/** The same, locked: its changes are made one after another. */
export async function lockEndpoint(tx: StoreTx, id: string): Promise<WebhookEndpoint> {
  const endpoint = await WebhookEndpoint.in(tx).findById(id).whereNull('deleted_at').forNoKeyUpdate()
  if (!endpoint) throw CommonErrors.notFound()
  return endpoint
}

/** A page of the store's endpoints, oldest first. */
export async function listEndpoints(tx: StoreTx, query: Paged) {
  return WebhookEndpoint.in(tx)
    .whereNull('deleted_at')
    .orderBy('id')
    .page(query.page - 1, query.page_size)
}
