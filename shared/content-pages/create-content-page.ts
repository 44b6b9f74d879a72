import { slugCandidates } from '#shared/catalog/slug.ts'
import { bumpCatalogVersion } from '#shared/platform/cache/catalog-version.ts'
import { newId } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { pickText, type Texts } from '#shared/platform/text.ts'
import { now } from '#shared/platform/time/clock.ts'
import {
  ContentPage,
  findContentPage,
  noteHtml,
  type PagePosition,
  type PageSeo,
  type WrittenPage,
} from './content-page.ts'
import { PageErrors } from './errors.ts'
import type { RenderedBodies } from './render-bodies.ts'

/** The input of staff, with its bodies rendered. */
export interface PageInput extends RenderedBodies {
  slug: string
  titleI18n: Texts
  seo: PageSeo
  position: PagePosition
  sortOrder: number
  isActive: boolean
  publishedAt: Date | null
}

type RequiredField = 'titleI18n' | keyof RenderedBodies
export type NewPage = Pick<PageInput, RequiredField> & Partial<PageInput>

const DEFAULTS = { seo: {}, position: 'none', sortOrder: 0, isActive: true } as const

/**
 * Creates a page. Without a slug it gets one derived from its title in the store's default language; without a time it
 * is published immediately. Throws `page.slug_taken`.
 */
export async function createContentPage(
  tx: StoreTx,
  { defaultLanguage }: { defaultLanguage: string },
  { slug, ...given }: NewPage,
): Promise<WrittenPage> {
  const at = now()
  const page = Object.assign(new ContentPage(), {
    ...DEFAULTS,
    publishedAt: at,
    ...given,
    id: newId(),
    createdAt: at,
    updatedAt: at,
  })
  const title = pickText(page.titleI18n, defaultLanguage, defaultLanguage)
  await insertPage(tx, page, slug ? [slug] : slugCandidates(title, 'page'))
  noteHtml(tx, page)
  bumpCatalogVersion(tx)
  return findContentPage(tx, page.id)
}

/**
 * Inserts a page with the first free slug. The insert itself finds out which slug is free, because a check before it
 * would miss a concurrent request.
 */
async function insertPage(tx: StoreTx, page: ContentPage, slugs: [string, ...string[]]): Promise<void> {
  for (const slug of slugs) {
    const row = { ...page.$toDatabaseJson(), slug, store_id: tx.storeId }
    const inserted = await tx
      .knex('content_pages')
      .insert(row)
      .onConflict(['store_id', 'slug'])
      .ignore()
      .returning('id')
    if (inserted.length) return
  }
  throw PageErrors.slugTaken({ slug: slugs[0] })
}
