import { List } from '#shared/platform/db/list.ts'
import type { ListFilter } from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { IdentityProvider } from './identity-provider.ts'

export const IDENTITY_PROVIDERS = new List({
  sorts: {
    position: 'position',
    code: 'code',
    name: 'name',
    created_at: 'created_at',
    updated_at: 'updated_at',
  },
  order: 'position',
  searches: 'Part of the code, the name or the issuer',
  text: ['code', 'name', 'issuer'],
})

/** Returns one page of all identity providers, by default in the order of the sign-in page. */
export const listIdentityProviders = (tx: StoreTx, filter: ListFilter) =>
  IDENTITY_PROVIDERS.page(IdentityProvider.in(tx), filter)
