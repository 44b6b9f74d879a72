import { bumpCatalogVersion } from '#shared/platform/cache/catalog-version.ts'
import { db } from '#shared/platform/db/db.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { isolateStoreFailures } from '#shared/stores/isolate-store-failures.ts'
import { ContentPage } from './content-page.ts'
import { renderBodies } from './render-bodies.ts'
import { RENDERER } from './renderer.ts'

/** One run renders at most this many pages of a store. The next run renders the next ones. */
const MAX_ROWS = 100

/** Renders up to 100 pages of each store again if another renderer made them. Returns their number. */
export async function rerenderPages(signal: AbortSignal): Promise<number> {
  const { rows } = await db().raw<{ rows: { storeId: string; pageId: string }[] }>(
    'select store_id as "storeId", page_id as "pageId" from pages_of_other_renderers(?, ?)',
    [RENDERER, MAX_ROWS],
  )
  return isolateStoreFailures(async (runForStore) => {
    for (const { storeId, pageId } of rows) await runForStore(storeId, () => rerenderPage(storeId, pageId))
    return rows.length
  }, signal)
}

/**
 * Renders a page again, between two transactions, because another process renders it. Skips a page that staff changed
 * during the run, because the change has rendered it.
 */
async function rerenderPage(storeId: string, id: string): Promise<void> {
  const page = await inStore(storeId, (tx) =>
    ContentPage.in(tx).findById(id).select('body_i18n', 'updated_at'),
  )
  if (!page) return
  const rendered = await renderBodies(storeId, page.bodyI18n).catch((cause) => {
    throw new Error(`The page ${id} is not rendered`, { cause })
  })
  await inStore(storeId, async (tx) => {
    await ContentPage.in(tx).findById(id).where('updated_at', page.updatedAt).patch(rendered)
    bumpCatalogVersion(tx)
  })
}
