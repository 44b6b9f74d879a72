import type { RequestInfo } from '#api/platform/pipeline/endpoint.ts'
import type { Reader } from '#shared/catalog/storefront/context.ts'
import type { Store } from '#shared/stores/store.ts'

/** Who reads the catalog with this request. */
export const readerOf = (store: Store, { language, catalogVersion }: RequestInfo): Reader => ({
  store,
  language,
  catalogVersion,
})
