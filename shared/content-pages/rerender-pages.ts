import { bumpCatalogVersion } from '#shared/platform/cache/catalog-version.ts'
import { db } from '#shared/platform/db/db.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { log } from '#shared/platform/log.ts'
import { ContentPage } from './content-page.ts'
import { renderBodies } from './render-bodies.ts'
import { RENDERER } from './renderer.ts'

/** The pages of one store that one run renders. The next run renders the next ones. */
const MAX_ROWS = 100

/** Renders pages again that another renderer made, up to 100 of each store. Returns how many. */
export async function rerenderPages(signal: AbortSignal): Promise<number> {
  const { rows } = await db().raw<{ rows: { storeId: string; pageId: string }[] }>(
    'select store_id as "storeId", page_id as "pageId" from pages_of_other_renderers(?, ?)',
    [RENDERER, MAX_ROWS],
  )
  for (const { storeId, pageId } of rows) {
    signal.throwIfAborted()
    await rerenderPage(storeId, pageId).catch((error) => {
      // One page must not keep the others from their new HTML.
      log.error({ err: error, storeId, pageId }, 'page not rendered')
    })
  }
  return rows.length
}

/** A page that staff change during the run stays: its change has rendered it. */
async function rerenderPage(storeId: string, id: string): Promise<void> {
  const page = await inStore(storeId, (tx) => ContentPage.in(tx).findById(id))
  if (!page) return
  const rendered = await renderBodies(storeId, page.bodyI18n)
  await inStore(storeId, async (tx) => {
    await ContentPage.in(tx).findById(id).where('updated_at', page.updatedAt).patch(rendered)
    bumpCatalogVersion(tx)
  })
}
