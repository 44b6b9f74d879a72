import assert from 'node:assert/strict'
import type { Writable } from 'node:stream'
import { mock, test } from 'node:test'
import { Busboy } from '@fastify/busboy'
import { readFirstFile } from '#api/images/read-first-file.ts'
import { measureGrowth } from '#test/faults/growth.ts'

const PACKET_BYTES = 65_536
// The parts of 21 fields, and the piece in which the last of them ends.
const MOST_PARSED_BYTES = 4 * 1_024

/** Of sixteen times the input: 16 is linear, 256 quadratic. */
const MOST_RATIO = 64

const FILE = '--b\r\nContent-Disposition: form-data; name=a; filename=a\r\n\r\n'
const FIELD = '--b\r\nContent-Disposition: form-data; name=a\r\n\r\nx\r\n'
const END = '\r\n--b--\r\n'

const write = mock.method(Busboy.prototype as Writable, 'write')

/** The file of a form that arrives in packets, or why it is refused, and how many of its bytes were parsed. */
async function read(form: string) {
  const bytes = Buffer.from(form, 'latin1')
  async function* body() {
    for (let start = 0; start < bytes.length; start += PACKET_BYTES)
      yield bytes.subarray(start, start + PACKET_BYTES)
  }
  write.mock.resetCalls()
  const parts: Buffer[] = []
  let refusal = ''
  try {
    const file = readFirstFile(body(), { 'content-type': 'multipart/form-data; boundary=b' })
    for await (const part of file) parts.push(part)
  } catch (error) {
    refusal = (error as Error).message
  }
  const pieces = write.mock.calls.map((call) => call.arguments[0] as Buffer)
  const parsed = pieces.reduce((sum, { length }) => sum + length, 0)
  return { file: Buffer.concat(parts).toString('latin1'), refusal, parsed }
}

for (const [name, part] of [
  ['empty parts', '\r\n--b\r\n'],
  ['parts without headers', '\r\n--b\r\n\r\n'],
  ['fields', `\r\n${FIELD.trimEnd()}`],
] as const) {
  test(`a form of ${name} alone is refused without parsing all of them`, async () => {
    const { refusal, parsed } = await read(`--b\r\n${part.repeat(400_000)}`)

    assert.match(refusal, /holds no file/)
    assert.ok(parsed <= MOST_PARSED_BYTES, `${parsed} bytes were parsed`)
  })

  test(`${name} after the file are not parsed`, async () => {
    const { file, refusal, parsed } = await read(`${FILE}content${part.repeat(400_000)}`)

    assert.deepEqual([file, refusal], ['content', ''])
    assert.ok(parsed <= MOST_PARSED_BYTES, `${parsed} bytes were parsed`)
  })
}

test('long names in headers are read in linear time', async () => {
  const { ratio } = await measureGrowth(
    {
      name: 'names in headers',
      most: 35_000,
      make: (size) =>
        `--b\r\nContent-Disposition: form-data; name="${'\\"'.repeat(size)}"\r\n\r\nx\r\n`.repeat(20),
      read,
    },
    ({ ratio: measured }) => measured < MOST_RATIO,
  )

  assert.ok(ratio < MOST_RATIO, `16 times the input took ${ratio} times as long`)
})

test('a file after 20 fields is read whole, and one after 21 fields is not looked for', async () => {
  const content = 'x'.repeat(300_000)

  assert.equal((await read(`${FIELD.repeat(20)}${FILE}${content}${END}`)).file, content)
  assert.match((await read(`${FIELD.repeat(21)}${FILE}${content}${END}`)).refusal, /holds no file/)
})

test('only the first file is read, and one that ends early is refused', async () => {
  assert.equal((await read(`${FILE}first\r\n${FILE}second${END}`)).file, 'first')
  assert.equal((await read(`${FILE}${END}`)).file, '')
  assert.match((await read(`${FILE}first`)).refusal, /is damaged/)
})
