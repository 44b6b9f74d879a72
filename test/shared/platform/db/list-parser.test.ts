import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import pg from 'pg'
import '#test/support/database.ts'
import { db } from '#shared/platform/db/db.ts'
import { cpuMs } from '#test/support/measure/thread-cpu.ts'

const TEXT_ARRAY: number = 1009
const UUID_ARRAY: number = 2951
const ID = '0199b1c2-7a10-7c3e-8f21-5b8de0a4c001'

type Parse = (text: string) => unknown

const read = async (sql: string, values: string[][] = []): Promise<unknown> =>
  (await db().raw(`select ${sql} as list`, values)).rows[0].list

/** The parser of our connections and the driver's own. */
async function parsersOf(type: number): Promise<{ ours: Parse; drivers: Parse }> {
  const { client } = db()
  const connection = await client.acquireConnection()
  const ours = connection.getTypeParser(type, 'text') as Parse
  await client.releaseConnection(connection)
  return { ours, drivers: pg.types.getTypeParser(type, 'text') as Parse }
}

test('a list of ids is read as PostgreSQL stores it', async () => {
  assert.deepEqual(await read(`array['${ID}']::uuid[]`), [ID])
  assert.deepEqual(await read(`array['${ID}', '${ID}']::uuid[]`), [ID, ID])
  assert.deepEqual(await read(`'{}'::uuid[]`), [])
  assert.deepEqual(await read(`array['${ID}', null]::uuid[]`), [ID, null])
  assert.deepEqual(await read(`array[array['${ID}']]::uuid[]`), [[ID]])
  assert.deepEqual(await read(`'[2:2]={${ID}}'::uuid[]`), [ID])
  assert.equal(await read('null::uuid[]'), null)
})

const ODD = [
  '',
  ' ',
  ',',
  'a b',
  '"',
  '\\',
  '\\"',
  '"\\',
  '\\\\""',
  '\n\\n\t"',
  '{',
  '}',
  '{a,"b"}',
  'NULL',
  'null',
  '1',
  'é😀',
]

test('a list of texts is read as PostgreSQL stores it', async () => {
  for (const list of [
    ODD,
    ODD.toReversed(),
    ...ODD.map((text) => [text]),
    ...ODD.map((text) => ['a', text, 'b']),
  ])
    assert.deepEqual(await read('?::text[]', [list]), list)
  assert.deepEqual(await read(`array['a', null, ' ', null]`), ['a', null, ' ', null])
  assert.deepEqual(await read(`array[array['a b', '"'], array['{', 'NULL']]`), [
    ['a b', '"'],
    ['{', 'NULL'],
  ])
  assert.deepEqual(await read(`'[2:3]={a,"b c"}'::text[]`), ['a', 'b c'])
})

test("a list of ids is not read by the driver's parser, which reads one character at a time", async () => {
  const text = `{${Array.from({ length: 1_000 }, () => randomUUID()).join()}}`
  const { ours, drivers } = await parsersOf(UUID_ARRAY)

  assert.notEqual(ours, drivers)
  assert.deepEqual(ours(text), drivers(text))
})

test("a long list of texts is read in less than half the time of the driver's parser", async (t) => {
  const sentence = JSON.stringify('with "words" '.repeat(8))
  const text = `{${Array.from({ length: 20_000 }, () => sentence).join()},plain}`
  const { ours, drivers } = await parsersOf(TEXT_ARRAY)
  const leastMs = (parse: Parse) =>
    Math.min(
      ...[1, 2, 3].map(() => {
        const begun = cpuMs()
        parse(text)
        return cpuMs() - begun
      }),
    )

  const times = { ours: leastMs(ours), drivers: leastMs(drivers) }

  t.diagnostic(JSON.stringify(times))
  assert.deepEqual(ours(text), drivers(text))
  assert.ok(times.ours < times.drivers / 2)
})
