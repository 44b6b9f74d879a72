import type { RequestFacts } from '#api/platform/pipeline/endpoint.ts'
import type { Reader } from '#shared/catalog/reader.ts'
import type { Store } from '#shared/stores/store.ts'

/** Who reads the catalog with this request. */
export const readerOf = (store: Store, { language, catalogVersion }: RequestFacts): Reader => ({
  store,
  language,
  catalogVersion,
})
