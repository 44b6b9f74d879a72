import { annotate } from './annotate.ts'
import { readPage } from './ask-remote.ts'
import { viewPage } from './item-view.ts'
import type { PageQuestion } from './question.ts'

/**
 * A page of the external catalog, read now and kept nowhere, with the store's own products that are linked to its items.
 * Call it outside a transaction. Throws `remote.not_configured`, `remote.rate_limited`, `remote.unavailable`.
 */
export async function browseCatalog(storeId: string, question: PageQuestion) {
  const page = await readPage(storeId, question)
  const ids = page.items.map(({ id }) => id)
  return viewPage(page, question, await annotate(storeId, ids))
}
