import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { Histogram, Registry, register } from 'prom-client'
import { measureRequest } from '#api/platform/pipeline/metrics.ts'

const MIB = 1024 * 1024
const STATUSES = [200, 201, 202, 204, 304, 400, 401, 403, 404, 409, 412, 415, 422, 429, 500, 503]

/** Every operation with every status, as callers can cause them. */
async function allAnswers() {
  const { paths } = JSON.parse(await readFile('api/openapi.json', 'utf8')) as {
    paths: Record<string, object>
  }
  return Object.entries(paths).flatMap(([route, operations]) =>
    Object.keys(operations).flatMap((method) => STATUSES.map((status) => ({ route, method, status, ms: 3 }))),
  )
}

test('the metrics of every operation with every status stay below 2 MiB, so that a scrape blocks nobody', async () => {
  const answers = await allAnswers()

  for (const answer of answers) measureRequest(answer)

  assert.ok(answers.length > 4_000)
  assert.ok((await register.metrics()).length < 2 * MIB)
})

test('control: a histogram by status grows past 5 MiB', async () => {
  const registry = new Registry()
  const byStatus = new Histogram({
    name: 'http_request_seconds',
    help: 'Time to answer a request, by operation and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })

  for (const { method, route, status, ms } of await allAnswers())
    byStatus.observe({ method, route, status: String(status) }, ms / 1_000)

  assert.ok((await registry.metrics()).length > 5 * MIB)
})
