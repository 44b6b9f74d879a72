import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namedStatement } from '#shared/platform/db/statement.ts'

test('the parameters of a named statement and their values have one order', () => {
  const statement = namedStatement(
    'find_job',
    { jobId: 'uuid', status: 'text' },
    ({ status, jobId }) => `select where status = ${status} and id = ${jobId}`,
  )

  assert.equal(statement.text, 'select where status = $2::text and id = $1::uuid')
  assert.deepEqual(statement.values({ status: 'active', jobId: 'j1' }), ['j1', 'active'])
})
