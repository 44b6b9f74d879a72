const at = '2026-10-11T09:30:00.000Z'
const body = '## Parcels\n\nWe ship within **two days**.'

export const newPageExample = {
  slug: 'shipping',
  title_i18n: { en: 'Shipping', de: 'Versand' },
  body_i18n: { en: body },
  position: 'footer',
  sort_order: 3,
}

export const listedPageExample = {
  id: '01993a10-4b1c-7d2e-9f3a-6c5b4d3e2f10',
  slug: newPageExample.slug,
  title_i18n: newPageExample.title_i18n,
  position: newPageExample.position,
  sort_order: newPageExample.sort_order,
  is_active: true,
  published_at: at,
  created_at: at,
  updated_at: at,
}

export const pageExample = { ...listedPageExample, body_i18n: newPageExample.body_i18n, seo: {} }

export const pageLinkExample = {
  id: pageExample.id,
  slug: pageExample.slug,
  title: 'Shipping',
  position: pageExample.position,
  sort_order: pageExample.sort_order,
  published_at: at,
  updated_at: at,
}

export const publishedPageExample = {
  ...pageLinkExample,
  body_markdown: body,
  body_html: '<h2>Parcels</h2>\n<p>We ship within <strong>two days</strong>.</p>\n',
  seo: { title: '', description: '' },
  created_at: at,
}
