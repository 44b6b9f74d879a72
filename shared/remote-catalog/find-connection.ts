import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { RemoteConnection } from './connection.ts'
import { RemoteErrors } from './errors.ts'

/** The store's connection, if it has one. */
export const findConnection = async (tx: StoreTx): Promise<RemoteConnection | undefined> =>
  RemoteConnection.in(tx).first()

/** The same; 409 `remote.not_configured` where there is none. */
export async function requireConnection(tx: StoreTx): Promise<RemoteConnection> {
  const connection = await findConnection(tx)
  if (!connection) throw RemoteErrors.notConfigured()
  return connection
}
