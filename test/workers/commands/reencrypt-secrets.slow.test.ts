import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { deleteSecondFactor, findTwoFactor, sealerOf } from '#shared/identity/two-factor/two-factor.ts'
import '#test/support/database.ts'
import { Webhook } from 'standardwebhooks'
import { allSecrets } from '#shared/all-secrets.ts'
import { platformChain } from '#shared/audit/chain.ts'
import { verifyChain } from '#shared/audit/verify-chain.ts'
import { db } from '#shared/platform/db/db.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { log } from '#shared/platform/log.ts'
import { type ReencryptCounts, reencryptKind } from '#shared/platform/secrets/reencrypt-kind.ts'
import { newestSealPrefix } from '#shared/platform/secrets/seal.ts'
import { DAY_MS } from '#shared/platform/time/clock.ts'
import { RIGHTS } from '#shared/staff/rights.ts'
import { rotateSecret } from '#shared/webhooks/rotate-secret.ts'
import { openSecrets, webhookSecrets } from '#shared/webhooks/secret.ts'
import { asSuperuser, buildEntries, verify } from '#test/support/builders/audit.ts'
import { buildTill } from '#test/support/builders/remote.ts'
import { buildSecrets } from '#test/support/builders/secrets.ts'
import { type BuiltStore, buildStore } from '#test/support/builders/store.ts'
import { buildTotpSecret, buildTwoFactor, codeOf, STEP_MS } from '#test/support/builders/two-factor.ts'
import { buildVoucher } from '#test/support/builders/vouchers.ts'
import { buildReceiver, buildWebhook, deliveriesOf, moveParcel } from '#test/support/builders/webhooks.ts'
import { moveClock } from '#test/support/clock.ts'
import { whileBroken } from '#test/support/faults/break-store.ts'
import { buildKey, useKeys } from '#test/support/keys.ts'
import { request } from '#test/support/processes/app.ts'
import { buildPerson } from '#test/support/processes/identity-provider.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { Visitor } from '#test/support/processes/visitor.ts'
import { withWorker } from '#test/support/processes/with-worker.ts'
import { pending, untilOneWaits } from '#test/support/races/overlap.ts'
import { reencryptSecrets } from '#workers/commands/reencrypt-secrets.ts'
import { scopes } from '#workers/secrets/scopes.ts'

const till = await buildTill()
const receiver = await buildReceiver()

async function run() {
  const lines: string[] = []
  const code = await reencryptSecrets((line) => lines.push(line))
  return { code, lines, text: lines.join('\n') }
}

/** The command reads all stores, so each test starts without any. */
const emptyDatabase = () =>
  asSuperuser(
    `truncate stores, super_admins, platform_audit_entries, platform_audit_heads, pgboss.job cascade`,
    [],
  )

beforeEach(emptyDatabase)

/** Builds a store with all secrets encrypted by the key `old`; the newest key is `new`. */
async function buildByOldKey(name: string) {
  const [old, fresh] = [buildKey('old'), buildKey('new')]
  useKeys('ENCRYPTION_KEYS', old)
  const built = await buildSecrets(till, receiver.hookUrl(name))
  useKeys('ENCRYPTION_KEYS', fresh, old)
  return { ...built, old, fresh }
}

type Built = Awaited<ReturnType<typeof buildByOldKey>>

const LASTING = [
  'ends of audit logs: 2',
  'second factors of customers and staff: 2',
  'second factors of super-admins: 1',
  'signing secrets of webhooks: 2',
  'client secrets at identity providers: 1',
  'API keys of external catalogs: 1',
  'payout details of affiliates: 1',
  'codes of gift vouchers: 1',
  'keys of voucher codes: 1',
  'keys of audit entries: 1',
]

/** Invalidates the cached discovery and secret of each provider by changing its timestamp. */
const invalidateProviderCache = () =>
  asSuperuser("update identity_providers set updated_at = updated_at + interval '1 second'", [])

/** Signs in as customer, staff member and super-admin. */
const signIns = ({ store, customer, owner, root }: Built) =>
  [
    { line: 'POST /auth/login', account: customer, store },
    { line: 'POST /auth/login', account: owner },
    { line: 'POST /super-admin/auth/login', account: root },
  ].map(({ line, account: { email, password, secret }, ...options }) =>
    request(line, { ...options, body: { email, password, totp_code: codeOf(secret) } }),
  )

const browse = ({ owner: { token } }: Built) => withWorker(request('GET /admin/remote/catalog', { token }))

test('the command re-encrypts lasting secrets and counts the expiring ones', async () => {
  await buildByOldKey('counted')

  const { code, lines } = await run()

  assert.equal(code, 0)
  assert.deepEqual(
    lines.slice(0, LASTING.length),
    LASTING.map((line) => `${line} re-encrypted, 0 current, 0 cannot be decrypted`),
  )
  const [responses, signIns, mails, end] = lines.slice(LASTING.length)
  assert.match(
    responses ?? '',
    /^responses to idempotent requests: 1 use an older key; the last expires at \d{4}-/,
  )
  assert.match(signIns ?? '', /^started sign-ins at identity providers: 1 use an older key; /)
  assert.match(mails ?? '', /^queued mails: 1 use an older key; /)
  assert.match(end ?? '', /^Keep the older keys until/)
  assert.equal(lines.length, LASTING.length + 4)
})

test('after the command everything works with the newest key alone', async () => {
  const built = await buildByOldKey('alone')
  const { store, rotated, fresh } = built
  const person = buildPerson()
  await run()

  useKeys('ENCRYPTION_KEYS', fresh)
  await invalidateProviderCache()
  moveClock(STEP_MS)

  for (const { status } of await Promise.all(signIns(built))) assert.equal(status, 200)
  await moveParcel(store)
  await drainJobs()
  const [hook] = receiver.requests('alone').filter(({ body }) => body.includes('parcel.moved'))
  for (const secret of [rotated.secret, rotated.previous])
    new Webhook(secret).verify(hook?.body ?? '', hook?.headers as Record<string, string>)
  assert.ok((await new Visitor().signIn(store, person)).code)
  const { status, data } = await browse(built)
  assert.equal(status, 200)
  assert.ok(data.items.length > 0)
  assert.ok(till.reads(built.apiKey).length > 0)
  await buildEntries(store, 1)
  const balance = await request(`GET /vouchers/${built.voucherCode}`, { store })
  assert.equal(balance.data.code, built.voucherCode)
  assert.equal((await verify(store)).broken, null)
  assert.equal((await verifyChain(platformChain(db()))).broken, null)
})

test('after the expiring secrets have expired, the command reports that the older keys can be removed', async () => {
  await buildByOldKey('ended')
  await run()
  await drainJobs()

  moveClock(2 * DAY_MS)

  assert.deepEqual((await run()).lines.slice(LASTING.length), [
    'Only the key "new" is in use: you can remove the others.',
  ])
})

test('a missing key returns 500 server.internal and is named in the log', async (t) => {
  const built = await buildByOldKey('gone')
  const { store, rotated, passing, owner, fresh } = built
  const logged = t.mock.method(log, 'error', () => {})
  useKeys('ENCRYPTION_KEYS', fresh)
  await invalidateProviderCache()
  moveClock(STEP_MS)

  const role = { name: 'night-shift', rights: ['sales:read'] }
  const answers = await Promise.all([
    ...signIns(built),
    passing.repeated(),
    request('GET /admin/remote/catalog', { token: owner.token }),
    request('POST /admin/roles', { token: owner.token, body: role }),
  ])
  const begun = await new Visitor().begin(store).catch((error: Error) => error.message)
  const callbackUrl = await passing.visitor.signInAt(passing.providerUrl, buildPerson())
  const back = await passing.visitor.visit(callbackUrl)

  for (const { status, error_code } of answers)
    assert.deepEqual({ status, error_code }, { status: 500, error_code: 'server.internal' })
  assert.match(String(begun), /answers 500/)
  assert.equal(back.status, 500)
  const errors = logged.mock.calls.map(({ arguments: [entry] }) => (entry as unknown as { err: Error }).err)
  assert.equal(errors.length, answers.length + 2)
  for (const { message } of errors) assert.match(message, /ENCRYPTION_KEYS does not hold the key "old"/)

  await moveParcel(store)
  const failed = (await drainJobs()).filter(({ error }) => error)
  assert.deepEqual([...new Set(failed.map(({ queue }) => queue))].sort(), ['deliver-webhook', 'send-mail'])
  for (const { error } of failed) assert.match(String(error), /does not hold the key "old"/)
  const [delivery] = await deliveriesOf(store, rotated.webhook)
  assert.equal(delivery?.status, 'pending')
  assert.deepEqual(delivery?.attempts, [])
})

test('a secret that cannot be decrypted is listed, and the others are re-encrypted', async () => {
  const { store, customer, owner, rotated } = await buildByOldKey('unopened')
  const lost = await asSuperuser(
    "update identity_providers set sealed_secret = 'lost' || substr(sealed_secret, 4) returning id",
    [],
  )
  await asSuperuser(
    `update two_factor set sealed_secret = (select sealed_secret from two_factor where account_id = $1)
     where account_id = $2`,
    [owner.id, customer.id],
  )
  await asSuperuser("update audit_heads set key_id = 'lost'", [])

  const { code, lines } = await run()

  assert.equal(code, 1)
  const [{ id }] = lost as [{ id: string }]
  const named = lines.filter((line) => line.startsWith('CANNOT DECRYPT')).map((line) => line.slice(16))
  assert.deepEqual(named.map((line) => line.split(': ')[0]).sort(), [
    `ENCRYPTION_KEYS does not hold the key "lost" that proved the end of the audit log "${store.id}"`,
    `identity_providers.sealed_secret of store_id ${store.id}, id ${id}`,
    `two_factor.sealed_secret of store_id ${store.id}, account_type customer, account_id ${customer.id}`,
  ])
  assert.match(named.join(), /does not hold the key "lost" that encrypted a stored secret/)
  assert.match(named.join(), /cannot be decrypted with the key "old": it was changed or moved/)
  assert.match(lines.at(-1) ?? '', /^Keep every key/)
  assert.deepEqual(await secretsOf(store, rotated.webhook.id), [rotated.secret, rotated.previous])
})

test('a broken audit log is listed, and the command succeeds', async () => {
  const store = await buildStore()
  await buildEntries(store, 2)
  await asSuperuser('update audit_heads set sequence = 1', [])

  const { code, lines } = await run()

  assert.equal(code, 0)
  assert.match(lines.join('\n'), new RegExp(`^BROKEN  the audit log of ${store.id}: run`, 'm'))
})

/** Returns the signing secrets of a webhook and checks that the newest key encrypts them. */
const secretsOf = (store: { id: string }, id: string): Promise<string[]> =>
  inStore(store.id, async (tx) => {
    const row = await tx.knex('webhooks').where({ id }).first()
    const { secret_sealed: secretSealed, previous_secret_sealed: previousSecretSealed } = row
    for (const sealed of [secretSealed, previousSecretSealed])
      if (sealed) assert.ok(sealed.startsWith(newestSealPrefix()), sealed)
    const previousSecretUntil = row.previous_secret_until
    return openSecrets({ id, secretSealed, previousSecretSealed, previousSecretUntil })
  })

async function buildWebhooks(store: BuiltStore, count: number, secretLength = 0): Promise<void> {
  const at = new Date()
  const webhooks = Array.from({ length: count }, () => {
    const id = newId()
    const secret_sealed = webhookSecrets.of({ id }).seal(`whsec_${id}`.padEnd(secretLength, 'x'))
    return {
      store_id: store.id,
      id,
      url: 'https://a.example',
      events: ['*'],
      secret_sealed,
      created_at: at,
      updated_at: at,
    }
  })
  await inStore(store.id, (tx) => tx.knex('webhooks').insert(webhooks))
}

const ownerOf = ({ id }: { id: string }) => ({
  own: { store_id: id },
  transact: <T>(work: (knex: StoreTx['knex']) => Promise<T>) => inStore(id, ({ knex }) => work(knex)),
})

test('an interrupted run resumes with the remaining secrets and reports progress', async () => {
  const [old, fresh] = [buildKey('old'), buildKey('new')]
  useKeys('ENCRYPTION_KEYS', old)
  const store = await buildStore()
  await buildWebhooks(store, 250)
  useKeys('ENCRYPTION_KEYS', fresh, old)

  const batches = reencryptKind(webhookSecrets, ownerOf(store))
  const { value: first } = await batches.next()
  await batches.return(undefined)
  const lines: string[] = []
  const code = await reencryptSecrets((line) => lines.push(line), 0)

  assert.equal((first as ReencryptCounts).renewed, 100)
  assert.equal(code, 0)
  assert.ok(
    lines.includes('signing secrets of webhooks: 150 re-encrypted, 100 current, 0 cannot be decrypted'),
  )
  assert.ok(lines.some((line) => line.startsWith('100 re-encrypted so far')))
  assert.equal(
    (await run()).lines[0],
    'signing secrets of webhooks: 0 re-encrypted, 250 current, 0 cannot be decrypted',
  )
})

test('vouchers whose other columns exceed the bytes of a statement are re-encrypted', async () => {
  const [old, fresh] = [buildKey('old'), buildKey('new')]
  useKeys('ENCRYPTION_KEYS', old)
  const store = await buildStore()
  for (let i = 0; i < 3; i++) await buildVoucher(store)
  await asSuperuser(`update vouchers set metadata = jsonb_build_object('a', repeat('x', 8000000))`, [])
  useKeys('ENCRYPTION_KEYS', fresh, old)

  const { code, lines } = await run()

  assert.equal(code, 0)
  assert.ok(lines.includes('codes of gift vouchers: 3 re-encrypted, 0 current, 0 cannot be decrypted'))
})

test('long secrets are re-encrypted in batches of at most 1 MiB', async () => {
  const [old, fresh] = [buildKey('old'), buildKey('new')]
  useKeys('ENCRYPTION_KEYS', old)
  const store = await buildStore()
  for (let i = 0; i < 3; i++) await buildWebhooks(store, 10, 300_000)
  await buildWebhooks(store, 1, 1_500_000)
  useKeys('ENCRYPTION_KEYS', fresh, old)

  const renewed: number[] = []
  for await (const batch of reencryptKind(webhookSecrets, ownerOf(store))) renewed.push(batch.renewed)

  // Encrypted, 300,000 bytes have 400,000. The ends of both columns are empty batches.
  assert.deepEqual(renewed, [...Array(15).fill(2), 1, 0, 0])
})

test('a store that fails is listed, the later stores are re-encrypted, and every key must be kept', async () => {
  const [old, fresh] = [buildKey('old'), buildKey('new')]
  useKeys('ENCRYPTION_KEYS', old)
  const stores = [await buildStore(), await buildStore(), await buildStore()] as const
  for (const store of stores) await buildWebhooks(store, 1)
  useKeys('ENCRYPTION_KEYS', fresh, old)

  let result: Awaited<ReturnType<typeof run>> | undefined
  await whileBroken(stores[1], { tables: ['webhooks'] }, async () => {
    result = await run()
  })

  const { code, lines } = result ?? assert.fail()
  assert.equal(code, 1)
  assert.equal(lines[0], 'signing secrets of webhooks: 2 re-encrypted, 0 current, 0 cannot be decrypted')
  assert.deepEqual(lines.slice(1), [
    `FAILED  ${stores[1].id}: some of its secrets still use an older key; the log has its error`,
    'Keep every key: 1 failed. Remove the cause of each error, then repeat this command.',
  ])
  assert.equal((await run()).code, 0)
})

async function buildHook() {
  const [old, fresh] = [buildKey('old'), buildKey('new')]
  useKeys('ENCRYPTION_KEYS', old)
  const store = await buildStore()
  const { webhook, secret } = await buildWebhook(store, { url: receiver.hookUrl('race') })
  const stale = webhookSecrets.of(webhook).seal('whsec_by-a-process-that-has-the-old-key-first')
  useKeys('ENCRYPTION_KEYS', fresh, old)
  return { store, id: webhook.id, secret, stale }
}

test('a secret rotated during the run is not overwritten', async () => {
  const { store, id, secret } = await buildHook()
  let changed = ''
  const rotating = await pending(
    (work) => inStore(store.id, work),
    async (tx) => {
      changed = (await rotateSecret(tx, id, { rights: RIGHTS })).secret
    },
  )

  const running = run()
  await untilOneWaits()
  rotating.commit()
  await rotating.done

  assert.equal((await running).code, 0)
  assert.deepEqual(await secretsOf(store, id), [changed, secret])
})

test('a secret written with the old key during the run is re-encrypted', async () => {
  const { store, id, stale } = await buildHook()
  const changing = await pending(
    (work) => inStore(store.id, work),
    (tx) => tx.knex('webhooks').where({ id }).update({ secret_sealed: stale }),
  )

  const running = run()
  await untilOneWaits()
  changing.commit()
  await changing.done

  assert.equal(
    (await running).lines[0],
    'signing secrets of webhooks: 1 re-encrypted, 0 current, 0 cannot be decrypted',
  )
  assert.deepEqual(await secretsOf(store, id), ['whsec_by-a-process-that-has-the-old-key-first'])
})

test('control: writing back a secret read before a rotation restores the old secret', async () => {
  const { store, id, secret } = await buildHook()
  const rowOf = (tx: StoreTx) => tx.knex('webhooks').where({ id })
  const { secret_sealed } = await inStore(store.id, (tx) => rowOf(tx).first())
  await inStore(store.id, (tx) => rotateSecret(tx, id, { rights: RIGHTS }))

  const sealer = webhookSecrets.of({ id })
  await inStore(store.id, (tx) =>
    rowOf(tx).update({ secret_sealed: sealer.seal(sealer.open(secret_sealed)) }),
  )

  const { secret_sealed: lost } = await inStore(store.id, (tx) => rowOf(tx).first())
  assert.equal(sealer.open(lost), secret)
})

test('a second factor replaced during the run is not overwritten', async () => {
  const [old, fresh] = [buildKey('old'), buildKey('new')]
  useKeys('ENCRYPTION_KEYS', old)
  const store = await buildStore()
  const account = { type: 'customer', id: newId() } as const
  await buildTwoFactor(store, account)
  useKeys('ENCRYPTION_KEYS', fresh, old)
  let secret = ''
  const replacing = await pending(
    (work) => inStore(store.id, work),
    async (tx) => {
      await deleteSecondFactor(tx, account)
      secret = await buildTotpSecret(tx, account)
    },
  )

  const running = run()
  await untilOneWaits()
  replacing.commit()
  await replacing.done

  assert.equal((await running).code, 0)
  const row = await inStore(store.id, (tx) => findTwoFactor(tx, account))
  await inStore(store.id, async (tx) =>
    assert.equal(sealerOf(tx, account).open(row?.sealed_secret ?? ''), secret),
  )
})

interface TextColumn {
  table: string
  column: string
  sql: string
}

// Partitions are listed under the name of their parent table.
const TEXT_COLUMNS = `
  select coalesce(i.inhparent, c.oid)::regclass::text as table, a.attname as column,
    case when a.atttypid = 'bytea'::regtype then format('encode(%I, ''escape'')', a.attname)
      else format('%I::text', a.attname) end as sql
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  left join pg_inherits i on i.inhrelid = c.oid
  where c.relkind = 'r' and c.relnamespace in ('public'::regnamespace, 'pgboss'::regnamespace)
    and a.atttypid::regtype::text ~ '^(text|bytea|jsonb?|character.*)(\\[\\])?$'`

test('the columns with encrypted values are exactly the declared ones', async () => {
  await buildByOldKey('scan')

  const columns = (await asSuperuser(TEXT_COLUMNS, [])) as TextColumn[]
  const holders = new Set<string>()
  for (const { table, column, sql } of columns)
    if ((await asSuperuser(`select from ${table} where ${sql} ~ $1 limit 1`, [SEALED])).length)
      holders.add(`${table}.${column}`)

  assert.ok(columns.length > 200, `${columns.length} columns`)
  const declared = allSecrets.flatMap(({ storage }) =>
    (storage?.columns ?? []).map((column) => `${storage?.table}.${column.split('->')[0]}`),
  )
  assert.deepEqual([...holders].sort(), declared.sort())
})

const SEALED = String.raw`\mold\.[A-Za-z0-9_-]{16}\.[A-Za-z0-9_-]{22}\.`

test('the command reads stores whose purge has started', async () => {
  const store = await buildStore()
  await db()('stores').where('id', store.id).update({ purge_started_at: new Date() })

  const names = (await Array.fromAsync(scopes())).map(({ name }) => name)

  assert.deepEqual(names, ['platform', store.id])
})
