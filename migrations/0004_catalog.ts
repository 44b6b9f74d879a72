import type { Knex } from 'knex'
import { overAllStores } from '#migrations/support/over-all-stores.ts'
import { storeTable } from '#migrations/support/store-table.ts'
import { hourSql } from '#shared/inventory/stock-level.ts'

/** Products, variants, categories, manufacturers and stock statuses, and the words by which searches find products. */
export async function up(knex: Knex) {
  await knex.raw('create extension if not exists pg_trgm; create extension if not exists unaccent')
  await manufacturers(knex)
  await stockStatuses(knex)
  await categories(knex)
  await products(knex)
  await productWords(knex)
  await productLexemes(knex)
  await wordTrigrams(knex)
  await productVariants(knex)
  await productCategories(knex)
  await overAllStores(knex, 'next_price_changes', {
    args: 'due_before timestamptz',
    columns: 'store_id uuid, changes_at timestamptz',
    query: `select store, min(p.price_changes_at) from products p
      where p.store_id = store and p.price_changes_at <= due_before having count(*) > 0`,
  })
}

async function manufacturers(knex: Knex) {
  await storeTable(
    knex,
    'manufacturers',
    `id uuid not null,
     name text not null,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     primary key (store_id, id),
     unique (store_id, name)`,
  )
}

async function stockStatuses(knex: Knex) {
  await storeTable(
    knex,
    'stock_statuses',
    `id uuid not null,
     name_i18n jsonb not null,
     name_key text not null,
     position integer not null default 0,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     primary key (store_id, id),
     unique (store_id, name_key)`,
  )
}

async function categories(knex: Knex) {
  await storeTable(
    knex,
    'categories',
    `id uuid not null,
     parent_id uuid,
     slug text not null,
     name_i18n jsonb not null,
     description_i18n jsonb not null default '{}',
     position integer not null default 0,
     is_active boolean not null default true,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     primary key (store_id, id),
     unique (store_id, slug),
     foreign key (store_id, parent_id) references categories (store_id, id)`,
  )
  await knex.raw('create index on categories (store_id, parent_id)')
}

async function products(knex: Knex) {
  await storeTable(
    knex,
    'products',
    `id uuid not null,
     slug text not null,
     sku text,
     name_i18n jsonb not null,
     description_i18n jsonb not null default '{}',
     seo jsonb not null default '{}',
     manufacturer_id uuid,
     tax_class_id uuid,
     stock_status_id uuid,
     price_minor bigint not null check (price_minor >= 0),
     current_price_minor bigint not null default 0,
     price_changes_at timestamptz,
     weight_grams integer check (weight_grams >= 0),
     dimensions jsonb,
     options jsonb not null default '[]',
     images jsonb not null default '[]',
     tags text[] not null default '{}',
     metadata jsonb not null default '{}',
     is_active boolean not null default true,
     search tsvector not null default '',
     search_name text not null default '',
     created_at timestamptz not null,
     updated_at timestamptz not null,
     deleted_at timestamptz,
     primary key (store_id, id),
     foreign key (store_id, manufacturer_id) references manufacturers (store_id, id),
     foreign key (store_id, stock_status_id) references stock_statuses (store_id, id)`,
  )
  await knex.raw(`
    create unique index products_slug on products (store_id, slug) where deleted_at is null;
    create unique index products_sku on products (store_id, sku) where deleted_at is null;
    create index products_listed on products (store_id, created_at desc, id) where is_active and deleted_at is null;
    create index products_admin on products (store_id, created_at, id) where deleted_at is null;
    create index products_deleted on products (store_id, created_at, id) where deleted_at is not null;
    create index products_updated on products (store_id, updated_at, id);
    create index products_made_by on products (store_id, manufacturer_id) where manufacturer_id is not null;
    create index products_stock_status on products (store_id, stock_status_id) where stock_status_id is not null;
    create index products_priced on products (store_id, current_price_minor, id) where is_active and deleted_at is null;
    create index products_repriced on products (store_id, price_changes_at) where price_changes_at is not null;
  `)
}

async function productWords(knex: Knex) {
  await storeTable(
    knex,
    'product_words',
    `word text not null,
     product_id uuid not null,
     primary key (store_id, word, product_id),
     foreign key (store_id, product_id) references products (store_id, id)`,
  )
  await knex.raw('create index on product_words (store_id, product_id)')
}

async function productLexemes(knex: Knex) {
  // No foreign key: one statement writes the lexemes of many products, and checking each row would cost more than
  // inserting it.
  await storeTable(
    knex,
    'product_lexemes',
    `lexeme text not null,
     product_id uuid not null,
     primary key (store_id, lexeme, product_id)`,
  )
  await knex.raw('create index on product_lexemes (store_id, product_id)')
}

async function wordTrigrams(knex: Knex) {
  await storeTable(
    knex,
    'word_trigrams',
    `trigram text not null,
     word text not null,
     primary key (store_id, trigram, word)`,
  )
}

async function productVariants(knex: Knex) {
  await storeTable(
    knex,
    'product_variants',
    `id uuid not null,
     product_id uuid not null,
     sku text not null,
     position integer not null,
     option_values jsonb not null default '{}',
     metadata jsonb not null default '{}',
     price_minor bigint check (price_minor >= 0),
     sale_price_minor bigint check (sale_price_minor >= 0),
     sale_starts_at timestamptz,
     sale_ends_at timestamptz,
     barcode text,
     weight_grams integer check (weight_grams >= 0),
     stock_on_hand integer not null default 0,
     stock_allocated integer not null default 0 check (stock_allocated >= 0),
     stock_held integer not null default 0 check (stock_held >= 0),
     stock_changed_at timestamptz,
     -- Indexed instead of the time, so that most changes of stock write no index.
     stock_changed_hour integer generated always as (${hourSql('stock_changed_at')}) stored,
     backorder boolean not null default false,
     is_active boolean not null default true,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     deleted_at timestamptz,
     primary key (store_id, id),
     foreign key (store_id, product_id) references products (store_id, id),
     check (sale_ends_at > sale_starts_at)`,
  )
  await knex.raw(`
    create unique index product_variants_sku on product_variants (store_id, sku) where deleted_at is null;
    create index product_variants_product on product_variants (store_id, product_id, position);
    create index product_variants_stock_changed on product_variants (store_id, stock_changed_hour, product_id)
      where stock_changed_hour is not null;
  `)
}

async function productCategories(knex: Knex) {
  await storeTable(
    knex,
    'product_categories',
    `product_id uuid not null,
     category_id uuid not null,
     primary key (store_id, product_id, category_id),
     foreign key (store_id, product_id) references products (store_id, id),
     foreign key (store_id, category_id) references categories (store_id, id)`,
  )
  await knex.raw('create index on product_categories (store_id, category_id, product_id)')
}
