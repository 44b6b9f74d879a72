import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readFirstFile } from '#api/images/read-multipart.ts'
import { cpuMs } from '#test/support/thread-cpu.ts'

const PACKET_BYTES = 65_536
const MAX_BLOCKED_MS = 50

const FILE = '--b\r\nContent-Disposition: form-data; name=a; filename=a\r\n\r\n'
const FIELD = '--b\r\nContent-Disposition: form-data; name=a\r\n\r\nx\r\n'
const END = '\r\n--b--\r\n'

/** The file of a form that arrives in packets, or why it is refused, and the number of packets that were read. */
async function read(form: string) {
  const bytes = Buffer.from(form, 'latin1')
  let packets = 0
  async function* body() {
    for (let start = 0; start < bytes.length; start += PACKET_BYTES) {
      packets += 1
      yield bytes.subarray(start, start + PACKET_BYTES)
    }
  }
  const before = cpuMs()
  const parts: Buffer[] = []
  let refusal = ''
  try {
    const file = readFirstFile(body(), { 'content-type': 'multipart/form-data; boundary=b' })
    for await (const part of file) parts.push(part)
  } catch (error) {
    refusal = (error as Error).message
  }
  const ms = cpuMs() - before
  return { file: Buffer.concat(parts).toString('latin1'), refusal, packets, ms }
}

for (const [name, part] of [
  ['empty parts', '\r\n--b\r\n'],
  ['parts without headers', '\r\n--b\r\n\r\n'],
  ['fields', `\r\n${FIELD.trimEnd()}`],
] as const) {
  test(`a form of ${name} alone is refused without parsing all of them`, async () => {
    const { refusal, packets, ms } = await read(`--b\r\n${part.repeat(400_000)}`)

    assert.match(refusal, /holds no file/)
    assert.ok(packets <= 2, `${packets} packets were read`)
    assert.ok(ms < MAX_BLOCKED_MS, `it took ${ms} ms`)
  })

  test(`${name} after the file are not parsed`, async () => {
    const { file, refusal, packets, ms } = await read(`${FILE}content${part.repeat(400_000)}`)

    assert.deepEqual([file, refusal], ['content', ''])
    assert.ok(packets <= 2, `${packets} packets were read`)
    assert.ok(ms < MAX_BLOCKED_MS, `it took ${ms} ms`)
  })
}

test('headers of many kilobytes cost little', async () => {
  const name = '\\"'.repeat(35_000)
  const { ms } = await read(`--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\nx\r\n`.repeat(20))

  assert.ok(ms < MAX_BLOCKED_MS, `it took ${ms} ms`)
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
