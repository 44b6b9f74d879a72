import type { Knex } from 'knex'
import { storeTable } from '#migrations/support/store-table.ts'

/** Uploaded images, and their bytes until a worker has made the files. */
export async function up(knex: Knex) {
  await storeTable(
    knex,
    'images',
    `id uuid not null,
     name text not null,
     status text not null check (status in ('processing', 'ready', 'failed')),
     content_type text not null,
     bytes integer not null,
     -- The bytes of the files; until a worker has made these, the bytes of the upload.
     stored_bytes integer not null,
     width integer not null,
     height integer not null,
     files jsonb not null default '[]',
     failure_reason text,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     primary key (store_id, id)`,
  )
  await storeTable(
    knex,
    'image_uploads',
    `image_id uuid not null,
     position integer not null,
     bytes bytea not null,
     primary key (store_id, image_id, position),
     foreign key (store_id, image_id) references images (store_id, id) on delete cascade`,
  )
  await knex.raw(`
    create index on images (store_id, created_at, id);
    -- For the sum of a store's bytes, which is limited.
    create index on images (store_id) include (stored_bytes);
    -- Do not compress the uploads, because images are compressed already.
    alter table image_uploads alter column bytes set storage external;
  `)
}
