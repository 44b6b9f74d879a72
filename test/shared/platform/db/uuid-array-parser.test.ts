import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import pg from 'pg'
import '#test/support/database.ts'
import { db } from '#shared/platform/db/db.ts'

const UUID_ARRAY: number = 2951
const ID = '0199b1c2-7a10-7c3e-8f21-5b8de0a4c001'

const read = async (sql: string): Promise<unknown> => (await db().raw(`select ${sql} as ids`)).rows[0].ids

test('a list of ids is read as PostgreSQL stores it', async () => {
  assert.deepEqual(await read(`array['${ID}']::uuid[]`), [ID])
  assert.deepEqual(await read(`array['${ID}', '${ID}']::uuid[]`), [ID, ID])
  assert.deepEqual(await read(`'{}'::uuid[]`), [])
  assert.deepEqual(await read(`array['${ID}', null]::uuid[]`), [ID, null])
  assert.deepEqual(await read(`array[array['${ID}']]::uuid[]`), [[ID]])
  assert.deepEqual(await read(`'[2:2]={${ID}}'::uuid[]`), [ID])
  assert.equal(await read('null::uuid[]'), null)
})

test("a list of ids is not read by the driver's parser, which reads one character at a time", async () => {
  const text = `{${Array.from({ length: 1_000 }, () => randomUUID()).join()}}`
  const { client } = db()
  const connection = await client.acquireConnection()
  const parse = connection.getTypeParser(UUID_ARRAY, 'text') as (text: string) => unknown
  await client.releaseConnection(connection)
  const drivers = pg.types.getTypeParser(UUID_ARRAY, 'text') as (text: string) => unknown

  assert.notEqual(parse, drivers)
  assert.deepEqual(parse(text), drivers(text))
})
