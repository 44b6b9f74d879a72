import assert from 'node:assert/strict'
import { test } from 'node:test'
import { db } from '#shared/platform/db/db.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { ownStore } from '#shared/stores/store.ts'
import { blankComments, methodsOfChain } from '#test/rules/support/source-text.ts'
import { readSources, type SourceFile } from '#test/rules/support/sources.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { superuser } from '#test/support/database.ts'

/**
 * Tables whose rows of all stores can be read: the platform's own, and those that a request reads before its store is
 * known. Of these, `stores` alone has row-level security, for changes.
 */
const PLATFORM_TABLES = [
  'stores',
  'catalog_versions',
  'store_domains',
  'publishable_keys',
  'publishable_key_origins',
  'staff_directory',
  'payment_references',
  'notification_cursors',
  'rate_limits',
  'throttle_slots',
  'throttle_suspensions',
  'metric_figures',
  'visitor_salts',
  'super_admins',
  'super_admin_sessions',
  'super_admin_two_factor',
  'super_admin_recovery_codes',
  'platform_audit_entries',
  'platform_audit_heads',
  'platform_audit_checks',
  'platform_daily_figures',
  'platform_reconciliations',
]
const MIGRATION_TABLES = ['knex_migrations', 'knex_migrations_lock', 'migration_checksums']

interface Table {
  name: string
  has_store: boolean
  forced: boolean
  policies: string[]
}

async function tables(): Promise<Table[]> {
  const { rows } = await superuser.query<Table>(`
    select c.relname as name,
      exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'store_id' and a.attnotnull) as has_store,
      c.relrowsecurity and c.relforcerowsecurity as forced,
      array(select p.qual || ' / ' || p.with_check from pg_policies p where p.tablename = c.relname) as policies
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1`)
  return rows
}

const storeTables = async () =>
  (await tables()).filter(({ name }) => ![...PLATFORM_TABLES, ...MIGRATION_TABLES].includes(name))

test('every table of stores has a store_id and a forced policy on it', async () => {
  const own = "(store_id = (current_setting('app.store_id'::text))::uuid)"
  const wrong = (await storeTables()).filter(
    ({ has_store, forced, policies }) => !has_store || !forced || policies.join() !== `${own} / ${own}`,
  )
  assert.deepEqual(
    wrong.map(({ name }) => name),
    [],
  )
})

/**
 * The uses of tables that have a store_id and no row-level security, apart from those by their models, which select the
 * store themselves. Each file has this many uses. They find a store that is not known yet, or name the store.
 */
const USES_WITHOUT_ROW_LEVEL_SECURITY: Record<string, { uses: number; why: string }> = {
  'shared/payments/payment-references.ts': { uses: 3, why: 'finds the store of a notification; inserts' },
  'shared/platform/cache/catalog-version.ts': { uses: 3, why: 'reads and raises the version by store_id' },
  'shared/reconciliation/outcome.ts': { uses: 3, why: 'sums up the platform for operators' },
  'shared/staff/principal.ts': { uses: 2, why: 'finds the store of a sign-in' },
  'shared/staff/staff-email.ts': { uses: 5, why: 'claims an address on the platform; frees it by store_id' },
  'shared/stores/domains/store-domain.ts': { uses: 1, why: 'takes a name from deleted stores' },
  'shared/stores/find-store.ts': { uses: 2, why: 'finds the store of a request' },
  'shared/stores/publishable-keys/origin.ts': { uses: 2, why: 'asks whether any store accepts an origin' },
  'shared/super-admin/read-figures.ts': { uses: 2, why: 'reads all stores for super-admins' },
  'shared/super-admin/roll-up-store.ts': { uses: 1, why: 'counts each store for super-admins' },
}

const openTables = async (): Promise<string[]> =>
  (await tables())
    .filter(({ name, has_store }) => has_store && PLATFORM_TABLES.includes(name))
    .map(({ name }) => name)

function usesOf(names: readonly string[], files: readonly SourceFile[]): Record<string, number> {
  const use = new RegExp(`(?<!tableName = ')\\b(?:${names.join('|')})\\b`, 'g')
  const counted = files.map(
    ({ path, text }) => [path, [...blankComments(text).matchAll(use)].length] as const,
  )
  return Object.fromEntries(counted.filter(([, uses]) => uses > 0))
}

test('a table with a store and without row-level security is used in the listed places alone', async () => {
  const files = (await Promise.all(['api', 'shared', 'workers'].map(readSources))).flat()
  const listed = Object.entries(USES_WITHOUT_ROW_LEVEL_SECURITY).map(([path, { uses }]) => [path, uses])

  const used = usesOf(await openTables(), files)

  assert.deepEqual(used, Object.fromEntries(listed))
})

test('control: the rule finds a query of the publishable keys of all stores', async () => {
  const text = "// publishable_keys\nexport const all = (tx: StoreTx) => tx.knex('publishable_keys').select()"
  assert.deepEqual(usesOf(await openTables(), [{ path: 'shared/x.ts', text }]), { 'shared/x.ts': 1 })
})

/** The queries of `stores` in transactions. Each file has this many. All others begin with `ownStore`. */
const QUERIES_OF_STORES: Record<string, { queries: number; why: string }> = {
  'shared/stores/domains/store-domain.ts': { queries: 1, why: 'reads which stores are deleted' },
  'shared/stores/lifecycle/create-store.ts': { queries: 1, why: 'inserts the store' },
  'shared/stores/list-stores.ts': { queries: 1, why: 'lists all stores for super-admins' },
  'shared/stores/publishable-keys/issue-publishable-key.ts': {
    queries: 1,
    why: 'reads its store, below the folder of ownStore',
  },
  'shared/stores/store.ts': { queries: 2, why: 'defines ownStore; locks a closed store of any member' },
}

const queriesOfStores = (files: readonly SourceFile[]): Record<string, number> => {
  const query = /\bknex(?:<\w+>)?\(\s*['"`]stores['"`]|\b(?:update|delete from|insert into) stores\b/gi
  const counted = files.map(
    ({ path, text }) => [path, [...blankComments(text).matchAll(query)].length] as const,
  )
  return Object.fromEntries(counted.filter(([, queries]) => queries > 0))
}

test('a transaction queries the table `stores` by `ownStore`, or in the listed places', async () => {
  const files = (await Promise.all(['api', 'shared', 'workers'].map(readSources))).flat()
  const listed = Object.entries(QUERIES_OF_STORES).map(([path, { queries }]) => [path, queries])
  assert.deepEqual(queriesOfStores(files), Object.fromEntries(listed))
})

test('control: the rule finds a change of all stores', () => {
  const text = [
    "// knex('stores')",
    "export const rename = (tx: StoreTx) => tx.knex('stores').update({ name: 'x' })",
    'export const RENAME = "update stores set name = \'x\'"',
  ]
  assert.deepEqual(queriesOfStores([{ path: 'shared/x.ts', text: text.join('\n') }]), { 'shared/x.ts': 2 })
})

test("a transaction of a store changes no other store's row of `stores`, even without a `where`", async () => {
  const [store, other] = [await buildStore(), await buildStore()]
  const isRefused = /violates row-level security policy for table "stores"/
  const row = (await superuser.query('select * from stores where id = $1', [other.id])).rows[0]
  const copy = { ...row, id: newId(), slug: 'copy' }

  await assert.rejects(
    inStore(store.id, ({ knex }) => knex('stores').update({ name: 'Changed' })),
    isRefused,
  )
  await assert.rejects(
    inStore(store.id, ({ knex }) => knex('stores').insert(copy)),
    isRefused,
  )
  const deleted = await inStore(store.id, ({ knex }) => knex('stores').where('id', other.id).delete())

  assert.equal(deleted, 0)
  const { rows } = await superuser.query('select * from stores where id = $1', [other.id])
  assert.deepEqual(rows, [row])
})

test('control: a transaction of a store changes its own row of `stores`', async () => {
  const { id } = await buildStore()

  assert.equal(await inStore(id, (tx) => ownStore(tx).update({ name: 'Changed' })), 1)

  const { rows } = await superuser.query('select name from stores where id = $1', [id])
  assert.deepEqual(rows, [{ name: 'Changed' }])
})

/** The queries by models that do not begin with `Model.in(tx)`, and so select no store. */
const queriesWithoutStore = (files: readonly SourceFile[]): string[] =>
  files
    .filter(({ path }) => path !== 'shared/platform/db/model.ts')
    .flatMap(({ path, text }) =>
      [...blankComments(text).matchAll(/\b[A-Z]\w*\.query\(|\.\$query\(|\.\$?relatedQuery\(/g)].map(
        ([found]) => `${path}: ${found}`,
      ),
    )

test('a model is queried by `in(tx)` alone, which selects the store', async () => {
  const files = (await Promise.all(['api', 'shared', 'workers'].map(readSources))).flat()
  assert.deepEqual(queriesWithoutStore(files), [])
})

test('control: the rule finds a query that changes the keys of all stores', () => {
  const text = "export const rename = (tx: StoreTx) => PublishableKey.query(tx.knex).patch({ name: 'x' })"
  assert.deepEqual(queriesWithoutStore([{ path: 'shared/x.ts', text }]), [
    'shared/x.ts: PublishableKey.query(',
  ])
})

/** The chains from `Model.in(tx)` with an `or` beside the condition of the store, which is added to their end. */
const orsBesideStore = (files: readonly SourceFile[]): string[] =>
  files.flatMap(({ path, text }) =>
    [...text.matchAll(/\b[A-Z]\w*\.in(?=\()/g)].flatMap(({ 0: found, index }) =>
      methodsOfChain(text, index + found.length)
        .filter((method) => method.startsWith('or') && method !== 'orderBy' && method !== 'orderByRaw')
        .map((method) => `${path}: ${found}(…).${method}`),
    ),
  )

test('an `or` of a query by a model stands in a `where` of its own', async () => {
  const files = (await Promise.all(['api', 'shared', 'workers'].map(readSources))).flat()
  assert.deepEqual(orsBesideStore(files), [])
})

test('control: the rule finds an `or` that reads the keys of all stores', () => {
  const text = "const all = PublishableKey.in(tx).whereNull('a').orWhere('b', 1)"
  const own =
    "const own = PublishableKey.in(tx).where((end) => end.whereNull('a').orWhere('b', 1)).orderBy('c')"
  assert.deepEqual(orsBesideStore([{ path: 'shared/x.ts', text: `${text}\n${own}` }]), [
    'shared/x.ts: PublishableKey.in(…).orWhere',
  ])
})

/** The files outside `platform` that use the pool, which knows no store, and why. */
const USES_OF_THE_POOL: Record<string, string> = {
  'api/server.ts': 'closes it',
  'workers/main.ts': 'closes it',
  'workers/commands/close-sessions.ts': 'closes it',
  'workers/commands/rebuild-reports.ts': 'closes it',
  'workers/commands/reconcile.ts': 'closes it',
  'workers/commands/reencrypt-secrets.ts': 'closes it',
  'workers/commands/upsert-super-admin.ts': 'closes it',
  'workers/commands/verify-audit.ts': 'closes it',
  'shared/audit/chain-check.ts': 'a table of the platform',
  'shared/content-pages/rerender-pages.ts': 'a function over all stores',
  'shared/payments/notifications/notification-cursor.ts': 'a table of the platform',
  'shared/payments/payment-references.ts': 'finds the store of a notification',
  'shared/reconciliation/outcome.ts': 'a table of the platform',
  'shared/stores/find-due-rows.ts': 'functions over all stores',
  'shared/stores/isolate-store-failures.ts': 'asks whether the database responds',
  'shared/stores/lifecycle/purge-store.ts': 'the list of the stores',
  'shared/stores/lifecycle/store-tables.ts': 'the catalog of PostgreSQL',
  'shared/stores/list-stores.ts': 'the list of the stores',
  'shared/stores/walk-store-ids.ts': 'the list of the stores',
  'shared/super-admin/read-figures.ts': 'figures of the platform',
  'shared/visits/daily-salt.ts': 'a table of the platform',
  'shared/webhooks/deliveries/count-held-deliveries.ts': 'a function over all stores',
  'shared/webhooks/deliveries/find-overdue-stores.ts': 'a function over all stores',
  'workers/audit/verify-audit-logs.ts': 'a table of the platform',
  'workers/audit/audit-logs.ts': 'a table of the platform',
}

test('only the listed files outside `platform` import the connection pool', async () => {
  const files = (await Promise.all(['api', 'shared', 'workers'].map(readSources))).flat()

  const using = files
    .filter(
      ({ path, text }) => !/^\w+\/platform\//.test(path) && text.includes("'#shared/platform/db/db.ts'"),
    )
    .map(({ path }) => path)

  assert.deepEqual(using.sort(), Object.keys(USES_OF_THE_POOL).sort())
})

test('an SQL function over all stores refuses the transaction of a store', async () => {
  const store = await buildStore()
  const { rows } = await superuser.query<{ name: string; parameters: number }>(
    `select proname as name, pronargs as parameters from pg_proc
     where pronamespace = 'public'::regnamespace and prosrc like '%set_config(''app.store_id''%'`,
  )
  assert.ok(rows.length >= 12, `found only ${rows.length} functions`)
  for (const { name, parameters } of rows) {
    const call = `select * from ${name}(${Array(parameters).fill('null').join(', ')})`

    await db().raw(call)
    await assert.rejects(
      inStore(store.id, (tx) => tx.knex.raw(call)),
      /outside the transaction of a store/,
      name,
    )
  }
})

test('an SQL function over all stores has the settings for one plan, index reads and one process', async () => {
  const { rows } = await superuser.query<{ name: string; settings: string[] }>(
    `select proname as name, proconfig as settings from pg_proc
     where pronamespace = 'public'::regnamespace and prosrc like '%set_config(''app.store_id''%'`,
  )
  assert.ok(rows.length >= 12, `found only ${rows.length} functions`)
  for (const { name, settings } of rows)
    assert.deepEqual(
      [
        'plan_cache_mode=force_generic_plan',
        'enable_seqscan=off',
        'max_parallel_workers_per_gather=0',
      ].filter((setting) => !settings?.includes(setting)),
      [],
      name,
    )
})

test('only the room of the database and the functions over all stores set the store of a transaction', async () => {
  const files = (await Promise.all(['api', 'shared', 'workers', 'migrations'].map(readSources))).flat()

  const setting = files
    .filter(({ text }) => /(set_config\(\s*'|set (local |session )?)app\.store_id/.test(text))
    .map(({ path }) => path)

  assert.deepEqual(setting.sort(), [
    'migrations/0003_events.ts',
    'migrations/0010_geo_tax.ts',
    'migrations/support/over-all-stores.ts',
    'shared/platform/db/knex-internals.ts',
    'shared/platform/db/pipelined-query.ts',
  ])
})

test('primary, unique and foreign keys begin with store_id', async () => {
  const names = (await storeTables()).map(({ name }) => name)
  const { rows } = await db().raw(
    `select c.relname || '.' || x.relname as key from pg_index i
       join pg_class c on c.oid = i.indrelid join pg_class x on x.oid = i.indexrelid
       join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
     where i.indisunique and c.relname = any(?) and a.attname <> 'store_id'
     union all
     select conrelid::regclass || '.' || conname from pg_constraint k
       join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
     where contype = 'f' and conrelid::regclass::text = any(?) and a.attname <> 'store_id'`,
    [names, names],
  )
  assert.deepEqual(rows, [])
})

test('every row of a store refers to its store, or to another row of the store', async () => {
  const names = (await storeTables()).map(({ name }) => name)
  const { rows } = await db().raw(
    `select name from unnest(?::text[]) name where not exists (
       select from pg_constraint k
       where k.contype = 'f' and k.conrelid = name::regclass and (
         k.confrelid = 'stores'::regclass
         or k.confrelid <> k.conrelid and not exists (
           select from pg_attribute a
           where a.attrelid = k.conrelid and a.attnum = any(k.conkey) and not a.attnotnull)))`,
    [names],
  )
  assert.deepEqual(rows, [])
})

test('a query without a store throws for every table of stores', async () => {
  for (const { name } of await storeTables())
    await assert.rejects(
      db().raw(`select * from ${name} limit 1`),
      /app\.store_id|invalid input syntax for type uuid/,
      name,
    )
})

test('the role of the application is neither superuser nor BYPASSRLS', async () => {
  const { rows } = await db().raw('select rolsuper, rolbypassrls from pg_roles where rolname = current_user')
  assert.deepEqual(rows, [{ rolsuper: false, rolbypassrls: false }])
})
