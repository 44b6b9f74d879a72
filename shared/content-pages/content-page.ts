import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import type { Texts } from '#shared/platform/text.ts'
import type { RenderedBodies } from './render-bodies.ts'

/** Where storefronts link to a page. */
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
  /** The rendered bodies. They are made when a page is saved: reads are many, and rendering takes a thread. */
  declare htmlI18n: Texts
  declare renderer: string
  declare seo: PageSeo
  declare position: PagePosition
  declare sortOrder: number
  declare isActive: boolean
  /** From this time on an active page is public; null: never. */
  declare publishedAt: Date | null
  declare createdAt: Date
  declare updatedAt: Date
}

/** Throws `resource.not_found`. */
export async function findPage(tx: StoreTx, id: string): Promise<ContentPage> {
  const page = await ContentPage.in(tx).findById(id)
  if (!page) throw CommonErrors.notFound()
  return page
}

/** Finds a page as `findPage` does and locks its row until the transaction ends. */
export async function lockPage(tx: StoreTx, id: string): Promise<ContentPage> {
  const page = await ContentPage.in(tx).findById(id).forNoKeyUpdate()
  if (!page) throw CommonErrors.notFound()
  return page
}
