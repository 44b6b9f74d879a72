import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertFound } from '#shared/platform/errors.ts'
import type { Texts } from '#shared/platform/text.ts'
import type { RenderedBodies } from './render-bodies.ts'

/** The places where storefronts link to a page. */
export const POSITIONS = ['footer', 'header', 'none'] as const
export type PagePosition = (typeof POSITIONS)[number]

/** Texts for search engines, in the shape of the API. */
export interface PageSeo {
  title_i18n?: Texts
  description_i18n?: Texts
}

/** An information page of a store, written in Markdown. */
export class ContentPage extends StoreModel implements RenderedBodies {
  static override tableName = 'content_pages'
  static override jsonAttributes = ['titleI18n', 'bodyI18n', 'htmlI18n', 'seo']

  /** Unique in the store. */
  declare slug: string
  declare titleI18n: Texts
  declare bodyI18n: Texts
  /**
   * The HTML of the bodies by language. It is rendered when a page is saved, because reads are many and rendering needs
   * a process.
   */
  declare htmlI18n: Texts
  declare renderer: string
  declare seo: PageSeo
  declare position: PagePosition
  declare sortOrder: number
  declare isActive: boolean
  /** An active page is public from this time on; never if null. */
  declare publishedAt: Date | null
  declare createdAt: Date
  declare updatedAt: Date
}

/** A page without its HTML, which is longer than all that staff see of it. */
export type WrittenPage = Omit<ContentPage, 'htmlI18n' | 'renderer'>

/** A page as lists have it: without the bodies, which are long. */
export type ListedPage = Omit<WrittenPage, 'bodyI18n' | 'seo'>

/** The columns of a `ListedPage`. */
export const LISTED_COLUMNS = [
  'id',
  'slug',
  'title_i18n',
  'position',
  'sort_order',
  'is_active',
  'published_at',
  'created_at',
  'updated_at',
]

const WRITTEN_COLUMNS = [...LISTED_COLUMNS, 'body_i18n', 'seo']

/** Finds a page, without its HTML. Throws `resource.not_found`. */
export async function findContentPage(tx: StoreTx, id: string): Promise<WrittenPage> {
  return assertFound(await ContentPage.in(tx).findById(id).select(WRITTEN_COLUMNS))
}

/** Locks the row of a page until the transaction ends. Throws like `findContentPage`. */
export async function lockContentPage(tx: StoreTx, id: string): Promise<Pick<ContentPage, 'updatedAt'>> {
  return assertFound(await ContentPage.in(tx).findById(id).forNoKeyUpdate().select('updated_at'))
}

/** Counts the HTML of a page among the stored bytes of its transaction, because little Markdown can yield much HTML. */
export function noteHtml(tx: StoreTx, { htmlI18n = {} }: Partial<Pick<RenderedBodies, 'htmlI18n'>>): void {
  for (const html of Object.values(htmlI18n)) tx.noteStored(Buffer.byteLength(html))
}
