import { createContentPage, type NewPage } from '#shared/content-pages/create-content-page.ts'
import { renderBodies } from '#shared/content-pages/render-bodies.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { nextNumber } from '#test/support/builders/store.ts'

interface Given extends Partial<Omit<NewPage, 'htmlI18n' | 'renderer'>> {}

/** A page. Default: published, in English. */
export async function buildContentPage(
  store: { id: string },
  { bodyI18n = { en: 'We ship **worldwide**.' }, ...given }: Given = {},
): Promise<{ id: string; slug: string; title: string }> {
  const title = `Page ${nextNumber()}`
  const rendered = await renderBodies(store.id, bodyI18n)
  const draft = { titleI18n: { en: title }, ...given, ...rendered }
  const { id, slug } = await inStore(store.id, (tx) =>
    createContentPage(tx, { defaultLanguage: 'en' }, draft),
  )
  return { id, slug, title }
}
