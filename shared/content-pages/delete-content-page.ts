import { bumpCatalogVersion } from '#shared/platform/cache/catalog-version.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { ContentPage, lockContentPage } from './content-page.ts'

/** Deletes a page permanently. Throws `resource.not_found`. */
export async function deleteContentPage(tx: StoreTx, id: string): Promise<void> {
  await lockContentPage(tx, id)
  await ContentPage.in(tx).findById(id).delete()
  bumpCatalogVersion(tx)
}
