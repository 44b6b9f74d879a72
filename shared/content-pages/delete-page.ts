import { bumpCatalogVersion } from '#shared/platform/cache/catalog-version.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { ContentPage, lockPage } from './content-page.ts'

/** Deletes a page permanently. Throws `resource.not_found`. */
export async function deletePage(tx: StoreTx, id: string): Promise<void> {
  await lockPage(tx, id)
  await ContentPage.in(tx).findById(id).delete()
  bumpCatalogVersion(tx)
}
