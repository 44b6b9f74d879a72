import type { Static } from 'typebox'
import { omitUndefined, toCamelCase, toDateIfPresent } from '#api/platform/input/request-fields.ts'
import type { NewPage, PageInput } from '#shared/content-pages/create-content-page.ts'
import { renderBodies } from '#shared/content-pages/render-bodies.ts'
import type { CreatePageRequest, UpdatePageRequest } from './schemas.ts'

/** Converts a request body to the domain's input and renders the page bodies. Call it outside transactions. */
export const toNewPage = async (
  storeId: string,
  { title_i18n: titleI18n, body_i18n = {}, ...changes }: Static<typeof CreatePageRequest>,
): Promise<NewPage> => ({
  ...(await toPageChanges(storeId, changes)),
  titleI18n,
  ...(await renderBodies(storeId, body_i18n)),
})

/** Converts the changes of a request body and renders the page bodies. Absent fields stay absent. */
export const toPageChanges = async (
  storeId: string,
  { body_i18n, published_at, ...fields }: Static<typeof UpdatePageRequest>,
): Promise<Partial<PageInput>> =>
  omitUndefined({
    ...toCamelCase(fields),
    publishedAt: toDateIfPresent(published_at),
    ...(body_i18n && (await renderBodies(storeId, body_i18n))),
  })
