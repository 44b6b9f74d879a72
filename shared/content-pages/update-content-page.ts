import { bumpCatalogVersion } from '#shared/platform/cache/catalog-version.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import { violatedConstraint } from '#shared/platform/db/sql-error.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertUnchanged } from '#shared/platform/http/entity-tag.ts'
import { ContentPage, findContentPage, lockContentPage, noteHtml, type WrittenPage } from './content-page.ts'
import type { PageInput } from './create-content-page.ts'
import { PageErrors } from './errors.ts'

/**
 * Updates a page; absent fields stay. Throws `resource.not_found`, `resource.changed` if `ifMatch` is outdated, and
 * `page.slug_taken`.
 */
export async function updateContentPage(
  tx: StoreTx,
  id: string,
  changes: Partial<PageInput>,
  ifMatch?: string,
): Promise<WrittenPage> {
  const { slug } = changes
  const page = await lockContentPage(tx, id)
  assertUnchanged(page, ifMatch)
  try {
    await ContentPage.in(tx)
      .findById(id)
      .patch({ ...changes, updatedAt: nextUpdatedAt(page) })
  } catch (error) {
    if (slug !== undefined && violatedConstraint(error) === 'content_pages_slug')
      throw PageErrors.slugTaken({ slug })
    throw error
  }
  noteHtml(tx, changes)
  bumpCatalogVersion(tx)
  return findContentPage(tx, id)
}
