import type { RequestInfo } from '#api/platform/pipeline/operation.ts'
import type { StorefrontContext } from '#shared/catalog/storefront/context.ts'
import type { Store } from '#shared/stores/store.ts'

/** The store, language and catalog version of a storefront request. */
export const storefrontContext = (
  store: Store,
  { language, catalogVersion }: RequestInfo,
): StorefrontContext => ({
  store,
  language,
  catalogVersion,
})
