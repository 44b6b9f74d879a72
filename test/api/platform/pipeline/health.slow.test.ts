import assert from 'node:assert/strict'
import { test } from 'node:test'
import { config } from '#shared/platform/config/config.ts'
import { db } from '#shared/platform/db/db.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { superuser } from '#test/support/database.ts'
import { countStatements } from '#test/support/measure/count-statements.ts'
import { baseUrl, rawRequest, request } from '#test/support/processes/app.ts'

const read = async (path: string) => {
  const response = await fetch(baseUrl + path)
  return { status: response.status, text: await response.text() }
}

test('a healthy process is live and ready', async () => {
  assert.equal((await read('/health/live')).status, 200)

  const { status, text } = await read('/health/ready')

  assert.equal(status, 200)
  assert.deepEqual(JSON.parse(text).checks, { database: true, storage: true, queue: true, migrations: true })
})

test('concurrent requests share one check', async () => {
  const ask = async (times: number) => {
    const answers = await Promise.all(Array.from({ length: times }, () => read('/health/ready')))
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  }

  const alone = await countStatements(() => ask(1))
  const together = await countStatements(() => ask(100))

  // A busy machine spreads the requests over many checks, and still some share one.
  assert.ok(together < 90 * alone, `${together} statements, and ${alone} for one`)
})

test('with a full disk of the database a change returns 503, and the process is not ready until there is space', async (t) => {
  const store = await buildStore()
  const { variants } = await buildProduct(store)
  await superuser.query(`
    create function refuse_space() returns trigger language plpgsql as
      $$ begin raise exception 'no space left on device' using errcode = '53100'; end $$;
    create trigger refuse_space before insert on carts for each row execute function refuse_space();
    create function refuse_files() returns event_trigger language plpgsql as
      $$ begin raise exception 'no space left on device' using errcode = '53100'; end $$;
    create event trigger refuse_files on ddl_command_start execute function refuse_files()`)
  const freeSpace = () =>
    superuser.query('drop event trigger if exists refuse_files; drop trigger if exists refuse_space on carts')
  t.after(freeSpace)
  const add = () => request('POST /cart/items', { store, body: { variant_id: variants[0]?.id, quantity: 1 } })

  const refused = await add()
  const full = await read('/health/ready')
  await freeSpace()
  const free = await read('/health/ready')

  const { status, error_code, headers } = refused
  assert.deepEqual(
    { status, error_code, retry: headers.has('Retry-After') },
    { status: 503, error_code: 'server.unavailable', retry: true },
  )
  assert.equal(full.status, 503)
  assert.deepEqual(JSON.parse(full.text).checks, {
    database: true,
    storage: false,
    queue: true,
    migrations: true,
  })
  assert.equal(free.status, 200)
  assert.equal((await add()).status, 201)
})

test('a missing migration makes the process not ready but still live', async () => {
  const [name] = await db()('knex_migrations').orderBy('id', 'desc').limit(1).pluck('name')
  await db()('knex_migrations').where({ name }).delete()

  const { status, text } = await read('/health/ready')

  assert.equal(status, 503)
  assert.equal(JSON.parse(text).checks.migrations, false)
  assert.equal((await read('/health/live')).status, 200)
})

test('the public listener has no metrics', async () => {
  assert.equal((await read('/metrics')).status, 404)
})

test("security.txt names the operator's contact on every host", async () => {
  const answer = await rawRequest('GET /.well-known/security.txt HTTP/1.1\r\nHost: shop.example\r\n')

  const { hostname } = new URL(config().PUBLIC_URL)
  assert.match(answer, new RegExp(`Contact: mailto:security@${hostname}\\n`))
})
