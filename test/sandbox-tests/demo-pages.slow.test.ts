import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seedPages } from '#migrations/seeds/demo-pages.ts'
import { DEMO_STORES } from '#migrations/seeds/demo-stores.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { request } from '#test/support/processes/app.ts'
import { assertSafe } from '#test/support/requests/safe-html.ts'

for (const { slug, languages } of DEMO_STORES)
  test(`${slug} has an imprint, terms and a page on shipping in each of its languages`, async () => {
    const store = await buildStore({ languages })
    await seedPages({ id: store.id, slug })
    const titles = new Set<string>()

    const { data: links } = await request('GET /pages?position=footer', { store })

    assert.deepEqual(
      links.map((link: { slug: string }) => link.slug),
      ['imprint', 'terms', 'shipping'],
    )
    for (const link of links)
      for (const language of languages ?? []) {
        const { data } = await request(`GET /pages/${link.slug}`, {
          store,
          headers: { 'Accept-Language': language },
        })
        assertSafe(data.body_html)
        titles.add(data.title)
      }
    assert.equal(titles.size, 3 * (languages?.length ?? 0))
  })
