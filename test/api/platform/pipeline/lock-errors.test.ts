import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { superuser } from '#test/support/database.ts'
import { request } from '#test/support/processes/app.ts'

for (const [why, errcode] of [
  ['waits too long for a lock', '55P03'],
  ['deadlocks at each attempt', '40P01'],
] as const)
  test(`a change that ${why} returns 503 and changes nothing; a repeat with its key succeeds`, async () => {
    const store = await buildStore()
    const { token } = await buildStaff(store, { role: 'owner' })
    const create = { token, key: randomUUID(), body: { name: 'Fjord & Fen' } }
    await superuser.query(`
      create function refuse_lock() returns trigger language plpgsql as
        $$ begin raise exception 'no lock' using errcode = '${errcode}'; end $$;
      create trigger refuse_lock after insert on manufacturers for each row execute function refuse_lock()`)

    const refused = await request('POST /admin/manufacturers', create).finally(() =>
      superuser.query('drop function refuse_lock cascade'),
    )
    const { data: before } = await request('GET /admin/manufacturers', { token })
    const repeated = await request('POST /admin/manufacturers', create)

    const { status, error_code, headers } = refused
    assert.deepEqual(
      { status, error_code, retryAfter: headers.get('retry-after') },
      { status: 503, error_code: 'server.unavailable', retryAfter: '2' },
    )
    assert.deepEqual(before, [])
    assert.equal(repeated.status, 201)
  })
