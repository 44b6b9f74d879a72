import type { Static } from 'typebox'
import { readPlace } from '#api/geo/place-query.ts'
import type { RequestInfo } from '#api/platform/operation/request-info.ts'
import type { StorefrontContext } from '#shared/catalog/storefront-context/context.ts'
import type { Store } from '#shared/stores/store.ts'
import type { PlaceQuery } from './product-query.ts'

/** Returns the context of a storefront request: by default at the prices of the store's own country. */
export const storefrontContext = (
  store: Store,
  { language, catalogVersion }: RequestInfo,
  query: Static<typeof PlaceQuery> = {},
): StorefrontContext => ({
  store,
  language,
  catalogVersion,
  place: readPlace(store, query),
})
