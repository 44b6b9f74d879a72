import type { Knex } from 'knex'
import { overAllStores } from '#migrations/support/over-all-stores.ts'
import { storeTable } from '#migrations/support/store-table.ts'

/** Information pages: imprint, terms, shipping. */
export async function up(knex: Knex) {
  await storeTable(
    knex,
    'content_pages',
    `id uuid not null,
     slug text not null,
     title_i18n jsonb not null,
     body_i18n jsonb not null,
     html_i18n jsonb not null,
     renderer text not null,
     seo jsonb not null default '{}',
     position text not null check (position in ('footer', 'header', 'none')),
     sort_order integer not null default 0,
     is_active boolean not null default true,
     published_at timestamptz,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     primary key (store_id, id),
     constraint content_pages_slug unique (store_id, slug)`,
  )
  await knex.raw(`
    create index on content_pages (store_id, sort_order, slug);
    create index on content_pages (store_id, renderer);
  `)
  await overAllStores(knex, 'pages_of_other_renderers', {
    args: 'renderer text, max_rows integer',
    columns: 'store_id uuid, page_id uuid',
    query: `select p.store_id, p.id from content_pages p
      where p.store_id = store and p.renderer <> pages_of_other_renderers.renderer
      limit max_rows`,
  })
}
