import type { Knex } from 'knex'
import { storeTable } from '#migrations/support/store-table.ts'

/** The wishlists of customers, and questions about products. */
export async function up(knex: Knex) {
  await storeTable(
    knex,
    'wishlist_items',
    `id uuid not null,
     customer_id uuid not null,
     product_id uuid not null,
     created_at timestamptz not null,
     primary key (store_id, id),
     unique (store_id, customer_id, product_id),
     foreign key (store_id, customer_id) references customers (store_id, id) on delete cascade,
     foreign key (store_id, product_id) references products (store_id, id) on delete cascade`,
  )
  await knex.raw(`
    create index on wishlist_items (store_id, customer_id, created_at desc, id desc);
    create index on wishlist_items (store_id, product_id);
  `)
  await storeTable(
    knex,
    'product_questions',
    `id uuid not null,
     product_id uuid not null,
     customer_id uuid,
     author_name text not null,
     author_email text not null,
     language text not null,
     body text not null,
     status text not null check (status in ('pending', 'approved', 'rejected')),
     answer_body text,
     answered_at timestamptz,
     answer_mailed_at timestamptz,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     primary key (store_id, id),
     foreign key (store_id, product_id) references products (store_id, id) on delete cascade,
     foreign key (store_id, customer_id) references customers (store_id, id) on delete set null (customer_id),
     check ((answer_body is null) = (answered_at is null))`,
  )
  await knex.raw(`
    create index product_questions_shown on product_questions (store_id, product_id, created_at desc, id desc)
      where status = 'approved';
    create index on product_questions (store_id, created_at desc, id desc);
    create index on product_questions (store_id, product_id);
    create index on product_questions (store_id, customer_id);
  `)
  await questionWords(knex)
}

async function questionWords(knex: Knex) {
  // Row-level security keeps PostgreSQL from using trigram indexes. Searches compare texts by this primary key.
  await storeTable(
    knex,
    'question_words',
    `word text collate "C" not null,
     question_id uuid not null,
     -- Staff without the right to customers do not find words of authors' addresses.
     is_address boolean not null default false,
     primary key (store_id, word, question_id, is_address),
     foreign key (store_id, question_id) references product_questions (store_id, id) on delete cascade`,
  )
  await knex.raw('create index on question_words (store_id, question_id)')
}
