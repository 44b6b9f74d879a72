import type { Paged } from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { ApiToken } from './api-token.ts'

/** A token of the store that was not revoked. Throws `resource.not_found`. */
export const findApiToken = async (tx: StoreTx, id: string): Promise<ApiToken> =>
  present(await unrevoked(tx).findById(id))

/** The same, locked: its changes are made one after another. */
export const lockApiToken = async (tx: StoreTx, id: string): Promise<ApiToken> =>
  present(await unrevoked(tx).findById(id).forNoKeyUpdate())

/** A page of the store's tokens that were not revoked, the oldest first, and how many there are in all. */
export const listApiTokens = async (tx: StoreTx, query: Paged) =>
  unrevoked(tx)
    .orderBy('id')
    .page(query.page - 1, query.page_size)

const unrevoked = (tx: StoreTx) => ApiToken.in(tx).whereNull('revoked_at')

function present(token: ApiToken | undefined): ApiToken {
  if (!token) throw CommonErrors.notFound()
  return token
}
