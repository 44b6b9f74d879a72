import type { Static } from 'typebox'
import { jsonSql } from '#shared/platform/db/json-fields.ts'
import { readInStore } from '#shared/platform/db/pipelined-query.ts'
import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { type PublishedPage, pageFields } from './page-fields.ts'
import { ACTIVE, type PageContext, PUBLISHED, pageValues } from './published.ts'

const READ_PAGE = {
  name: 'read_content_page',
  text: `
    select ${jsonSql(pageFields)} from content_pages p
    where ${ACTIVE} and ${PUBLISHED} and p.slug = $4::text`,
}

const PREVIEW_PAGE = {
  name: 'preview_content_page',
  text: `
    select ${jsonSql(pageFields)} as json from content_pages p
    where p.store_id = ${CURRENT_STORE} and p.id = $3::uuid`,
}

/** Returns a published page as JSON, by its slug. Throws `resource.not_found`. */
export async function readPublishedContentPage(context: PageContext, slug: string): Promise<string> {
  const [row] = await readInStore(context.store.id, READ_PAGE, [...pageValues(context), slug])
  if (!row?.[0]) throw CommonErrors.notFound()
  return row[0]
}

/** Returns any page of the store as `readPublishedContentPage` will show it. Throws `resource.not_found`. */
export async function previewContentPage(
  tx: StoreTx,
  { store, language }: PageContext,
  id: string,
): Promise<Static<typeof PublishedPage>> {
  const values = [language, store.defaultLanguage, id]
  const [row] = await tx.prepared<{ json: Static<typeof PublishedPage> }>(PREVIEW_PAGE, values)
  if (!row) throw CommonErrors.notFound()
  return row.json
}
