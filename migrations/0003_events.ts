import type { Knex } from 'knex'
import { ALL_STORES_SETTINGS, LEAVE_STORES, OUTSIDE_STORES } from '#migrations/support/over-all-stores.ts'
import { storeTable } from '#migrations/support/store-table.ts'

/** Events in the order of their publication, webhooks, and their deliveries with each attempt. */
export async function up(knex: Knex) {
  await events(knex)
  await eventSequences(knex)
  await webhooks(knex)
  await webhookDeliveries(knex)
  await webhookAttempts(knex)
}

async function events(knex: Knex) {
  await storeTable(
    knex,
    'events',
    `id uuid not null,
     type text not null,
     -- The resource that the event is about.
     subject_id uuid,
     data jsonb not null,
     position bigint not null generated always as identity,
     sequence bigint,
     created_at timestamptz not null,
     published_at timestamptz,
     primary key (store_id, id),
     unique (store_id, sequence)`,
  )
  // The database counts insertions in `position`. So of two changes of one row, the later one's event has the higher
  // position, even if the clocks of two processes differ.
  await knex.raw('create index events_unpublished on events (store_id, position) where sequence is null')
  await knex.raw('create index on events (store_id, subject_id) where subject_id is not null')
  // Callers read events of some types. Without this index, rare types would cost a scan of all events.
  await knex.raw(
    'create index events_by_type on events (store_id, type, sequence) where sequence is not null',
  )
}

async function eventSequences(knex: Knex) {
  await storeTable(knex, 'event_sequences', 'last bigint not null, primary key (store_id)')
}

async function webhooks(knex: Knex) {
  await storeTable(
    knex,
    'webhooks',
    `id uuid not null,
     url text not null,
     events text[] not null,
     description text,
     is_active boolean not null default true,
     secret_sealed text not null,
     previous_secret_sealed text,
     previous_secret_until timestamptz,
     failing_since timestamptz,
     is_slow boolean not null default false,
     disabled_reason text check (disabled_reason in ('gone', 'failing')),
     created_by uuid,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     deleted_at timestamptz,
     primary key (store_id, id)`,
  )
  await knex.raw('create index webhooks_existing on webhooks (store_id) where deleted_at is null')
  await knex.raw(COUNT_RECEIVERS)
}

// Counts the webhooks of the current store that an event of a type is sent to. Patterns are event types, `order.*` or
// `*`.
const COUNT_RECEIVERS = `
  create function count_receivers(type text) returns integer language sql stable as $$
    select count(*)::integer from webhooks w
    where w.store_id = current_setting('app.store_id')::uuid and w.deleted_at is null and w.is_active
      and exists (select 1 from unnest(w.events) pattern
                  where pattern in ('*', type) or (pattern like '%.*' and starts_with(type, left(pattern, -1))))
  $$`

async function webhookDeliveries(knex: Knex) {
  await storeTable(
    knex,
    'webhook_deliveries',
    `id uuid not null,
     webhook_id uuid not null,
     event_id uuid not null,
     event_type text not null,
     status text not null check (status in ('pending', 'succeeded', 'failed', 'exhausted')),
     attempt_count integer not null default 0,
     next_attempt_at timestamptz,
     job_id uuid,
     created_at timestamptz not null,
     primary key (store_id, id),
     check ((status = 'pending') = (next_attempt_at is not null)),
     unique (store_id, webhook_id, event_id),
     foreign key (store_id, webhook_id) references webhooks (store_id, id),
     foreign key (store_id, event_id) references events (store_id, id)`,
  )
  await knex.raw('create index on webhook_deliveries (store_id, event_id)')
  // A pending delivery is queued, with a job, or held until its webhook has fewer jobs.
  await knex.raw(`create index webhook_deliveries_queued on webhook_deliveries
    (store_id, webhook_id, next_attempt_at) where status = 'pending' and job_id is not null`)
  await knex.raw(`create index webhook_deliveries_held on webhook_deliveries
    (store_id, webhook_id, next_attempt_at, id) where status = 'pending' and job_id is null`)
  await knex.raw(`create index webhook_deliveries_held_by_store on webhook_deliveries
    (store_id, next_attempt_at) where status = 'pending' and job_id is null`)
}

async function webhookAttempts(knex: Knex) {
  await storeTable(
    knex,
    'webhook_attempts',
    `id uuid not null,
     delivery_id uuid not null,
     at timestamptz not null,
     status_code integer,
     duration_ms integer not null,
     error text,
     response_excerpt text,
     primary key (store_id, delivery_id, id),
     foreign key (store_id, delivery_id) references webhook_deliveries (store_id, id)`,
  )
  await knex.raw(STORES_WITH_OVERDUE_WORK)
  await knex.raw(HELD_WEBHOOK_DELIVERIES)
}

// Row-level security allows no query over all stores, so this function reads one store after another, in one call. Each
// store costs a few probes of partial indexes, which contain only outstanding work and so are nearly empty. The number
// of a store's webhooks does not matter.
const STORES_WITH_OVERDUE_WORK = `
  create function stores_with_overdue_work(after uuid, most integer, due_before timestamptz, held_before timestamptz)
  returns table (store_id uuid, is_overdue boolean) language plpgsql ${ALL_STORES_SETTINGS} as $$
  declare
    store uuid;
  begin ${OUTSIDE_STORES}
    for store in select s.id from stores s where s.id > after order by s.id limit most loop
      perform set_config('app.store_id', store::text, true);
      store_id := store;
      is_overdue :=
        exists (select 1 from events e
                where e.store_id = store and e.sequence is null and e.created_at < due_before)
        or exists (select 1 from webhook_deliveries d
                   where d.store_id = store and d.status = 'pending' and d.job_id is not null
                     and d.next_attempt_at < due_before)
        or (select min(d.next_attempt_at) from webhook_deliveries d
            where d.store_id = store and d.status = 'pending' and d.job_id is null) <= held_before;
      return next;
    end loop;
    ${LEAVE_STORES}
  end $$`

// Counts the held deliveries of each store, up to `most_per_store`, in the index of held deliveries. The order and the
// settings make PostgreSQL use that index.
const HELD_WEBHOOK_DELIVERIES = `
  create function held_webhook_deliveries(after uuid, most integer, most_per_store integer)
  returns table (store_id uuid, held integer) language plpgsql ${ALL_STORES_SETTINGS}
    set enable_bitmapscan = off
    set enable_sort = off as $$
  begin ${OUTSIDE_STORES}
    for store_id in select s.id from stores s where s.id > after order by s.id limit most loop
      perform set_config('app.store_id', store_id::text, true);
      held := (
        select count(*) from (
          select from webhook_deliveries d
          where d.store_id = held_webhook_deliveries.store_id and d.status = 'pending' and d.job_id is null
          order by d.store_id, d.webhook_id, d.next_attempt_at, d.id limit most_per_store) one);
      return next;
    end loop;
    ${LEAVE_STORES}
  end $$`
