import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { RemoteLink } from './remote-link.ts'

/** Deletes a link and keeps its item and product. Throws `resource.not_found`. */
export async function deleteRemoteLink(tx: StoreTx, id: string): Promise<void> {
  if (!(await RemoteLink.in(tx).deleteById(id))) throw CommonErrors.notFound()
}
