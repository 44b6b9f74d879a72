import assert from 'node:assert/strict'
import { test } from 'node:test'
import Koa, { type Context } from 'koa'
import { wantsCsv } from '#api/platform/output/send-csv.ts'

const app = new Koa()
const read = (accept: string) => {
  const request = { headers: { accept }, socket: {} }
  return wantsCsv(app.createContext(request as never, {} as never) as Context)
}

test('a list is returned as CSV if the Accept header prefers text/csv to JSON', () => {
  assert.deepEqual(
    ['text/csv', 'text/csv, application/json;q=0.5', '', '*/*', 'application/json, text/csv'].map(read),
    [true, true, false, false, false],
  )
})

test('an Accept header of 16 KB with open quotes is ignored, because reading it would block the process', () => {
  const hostile = `text/csv, "${'"",'.repeat(5_000)}`

  assert.equal(read(hostile), false)
})
